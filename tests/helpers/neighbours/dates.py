"""Dates, with and without their year and weekday."""

from __future__ import annotations

import calendar
from dataclasses import dataclass, replace
from datetime import date as calendar_date
from random import Random
from typing import Any

from .clock import minute_words
from .family import Family, Said
from .numbers import cardinal, ordinal

DATE_SENTENCES = (
    "{}",
    "it is due on {} please",
    "um on {}, thanks",
    "So the visit was on {}.",
    "they said {} okay",
)
MONTHS = tuple(calendar.month_name)[1:]
SHORT = tuple(calendar.month_abbr)[1:]
DAYS = tuple(calendar.day_name)


@dataclass(frozen=True, slots=True)
class Date:
    """`year` and `weekday` where the value has them; `iso` as its canonical is written."""

    month: int
    day: int
    year: int | None = None
    weekday: int | None = None
    iso: bool = False

    @property
    def real(self) -> bool:
        longest = calendar.monthrange(2024, self.month)[1]
        return 1 <= self.day <= longest and (self.year is None or 1900 <= self.year <= 2100)


def _date(random: Random) -> Date:
    draw, month, day = random.random(), random.randint(1, 12), random.randint(1, 28)
    year = random.choice((random.randint(2019, 2030), random.randint(1940, 2018)))
    if draw < 0.3:
        return Date(month, day)
    if draw < 0.45:
        return Date(month, day, year, calendar_date(year, month, day).weekday())
    return Date(month, day, year, iso=draw < 0.65)


def _date_as(d: Date) -> str:
    if d.iso:
        return f"{d.year}-{d.month:02}-{d.day:02}"
    text = f"{MONTHS[d.month - 1]} {d.day}"
    text += f", {d.year}" if d.year else ""
    return f"{DAYS[d.weekday]}, {text}" if d.weekday is not None else text


def _weekday(random: Random, d: Date) -> str:
    if d.weekday is None:
        return ""
    return f"{DAYS[d.weekday]}{random.choice((', ', ' '))}"


def suffix(day: int) -> str:
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day // 10 != 1 else 0, "th")


def _month(random: Random, d: Date) -> str:
    name = MONTHS[d.month - 1]
    return random.choice((name, name, SHORT[d.month - 1]))


def year_words(random: Random, year: int) -> str:
    high, low = divmod(year, 100)
    if high == 20 and (low < 10 or random.random() < 0.4):
        joint = random.choice((" and ", " ")) if low else ""
        return f"two thousand{joint}{cardinal(random, low) if low else ''}"
    if not low:
        return f"{cardinal(random, high)} hundred"
    return f"{cardinal(random, high)} {minute_words(random, low)}"


def _month_first(random: Random, d: Date) -> str:
    day = f"{d.day}{random.choice(('', suffix(d.day)))}"
    year = f"{random.choice((', ', ' '))}{d.year}" if d.year else ""
    return f"{_weekday(random, d)}{_month(random, d)} {day}{year}"


def _day_first(random: Random, d: Date) -> str:
    day = random.choice(
        (str(d.day), f"{d.day}{suffix(d.day)} of", f"the {d.day}{suffix(d.day)} of")
    )
    year = f"{random.choice((', ', ' '))}{d.year}" if d.year else ""
    return f"{_weekday(random, d)}{day} {MONTHS[d.month - 1]}{year}"


def _slashed(random: Random, d: Date) -> str | None:
    if not d.year or d.weekday is not None:
        return None
    return random.choice((f"{d.month}/{d.day}/{d.year}", f"{d.month:02}/{d.day:02}/{d.year}"))


def _iso(random: Random, d: Date) -> str | None:
    if not d.year or d.weekday is not None:
        return None
    return f"{d.year}-{d.month:02}-{d.day:02}"


def _spoken(random: Random, d: Date) -> str:
    day = random.choice((ordinal, ordinal, cardinal))(random, d.day)
    said = f"{random.choice(('', 'the ')) if day.endswith(('st', 'd', 'th')) else ''}{day}"
    year = f"{random.choice((' ', ', '))}{year_words(random, d.year)}" if d.year else ""
    return f"{_weekday(random, d)}{MONTHS[d.month - 1]} {said}{year}"


def _spoken_day_first(random: Random, d: Date) -> str:
    year = f" {year_words(random, d.year)}" if d.year else ""
    return f"{_weekday(random, d)}the {ordinal(random, d.day)} of {MONTHS[d.month - 1]}{year}"


def _day(change: Any) -> Any:
    def changed(random: Random, d: Date) -> Date | None:
        day = change(random, d.day)
        other = replace(d, day=day) if day else None
        return other if other and other.real else None

    return changed


