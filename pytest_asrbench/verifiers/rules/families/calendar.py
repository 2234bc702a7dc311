"""Dates and clock times (rules 15, 16, 26 to 28, 39)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.rules import doubts as d
from pytest_asrbench.verifiers.rules.edges import REFUSED, glued, spelled_beside
from pytest_asrbench.verifiers.rules.families.lexical import Ordinal, term
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
from pytest_asrbench.verifiers.rules.sequences import Digits
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


class Figure(Pattern):
    """A whole run of figures out of a few: "3", "03"."""

    def __init__(self, *runs: str) -> None:
        self.runs = frozenset(runs)

    def ends(self, tape: Tape, i: int) -> dict[int, int]:
        run = tape.runs.get(i)
        return {i + len(run): 0} if run in self.runs and run is not None else {}

    def starts(self, tape: Tape) -> list[int]:
        return [i for run in self.runs for i in tape.index.get(run, ())]


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


def _numeric(parsed: Date, case: Case, *, day_first: bool) -> list[Pattern]:
    """2026-03-05, 3/5/2026; 25/12/2024 has one reading, 3/5 is US order (rules 15, 27)."""
    if parsed.month and parsed.year and not parsed.day:
        month = Figure(str(parsed.month), f"{parsed.month:02}")
        return [month + phrases("/") + Figure(parsed.year)]
    if not (parsed.month and parsed.day):
        return []
    month = Figure(str(parsed.month), f"{parsed.month:02}")
    day = Figure(str(parsed.day), f"{parsed.day:02}")
    spoken = Digits(str(parsed.month), case.numbers), Digits(str(parsed.day), case.numbers)
    found: list[Pattern] = []
    for sign in ("/", "-", "."):
        mark = phrases(sign)
        orders = [(day, month)] if day_first else [(month, day)]
        if parsed.day > 12:
            orders = [(month, day), (day, month)]
        for one, two in orders:
            found.append(_with_year(one + mark + two, mark, parsed, mark + one + mark + two))
    slash = phrases("slash", "dash")
    found.append(_with_year(spoken[0] + slash + spoken[1], slash, parsed, None))
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


# --- clock -------------------------------------------------------------------------------------


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


def parse_clock(folded: str) -> Clock | None:
    """Parts of "9:30 AM", "16:20 CET", "07:00", "noon"; None if it is no time."""
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
    if not clock.minute and not clock.second:
        found += _named(clock, hour24)
    pattern = choice(found)
    return pattern + maybe(phrases(",")) + _zone(clock.zone, case.pack) if clock.zone else pattern


def _named(clock: Clock, hour24: int) -> list[Pattern]:
    if hour24 == 12 and clock.half != "am":
        return [phrases("noon", "12 noon", "twelve noon", "midday")]
    if hour24 == 0 or (clock.hour == 24 and not clock.half):
        return [phrases("midnight", "12 midnight", "twelve midnight")]
    return []


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
    """Monday morning, on Friday afternoon."""
    days = Phrases([form for forms in pack.weekdays for form in forms] + ["yesterday", "tomorrow"])
    parts = ("morning",) if half == "am" else ("afternoon", "evening", "night")
    return Doubtful(maybe(phrases("on")) + days + phrases(*parts), d.DAYTIME)


def _zone(zone: str, pack: Pack) -> Pattern:
    """ET = eastern time; EST for ET is disputable (rule 16)."""
    key = zone if zone in pack.zones else next(
        (code for code, names in pack.zones.items() if zone in names), zone
    )  # fmt: skip
    close = [n for code in pack.near_zones.get(key, ()) for n in (code, *pack.zones.get(code, ()))]
    the = maybe(phrases("in", "("))
    tail = maybe(phrases("time", "standard time"))
    exact = Phrases([key, *pack.zones.get(key, ())]) + maybe(phrases("time")) + Many(phrases(")"))
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
