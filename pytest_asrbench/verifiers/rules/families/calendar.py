"""Dates (rules 15, 26, 27, 45, 53). Clock times are in clock.py."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.rules import said
from pytest_asrbench.verifiers.rules.alignment import CALENDAR
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.boundaries import QuantityBoundaries, date_spans
from pytest_asrbench.verifiers.rules.families.lexical import term
from pytest_asrbench.verifiers.rules.family import FamilyCase, FamilyReading, family
from pytest_asrbench.verifiers.rules.readings.date_parts import Date
from pytest_asrbench.verifiers.rules.readings.dates import dates
from pytest_asrbench.verifiers.rules.tokens import Tokens


def parse_date(folded: str, pack: Pack, *, day_first: bool = False) -> Date | None:
    """Parts of "March 5, 2026", "Tuesday, March 10", "2026-03-05", "3/5"; None if it is no date."""
    text = re.sub(r"[,.](?=\s|$)", " ", folded)
    quarter = re.fullmatch(r"q([1-4])(?: ?(?:of )?(\d{4}))?", text.strip())
    if quarter:
        return Date(0, 0, quarter[2] or "", quarter=int(quarter[1]))
    ordinal = re.fullmatch(rf"(?:the )?(\d{{1,2}})(?:{'|'.join(pack.ordinal_tails)})", text.strip())
    if ordinal:
        return _checked("", 0, int(ordinal[1]), None)
    weekday = _take(text, pack.weekdays)
    if weekday:
        text = text.replace(weekday[1], " ", 1)
    text = re.sub(r"\b(the|of)\b", " ", text).strip()
    numeric = re.fullmatch(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", text)
    if numeric:
        return _checked(numeric[1], int(numeric[2]), int(numeric[3]), weekday)
    numeric = re.fullmatch(r"(\d{4})[-/](\d{2})", text) or re.fullmatch(r"(\d{2})/(\d{4})", text)
    if numeric:
        year, month = sorted(numeric.groups(), key=len, reverse=True)
        return _checked(year, int(month), 0, weekday) if int(month) else None
    numeric = re.fullmatch(r"(\d{1,2})[-/.](\d{1,2})(?:[-/.](\d{4}|\d{2}))?", text)
    if numeric:
        month, day = int(numeric[1]), int(numeric[2])
        if day_first or month > 12:
            month, day = day, month
        year = numeric[3] or ""
        return _checked("20" + year if len(year) == 2 else year, month, day, weekday)
    return _worded(text, pack, weekday)


def _worded(text: str, pack: Pack, weekday: tuple[int, str] | None) -> Date | None:
    month = _take(text, pack.months)
    rest = text.replace(month[1], " ", 1) if month else text
    numbers = re.findall(r"\d+", rest)
    left = re.sub(r"\d+(st|nd|rd|th)?", " ", rest).strip()
    if left or not (month or weekday) or len(numbers) > 2:
        return None
    years = [n for n in numbers if len(n) == 4]
    days = [n for n in numbers if len(n) <= 2]
    if len(years) > 1 or len(days) > 1 or len(years) + len(days) != len(numbers):
        return None
    return _checked("".join(years), month[0] if month else 0, int(days[0]) if days else 0, weekday)


def _checked(year: str, month: int, day: int, weekday: tuple[int, str] | None) -> Date | None:
    if month > 12 or day > 31:
        return None
    return Date(0, 0, year, month, day, weekday[0] if weekday else 0)


def _take(text: str, names: tuple[tuple[str, ...], ...]) -> tuple[int, str] | None:
    for number, forms in enumerate(names, 1):
        for form in forms:
            if re.search(rf"\b{form}\b", text):
                return number, form
    return None


@family("date", aligned=CALENDAR, written=said.date)
def date(case: FamilyCase) -> list[FamilyReading]:
    """Every part that the value holds; day first only where it has one reading (rules 15, 27)."""
    day_first = case.options.date_order == "day-first"
    wanted = parse_date(case.folded, case.pack, day_first=day_first)
    if wanted is None:
        return term(case)

    def find(tokens: Tokens) -> Iterator[tuple[int, int, int]]:
        for heard in dates(tokens, case.numbers, day_first=day_first):
            doubts = differing(wanted, heard)
            if doubts is not None:
                yield heard.start, heard.end, heard.doubts | doubts

    return [
        FamilyReading(
            "date",
            None,
            QuantityBoundaries(case.numbers, date_spans),
            (15, 26, 27, 41, 45, 53),
            look=find,
        )
    ]


def differing(wanted: Date, heard: Date) -> int | None:
    """Doubts of taking one for the other; None where a part is missing or another."""
    parts = wanted.month, wanted.day, wanted.quarter
    if parts != (heard.month, heard.day, heard.quarter):
        return None
    if wanted.weekday and wanted.weekday != heard.weekday:
        return None
    if wanted.year:
        return 0 if wanted.year == heard.year else None
    if heard.year:
        return Doubt.YEAR  # a year that is added is disputable
    return 0
