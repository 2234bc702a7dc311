"""Dates (rules 15, 26, 27). Clock times are in clock.py."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.rules import doubts as d
from pytest_asrbench.verifiers.rules.edges import REFUSED, glued
from pytest_asrbench.verifiers.rules.families.lexical import Ordinal, term
from pytest_asrbench.verifiers.rules.family import Case, Reading, family
from pytest_asrbench.verifiers.rules.numbers import Numbers
from pytest_asrbench.verifiers.rules.pattern import (
    Doubtful,
    Pattern,
    Phrases,
    Test,
    choice,
    maybe,
    phrases,
)
from pytest_asrbench.verifiers.rules.sequences import Digits, Figure
from pytest_asrbench.verifiers.rules.signs import Skip
from pytest_asrbench.verifiers.rules.tape import Tape


@dataclass(frozen=True, slots=True)
class Date:
    """The parts that a written date has; 0 is none. Weekdays count from 1, Monday."""

    year: str = ""
    month: int = 0
    day: int = 0
    weekday: int = 0


def parse_date(folded: str, pack: Pack, *, day_first: bool = False) -> Date | None:
    """Parts of "March 5, 2026", "Tuesday, March 10", "2026-03-05", "3/5"; None if it is no date."""
    text = re.sub(r"[,.](?=\s|$)", " ", folded)
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
    return Date(year, month, day, weekday[0] if weekday else 0)


def _take(text: str, names: tuple[tuple[str, ...], ...]) -> tuple[int, str] | None:
    for number, forms in enumerate(names, 1):
        for form in forms:
            if re.search(rf"\b{form}\b", text):
                return number, form
    return None


def _day(day: int, case: Case) -> Pattern:
    """Fifth, 5th, five, 5."""
    tail = Ordinal(day, case.pack)
    return tail | Digits(str(day), case.numbers) | Figure(f"{day:02}")


def _names(forms: tuple[str, ...]) -> Pattern:
    return Phrases([*forms, *(form + "." for form in forms)])


@family("date")
def date(case: Case) -> list[Reading]:
    """Every part that the value holds; day first only where it has one reading (rules 15, 27)."""
    day_first = case.knobs.date_order == "day-first"
    parsed = parse_date(case.folded, case.pack, day_first=day_first)
    if parsed is None:
        return term(case)
    edges = DateEdges(case.numbers, bool(parsed.year))
    link = Skip(case.pack) + maybe(phrases(","))
    found = [_worded_reading(parsed, case, link)]
    found += _numeric(parsed, case, day_first=day_first)
    if parsed.weekday:
        found = _with_weekday(found, parsed, case, link)
    return [Reading("date", choice(found), edges, (15, 26, 27))]


def _with_weekday(dates: list[Pattern], parsed: Date, case: Case, link: Pattern) -> list[Pattern]:
    """The weekday in front or behind."""
    weekday = _names(case.pack.weekdays[parsed.weekday - 1])
    if not (parsed.month or parsed.day):
        return [weekday]
    the, on = maybe(phrases("the")), maybe(phrases("on", "a", "which is a"))
    front = [weekday + link + the + one for one in dates]
    return front + [one + link + on + weekday for one in dates]


def _worded_reading(parsed: Date, case: Case, link: Pattern) -> Pattern:
    the = maybe(phrases("the"))
    of = maybe(phrases("of", "in", "of the year"))
    year = _year(parsed.year, case) if parsed.year else None
    if not parsed.month:
        day = the + _day(parsed.day, case) if parsed.day else maybe(phrases(","))
        return day + link + year if year else day
    month = _names(case.pack.months[parsed.month - 1])
    if not parsed.day:
        return month + link + of + year if year else month
    day = _day(parsed.day, case)
    orders = (month + link + the + day) | (the + day + maybe(phrases("day")) + link + of + month)
    if year is None:
        return orders
    return orders + link + of + year


def _year(year: str, case: Case) -> Pattern:
    """2026, twenty twenty six, two thousand and six; '26 is disputable."""
    short = Doubtful(phrases("'") + Figure(year[2:]), d.YEAR)
    return Digits(year, case.numbers) | short if len(year) == 4 else Digits(year, case.numbers)


_APART = Test(lambda tape, i: bool(tape.gaps[i]))
"""White space: a figure of two digits is not a month and a day."""


