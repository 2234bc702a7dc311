"""A quantity, and the index of those of a transcript (rules 13, 14, 41)."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.readings.names import UNIT
from pytest_asrbench.verifiers.rules.readings.whole import Whole

CENTS: Final = 100


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit or currency, from its first sign to its last word."""

    start: int
    end: int
    key: str
    """Unit or currency; "ft+in" of two parts, "km..km" of a range."""
    value: Fraction
    more: Fraction | None = None
    """The second part, or the upper end."""
    doubts: int = 0
    whole: Whole | None = None
    kind: str = UNIT

    @property
    def refused(self) -> bool:
        return bool(self.doubts & Doubt.REFUSED)


@dataclass(slots=True)
class Quantities:
    """All quantities of a transcript, by what they say."""

    by_value: dict[tuple[str, Fraction, Fraction | None], list[Quantity]] = field(
        default_factory=dict
    )
    unfit: set[int] = field(default_factory=set)
    """Ends of numbers that share a multiplier with another: the 15 of "15 to 20 billion"."""
    spans: list[tuple[int, int]] = field(default_factory=list)
    """Every quantity that stands, for those who ask what a figure is."""

    def add(self, one: Quantity) -> None:
        self.by_value.setdefault((one.key, one.value, one.more), []).append(one)
        if not one.refused:
            self.spans.append((one.start, one.end))

    def find(self, key: str, value: Fraction, more: Fraction | None = None) -> list[Quantity]:
        return self.by_value.get((key, value, more), [])
