"""Clock times and dates of a language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

from helpers.neighbours.clock import Clock
from helpers.neighbours.dates import Date
from helpers.neighbours.family import Family, Said

from .words import Tongue


def time(tongue: Tongue) -> Family[Clock]:
    """From 13 o'clock on: before that a bare reading may be either half of the day."""

    def value(random: Random) -> Clock:
        return Clock(random.randint(13, 22), random.choice((10, 15, 20, 25, 35, 40, 45, 50, 55)))

    def written(random: Random, t: Clock) -> str:
        return random.choice(tongue.clock_written).format(t.hour, f"{t.minute:02}")

    def spoken(random: Random, t: Clock) -> str | None:
        hour, minute = tongue.say(t.hour), tongue.say(t.minute)
        return tongue.clock.format(hour, minute) if tongue.clock and hour and minute else None

    def minute_off(random: Random, t: Clock) -> Clock:
        return replace(t, minute=(t.minute + random.choice((5, 10, -5))) % 60 or 5)

    return Family[Clock](
        type="time",
        language=tongue.code,
        value=value,
        canonical=lambda t: tongue.clock_written[0].format(t.hour, f"{t.minute:02}"),
        forms={"figures": written} | ({"words": spoken} if tongue.clock else {}),
        changes={
            "another hour": lambda r, t: replace(t, hour=t.hour + 1),
            "another minute": minute_off,
            "hours off by ten": lambda r, t: replace(t, hour=t.hour - 10) if t.hour > 19 else None,
            "hour and minute swapped": lambda r, t: (
                replace(t, hour=t.minute, minute=t.hour) if t.minute in (10, 15, 20) else None
            ),
            "another kind: count": lambda r, t: Said(tongue.counted.format(f"{t.hour}{t.minute}")),
        },
        sentences=tongue.sentences,
    )


def date(tongue: Tongue) -> Family[Date]:
    def value(random: Random) -> Date:
        return Date(random.randint(1, 12), random.randint(2, 28), random.randint(2019, 2029))

    def written(random: Random, d: Date) -> str:
        month = tongue.months[d.month - 1]
        if d.year is None:
            return tongue.day_alone.format(d.day, month)
        return random.choice(tongue.date_written).format(d.day, month, d.year)

    def slashed(random: Random, d: Date) -> str | None:
        if tongue.code in ("zh", "ja") or not d.year:
            return None
        return random.choice((f"{d.day:02}/{d.month:02}/{d.year}", f"{d.day}/{d.month}/{d.year}"))

    def spoken(random: Random, d: Date) -> str | None:
        if not d.year:
            return None
        month = tongue.months[d.month - 1]
        month = str(tongue.say(int(month))) if month.isdigit() else month
        day, year = tongue.say(d.day), (tongue.year or tongue.say)(d.year)
        return tongue.day_spoken.format(day, month, year)

    def canonical(d: Date) -> str:
        month = tongue.months[d.month - 1]
        return tongue.date.format(d.day, int(month) if month.isdigit() else month, d.year)

    forms: Mapping[str, Callable[[Random, Date], str | None]] = {
        "figures": written,
        **({"slashes": slashed} if tongue.code not in ("zh", "ja") else {}),
        **({"words": spoken} if tongue.day_spoken else {}),
    }
    return Family[Date](
        type="date",
        language=tongue.code,
        value=value,
        canonical=canonical,
        forms=forms,
        changes={
            "another day": lambda r, d: replace(d, day=d.day % 28 + 1),
            "tens before the day": lambda r, d: replace(d, day=d.day + 20) if d.day < 9 else None,
            "another month": lambda r, d: replace(d, month=d.month % 12 + 1),
            "another year": lambda r, d: replace(d, year=(d.year or 0) + r.choice((1, -1, 10))),
            "year lost": lambda r, d: replace(d, year=None),
            "day and month swapped": lambda r, d: (
                replace(d, day=d.month, month=d.day) if d.day < 13 else None
            ),
        },
        sentences=tongue.sentences,
    )
