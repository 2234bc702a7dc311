"""Readings of a line: values of one kind, each whole, with where it stands."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from itertools import accumulate


@dataclass(frozen=True, slots=True)
class Reading:
    """One value read from a line."""

    key: Hashable
    """The value in one form: equal keys are equal values."""
    start: int
    end: int
    doubts: int = 0
    name: str = ""
    """The way it was read; `asrbench explain` shows it."""

    def doubted(self, doubts: int) -> Reading:
        return replace(self, doubts=self.doubts | doubts)


def whole(readings: Iterable[Reading]) -> list[Reading]:
    """Readings that no longer one holds: a value is read from its first sign to its last."""
    ordered = sorted(set(readings), key=lambda r: (r.start, -r.end))
    kept: list[Reading] = []
    reach = -1
    widest = (-1, -1)
    for one in ordered:
        if one.end <= reach and (one.start, one.end) != widest:
            continue
        if one.end > reach:
            reach, widest = one.end, (one.start, one.end)
        kept.append(one)
    return kept


def uncut(readings: list[Reading]) -> list[Reading]:
    """Without those that another reading goes on from: "las siete" of "las siete y media"."""
    starts = sorted({one.start for one in readings})
    last = {one.start: 0 for one in readings}  # the end of the longest one there
    for one in readings:
        last[one.start] = max(last[one.start], one.end)

    def cut(one: Reading) -> bool:
        inside = starts[bisect_right(starts, one.start) : bisect_left(starts, one.end)]
        return any(last[start] > one.end for start in inside)

    return [one for one in readings if not cut(one)]


class Reach:
    """How far readings go: whether one holds a span and more."""

    def __init__(self, readings: Iterable[Reading]) -> None:
        spans = sorted((one.start, one.end) for one in readings)
        self._starts = [start for start, _ in spans]
        self._ends = list(accumulate((end for _, end in spans), max))

    def holds(self, start: int, end: int) -> bool:
        before, here = bisect_left(self._starts, start), bisect_right(self._starts, start)
        return (before > 0 and self._ends[before - 1] >= end) or (
            here > 0 and self._ends[here - 1] > end
        )
