"""Readings of a line: values of one kind, each whole, with where it stands."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace


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
    return [
        one
        for one in readings
        if not any(one.start < other.start < one.end < other.end for other in readings)
    ]
