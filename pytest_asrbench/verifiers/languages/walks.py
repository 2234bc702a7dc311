"""Walks a value through a line, piece by piece: what both letters and words are looked for by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

Step = tuple[int, int, int]
"""Where it ends in the line, how many pieces of the value it took, and what is to doubt."""


@dataclass(slots=True)
class Walk:
    """The most that was reached of a value, for a miss."""

    best: int = 0
    start: int = 0
    end: int = 0


def ends(
    i: int, length: int, steps: Callable[[int, int], Iterable[Step]], reached: Walk, most: int
) -> Iterator[tuple[int, int]]:
    """(end, doubts) of every way in which `length` pieces stand at i, ways without doubts first.

    `steps(place, k)` says how the value may go on behind its first k pieces. At most `most` places
    are looked at.
    """
    sure, later = [(i, 0, 0)], list[Step]()
    seen: set[tuple[int, int]] = set()
    while (sure or later) and len(seen) < most:
        place, k, doubts = sure.pop() if sure else later.pop()
        if (place, k) in seen:
            continue
        seen.add((place, k))
        if k > reached.best:
            reached.best, reached.start, reached.end = k, i, place
        if k == length:
            yield place, doubts
            continue
        for end, taken, more in steps(place, k):
            (later if doubts | more else sure).append((end, k + taken, doubts | more))
