"""
Dates of a transcript, each read whole (rules 15, 27, 45, 53).

A reading holds the parts that were said; where figures leave the order open it is read in the order
that the settings ask for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from pytest_asrbench.verifiers.packs import pack as load_pack
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.numbers import NumberReader
from pytest_asrbench.verifiers.rules.pattern import Phrases
from pytest_asrbench.verifiers.rules.readings.date_parts import Date, is_year
from pytest_asrbench.verifiers.rules.readings.figured_dates import (
    DateFigures,
    atom_starts,
    digits_of,
)
from pytest_asrbench.verifiers.rules.readings.links import Link, chain
from pytest_asrbench.verifiers.rules.readings.names import begins_own, counted
from pytest_asrbench.verifiers.rules.readings.whole import wholes
from pytest_asrbench.verifiers.rules.tokens import Tokens


def dates(tokens: Tokens, numbers: NumberReader, *, day_first: bool = False) -> list[Date]:
    """Every date, refused ones included; made once a transcript."""
    key = ("dates", numbers.key, day_first)
    dates: list[Date] = tokens.once(key, lambda: _Reader(tokens, numbers, day_first).dates())
    return dates


@dataclass(frozen=True)
class _Words:
    months: tuple[Phrases, ...]
    weekdays: tuple[Phrases, ...]
    all_months: Phrases
    all_weekdays: Phrases
    of: Phrases


@lru_cache(maxsize=8)
def _words(language: str) -> _Words:
    pack = load_pack(language)
    months = tuple(Phrases((*forms, *(f + "." for f in forms))) for forms in pack.months)
    days = tuple(Phrases((*forms, *(f + "." for f in forms))) for forms in pack.weekdays)
    every = [form for forms in pack.months for form in forms]
    return _Words(
        months, days, Phrases((*every, *(f + "." for f in every))),
        Phrases(form for forms in pack.weekdays for form in forms),
        Phrases(pack.calendar.of),
    )  # fmt: skip


_MOST_BOUNDS = 4
"""Words of a day or quarter in front of its year, at most."""

Part = tuple[int, int, int]
"""A value, where it ends or starts, and doubts."""


class _Reader:
    def __init__(self, tokens: Tokens, numbers: NumberReader, day_first: bool) -> None:
        self.tokens, self.numbers, self.pack, self.day_first = (
            tokens,
            numbers,
            numbers.pack,
            day_first,
        )
        self.words = _words(numbers.pack.language)
        self.chain = chain(tokens, numbers)
        self.starts = wholes(tokens, numbers).span_starts
        self.stops = wholes(tokens, numbers).span_ends

    def dates(self) -> list[Date]:
        dates = [*self._named(), *DateFigures(self.tokens, self.numbers, self.day_first).dates()]
        dates += self._quarters()
        dates += [later for one in dates for later in self._year_first(one)]
        dates += list(self._days_alone())
        week = [later for one in dates for later in self._with_weekday(one)]
        return [*dates, *week, *self._weekdays_alone()]

    # --- with the month's name -----------------------------------------------------------------

    def _named(self) -> Iterator[Date]:
        for i in self.words.all_months.starts(self.tokens):
            for number, names in enumerate(self.words.months, 1):
                ends = names.ends(self.tokens, i)
                for e in ends:
                    if self.tokens.glued(i) and self.tokens.flat[i - 1].isalnum():
                        continue
                    if len(ends) > 1 and e < max(ends) and self.tokens.char(e) == ".":
                        continue
                    yield from self._around(Date(i, e, month=number))

    def _around(self, one: Date) -> Iterator[Date]:
        """Day and year on both sides of a month's name."""
        alone = True
        for day, e, doubts, year in self._day_behind(one.end):
            alone = False
            dated = replace(one, day=day, end=e, doubts=doubts, year=year)
            yield from [dated] if year else self._with_year(dated)
        for day, i, doubts in self._day_in_front(one.start):
            alone = False
            yield from self._with_year(replace(one, day=day, start=i, doubts=doubts))
        for year, e, doubts in self._years(one.end):
            alone = False
            yield replace(one, year=year, end=e, doubts=doubts)
        if alone:
            yield one

    def _with_year(self, one: Date) -> Iterator[Date]:
        years = list(self._years(one.end, dated=bool(one.day)))
        for year, e, doubts in years:
            yield replace(one, year=year, end=e, doubts=one.doubts | doubts)
        if all(doubts & Doubt.YEAR for _, _, doubts in years):
            yield one

    def _day_behind(self, e: int) -> Iterator[tuple[int, int, int, str]]:
        """Days behind the month, the year too where both are one run of words."""
        place = self._past(e)
        the = self.tokens.runs.get(place) == "the"
        place += 3 if the else 0
        for day, end, doubts in self._ordinals(place):
            yield day, end, doubts, ""
        joined = [s for s in self.starts.get(place, ()) if not s.doubts & Doubt.KIND]
        for span in joined:
            for digits in span.strings:
                if len(digits) <= 2 and 0 < int(digits) < 32:
                    yield int(digits), span.end, span.doubts | self._day_goes_on(span.end), ""
            yield from self._day_and_year(place, span.end, span.doubts)

    def _day_and_year(self, i: int, e: int, doubts: int) -> Iterator[tuple[int, int, int, str]]:
        """March five twenty twenty six, March 5 2026."""
        for bound in atom_starts(self.chain, i, e)[:_MOST_BOUNDS]:
            for day in digits_of(self.tokens, self.numbers, i, bound):
                for year in digits_of(self.tokens, self.numbers, bound, e):
                    if len(day) <= 2 and 0 < int(day) < 32 and is_year(year):
                        yield (
                            int(day),
                            e,
                            doubts & ~Doubt.NEIGHBOUR & ~Doubt.REFUSED & ~Doubt.LONGER,
                            year,
                        )

    def _day_goes_on(self, e: int) -> int:
        """A day that is the first of a range, or a figure that goes on."""
        link = self.chain.after(e)
        return Doubt.REFUSED | Doubt.LONGER if link in (Link.DASH, Link.COLON) else 0

    def _day_in_front(self, i: int) -> Iterator[Part]:
        """5 March, the fifth of March, 5-Mar."""
        tokens, places = self.tokens, {i}
        if tokens.char(i - 1) in ("-", "/", ",") and i > 1:
            places.add(i - 1)
        before = tokens.ends.get(i, -1)
        if tokens.runs.get(before) in self.pack.calendar.joints:
            places.add(before)
            earlier = tokens.ends.get(before, -1)
            if tokens.runs.get(earlier) == "day":
                places.add(earlier)
        for place in places:
            k = self.chain.ends.get(place)
            atom = self.chain.atoms[k] if k is not None else None
            if atom is not None and k is not None and atom.kind == "ordinal":
                for day, start in self._ordinal_at(k):
                    yield day, self._article(start), 0
            for span in self.stops.get(place, ()):
                link = self.chain.before(span.start)
                hard = Doubt.REFUSED if link in (Link.DASH, Link.SLASH, Link.COLON) else 0
                for digits in span.strings:
                    if len(digits) <= 2 and 0 < int(digits) < 32:
                        yield int(digits), self._article(span.start), span.doubts | hard

    def _article(self, i: int) -> int:
        before = self.tokens.ends.get(i, -1)
        return before if self.tokens.runs.get(before) == "the" else i

    def _ordinals(self, place: int) -> Iterator[Part]:
        """Fifth, 5th, twenty first."""
        k = self.chain.starts.get(place)
        if k is None:
            return
        for last in (k, k + 1):
            if last < len(self.chain.atoms) and self.chain.atoms[last].kind == "ordinal":
                for day, start in self._ordinal_at(last):
                    if start == place:
                        yield day, self.chain.atoms[last].end, 0

    def _ordinal_at(self, k: int) -> Iterator[tuple[int, int]]:
        """The value of the ordinal that ends with this atom, and its start."""
        atom = self.chain.atoms[k]
        value = int(atom.text) if atom.text.isdigit() else self.pack.ordinals[atom.text]
        link = self.chain.links[k]
        if link is None or link in (Link.LIST, Link.STOP, Link.DASH):
            if value < 32:
                yield value, atom.start
            return
        before = self.chain.atoms[k - 1]
        tens = self.pack.tens.get(before.text, 0)
        joined = self.chain.links[k - 1] not in (None, Link.LIST, Link.STOP)
        said = not atom.text.isdigit() and link in (Link.SPACE, Link.HYPHEN)
        if tens and value < 10 and said and not joined:
            yield tens + value, before.start

    # --- years ---------------------------------------------------------------------------------

    def _years(self, e: int, *, dated: bool = False) -> Iterator[tuple[str, int, int]]:
        """, 2026; of twenty twenty six; '26; in the year 2026."""
        tokens, place = self.tokens, self._past(e)
        if tokens.char(place) in ("-", "/") and tokens.glued(place):
            place += 1
        places = {place, *self.words.of.ends(tokens, place)}
        for start in places:
            if tokens.char(start) == "'" and start < len(tokens):
                run = tokens.runs.get(start + 1, "")
                if len(run) == 2 and run.isdigit():
                    yield f"20{run}", start + 3, Doubt.YEAR
                    yield f"19{run}", start + 3, Doubt.YEAR
                continue
            for span in self.starts.get(start, ()):
                for digits in span.strings:
                    if is_year(digits):
                        yield digits, span.end, span.doubts
                    elif len(digits) == 2 and self._short_year(
                        start, place, dated=dated, e=span.end
                    ):
                        yield f"20{digits}", span.end, span.doubts | Doubt.YEAR
                        yield f"19{digits}", span.end, span.doubts | Doubt.YEAR

    def _short_year(self, start: int, place: int, *, dated: bool, e: int) -> bool:
        """05-Mar-26, "March fifth ninety nine": two figures behind day and month (rule 53)."""
        if start != place:
            return False
        if self.tokens.char(start - 1) in ("-", "/") and self.tokens.glued(start):
            return True
        counts = counted(self.tokens, self.numbers, e)
        return dated and not counts and not begins_own(self.tokens, self.numbers, start)

    def _year_first(self, one: Date) -> Iterator[Date]:
        """In 1958 on the 8th of August (rule 53)."""
        if one.year or not one.day or not one.month:
            return
        tokens, i = self.tokens, one.start
        if tokens.runs.get(tokens.ends.get(i, -1)) == "on":
            i = tokens.ends[i]
        parted = bool(tokens.gaps[i])
        if tokens.char(i - 1) == "," and i:
            i -= 1
        for span in self.stops.get(i, ()) if parted else ():
            for digits in span.strings:
                if is_year(digits) and (i != one.start or span.figures):
                    doubts = one.doubts | span.doubts
                    yield replace(one, start=span.start, year=digits, doubts=doubts)

    def _quarters(self) -> Iterator[Date]:
        """Q1 2026, Q2 of twenty twenty three, the first quarter of 2026 (rule 54)."""
        for i in self.tokens.index.get("q", ()):
            for span in self.starts.get(i + 1, ()) if self.tokens.boundary(i) else ():
                yield from self._of_quarter(i, span.end, span.strings)
            yield from self._joined_quarter(i)
        for word in self.pack.calendar.quarter:
            for e in self.tokens.index.get(word, ()):
                k = self.chain.ends.get(e)
                if k is not None and self.chain.atoms[k].kind in ("ordinal", "fraction"):
                    atom = self.chain.atoms[k]
                    value = self.pack.ordinals.get(atom.text) or atom.text
                    yield from self._of_quarter(atom.start, e + len(word), frozenset({str(value)}))

    def _joined_quarter(self, i: int) -> Iterator[Date]:
        """Q two twenty twenty three: the year in one run of words with the quarter."""
        for span in self.starts.get(i + 1, ()):
            for bound in atom_starts(self.chain, span.start, span.end)[:_MOST_BOUNDS]:
                for one in digits_of(self.tokens, self.numbers, span.start, bound):
                    for year in digits_of(self.tokens, self.numbers, bound, span.end):
                        if one in ("1", "2", "3", "4") and is_year(year):
                            yield Date(i, span.end, year=year, quarter=int(one))

    def _of_quarter(self, i: int, e: int, digits: frozenset[str]) -> Iterator[Date]:
        for one in digits & {"1", "2", "3", "4"}:
            years = list(self._years(e, dated=False))
            for year, stop, doubts in years:
                yield Date(i, stop, year=year, quarter=int(one), doubts=doubts)
            if not years:
                yield Date(i, e, quarter=int(one))

    # --- days and weekdays alone ---------------------------------------------------------------

    def _days_alone(self) -> Iterator[Date]:
        for k, atom in enumerate(self.chain.atoms):
            if atom.kind == "ordinal":
                for day, start in self._ordinal_at(k):
                    the = self._article(start)
                    doubts = 0 if the < start else Doubt.OTHERWISE
                    if self.tokens.runs.get(atom.end) in self.pack.calendar.numbered:
                        doubts |= Doubt.REFUSED
                    yield Date(the, atom.end, day=day, doubts=doubts, ordinal=True)

    def _weekdays_alone(self) -> Iterator[Date]:
        for i in self.words.all_weekdays.starts(self.tokens):
            for weekday, e in self._weekday(i):
                yield Date(i, e, weekday=weekday)

    def _weekday(self, i: int) -> Iterator[tuple[int, int]]:
        for number, names in enumerate(self.words.weekdays, 1):
            for e in names.ends(self.tokens, i):
                if self.tokens.boundary(i) and not (
                    self.tokens.glued(i) and self.tokens.flat[i - 1].isalpha()
                ):
                    yield number, e

    def _with_weekday(self, one: Date) -> Iterator[Date]:
        """The weekday in front or behind."""
        tokens = self.tokens
        i = self._article(one.start)
        before = i - 1 if tokens.char(i - 1) == "," else i
        for size in range(3, 11):
            for weekday, e in self._weekday(before - size) if before >= size else ():
                if e == before or (e == before + 1):
                    yield replace(one, start=before - size, weekday=weekday)
        e = self._past(one.end)
        for word in ("", "on", "a", "whichisa"):
            if tokens.flat.startswith(word, e):
                for weekday, stop in self._weekday(e + len(word)):
                    yield replace(one, end=stop, weekday=weekday)

    # --- helpers -------------------------------------------------------------------------------

    def _past(self, e: int) -> int:
        """Past the comma and the fillers of a speaker who reads out part by part."""
        tokens = self.tokens
        while e < len(tokens):
            run = tokens.runs.get(e)
            if run in self.pack.fillers and run is not None:
                e += len(run)
            elif (tokens.flat[e] == "," and tokens.gaps[e + 1]) or (
                tokens.flat[e] in "-/" and not tokens.gaps[e] and not tokens.gaps[e + 1]
            ):
                e += 1
            else:
                break
        return e
