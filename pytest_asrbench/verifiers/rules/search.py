"""One matcher for all readings: tries every start, keeps the best, remembers what it refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.difference import Target
from pytest_asrbench.verifiers.rules.family import FamilyMatch, FamilyReading
from pytest_asrbench.verifiers.rules.tokens import Tokens


@dataclass(frozen=True)
class Compiled:
    """A value made ready to be looked for."""

    first: tuple[FamilyReading, ...]
    target: Target
    """What a miss is compared with."""
    last: Callable[[], FamilyReading | None]
    """Makes the reading that is looked for when the first find nothing."""

    @cached_property
    def later(self) -> tuple[FamilyReading, ...]:
        last = self.last()
        return () if last is None else (last,)

    @property
    def readings(self) -> tuple[FamilyReading, ...]:
        return self.first + self.later


def search(
    tokens: Tokens, compiled: Iterable[Compiled]
) -> tuple[FamilyMatch | None, FamilyMatch | None]:
    """The best match that stands, and else the best that its surroundings refuse."""
    best: FamilyMatch | None = None
    refused: FamilyMatch | None = None
    for reading in _in_turn(compiled):
        for match in reading.matches(tokens):
            if match.doubts & Doubt.REFUSED:
                refused = _better(refused, match)
            elif not match.doubts:
                return match, None
            else:
                best = _better(best, match)
    return best, refused


def _in_turn(compiled: Iterable[Compiled]) -> Iterator[FamilyReading]:
    for one in compiled:
        yield from one.first
        yield from one.later


def _better(old: FamilyMatch | None, new: FamilyMatch) -> FamilyMatch:
    if old is None or new.doubts.bit_count() < old.doubts.bit_count():
        return new
    return old
