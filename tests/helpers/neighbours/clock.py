"""Clock times."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from .family import Family, Said
from .numbers import DIGITS, cardinal

TIME_SENTENCES = (
    "{}",
    "it is {} okay",
    "so let us say {} please",
    "they open at {}, thanks",
    "The visit starts at {}.",
)


@dataclass(frozen=True, slots=True)
class Clock:
    """`hour` 0 to 23; a bare time names no half of the day and has hours 1 to 12."""

    hour: int
    minute: int
    bare: bool = False
    zone: str | None = None

    @property
    def twelve(self) -> int:
        return self.hour % 12 or 12

    @property
    def half(self) -> str:
        return "AM" if self.hour < 12 else "PM"


ZONES = {
    "EST": ("EST", "eastern standard time", "E S T"),
    "PST": ("PST", "pacific standard time"),
    "CST": ("CST", "central standard time"),
}


def _clock(random: Random) -> Clock:
    minute = random.choice((0, 0, 15, 30, 45, *range(5, 60, 5), random.randint(1, 59)))
    draw = random.random()
    if draw < 0.25:
        return Clock(random.randint(1, 12), minute, bare=True)
    hour = random.randint(0, 23)
    return Clock(hour, minute, zone=random.choice(tuple(ZONES)) if draw > 0.88 else None)


def _canonical(t: Clock) -> str:
    if t.bare:
        return f"{t.twelve}:{t.minute:02}"
    # The same value always looks the same: even hours without, odd ones with ":00".
    shown = f"{t.twelve}" if not t.minute and t.hour % 2 else f"{t.twelve}:{t.minute:02}"
    return f"{shown} {t.half}" + (f" {t.zone}" if t.zone else "")


def _marked(random: Random, t: Clock, text: str, *, gap: str | None = None) -> str:
    """`text` with the half of the day and the zone behind it."""
    if not t.bare:
        lower = t.half.lower()
        marks = (t.half, lower, f"{lower[0]}.{lower[1]}.", f"{lower[0]} {lower[1]}")
        text += (random.choice((" ", "")) if gap is None else gap) + random.choice(marks)
    return text + (f" {random.choice(ZONES[t.zone])}" if t.zone else "")


def _figures(random: Random, t: Clock) -> str:
    if not t.minute and not t.bare and random.random() < 0.5:
        return _marked(random, t, str(t.twelve))
    return _marked(random, t, f"{t.twelve}:{t.minute:02}")


def _dotted(random: Random, t: Clock) -> str | None:
    return None if t.bare else _marked(random, t, f"{t.twelve}.{t.minute:02}")


def _joined(random: Random, t: Clock) -> str | None:
    return None if t.bare else _marked(random, t, f"{t.twelve}{t.minute:02}")


def _twenty_four(random: Random, t: Clock) -> str | None:
    if t.bare or t.hour < 13:
        return None
    return f"{t.hour}:{t.minute:02}" + (f" {t.zone}" if t.zone else "")


def minute_words(random: Random, minute: int) -> str:
    return f"oh {DIGITS[minute]}" if minute < 10 else cardinal(random, minute)


def _words(random: Random, t: Clock) -> str | None:
    hour = cardinal(random, t.twelve)
    if t.minute:
        return _marked(random, t, f"{hour} {minute_words(random, t.minute)}", gap=" ")
    return None if t.bare else _marked(random, t, hour, gap=" ")


def _words_apart(random: Random, t: Clock) -> str | None:
    """ "six, forty five pm"."""
    if not t.minute or t.bare:
        return None
    hour = cardinal(random, t.twelve)
    return _marked(random, t, f"{hour}, {minute_words(random, t.minute)}", gap=" ")


def _figures_apart(random: Random, t: Clock) -> str:
    """ "5: 05 pm"."""
    return _marked(random, t, f"{t.twelve}: {t.minute:02}", gap=" ")


def _o_clock(random: Random, t: Clock) -> str | None:
    if t.minute:
        return None
    said = f"{random.choice((cardinal(random, t.twelve), str(t.twelve)))} o'clock"
    return _parted(random, t, said)


def _parted(random: Random, t: Clock, said: str) -> str | None:
    """With a part of the day in words."""
    zone = f" {random.choice(ZONES[t.zone])}" if t.zone else ""
    if t.bare:
        return said
    if 1 <= t.hour < 12:
        return f"{said} in the morning{zone}"
    if 12 < t.hour < 17:
        return f"{said} in the afternoon{zone}"
    if 17 <= t.hour < 22:
        return f"{said} in the evening{zone}"
    return None


def _past(random: Random, t: Clock) -> str | None:
    """ "ten past nine", "a quarter past", "half past", with AM/PM or a part of the day."""
    if t.minute == 0 or t.minute > 30 or (t.minute % 5 and random.random() < 0.7):
        return None
    named = {15: ("quarter", "a quarter", "fifteen"), 30: ("half",)}.get(t.minute)
    minutes = random.choice(named or (cardinal(random, t.minute),))
    if t.minute == 30:
        said = f"half past {cardinal(random, t.twelve)}"
    else:
        if t.minute % 5 or (not named and random.random() < 0.3):
            minutes += " minutes" if t.minute > 1 else " minute"
        said = f"{minutes} {random.choice(('past', 'past', 'after'))} {cardinal(random, t.twelve)}"
    return _marked(random, t, said, gap=" ") if random.random() < 0.6 else _parted(random, t, said)


def _to(random: Random, t: Clock) -> str | None:
    """ "twenty to ten", "a quarter to", named by the next hour and its half of the day."""
    if t.minute <= 30 or t.minute % 5:
        return None
    left = 60 - t.minute
    following = replace(t, hour=(t.hour + 1) % 24, minute=0)
    if not t.bare and following.half != t.half:
        return None  # "ten to twelve": which half of the day is meant may be disputed
    minutes = random.choice(("quarter", "a quarter") if left == 15 else (cardinal(random, left),))
    if left != 15 and random.random() < 0.3:
        minutes += " minutes"
    said = f"{minutes} {random.choice(('to', 'to', 'before'))} {cardinal(random, following.twelve)}"
    said_of_hour = replace(following, minute=0)
    if random.random() < 0.6:
        return _marked(random, said_of_hour, said, gap=" ")
    return _parted(random, said_of_hour, said)


def _noon(random: Random, t: Clock) -> str | None:
    if t.bare or t.zone or t.minute or t.hour not in (0, 12):
        return None
    return "noon" if t.hour else "midnight"


def _past_noon(random: Random, t: Clock) -> str | None:
    if t.bare or t.zone or t.hour not in (0, 12) or t.minute not in (5, 10, 15, 20, 30):
        return None
    minutes = {15: "quarter", 30: "half"}.get(t.minute) or cardinal(random, t.minute)
    return f"{minutes} past {'noon' if t.hour else 'midnight'}"


def _hours(random: Random, t: Clock) -> str | None:
    """ "1930 hours"."""
    return None if t.bare or t.zone or t.hour < 13 else f"{t.hour}{t.minute:02} hours"


def _range(random: Random, t: Clock) -> str | None:
    """ "from five to nine pm" names nine (rule 44)."""
    if t.bare or t.zone or t.minute or t.twelve < 3 or t.twelve == 12:
        return None
    low, high = random.randint(1, t.twelve - 1), t.twelve
    both = random.choice(((str(low), str(high)), (cardinal(random, low), cardinal(random, high))))
    return _marked(random, t, f"from {both[0]} to {both[1]}", gap=" ")


def _hour_off(random: Random, t: Clock) -> Clock:
    if t.bare:
        return replace(t, hour=t.twelve % 12 + 1)
    hour = (t.hour + random.choice((-1, 1, 2))) % 24
    return replace(t, hour=hour)


def _ten_hours_off(random: Random, t: Clock) -> Clock | None:
    """1 PM in "eleven p.m.", "12 PM"."""
    other = t.twelve + 10 if t.twelve < 3 else t.twelve - 10 if t.twelve > 10 else 0
    if not other:
        return None
    return replace(t, hour=other if t.bare else other % 12 + t.hour // 12 * 12)


def _minute_off(random: Random, t: Clock) -> Clock:
    step = random.choice((-10, -5, -1, 1, 5, 10))
    return replace(t, minute=(t.minute + step) % 60)


def _teen_or_ty(random: Random, t: Clock) -> Clock | None:
    other = {13: 30, 14: 40, 15: 50, 30: 13, 40: 14, 50: 15}.get(t.minute)
    return replace(t, minute=other) if other else None


def _minutes_more(random: Random, t: Clock) -> Clock | None:
    """5 PM in "5:20 PM", "ten past five pm"."""
    if t.minute:
        return None
    return replace(t, minute=random.choice((*range(5, 60, 5), random.randint(1, 59))))


def _minutes_before(random: Random, t: Clock) -> Clock | None:
    """11 PM in "ten to eleven pm"."""
    if t.minute or t.hour in (0, 12):
        return None
    hour = (t.twelve - 2) % 12 + 1 if t.bare else t.hour - 1
    return replace(t, hour=hour, minute=random.choice((40, 45, 50, 55)))


def _minutes_lost(random: Random, t: Clock) -> Clock | None:
    return replace(t, minute=0) if t.minute else None


def _hour_as_tail(random: Random, t: Clock) -> Clock | None:
    """5 PM in "nine thirty-five p.m."."""
    if t.minute or t.twelve > 9:
        return None
    minute = random.randint(2, 5) * 10 + t.twelve
    return replace(
        t, hour=(t.hour + random.randint(1, 5)) % 12 + t.hour // 12 * 12 or 1, minute=minute
    )


def _tens_before_minutes(random: Random, t: Clock) -> Clock | None:
    return replace(t, minute=t.minute + random.randint(2, 5) * 10) if 0 < t.minute < 10 else None


def _units_behind_minutes(random: Random, t: Clock) -> Clock | None:
    tens = t.minute >= 20 and t.minute % 10 == 0
    return replace(t, minute=t.minute + random.randint(1, 9)) if tens else None


def _swapped(random: Random, t: Clock) -> Clock | None:
    """9:05 in "5:09"."""
    if not 0 < t.minute < 12 or t.minute == t.twelve:
        return None
    return replace(t, hour=t.minute + (0 if t.bare else t.hour // 12 * 12), minute=t.twelve)


def _other_half(random: Random, t: Clock) -> Clock | None:
    return None if t.bare else replace(t, hour=(t.hour + 12) % 24)


def _half_lost(random: Random, t: Clock) -> Clock | None:
    return None if t.bare else Clock(t.twelve, t.minute, bare=True, zone=t.zone)


def _zone_lost(random: Random, t: Clock) -> Clock | None:
    return replace(t, zone=None) if t.zone else None


def _other_zone(random: Random, t: Clock) -> Clock | None:
    others = [zone for zone in ZONES if zone != t.zone]
    return replace(t, zone=random.choice(others)) if t.zone else None


def _year_words(random: Random, t: Clock) -> Said | None:
    """8:26 PM (20:26) in "march fifth twenty twenty six" and "in 2026"."""
    if t.zone or (t.bare and t.hour != 12):
        return None
    hour = t.hour if t.hour in (19, 20) else None
    if hour is None or (hour == 20 and t.minute > 40) or t.minute < 10:
        return None
    year = f"{cardinal(random, hour)} {cardinal(random, t.minute)}"
    figure = f"{hour}{t.minute}"
    return Said(
        random.choice(
            (f"march fifth {year}", f"March 5, {figure}", f"back in {figure}", f"in {figure}")
        )
    )


def _counted(random: Random, t: Clock) -> Said | None:
    """5:30 in "530 people", "5.30 percent", "$5.30"."""
    if not t.bare or not t.minute:
        return None
    joined, dotted = f"{t.twelve}{t.minute:02}", f"{t.twelve}.{t.minute:02}"
    return Said(
        random.choice(
            (f"{joined} people", f"{joined} dollars", f"${dotted}", f"{dotted} percent",
             f"{joined} kilometers", f"{dotted} million dollars", f"{joined} units sold")
        )
    )  # fmt: skip


TIME = Family[Clock](
    type="time",
    value=_clock,
    canonical=_canonical,
    forms={
        "written: figures": _figures,
        "written: with a dot": _dotted,
        "written: joined": _joined,
        "written: 24 hours": _twenty_four,
        "spoken: words": _words,
        "spoken: words with a comma": _words_apart,
        "written: figures with a gap": _figures_apart,
        "spoken: o'clock": _o_clock,
        "spoken: past": _past,
        "spoken: to": _to,
        "spoken: noon": _noon,
        "spoken: past noon": _past_noon,
        "written: hours": _hours,
    },
    shared={"range": _range},
    changes={
        "another hour": _hour_off,
        "ten hours off": _ten_hours_off,
        "another minute": _minute_off,
        "teen or ty": _teen_or_ty,
        "minutes more": _minutes_more,
        "minutes before": _minutes_before,
        "minutes lost": _minutes_lost,
        "the hour as tail of another time": _hour_as_tail,
        "tens before minutes": _tens_before_minutes,
        "units behind minutes": _units_behind_minutes,
        "hour and minute swapped": _swapped,
        "the other half of the day": _other_half,
        "AM or PM lost": _half_lost,
        "zone lost": _zone_lost,
        "another zone": _other_zone,
        "another kind: year": _year_words,
        "another kind: count": _counted,
    },
    sentences=TIME_SENTENCES,
    neutral=("{}", "we had {} there", "that was {} okay"),
)


def _bare(random: Random) -> Clock:
    return Clock(random.randint(1, 12), random.choice((15, 20, 30, 45, 50, 5)), bare=True)


# A clock figure without a separator is a time after such a word (rule 44).
AFTER_A_WORD = Family[Clock](
    type="time",
    value=_bare,
    canonical=_canonical,
    forms={"joined, after a word": lambda random, t: f"{t.twelve}{t.minute:02}"},
    changes={},
    sentences=tuple(
        f"we met {word} {{}}" for word in ("at", "by", "until", "before", "after", "around")
    ),
)

FAMILIES: tuple[Family[Any], ...] = (TIME, AFTER_A_WORD)
