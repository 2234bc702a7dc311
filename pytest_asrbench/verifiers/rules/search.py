"""One matcher for all readings: tries every start, keeps the best, remembers what it refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from pytest_asrbench.verifiers.rules.difference import Target
from pytest_asrbench.verifiers.rules.edges import REFUSED
from pytest_asrbench.verifiers.rules.family import Match, Reading
from pytest_asrbench.verifiers.rules.tape import Tape


@dataclass(frozen=True)
class Compiled:
    """A value made ready to be looked for."""

    first: tuple[Reading, ...]
    target: Target
    """What a miss is compared with."""
    last: Callable[[], Reading | None]
    """Makes the reading that is looked for when the first find nothing."""

    @cached_property
    def later(self) -> tuple[Reading, ...]:
        found = self.last()
        return () if found is None else (found,)

    @property
    def readings(self) -> tuple[Reading, ...]:
        return self.first + self.later


def search(tape: Tape, compiled: Iterable[Compiled]) -> tuple[Match | None, Match | None]:
    """The best match that stands, and else the best that its surroundings refuse."""
    best: Match | None = None
    refused: Match | None = None
    for reading in _in_turn(compiled):
        for match in reading.found(tape):
            if match.doubts & REFUSED:
                refused = _better(refused, match)
            elif not match.doubts:
                return match, None
            else:
                best = _better(best, match)
    return best, refused


def _in_turn(compiled: Iterable[Compiled]) -> Iterator[Reading]:
    for one in compiled:
        yield from one.first
        yield from one.later


def _better(old: Match | None, new: Match) -> Match:
    if old is None or new.doubts.bit_count() < old.doubts.bit_count():
        return new
    return old