def _numeric(parsed: Date, case: Case, *, day_first: bool) -> list[Pattern]:
    """2026-03-05, 3/5/2026, 05-Mar-2026; 25/12/2024 has one reading, 3/5 is US order (rules 15,
    27)."""
    if parsed.month and parsed.year and not parsed.day:
        month = Figure(str(parsed.month), f"{parsed.month:02}")
        year = Figure(parsed.year)
        spoken = Digits(f"{parsed.month:02}", case.numbers), Digits(parsed.year, case.numbers)
        mark = maybe(phrases("slash", "dash", ","))
        written = [month + phrases("/") + year, year + phrases("-", "/") + month]
        return [*written, spoken[0] + mark + spoken[1], spoken[1] + mark + spoken[0]]
    if not (parsed.month and parsed.day):
        return []
    month = Figure(str(parsed.month), f"{parsed.month:02}")
    day = Figure(str(parsed.day), f"{parsed.day:02}")
    named = _names(case.pack.months[parsed.month - 1])
    spoken = Digits(str(parsed.month), case.numbers), Digits(str(parsed.day), case.numbers)
    found: list[Pattern] = []
    for sign in ("/", "-", "."):
        mark = phrases(sign)
        orders = [(day, month)] if day_first else [(month, day)]
        if parsed.day > 12:
            orders = [(month, day), (day, month)]
        for one, two in [*orders, (day, named), (named, day)]:
            found.append(_with_year(one + mark + two, mark, parsed, mark + one + mark + two))
    slash = phrases("slash", "dash")
    found.append(_with_year(spoken[0] + slash + spoken[1], slash, parsed, None))
    if parsed.year:  # ten ten twenty twenty three
        said = Digits(parsed.year, case.numbers)
        found.append(spoken[0] + _APART + spoken[1] + maybe(phrases(",")) + _APART + said)
    return found


def _with_year(pattern: Pattern, mark: Pattern, parsed: Date, after: Pattern | None) -> Pattern:
    if not parsed.year:
        return pattern
    full = pattern + mark + Figure(parsed.year)
    short = Doubtful(pattern + mark + Figure(parsed.year[2:]), d.YEAR)
    return full | short | (Figure(parsed.year) + after) if after else full | short


@dataclass(frozen=True)
class DateEdges:
    """Nothing may continue the day or the year; a year that is added is disputable."""

    numbers: Numbers
    has_year: bool

    def __call__(self, tape: Tape, i: int, e: int) -> int:
        if glued(tape, i, e):
            return REFUSED
        right = self._right(tape, e)
        return self._left(tape, i) | (REFUSED if right and self.has_year else right)

    def _left(self, tape: Tape, i: int) -> int:
        run = tape.runs.get(i)
        before = tape.runs.get(tape.ends.get(i, -1))
        counts = self.numbers.is_number(run) or run in self.numbers.pack.ordinals
        if counts and self.numbers.is_number(before):
            tens = before in self.numbers.pack.tens or before in self.numbers.pack.hundreds
            return REFUSED if tens or self.numbers.is_number(run) else 0
        joined = self.numbers.before(tape, i) if counts else ""
        return REFUSED if joined in ("/", "-", ".", "and", "point") else 0

    def _right(self, tape: Tape, e: int) -> int:
        numbers = self.numbers
        last = tape.runs.get(tape.ends.get(e, -1), "")
        follower = tape.runs.get(e, "")
        tens = last in numbers.pack.tens
        if tens and numbers.pack.ordinals.get(follower, 99) < 10:
            return REFUSED
        joined = numbers.after(tape, e)
        if joined in ("/", "-", "."):
            return d.YEAR if len(tape.runs.get(e + 1, "")) in (2, 4) else REFUSED
        if joined == ", " and re.fullmatch(r"(19|20)\d\d", tape.runs.get(e + 1, "")):
            return d.YEAR
        if joined != " ":
            return REFUSED if joined in ("glued", "and", "point", ":") else 0
        if len(follower) == 4 and follower.isdigit():
            return d.YEAR
        if tape.char(e + len(follower)) == ":" or not numbers.is_number(last):
            return 0
        return d.YEAR if follower in (*numbers.pack.tens, *numbers.pack.teens, "two") else REFUSED
