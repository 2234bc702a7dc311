"""Dates and clock times of a line, each read whole from the templates of the pack."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from pytest_asrbench.verifiers.languages.line import Line, kind
from pytest_asrbench.verifiers.languages.numbers import Numbers
from pytest_asrbench.verifiers.languages.readings import Reading, uncut, whole
from pytest_asrbench.verifiers.languages.tables import Tables
from pytest_asrbench.verifiers.languages.templates import Slot, Template, compiled
from pytest_asrbench.verifiers.rules.ambiguity import Doubt

_FOUR: Final = re.compile(r"\d{4}(?!\d)")
_TWO: Final = re.compile(r"\d{2}(?!\d)")
_EIGHT: Final = re.compile(r"((?:19|20)\d\d)(0\d|1[0-2])([0-3]\d)(?!\d)")
_SHORT: Final = re.compile(r"\d{1,2}(?!\d)")
DAY_MINUTES: Final = 24 * 60


@dataclass(frozen=True, slots=True)
class SpokenDate:
    """A date as it is said; 0 is what it leaves out. Weekdays count from 1, Monday."""

    year: int = 0
    month: int = 0
    day: int = 0
    weekday: int = 0

    def holds(self, other: SpokenDate) -> bool:
        """Every part of `other` is there, and nothing differs."""
        pairs = zip(
            (self.year, self.month, self.day, self.weekday),
            (other.year, other.month, other.day, other.weekday),
            strict=True,
        )
        return all(theirs in (0, mine) for mine, theirs in pairs)


@dataclass(frozen=True, slots=True)
class Time:
    """Minutes since midnight as the words say them; `half` is "" where they leave it open."""

    minutes: int
    second: int = -1
    half: str = ""
    hour: int = 0
    """The hour that was said."""

    @property
    def day_minutes(self) -> int | None:
        """In the 24 hours of a day; None where the half of the day is open."""
        if self.half:
            return _placed(self.minutes, self.half)
        return self.minutes % DAY_MINUTES if self.hour > 12 or self.hour == 0 else None


def _placed(minutes: int, half: str) -> int:
    """A clock reading in its half of the day."""
    if minutes >= 13 * 60:
        return minutes % DAY_MINUTES
    hours = minutes // 60
    small = minutes % (12 * 60)
    if half == "am":
        return small
    if half == "pm":
        return small + 12 * 60
    if half == "noon":
        return small + 12 * 60 if small < 4 * 60 else small
    return small + 12 * 60 if 5 <= hours < 12 else small


@dataclass(frozen=True, eq=False)
class Moments:
    """Reads dates and times in one language and region."""

    tables: Tables
    numbers: Numbers

    # --- slots -----------------------------------------------------------------------------------

    @cached_property
    def slots(self) -> Mapping[str, Slot]:
        calendar, clock = self.tables.pack.calendar, self.tables.pack.clock
        slots: dict[str, Slot] = {
            "h": self._hour, "m": self._minute, "mm": self._two_figures(59),
            "s": self._two_figures(59), "d": self._day, "mn": self._numbered(12),
            "d2": self._ordinal_month, "y": self._year, "yy": self._two_figures(99),
            "hh": self._hour_figures, "ymd": self._eight_figures,
        }  # fmt: skip
        if self.tables.pack.has("calendar"):
            slots["mon"] = self._named(calendar.months)
            slots["wd"] = self._named(calendar.weekdays)
            slots["wds"] = self._named(tuple((one,) for one in calendar.short))
        if self.tables.pack.has("clock"):
            slots["part"] = self._phrases(clock.parts)
        return slots

    def _named(self, groups: tuple[tuple[str, ...], ...]) -> Slot:
        pairs = [(form, n) for n, forms in enumerate(groups, 1) for form in forms]
        return self._phrases(pairs)

    def _phrases(self, words: Any) -> Slot:
        table = self.tables.trie(words)
        return lambda line, i: self.tables.at(table, line, i)

    def _values(self, line: Line, i: int, least: int, most: int) -> Iterator[tuple[int, int]]:
        figures = _SHORT.match(line.flat, i)
        if figures and least <= int(figures[0]) <= most:
            yield int(figures[0]), figures.end()
        for value, end in self.numbers.whole(line, i):
            if least <= value <= most:
                yield value, end

    def _numbered(self, most: int) -> Slot:
        return lambda line, i: self._values(line, i, 1, most)

    def _hour(self, line: Line, i: int) -> Iterator[tuple[int, int]]:
        yield from self._values(line, i, 0, 24)
        yield from self.tables.at(self._hour_words, line, i)

    @cached_property
    def _hour_words(self) -> dict[str, Any]:
        numbers = self.tables.pack.numbers
        soft = [(w, numbers.soft.get(w, 1)) for w in numbers.soft_ones]
        return self.tables.trie([*self.tables.pack.clock.hours.items(), *soft])

    def _hour_figures(self, line: Line, i: int) -> Iterator[tuple[int, int]]:
        figures = _SHORT.match(line.flat, i)
        if figures and int(figures[0]) <= 24:
            yield int(figures[0]), figures.end()

    def _minute(self, line: Line, i: int) -> Iterator[tuple[int, int]]:
        yield from self._values(line, i, 1, 59)
        yield from self.tables.at(self.tables.soft_ones, line, i)
        zero = [end for _, end in self._zero(line, i)]
        for end in zero:
            yield from self._values(line, line.next(end), 1, 9)

    def _zero(self, line: Line, i: int) -> Iterator[tuple[int, int]]:
        if line.flat.startswith("0", i) and line.run(i) == i + 1:
            yield 0, i + 1
        yield from ((v, e) for v, e in self.numbers.whole(line, i) if v == 0)
        yield from self.tables.at(self.tables.gaps, line, i)

    def _two_figures(self, most: int) -> Slot:
        def read(line: Line, i: int) -> Iterator[tuple[int, int]]:
            figures = _TWO.match(line.flat, i)
            if figures and int(figures[0]) <= most:
                yield int(figures[0]), figures.end()

        return read

    def _eight_figures(self, line: Line, i: int) -> Iterator[tuple[SpokenDate, int]]:
        """19950120."""
        figures = _EIGHT.match(line.flat, i)
        if figures:
            yield SpokenDate(*map(int, figures.groups())), figures.end()

    def _day(self, line: Line, i: int) -> Iterator[tuple[int, int]]:
        for value, end in self._values(line, i, 1, 31):
            yield value, end
            if line.flat[end : end + 1] in ("º", "°", ".") and line.flat[i].isdigit():
                yield value, end + 1
        yield from self.tables.at(self._day_words, line, i)

    @cached_property
    def _day_words(self) -> dict[str, Any]:
        numbers = self.tables.pack.numbers
        soft = [(w, numbers.soft.get(w, 1)) for w in numbers.soft_ones]
        return self.tables.trie([*self.tables.pack.calendar.days.items(), *soft])

    def _ordinal_month(self, line: Line, i: int) -> Iterator[tuple[int, int]]:
        """dritter dritter: a month by its number, as an ordinal."""
        for value, end in self.tables.at(self._day_words, line, i):
            if value <= 12:
                yield value, end

    def _year(self, line: Line, i: int) -> Iterator[tuple[int, int]]:
        figures = _FOUR.match(line.flat, i)
        if figures:
            yield int(figures[0]), figures.end()
            return
        for value, end in self.numbers.whole(line, i):
            if 1100 <= value <= 2999:
                yield value, end
            elif value in (18, 19, 20) and not line.flat[i].isdigit():
                for more, stop in self.numbers.whole(line, line.next(end)):
                    if 10 <= more < 100:
                        yield value * 100 + more, stop
        for digits, end in self._four(line, i, ""):
            if digits[0] in "12":
                yield int(digits), end

    def _four(self, line: Line, i: int, before: str) -> Iterator[tuple[str, int]]:
        """Four digits that are read out, one or two at a time."""
        if i >= len(line.flat) or line.flat[i].isdigit():
            return
        for digits, end, doubts in self.numbers.digits(line, i):
            both = before + digits
            if doubts or len(digits) > 2 or len(both) > 4:
                continue
            if len(both) == 4:
                yield both, end
            else:
                yield from self._four(line, line.next(end), both)

    # --- dates -----------------------------------------------------------------------------------

    @cached_property
    def _dates(self) -> tuple[Template, ...]:
        orders = self.tables.pack.calendar.orders
        chosen = orders.get(self.tables.region) or orders[""]
        if self.tables.stated.date_order:
            ordered = (_ordered(text, self.tables.stated.date_order) for text in chosen)
            chosen = tuple(dict.fromkeys(ordered))
        return tuple(compiled(text, self.tables) for text in chosen)

    def dates(self, line: Line) -> list[Reading]:
        dates: list[Reading] = line.once("dates", lambda: whole(self._read_dates(line)))
        return dates

    def _read_dates(self, line: Line) -> Iterator[Reading]:
        for i in range(len(line.flat)):
            if line.flat[i] == " " or not self.numbers.opens(line, i):
                continue
            for template in self._dates:
                for held, end in template.match(line, i, self.slots, self.tables):
                    date = _date(held)
                    if date is not None:
                        doubts = self._beside(line, i, end)
                        if "yy" in held:
                            doubts |= Doubt.YEAR
                        yield Reading(date, i, end, doubts, template.text)

    def _beside(self, line: Line, i: int, end: int) -> int:
        """A figure or number glued to it makes it something else."""
        flat = line.flat
        if not line.edge(i) and i not in self.tables.cuts(line) and not self.numbers.opens(line, i):
            return Doubt.REFUSED
        if i and flat[i - 1] in "-/.,:" and flat[i].isdigit() and flat[i - 2 : i - 1].isalnum():
            return Doubt.REFUSED
        signed = line.char(end) in "-/.,:" and line.char(end + 1).isdigit()
        if flat[end - 1].isdigit() and (signed or line.char(end) == "%"):
            return Doubt.REFUSED
        if not line.edge(end) and kind(flat[end]) == "figure":
            return Doubt.REFUSED
        before = line.back(i)
        if before < i and before in self.numbers.number_ends(line) and i in self._numbers(line):
            return Doubt.REFUSED
        return 0

    def _numbers(self, line: Line) -> dict[int, int]:
        return self.numbers.number_starts(line)

    # --- times -----------------------------------------------------------------------------------

    @cached_property
    def _times(self) -> tuple[Template, ...]:
        return tuple(compiled(text, self.tables) for text in self.tables.pack.clock.templates)

    def times(self, line: Line) -> list[Reading]:
        times: list[Reading] = line.once("times", lambda: uncut(whole(self._read_times(line))))
        return times

    def _read_times(self, line: Line) -> Iterator[Reading]:
        for i in range(len(line.flat)):
            if line.flat[i] == " " or not self.numbers.opens(line, i):
                continue
            starts = [(i, "")]
            starts += [(line.next(e), half) for half, e in self.slots["part"](line, i)]
            for start, start_half in starts:
                for template in self._times:
                    for held, end in template.match(line, start, self.slots, self.tables):
                        time = _time(held, template.effect)
                        if time is None:
                            continue
                        doubts = self._clock_beside(line, start, end)
                        half = start_half or held.get("part", "")
                        yield self._timed(time, half, i, end, doubts, template.text)
                        if not half:
                            for after, stop in self._part_after(line, end):
                                yield self._timed(time, after, i, stop, 0, template.text)

    def _part_after(self, line: Line, end: int) -> Iterator[tuple[str, int]]:
        place = line.next(end)
        yield from self.slots["part"](line, place)
        if line.flat.startswith(",", end):
            yield from self.slots["part"](line, line.next(end + 1))

    def _timed(self, time: Time, half: str, i: int, end: int, doubts: int, name: str) -> Reading:
        return Reading(Time(time.minutes, time.second, half, time.hour), i, end, doubts, name)

    def _clock_beside(self, line: Line, i: int, end: int) -> int:
        doubts = self._beside(line, i, end)
        if doubts:
            return doubts
        after = line.next(end)
        starts = self._numbers(line)
        cut = end in self.numbers.number_ends(line) and after in starts and after > end
        return Doubt.REFUSED if cut and line.flat[end - 1] != "." else 0


def _ordered(template: str, date_order: str) -> str:
    """A template of figures with day and month in the stated order."""
    first, second = ("{mn}", "{d}") if date_order == "month-first" else ("{d}", "{mn}")
    return re.sub(
        r"(?<!\{y\}[-/. ])\{(?:d|mn)\}([-/. ])\{(?:d|mn)\}", rf"{first}\1{second}", template
    )


def _date(held: Mapping[str, Any]) -> SpokenDate | None:
    if "ymd" in held:
        date: SpokenDate = held["ymd"]
        return date if 1 <= date.day <= 31 else None
    year = held.get("y", 0) or _century(held.get("yy"))
    month = held.get("mon", 0) or held.get("mn", 0) or held.get("d2", 0)
    return SpokenDate(year, month, held.get("d", 0), held.get("wd", 0) or held.get("wds", 0))


def _century(two: int | None) -> int:
    if two is None:
        return 0
    return two + (2000 if two < 50 else 1900)


def _time(held: Mapping[str, Any], effect: str) -> Time | None:
    fixed = re.fullmatch(r"(\d+):(\d\d)(h?)", effect)
    if fixed:
        minutes = int(fixed[1]) * 60 + int(fixed[2])
        if fixed[3]:  # an hour of the clock, in either half of the day
            return Time(minutes, hour=int(fixed[1]))
        return Time(minutes, hour=24 if minutes >= 12 * 60 else 0)
    hour = held.get("h", held.get("hh"))
    if hour is None:
        return None
    shift = held.get("m", held.get("mm", 0))
    if effect.startswith("-m"):
        shift = -shift
    elif effect.endswith(("+m", "-m")):
        shift = int(effect[:-2] or 0) + (shift if effect.endswith("+m") else -shift)
    elif effect:
        shift = int(effect)
    minutes = hour * 60 + shift
    if minutes < 0:
        minutes += 12 * 60
    if hour == 24 and minutes > DAY_MINUTES:
        return None
    return Time(minutes, held.get("s", -1), "", hour)
