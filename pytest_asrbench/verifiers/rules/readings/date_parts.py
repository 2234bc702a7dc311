"""Parts of a date, and figures in order that are read as one (rules 15 and 27)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pytest_asrbench.verifiers.rules.ambiguity import Doubt


@dataclass(frozen=True, slots=True)
class Date:
    """One date as it was said; 0 and "" are parts that were not."""

    start: int
    end: int
    year: str = ""
    month: int = 0
    day: int = 0
    weekday: int = 0
    doubts: int = 0
    ordinal: bool = False
    """The day is an ordinal: "the 21st"."""
    quarter: int = 0


def is_year(digits: str) -> bool:
    return len(digits) == 4 and digits[0] in "12"


def product(options: list[list[str]]) -> Iterator[list[str]]:
    if not options:
        yield []
        return
    for first in options[0]:
        for rest in product(options[1:]):
            yield [first, *rest]


def parts(texts: list[str], *, day_first: bool) -> Iterator[Date]:
    """Year, month and day of figures in order; day first only where it has one reading."""
    base = Date(0, 0)
    if any(not text or len(text) > 4 or len(text) == 3 for text in texts):
        return
    if len(texts) == 2:
        one, two = texts
        if len(one) == 4 and len(two) == 2:
            one, two = two, one
        if len(two) == 4 and len(one) <= 2:
            if 0 < int(one) < 13 and is_year(two):
                yield replace(base, month=int(one), year=two)
            return
        if len(one) == 4:
            return
        yield from _month_and_day(one, two, base, day_first=day_first)
        return
    one, two, three = texts
    if len(one) == 4:
        if is_year(one) and 0 < int(two) < 13 and 0 < int(three) < 32:
            yield replace(base, year=one, month=int(two), day=int(three))
        return
    if len(two) == 4:
        return
    years = [(three, 0)] if is_year(three) else []
    if len(three) == 2:
        years = [("20" + three, Doubt.YEAR), ("19" + three, Doubt.YEAR)]
    for year, doubts in years:
        dated = replace(base, year=year, doubts=doubts)
        yield from _month_and_day(one, two, dated, day_first=day_first)


def _month_and_day(one: str, two: str, base: Date, *, day_first: bool) -> Iterator[Date]:
    month, day = int(one), int(two)
    if day_first or month > 12:
        month, day = day, month
    if 0 < month < 13 and 0 < day < 32:
        yield replace(base, month=month, day=day)
