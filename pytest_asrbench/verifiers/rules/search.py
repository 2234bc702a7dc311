"""One matcher for all readings: tries every start, keeps the best, remembers what it refused."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import itemgetter

from pytest_asrbench.verifiers.rules.difference import Target
from pytest_asrbench.verifiers.rules.edges import REFUSED
from pytest_asrbench.verifiers.rules.family import Match, Reading
from pytest_asrbench.verifiers.rules.tape import Tape


@dataclass(frozen=True, slots=True)
class Compiled:
    """A value made ready to be looked for."""

    readings: tuple[Reading, ...]
    target: Target
    """What a miss is compared with."""


def search(tape: Tape, compiled: Iterable[Compiled]) -> tuple[Match | None, Match | None]:
    """The best match that stands, and else the best that its surroundings refuse."""
    best: Match | None = None
    refused: Match | None = None
    for one in compiled:
        for reading in one.readings:
            for match in matches(tape, reading):
                if match.doubts & REFUSED:
                    refused = _better(refused, match)
                elif not match.doubts:
                    return match, None
                else:
                    best = _better(best, match)
    return best, refused


def _better(old: Match | None, new: Match) -> Match:
    if old is None or new.doubts.bit_count() < old.doubts.bit_count():
        return new
    return old


def matches(tape: Tape, reading: Reading) -> Iterable[Match]:
    """Every place where the reading's pattern fits, the surroundings judged."""
    pattern, edges, own = reading.pattern, reading.edges, reading.doubts
    tries = pattern.tries(tape)
    if len(tries) > 1:
        tries = sorted(dict.fromkeys(tries), key=_place)
    for start, option in tries:
        for end, doubts in option.ends(tape, start).items():
            if end > start:
                yield Match(start, end, doubts | own | edges(tape, start, end), reading)


_place = itemgetter(0)
