"""Clock times (rules 16, 28, 39)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.rules import doubts as d
from pytest_asrbench.verifiers.rules.edges import REFUSED, glued, spelled_beside
from pytest_asrbench.verifiers.rules.families.lexical import term
from pytest_asrbench.verifiers.rules.family import Case, Reading, family
from pytest_asrbench.verifiers.rules.numbers import Numbers
from pytest_asrbench.verifiers.rules.pattern import (
    Doubtful,
    Many,
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
class Clock:
    """A clock time. `half` is "am", "pm" or ""; seconds "" where there are none."""

    hour: int
    minute: int
    second: str = ""
    half: str = ""
    zone: str = ""


_CLOCK = re.compile(
    r"(\d{1,2})(?:[:.h](\d{2})(?::(\d{2}))?)?\s*(?:(a|p)\.?\s?m\b\.?)?\s*([a-z][a-z /]*)?"
)


_MILITARY = re.compile(r"^(\d{2})(\d{2})(?: ?(?:hours|hrs))?\b")


def parse_clock(folded: str) -> Clock | None:
    """Parts of "9:30 AM", "16:20 CET", "07:00", "0700 hours", "noon"; None if it is no time."""
    folded = _MILITARY.sub(r"\1:\2", folded)
    if folded in ("noon", "12 noon", "midnight", "12 midnight"):
        return Clock(12, 0, half="pm" if "noon" in folded else "am")
    found = _CLOCK.fullmatch(folded.strip())
    if found is None or int(found[1]) > 24 or int(found[2] or 0) > 59:
        return None
    if found[2] is None and found[4] is None:
        return None
    zone = (found[5] or "").removesuffix(" time").strip()
    half = found[4] + "m" if found[4] else ""
    return Clock(int(found[1]), int(found[2] or 0), found[3] or "", half, zone)


@family("time")
def time(case: Case) -> list[Reading]:
    """Hour, minute, half of the day and zone, as far as the value has them (rules 16, 28, 39)."""
    ends = re.split(r"\s*(?:-|\bto\b|\buntil\b)\s*", case.folded)
    clocks = [parse_clock(part) for part in ends if part]
    edges = ClockEdges(case.numbers)
    if any(clock is None for clock in clocks) or not 1 <= len(clocks) <= 2:
        return term(case)
    alone = len(clocks) == 1
    patterns = [clock_pattern(clock, case, alone=alone) for clock in clocks if clock is not None]
    if len(patterns) == 1:
        return [Reading("clock", patterns[0], edges, (16, 28, 39))]
    link = phrases("-", "to", "until", "till", "through", "and")
    pattern = patterns[0] + Skip(case.pack) + link + patterns[1]
    return [Reading("two clock times", pattern, edges, (16, 28, 39))]


def clock_pattern(clock: Clock, case: Case, *, alone: bool) -> Pattern:
    """Every way to say it: 12-hour with its half of the day, or 24-hour (rules 16, 28).

    `alone` is False in a range, where an hour needs nothing beside it ("two to four PM").
    """
    half = clock.half or ("pm" if clock.hour > 12 else "")
    hour24 = clock.hour % 12 + (12 if clock.half == "pm" else 0) if clock.half else clock.hour
    hour12 = (clock.hour - 1) % 12 + 1
    found: list[Pattern] = []
    if clock.half:
        found.append(_reading(hour12, clock, case) + _half(clock.half, case.pack))
        if hour24 > 12 or hour24 == 0 or case.knobs.clock == "24-hour":
            found.append(_reading(hour24, clock, case, bare=False))
        hours = phrases("hours", "hundred hours")
        found.append(Doubtful(_military(hour24, clock.minute, case) + hours, d.DAYTIME))
    else:
        found.append(_reading(clock.hour, clock, case, bare=not alone))
        if half:
            found.append(_reading(hour12, clock, case) + _half("pm", case.pack))
        if clock.hour in (0, 12) or (case.folded[0] == "0" and clock.hour):
            named = "am" if clock.hour < 12 else "pm"
            found.append(_reading(hour12, clock, case) + _half(named, case.pack))
    if not clock.second:
        found += _named(clock, hour24) if not clock.minute else _beside_twelve(hour24, clock, case)
    pattern = choice(found)
    return pattern + maybe(phrases(",")) + _zone(clock.zone, case.pack) if clock.zone else pattern


def _named(clock: Clock, hour24: int) -> list[Pattern]:
    if hour24 == 12 and clock.half != "am":
        return [phrases("noon", "12 noon", "twelve noon", "midday")]
    if hour24 == 0 or (clock.hour == 24 and not clock.half):
        return [phrases("midnight", "12 midnight", "twelve midnight")]
    return []


def _beside_twelve(hour24: int, clock: Clock, case: Case) -> list[Pattern]:
    """Quarter to midnight, half past noon: the name carries the half of the day (rule 28)."""
    if hour24 % 12 not in (11, 0) or not (clock.half or clock.hour > 12):
        return []
    noon = phrases("noon" if hour24 in (11, 12) else "midnight")
    to, past = phrases("to", "before", "till"), phrases("past", "after")
    minute = 60 - clock.minute if hour24 % 12 == 11 else clock.minute
    amounts: Pattern = Digits(str(minute), case.numbers) + maybe(phrases("minutes"))
    if minute == 15:
        amounts = amounts | phrases("quarter", "a quarter")
    if minute == 30 and hour24 % 12 == 0:
        amounts = amounts | phrases("half")
    return [amounts + (to if hour24 % 12 == 11 else past) + noon]


def _reading(hour: int, clock: Clock, case: Case, *, bare: bool = True) -> Pattern:
    """Hour and minute without half of the day: 9:30, 9.30, 930, nine thirty, half past nine.

    A `bare` hour may stand alone, as AM, PM or a range's other end follows.
    """
    numbers, minute = case.numbers, clock.minute
    hours = choice([Figure(str(hour), f"{hour:02}"), Digits(str(hour), numbers)])
    if hour < 10:
        hours = hours | Digits(f"{hour:02}", numbers)
    mark = maybe(phrases(":", ".", "-", "h", "colon"))
    minutes = Digits(f"{minute:02}", numbers)
    found = [hours + mark + minutes, Digits(f"{hour}{minute:02}", numbers)]
    if hour < 10:
        found.append(Digits(f"{hour:02}{minute:02}", numbers))
    if clock.second:
        seconds = maybe(phrases(":", "and", "colon")) + Digits(clock.second, numbers)
        return choice([option + seconds for option in found])
    if not minute:
        exact = phrases(
            "o'clock", "oclock", "o clock", "sharp", "hundred", "hundred hours", "hours"
        )
        found.append(hours + exact)
        found.append(hours if bare else Doubtful(Test(_told) + hours, d.IMPLIED))
        found.append(_military(hour, 0, case) + maybe(phrases("hours")))
    found += _relative(hour, minute, case)
    return choice(found)


_TELLING = frozenset({"at", "by", "until", "till", "before", "after", "around", "from", "about"})


def _told(tape: Tape, i: int) -> bool:
    """A word before a bare figure that makes it a clock time."""
    return tape.runs.get(tape.ends.get(i, -1)) in _TELLING


def _military(hour: int, minute: int, case: Case) -> Pattern:
    digits = Digits(f"{hour:02}{minute:02}", case.numbers)
    if minute:
        return digits
    return digits | (Digits(f"{hour:02}", case.numbers) + phrases("hundred"))


def _relative(hour: int, minute: int, case: Case) -> list[Pattern]:
    """half past two, ten after ten, quarter to nine."""
    if not 1 <= hour <= 12 or not minute:
        return []
    after = phrases("past", "after")
    before = phrases("to", "of", "till", "til", "before")
    this, following = _hour(hour, case), _hour(hour % 12 + 1, case)
    found: list[Pattern] = []
    if minute == 30:
        found.append(phrases("half past", "half-past") + this)
    if minute == 15:
        found.append(phrases("a quarter", "quarter") + after + this)
    if minute == 45:
        found.append(phrases("a quarter", "quarter") + before + following)
    unit = maybe(phrases("minutes", "minute"))
    found.append(Digits(str(minute), case.numbers) + unit + after + this)
    found.append(Digits(str(60 - minute), case.numbers) + unit + before + following)
    return found


def _hour(hour: int, case: Case) -> Pattern:
    clock = Digits(str(hour), case.numbers) + maybe(phrases(":00", "o'clock", "oclock"))
    return clock | phrases("noon") if hour == 12 else clock


def _half(half: str, pack: Pack) -> Pattern:
    """AM or PM, spelled, or the time of day in words (rule 28)."""
    short, long = (pack.am, pack.morning) if half == "am" else (pack.pm, pack.evening)
    exact = Skip(pack) + maybe(phrases("o'clock", "oclock", "o clock", ",", "-"))
    return exact + (Phrases([*short, *long]) | _days(half, pack))


def _days(half: str, pack: Pack) -> Pattern:
    """Monday morning, on Friday afternoon, tonight."""
    days = Phrases([form for forms in pack.weekdays for form in forms] + ["yesterday", "tomorrow"])
    parts = ("morning",) if half == "am" else ("afternoon", "evening", "night")
    named = maybe(phrases("on")) + days + phrases(*parts)
    return Doubtful(named | Phrases(pack.nights) if half == "pm" else named, d.DAYTIME)


def _zone(zone: str, pack: Pack) -> Pattern:
    """ET = eastern time; EST for ET is disputable (rule 16)."""
    key = zone if zone in pack.zones else next(
        (code for code, names in pack.zones.items() if zone in names), zone
    )  # fmt: skip
    close = [n for code in pack.near_zones.get(key, ()) for n in (code, *pack.zones.get(code, ()))]
    the = maybe(phrases("in", "("))
    tail = maybe(phrases("time", "standard time"))
    dotted = ".".join(key)
    names = Phrases([key, dotted, dotted + ".", *pack.zones.get(key, ())])
    exact = names + maybe(phrases("time")) + Many(phrases(")"))
    return the + (exact | Doubtful(Phrases(close) + tail, d.ZONE) if close else exact)


@dataclass(frozen=True)
class ClockEdges:
    """Nothing may continue the clock on either side: "11:15" is not 1:15, "5:05" is not 5."""

    numbers: Numbers

    def __call__(self, tape: Tape, i: int, e: int) -> int:
        if glued(tape, i, e) or spelled_beside(tape, i, e, frozenset("ai")) & REFUSED:
            return REFUSED
        joined = self.numbers.before(tape, i)
        figure = self.numbers.is_number(tape.runs.get(i))
        if figure and joined in (" ", ":", ".", "/", ",", "and", "point"):
            return REFUSED
        if figure and tape.glued(i) and tape.char(i - 1) in "$€£":
            return REFUSED
        return self._right(tape, e) | self._prefixed(tape, i)

    def _prefixed(self, tape: Tape, i: int) -> int:
        """quarter to nine is not nine."""
        before = tape.runs.get(tape.ends.get(i, -1), "")
        earlier = tape.runs.get(tape.ends.get(i - len(before), -1), "")
        relative = before in ("past", "after", "to", "of", "till", "before")
        return REFUSED if relative and earlier in ("half", "quarter") else 0

    def _right(self, tape: Tape, e: int) -> int:
        last = tape.runs.get(tape.ends.get(e, -1))
        if not self.numbers.is_number(last):
            return 0
        joined = self.numbers.after(tape, e)
        if joined == "-":
            return 0
        if joined and joined not in (", ", ". "):
            return REFUSED
        run = tape.runs.get(e) or tape.char(e)
        money = run in ("%", "percent", "dollars", "$")
        return REFUSED if money else self._half_added(tape, e)

    def _half_added(self, tape: Tape, e: int) -> int:
        pack = self.numbers.pack
        halves = Phrases([*pack.am, *pack.pm])
        return d.DAYTIME if halves.ends(tape, e) else 0