def _other_month(random: Random, d: Date) -> Date | None:
    other = replace(d, month=random.choice([m for m in range(1, 13) if m != d.month]))
    return other if other.real else None


def _year_changed(random: Random, d: Date) -> Date | None:
    if not d.year:
        return None
    high, low = divmod(d.year, 100)
    lows = (
        low + 1,
        low - 1,
        low + 10,
        low % 10 * 10 + low // 10,
        low // 10,
        {13: 30, 14: 40, 15: 50, 16: 60}.get(low, low),
    )
    other = replace(d, year=high * 100 + random.choice(lows) % 100)
    return other if other.real else None


def _century(random: Random, d: Date) -> Date | None:
    other = d.year and replace(d, year=d.year + (100 if d.year < 2000 else -100))
    return other if other and other.real else None


def _year_lost(random: Random, d: Date) -> Date | None:
    return replace(d, year=None, iso=False) if d.year else None


def _weekday_lost(random: Random, d: Date) -> Date | None:
    return replace(d, weekday=None) if d.weekday is not None else None


def _other_weekday(random: Random, d: Date) -> Date | None:
    return None if d.weekday is None else replace(d, weekday=(d.weekday + random.randint(1, 6)) % 7)


def _day_and_month_swapped(random: Random, d: Date) -> Date | None:
    return replace(d, day=d.month, month=d.day) if d.day < 13 else None


def _day_lost(random: Random, d: Date) -> Said | None:
    return Said(f"{MONTHS[d.month - 1]} {d.year}") if d.year else None


def _another_kind(kind: str) -> Any:
    """December 31 in "$12.31"."""

    def said(random: Random, d: Date) -> Said | None:
        if d.year or d.weekday is not None:
            return None
        dot, dash = f"{d.month}.{d.day}", f"{d.month}-{d.day}"
        texts = {
            "money": (f"${dot}", f"{dot} dollars", f"{dot} million"),
            "percent": (f"{dot}%", f"{dot} percent"),
            "count": (f"{dash} days", f"{dash} people", f"{dash} business days", f"{dash} percent"),
            "version": (f"version {dot}", f"v{dot}"),
            "measure": (f"{dot} km", f"{dot} mg", f"{dash} kilograms"),
        }
        return Said(random.choice(texts[kind]))

    return said


DATE = Family[Date](
    type="date",
    value=_date,
    canonical=_date_as,
    forms={
        "written: month first": _month_first,
        "written: day first": _day_first,
        "written: slashes": _slashed,
        "written: ISO": _iso,
        "spoken: month first": _spoken,
        "spoken: day first": _spoken_day_first,
    },
    changes={
        "tens before the day": _day(lambda r, day: day + r.choice((10, 20)) if day < 10 else None),
        "units behind the day": _day(
            lambda r, day: day + r.randint(1, 9) if day in (10, 20) else None
        ),
        "a figure less": _day(lambda r, day: r.choice((day % 10, day // 10)) if day > 9 else None),
        "another day": _day(lambda r, day: day + r.choice((-1, 1, 2, 10, -10))),
        "teen or ty": _day(lambda r, day: {13: 30, 30: 13}.get(day)),
        "another month": _other_month,
        "another year": _year_changed,
        "another century": _century,
        "year lost": _year_lost,
        "weekday lost": _weekday_lost,
        "another weekday": _other_weekday,
        "day and month swapped": _day_and_month_swapped,
        "day lost": _day_lost,
        "another kind: money": _another_kind("money"),
        "another kind: percent": _another_kind("percent"),
        "another kind: count": _another_kind("count"),
        "another kind: version": _another_kind("version"),
        "another kind: measure": _another_kind("measure"),
    },
    sentences=DATE_SENTENCES,
    neutral=("{}", "we had {} there", "that was {} okay"),
    same=lambda a, b: (a.month, a.day, a.year, a.weekday) == (b.month, b.day, b.year, b.weekday),
)


# Without a year, a dot or a dash makes a date only after a date word (rule 45).
SHORT_DATE = Family[Date](
    type="date",
    value=lambda random: Date(random.randint(1, 12), random.randint(13, 28)),
    canonical=_date_as,
    forms={"short, after a date word": lambda r, d: f"{d.month}{r.choice('-./')}{d.day}"},
    changes={
        "short, no date word": lambda r, d: Said(f"{d.month}{r.choice('-.')}{d.day}"),
        "short, another day": _day(lambda r, day: day + r.choice((-1, 1))),
        "short, another month": _other_month,
    },
    sentences=("it is due on {} okay", "we need it by {} please", "it came on {}"),
    neutral=("the score was {} okay", "the ratio is {} there"),
)

FAMILIES: tuple[Family[Any], ...] = (DATE, SHORT_DATE)
