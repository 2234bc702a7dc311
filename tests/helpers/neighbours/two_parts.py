"""Measurements in two parts: 5 ft 2 in, 2 hours 30 minutes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random
from typing import Any

from . import numbers
from .family import Family, Said
from .measurements import number_and_unit, unit_word
from .numbers import cardinal, figure, words
from .quantities import SENTENCES
from .units import UNITS, Quantity


@dataclass(frozen=True, slots=True)
class Parts:
    first: int
    second: int
    units: tuple[str, str]


PAIRS = (
    ("feet", "inches", "ft", "in", 11),
    ("hours", "minutes", "hours", "minutes", 59),
    ("lb", "oz", "lb", "oz", 15),
)


def _parts(random: Random) -> Parts:
    first, second, _, _, most = random.choice(PAIRS)
    return Parts(random.randint(1, 23), random.randint(1, most), (first, second))


def _parts_as(p: Parts) -> str:
    a, b = next((a, b) for first, _, a, b, _ in PAIRS if first == p.units[0])
    parts = ((p.first, a), (p.second, b))
    return " ".join(f"{n} {name.removesuffix('s') if n == 1 else name}" for n, name in parts)


def _parts_said(form: Callable[[Random, Decimal], str]) -> Any:
    def said(random: Random, p: Parts) -> str:
        joint = random.choice((" ", ", ", " and "))
        both = zip((p.first, p.second), p.units, strict=True)
        quantities = [Quantity(Decimal(n), unit) for n, unit in both]
        return joint.join(f"{form(random, q.number)} {unit_word(q)}" for q in quantities)

    return said


def _part(which: str) -> Any:
    def said(random: Random, p: Parts) -> Said:
        n, unit = (p.first, p.units[0]) if which == "first" else (p.second, p.units[1])
        return Said(number_and_unit(random, Quantity(Decimal(n), unit)))

    return said


def _parts_changed(part: str, change: Any) -> Any:
    def changed(random: Random, p: Parts) -> Parts | None:
        new = change(random, Decimal(getattr(p, part)))
        return replace(p, **{part: int(new)}) if new and new % 1 == 0 and new < 1000 else None

    return changed


def _with_half(random: Random, p: Parts) -> Said:
    first = Quantity(Decimal(p.first), p.units[0])
    second = f"{cardinal(random, p.second)} and a half {UNITS[p.units[1]].many}"
    return Said(f"{number_and_unit(random, first)} {second}")


TWO_PARTS = Family[Parts](
    type="measurement",
    value=_parts,
    canonical=_parts_as,
    forms={
        "written: two parts": _parts_said(figure),
        "spoken: two parts": _parts_said(words),
    },
    changes={
        "first part alone": _part("first"),
        "second part alone": _part("second"),
        "first part: tens before units": _parts_changed("first", numbers.tens_before_units),
        "first part changed": _parts_changed("first", numbers.figure_changed),
        "second part: tens before units": _parts_changed("second", numbers.tens_before_units),
        "second part: teen or ty": _parts_changed("second", numbers.teen_or_ty),
        "second part changed": _parts_changed("second", numbers.figure_changed),
        "second part: half more": _with_half,
        "parts swapped": lambda random, p: replace(p, first=p.second, second=p.first),
    },
    sentences=SENTENCES,
)


FAMILIES: tuple[Family[Any], ...] = (TWO_PARTS,)
