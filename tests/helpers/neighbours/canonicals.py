"""Canonicals that are spoken forms themselves (rule 50): "one hundred twenty dollars"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any

from . import clock, codes, dates, digits, measurements, money, quantities
from .clock import Clock, minute_words
from .codes import Code
from .dates import MONTHS, Date
from .digits import Run, spoken_digits
from .family import Family
from .measurements import Quantity, unit_word
from .money import Money
from .numbers import ordinal, words


class _Plainly(Random):
    """Always the first way: a canonical has one form."""

    def random(self) -> float:
        return 0.99

    def choice(self, seq: Any) -> Any:
        return seq[0]


def _plainly(said: str) -> str:
    return said.replace("-", " ").replace(" and ", " ")


def _counted(n: int, one: str | None, many: str | None) -> str:
    return f"{_plainly(words(_Plainly(), Decimal(n)))} {one if n == 1 else many}"


def _money(m: Money) -> str:
    whole = _counted(m.whole, m.of.one, m.of.many)
    if not m.cents:
        return whole
    cents = _counted(m.cents, m.of.part, m.of.parts)
    return f"{whole} and {cents}" if m.whole else cents


def _time(t: Clock) -> str:
    said = _plainly(words(_Plainly(), Decimal(t.twelve)))
    if t.minute:
        said += f" {_plainly(minute_words(_Plainly(), t.minute))}"
    elif t.bare:
        said += " o'clock"
    if t.bare:
        return said
    return f"{said} {t.half[0].lower()} m" + (f" {clock.ZONES[t.zone][1]}" if t.zone else "")


def _date(d: Date) -> str:
    said = f"{MONTHS[d.month - 1]} {_plainly(ordinal(_Plainly(), d.day))}"
    said += f" {_plainly(dates.year_words(_Plainly(), d.year))}" if d.year else ""
    return f"{dates.DAYS[d.weekday]} {said}" if d.weekday is not None else said


def _code(c: Code) -> str:
    said = (
        spoken_digits(_Plainly(), g, doubles=False) if g.isdigit() else " ".join(g)
        for g in c.groups
    )
    return " ".join(said)


def _run(run: Run) -> str:
    return spoken_digits(_Plainly(), run.digits, doubles=False)


def _quantity(q: Quantity) -> str:
    return f"{_plainly(words(_Plainly(), q.number))} {unit_word(q)}"


def _spoken(family: Family[Any], canonical: Callable[[Any], str], **more: Any) -> Family[Any]:
    return replace(family, canonical=canonical, prefix="spoken canonical: ", beside=(), **more)


OF_CENTS = ("as second part", "whole before decimals")


def _named(random: Random) -> Money:
    """An amount whose words name its currency: "ninety five cents" may be of several."""
    while not (drawn := money.MONEY.value(random)).whole:
        pass
    return drawn


FAMILIES: tuple[Family[Any], ...] = (
    _spoken(
        money.MONEY,
        _money,
        value=_named,
        forms={n: f for n, f in money.MONEY.forms.items() if n != "spoken: cents alone"},
        changes={n: c for n, c in money.MONEY.changes.items() if n not in OF_CENTS},
    ),
    _spoken(clock.TIME, _time),
    _spoken(dates.DATE, _date),
    _spoken(codes.REFERENCE, _code),
    _spoken(digits.PHONE, _run),
    _spoken(digits.ACCOUNT, _run),
    _spoken(digits.EXTENSION, _run),
    _spoken(measurements.MEASUREMENT, _quantity),
    _spoken(quantities.PERCENTAGE, lambda x: f"{_plainly(words(_Plainly(), x))} percent"),
)
