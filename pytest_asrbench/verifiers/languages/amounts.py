"""Numbers, percentages, measures and amounts of money of a line, each read whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from pytest_asrbench.verifiers.languages.line import Line, kind
from pytest_asrbench.verifiers.languages.numbers import Numbers, SpokenQuantity
from pytest_asrbench.verifiers.languages.readings import Reading, whole
from pytest_asrbench.verifiers.languages.tables import Tables
from pytest_asrbench.verifiers.packs.grammar import walk
from pytest_asrbench.verifiers.rules.ambiguity import Doubt

_SECOND: Final = {
    "h": {"min": 60}, "min": {"s": 60}, "m": {"cm": 100, "mm": 1000}, "km": {"m": 1000},
    "kg": {"g": 1000}, "ft": {"in": 12}, "lb": {"oz": 16}, "l": {"ml": 1000},
    "day": {"h": 24}, "year": {"month": 12},
}  # fmt: skip
"""Unit -> smaller units that are said behind it in one value, and how many make one."""
_IMPLIED: Final = ("m", "°C")
"""Units whose smaller one may be left out."""


@dataclass(frozen=True, slots=True, eq=False)
class Amounts:
    """Reads quantities with what makes them a kind."""

    tables: Tables
    numbers: Numbers

    # --- plain numbers ---------------------------------------------------------------------------

    def plain(self, line: Line) -> list[Reading]:
        numbers: list[Reading] = line.once("plain", lambda: whole(self._plain(line)))
        return numbers

    def _plain(self, line: Line) -> Iterator[Reading]:
        kinds = [*self.percents(line), *self.money(line), *self.measures(line)]
        held = {r.start: r for r in kinds}
        for i in range(len(line.flat)):
            for value, end in self.tables.at(self.tables.soft_ones, line, i):
                if value != 1:  # an article is no number by itself
                    q = SpokenQuantity(i, end, Fraction(value), Doubt.COMMON_WORD, True)
                    doubts = q.doubts | self._around(line, q)
                    yield Reading(q.value, i, end, doubts, "number")
        for q in self._all(line):
            if q.part:
                continue
            doubts = q.doubts | self._around(line, q)
            over = held.get(q.start)
            if over is not None and over.end > q.end and over.name != "number and unit":
                doubts |= Doubt.KIND
            yield Reading(q.value, q.start, q.end, doubts, "number")

    def _all(self, line: Line) -> Iterator[SpokenQuantity]:
        for at in self.numbers.quantities(line).values():
            yield from at

    def _around(self, line: Line, q: SpokenQuantity) -> int:
        """Doubts of what stands beside a figure: it may be part of something longer."""
        return self.opened(line, q) | self.closed(line, q.end)

    def opened(self, line: Line, q: SpokenQuantity) -> int:
        """Nothing in front may belong to the number."""
        flat, i = line.flat, q.start
        if (
            i
            and not line.edge(i)
            and i not in self.tables.cuts(line)
            and not self.numbers.opens(line, i)
        ):
            return Doubt.REFUSED
        before = line.back(i)
        glued = before == i and i > 0
        if glued and kind(flat[i - 1]) in ("letter", "nagari") and flat[i].isdigit():
            return Doubt.REFUSED
        if glued and flat[i - 1] in ".,:/'_" and (i < 2 or flat[i - 2].isalnum()):
            return 0 if i > 1 and self._punctuated(line, i - 1) else Doubt.REFUSED
        if glued and flat[i - 1] in "-~" and i > 1:
            return (
                Doubt.SHARED
                if flat[i - 2].isdigit()
                else Doubt.REFUSED
                if flat[i - 2] != " "
                else 0
            )
        if before in self.numbers.number_ends(line) and (before < i or not flat[i].isdigit()):
            return Doubt.REFUSED
        for point in self._ending(line, before, self.tables.points):
            if point in self.numbers.number_ends(line) or line.back(
                point
            ) in self.numbers.number_ends(line):
                return Doubt.REFUSED
        if next(self._ending(line, before, self.tables.inexact), None) is not None:
            return Doubt.REFUSED
        return 0

    def _punctuated(self, line: Line, i: int) -> bool:
        """The sign at i ends what stands in front: a colon after a word, and all signs after a
        script that is written without spaces."""
        before = line.kind(i - 1)
        if line.flat[i] == ":":
            return before != "figure"
        return line.flat[i] in ".," and before in ("han", "hiragana", "katakana")

    def _ending(self, line: Line, e: int, words: dict[str, Any]) -> Iterator[int]:
        """Starts of phrases that end at e."""
        if not words:
            return
        for i in range(max(0, e - 12), e):
            if any(end == e for _, end in self.tables.at(words, line, i)):
                yield i

    def closed(self, line: Line, e: int) -> int:
        """Nothing behind may belong to it."""
        flat = line.flat
        if e >= len(flat):
            return 0
        if flat[e] in ".,:/'" and flat[e + 1 : e + 2].isdigit() and flat[e - 1].isdigit():
            return Doubt.REFUSED
        glued = kind(flat[e]) in ("letter", "nagari", "figure") and flat[e - 1].isalnum()
        if glued and kind(flat[e]) in ("letter", "nagari") and flat[e - 1].isdigit():
            ending = any(line.edge(end) for _, end in walk(self.tables.endings, flat, e))
            unit = any(True for _ in self.tables.units_at(line, e))
            return 0 if ending or unit else Doubt.REFUSED
        after = line.next(e)
        if after in self.numbers.number_starts(line) and not self._own(line, after):
            return Doubt.REFUSED
        for _, end in self.tables.at(self.tables.points, line, after):
            if line.next(end) in self.numbers.number_starts(line):
                return Doubt.REFUSED
        for words in (self.tables.scales, self.tables.halves, self.tables.inexact):
            if any(True for _ in self.tables.at(words, line, after)):
                return Doubt.REFUSED
        return 0

    def _own(self, line: Line, i: int) -> bool:
        """A number with a unit begins a reading of its own (rule 57)."""
        return any(
            self.tables.counted_at(line, line.next(q.end))
            for q in self.numbers.quantities(line).get(i, ())
        )

    # --- percentages -----------------------------------------------------------------------------

    def percents(self, line: Line) -> list[Reading]:
        percents: list[Reading] = line.once("percents", lambda: whole(self._percents(line)))
        return percents

    def _percents(self, line: Line) -> Iterator[Reading]:
        for q in self._counted(line):
            front = self.opened(line, q)
            place = line.next(q.end)
            for _, end in self.tables.at(self.tables.percent, line, place):
                yield Reading(q.value, q.start, end, q.doubts | front, "number and percent")
            for _, end in self.tables.at(self.tables.permille, line, place):
                yield Reading(("‰", q.value), q.start, end, q.doubts | front, "per mille")
            if front & Doubt.REFUSED and not front & ~Doubt.REFUSED:
                continue
            yield from self._shared(line, q, None, front)
        for i, end in self._phrases(line, self.tables.percent_before):
            for q in self.numbers.quantities(line).get(line.next(end), ()):
                shut = self.closed(line, q.end)
                yield Reading(q.value, i, q.end, q.doubts | shut, "percent and number")
        for i, end in self._phrases(line, self.tables.trie({"%": "%"})):
            if i and line.flat[i - 1].isdigit():
                continue
            for q in self.numbers.quantities(line).get(line.next(end), ()):
                yield Reading(q.value, i, q.end, q.doubts | self.closed(line, q.end), "sign first")

    def _phrases(self, line: Line, words: dict[str, Any]) -> Iterator[tuple[int, int]]:
        if words:
            for i in range(len(line.flat)):
                for _, end in self.tables.at(words, line, i):
                    yield i, end

    def _shared(
        self,
        line: Line,
        q: SpokenQuantity,
        units_at: Callable[[Line, int], Iterator[tuple[str, int]]] | None,
        front: int,
    ) -> Iterator[Reading]:
        """The first end of a range whose unit stands behind the second (rule 30)."""
        place = line.next(q.end)
        longer = self.numbers.quantities(line).get(q.start, ())
        if any(other.end > place for other in longer):
            return
        links = [end for _, end in self.tables.at(self.tables.ranges, line, place)]
        if line.flat.startswith(("-", "~"), place):
            links.append(place + 1)
        for link in links:
            for other in self.numbers.quantities(line).get(line.next(link), ()):
                after = line.next(other.end)
                doubts = q.doubts | front | Doubt.SHARED
                if units_at is None:
                    for _, end in self.tables.at(self.tables.percent, line, after):
                        yield Reading(q.value, q.start, end, doubts, "range")
                else:
                    for unit, end in units_at(line, after):
                        yield Reading((q.value, unit), q.start, end, doubts, "range")

    def _counted(self, line: Line) -> Iterator[SpokenQuantity]:
        """Quantities, and the articles that are 1 before a unit."""
        yield from self._all(line)
        if not self.tables.soft_ones:
            return
        for i in range(len(line.flat)):
            for value, end in self.tables.at(self.tables.soft_ones, line, i):
                one = SpokenQuantity(i, end, Fraction(value), 0, True)
                yield one
                yield from self.numbers.longer(line, one)

    # --- measures --------------------------------------------------------------------------------

    def measures(self, line: Line) -> list[Reading]:
        measures: list[Reading] = line.once("measures", lambda: whole(self._measures(line)))
        return measures

    def _measures(self, line: Line) -> Iterator[Reading]:
        tables = self.tables
        for q in self._counted(line):
            front = self.opened(line, q)
            for unit, end, doubts in self._unit(line, q.end):
                doubts |= q.doubts | front | self._rate(line, end, unit)
                yield Reading((q.value, unit), q.start, end, doubts, "number and unit")
                for half, stop in tables.at(tables.halves, line, line.next(end)):
                    yield Reading((q.value + half, unit), q.start, stop, doubts, "and a half")
                yield from self._second(line, q, unit, end, doubts)
            yield from self._shared(line, q, tables.units_at, front)
        yield from self._one_and_a_half(line)

    def _one_and_a_half(self, line: Line) -> Iterator[Reading]:
        """Hora y media: one is not said."""
        ends = self.numbers.number_ends(line)
        for i in (i for i in range(len(line.flat)) if line.back(i) not in ends):
            for unit, end in self.tables.at(self.tables.units, line, i):
                for half, stop in self.tables.at(self.tables.halves, line, line.next(end)):
                    yield Reading((1 + half, unit), i, stop, 0, "one and a half")

    def _unit(self, line: Line, e: int) -> Iterator[tuple[str, int, int]]:
        """Units at e or behind a linking word; a hyphen may stand between."""
        places = [line.next(e)]
        if line.flat.startswith("-", e):
            places.append(e + 1)
        places += [line.next(end) for _, end in self.tables.at(self.tables.of, line, places[0])]
        if line.flat.startswith("'", places[-1] - 1):
            places.append(places[-1])
        for place in places:
            for unit, end in self.tables.units_at(line, place):
                yield unit, end, 0
            for unit, end in self.tables.at(self.tables.loose_units, line, place):
                yield unit, end, Doubt.VARIANT

    def _rate(self, line: Line, end: int, unit: str) -> int:
        """A unit that goes on is another unit (rule 43)."""
        place = line.next(end)
        for _, stop in self.tables.at(self.tables.per, line, place):
            after = line.next(stop)
            if any(True for _ in self.tables.units_at(line, after)):
                return Doubt.REFUSED
        if line.flat.startswith("/", end) and line.flat[end + 1 : end + 2].isalpha():
            return Doubt.REFUSED
        return 0

    def _second(
        self, line: Line, q: SpokenQuantity, unit: str, end: int, doubts: int
    ) -> Iterator[Reading]:
        """Two hours thirty minutes; one metre seventy."""
        smaller = _SECOND.get(unit, {})
        if not (smaller or unit in _IMPLIED) or q.value.denominator != 1:
            return
        places = [line.next(end)]
        places += [
            line.next(e) for _, e in self.tables.at(self.tables.money_links, line, places[0])
        ]
        for place in places:
            for more in self.numbers.quantities(line).get(place, ()):
                if more.value.denominator != 1 or more.value < 0:
                    continue
                units = list(self.tables.units_at(line, line.next(more.end)))
                for other, stop in units:
                    if other in smaller and more.value < smaller[other]:
                        value = q.value + more.value / smaller[other]
                        yield Reading((value, unit), q.start, stop, doubts, "two units")
        if unit in _IMPLIED:
            ands = [line.next(e) for _, e in self.tables.at(self.tables.ands, line, places[0])]
            for place in (places[0], *ands):
                yield from self._implied(line, q, unit, place, doubts)

    def _implied(
        self, line: Line, q: SpokenQuantity, unit: str, place: int, doubts: int
    ) -> Iterator[Reading]:
        """One metre seventy-five, 一米七五, 三十八度五: the smaller unit is not said."""
        digits, end = "", place
        while len(digits) < 2:
            digit = self.numbers.next_digits(line, line.next(end) if digits else end)
            if digit is None or len(digits + digit[0]) > 2:
                break
            digits, end = digits + digit[0], digit[1]
        if not digits or self._more(line, end) or self._own(line, place):
            return
        after = line.next(end)
        if any(True for _ in self.tables.units_at(line, after)):
            return
        part = Fraction(int(digits), 10 ** len(digits))
        yield Reading((q.value + part, unit), q.start, end, doubts, "smaller unit implied")

    def _more(self, line: Line, e: int) -> bool:
        return line.next(e) in self.numbers.number_starts(line)

    # --- money -----------------------------------------------------------------------------------

    def money(self, line: Line) -> list[Reading]:
        amounts: list[Reading] = line.once("money", lambda: whole(self._money(line)))
        return amounts

    def _money(self, line: Line) -> Iterator[Reading]:
        tables = self.tables
        for i in range(len(line.flat)):
            for code, end in self._signs(line, i):
                for q in self.numbers.quantities(line).get(line.next(end), ()):
                    shut = q.doubts | self.closed(line, q.end)
                    yield Reading((q.value, code), i, q.end, shut, "sign and figure")
                    for twice, stop in tables.at(tables.after_amount, line, line.next(q.end)):
                        if twice == code:
                            yield Reading((q.value, code), i, stop, q.doubts, "sign and name")
        for q in self._counted(line):
            front = self.opened(line, q)
            for key, end, doubts in self._before_currency(line, q, front):
                yield Reading(key, q.start, end, doubts, "cents in front of the name")
            for code, end in self._currency(line, q.end):
                doubts = q.doubts | front
                yield Reading((q.value, code), q.start, end, doubts, "figure and name")
                for half, stop in tables.at(tables.halves, line, line.next(end)):
                    value = q.value + half
                    yield Reading((value, code), q.start, stop, doubts, "and a half")
                yield from self._cents(line, q, code, end, doubts)
            for code, end in tables.at(tables.minor, line, line.next(q.end)):
                yield from self._minor(line, q, code, end, q.doubts | front)

    def _before_currency(
        self, line: Line, q: SpokenQuantity, front: int
    ) -> Iterator[tuple[tuple[Fraction, str], int, int]]:
        """19 con 99 euros: hundredths in front of the currency."""
        if q.value.denominator != 1:
            return
        for place, doubts in self._hundredths(line, q):
            for more in self.numbers.quantities(line).get(place, ()):
                if more.value.denominator == 1 and 10 <= more.value < 100:
                    for code, stop in self._currency(line, more.end):
                        if doubts and not (more.worded and self.tables.currencies[code].minor):
                            continue
                        yield (q.value + more.value / 100, code), stop, q.doubts | front | doubts

    def _hundredths(self, line: Line, q: SpokenQuantity) -> Iterator[tuple[int, int]]:
        """Where they may begin, and what is to doubt: "y" may also part two amounts."""
        ands, first = self.tables.pack.numbers.ands, line.next(q.end)
        said = self.numbers.whole(line, q.start)
        longest = q.worded and bool(said) and said[0][1] == q.end
        for link, end in self.tables.at(self.tables.money_links, line, first):
            if link not in ands:
                yield line.next(end), 0
        if longest and not self.numbers.ranged(line, q.start):
            if first > q.end:
                yield first, Doubt.OTHERWISE
            for _, end in self.tables.at(self.tables.ands, line, first):
                yield line.next(end), Doubt.OTHERWISE

    def _signs(self, line: Line, i: int) -> Iterator[tuple[str, int]]:
        """Signs in front of an amount may be glued to a figure, not to a word."""
        if (
            i
            and line.flat[i - 1].isalnum()
            and kind(line.flat[i - 1]) == kind(line.flat[i]) != "han"
        ):
            return
        yield from self.tables.at(self.tables.before_amount, line, i)

    def _currency(self, line: Line, e: int) -> Iterator[tuple[str, int]]:
        places = [line.next(e)]
        if line.flat.startswith("-", e):
            places.append(e + 1)
        places += [line.next(end) for _, end in self.tables.at(self.tables.of, line, places[0])]
        for place in places:
            yield from self.tables.at(self.tables.after_amount, line, place)

    def _minor(
        self, line: Line, q: SpokenQuantity, code: str, end: int, doubts: int
    ) -> Iterator[Reading]:
        """Ninety cents, without an amount in front."""
        value = q.value / 100
        named = [c for c, _ in self._currency(line, end)]
        if not named or code in named:
            yield Reading((value, code), q.start, end, doubts, "cents alone")
        for other, stop in self._currency(line, end):
            if other == code:
                yield Reading((value, code), q.start, stop, doubts, "cents alone")

    def _cents(
        self, line: Line, q: SpokenQuantity, code: str, end: int, doubts: int
    ) -> Iterator[Reading]:
        """Twelve euros [and] fifty [cents]."""
        tables = self.tables
        if q.value.denominator != 1:
            return
        first = line.next(end)
        if line.flat.startswith(",", end):
            first = line.next(end + 1)
        links = [line.next(e) for _, e in tables.at(tables.money_links, line, first)]
        tenth = bool(tables.currencies[code].tenth)
        gaps = [line.next(e) for _, e in tables.at(tables.gaps, line, first)]
        links += gaps
        for place in dict.fromkeys((first, *links)):
            for more in self.numbers.quantities(line).get(place, ()):
                if more.value.denominator != 1 or not 0 < more.value < 100 or more.part:
                    continue
                after = line.next(more.end)
                named = [e for c, e in tables.at(tables.minor, line, after) if c == code]
                for stop in named:
                    value = q.value + more.value / 100
                    yield Reading((value, code), q.start, stop, doubts, "with cents")
                for c, stop in tables.at(tables.tenth, line, after):
                    if c == code and more.value < 10:
                        value = q.value + more.value / 10
                        yield Reading((value, code), q.start, stop, doubts, "with tenths")
                        yield from self._last(line, q, code, value, stop, doubts)
                if named or self._own(line, place) or self._more(line, more.end):
                    continue
                if tenth and more.value < 10 and place not in gaps:
                    value = q.value + more.value / 10
                elif more.value >= 10 or place in links:
                    value = q.value + more.value / 100
                else:
                    continue
                if line.flat[end : end + 1] == "," and not links:
                    continue
                yield Reading((value, code), q.start, more.end, doubts, "cents implied")

    def _last(
        self, line: Line, q: SpokenQuantity, code: str, value: Fraction, end: int, doubts: int
    ) -> Iterator[Reading]:
        """五块三毛八: hundredths behind the tenths."""
        for more in self.numbers.quantities(line).get(line.next(end), ()):
            if more.value.denominator == 1 and 0 < more.value < 10:
                total = value + more.value / 100
                yield Reading((total, code), q.start, more.end, doubts, "with tenths")
                for c, stop in self.tables.at(self.tables.minor, line, line.next(more.end)):
                    if c == code:
                        yield Reading((total, code), q.start, stop, doubts, "with tenths")
