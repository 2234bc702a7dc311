"""
The measures that can be gated: each of the table, by entity type and slice.

A gate's name is `measure`, `recovery:TYPE`, and behind either `:dimension=value` for a slice:
`ctem`, `recovery:time`, `wer:locale=es-MX`, `recovery:time:tag=smoke`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_asrbench.metrics import recovery
from pytest_asrbench.metrics.measures import MEASURES, Measure, Unit
from pytest_asrbench.model import ClipRecord, Measured, Rate

__all__ = ["MEASURES", "GateName", "Measure", "Unit", "Views", "measured"]


@dataclass(frozen=True, slots=True)
class GateName:
    """A gate's name in its parts."""

    measure: str
    type: str | None = None
    slice: str | None = None

    @classmethod
    def parse(cls, text: str) -> GateName:
        measure, *rest = text.split(":")
        type_ = rest.pop(0) if measure == "recovery" and rest else None
        return cls(measure, type_, ":".join(rest) or None)

    def __str__(self) -> str:
        return ":".join(part for part in (self.measure, self.type, self.slice) if part)

    @property
    def spec(self) -> Measure:
        return MEASURES[self.measure]

    def records(self, records: Sequence[ClipRecord]) -> Sequence[ClipRecord]:
        """The records that the gate looks at, with only the entities that it looks at."""
        return Views(records).of(self)


def measured(name: GateName, chosen: Sequence[ClipRecord]) -> Measured:
    """The measure over records that were chosen for it. None where nothing was counted."""
    value = name.spec.count(chosen)
    return None if isinstance(value, Rate) and not value.total else value


class Views:
    """The records that each gate looks at; those of all types are parted in one go."""

    def __init__(self, records: Sequence[ClipRecord]) -> None:
        self.records = records
        self._slices: dict[str, Sequence[ClipRecord]] = {}
        self._types: dict[str | None, dict[str, list[ClipRecord]]] = {}

    def of(self, name: GateName) -> Sequence[ClipRecord]:
        """Its slice, with only the entities of its type."""
        return self.types(name.slice).get(name.type, []) if name.type else self.slice(name.slice)

    def slice(self, slice_: str | None) -> Sequence[ClipRecord]:
        if slice_ is None:
            return self.records
        if slice_ not in self._slices:
            self._slices[slice_] = recovery.in_slice(self.records, slice_)
        return self._slices[slice_]

    def types(self, slice_: str | None) -> dict[str, list[ClipRecord]]:
        if slice_ not in self._types:
            self._types[slice_] = recovery.by_type(self.slice(slice_))
        return self._types[slice_]
