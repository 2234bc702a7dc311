"""Numbers of a line: whole numbers, runs of digits, and quantities with all that is theirs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pytest_asrbench.verifiers.languages.line import Line, kind
from pytest_asrbench.verifiers.languages.tables import Tables
from pytest_asrbench.verifiers.packs.grammar import walk
from pytest_asrbench.verifiers.rules.ambiguity import Doubt

_FIGURES: Final = re.compile(r"\d+")
_LITERAL: Final = re.compile(r"\d+(?:[.,'’]\d+)*(?: \d{3}(?!\d))*(?:[.,]\d+)?")
_PLAIN: Final = re.compile(r"\d+(?:[.,'’]\d+)*")
MAX_FIGURES: Final = 24
_REACH: Final = MAX_FIGURES + 8
"""Past the longest literal by more than one more group: what goes on there is none in any case."""


@dataclass(frozen=True, slots=True)
class SpokenQuantity:
    """A number read whole, with where it stands."""

    start: int
    end: int
    value: Fraction
    doubts: int = 0
    worded: bool = False
    part: bool = False
    """A part of one ("medio"): needs a unit or a scale word."""


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """Reads the numbers of a line in one language and region."""

    tables: Tables

    # --- whole numbers ---------------------------------------------------------------------------

    def whole(self, line: Line, i: int) -> tuple[tuple[int, int], ...]:
        """(value, end) of number words at i, the longest first; nothing is cut at either end, save
        where another number word goes on at once."""
        memo: dict[int, tuple[tuple[int, int], ...]] = line.once("whole", dict)
        if i not in memo:
            memo[i] = ()
            memo[i] = tuple(self._whole(line, i))
        return memo[i]

    def _whole(self, line: Line, i: int) -> Iterator[tuple[int, int]]:
        flat, never = line.flat, self.tables.never
        if i >= len(flat) or kind(flat[i]) == "":
            return
        if never is not None and never.match(flat, i):
            return
        for value, end in self.tables.grammar.read(flat, i):
            if " " in flat[i:end] and _hyphened(flat, end):
                continue  # quarante | quatre-vingts
            if self._ends(line, end) and flat[i:end] not in self.tables.soft_words:
                yield value, end

    def _ends(self, line: Line, end: int) -> bool:
        if line.edge(end) or end in self.tables.cuts(line):
            return True
        if any(line.edge(e) for _, e in walk(self.tables.endings, line.flat, end)):
            return True
        if any(line.edge(e) for _, e in walk(self.tables.word_endings, line.flat, end)):
            return True
        return any(
            e > end for _, e in self.tables.grammar.read(line.flat, end) if self._ends(line, e)
        )

    def opens(self, line: Line, i: int) -> bool:
        """A word may begin at i; joined number words count."""
        if line.edge(i) or i in self.tables.cuts(line):
            return True
        return i in self.number_ends(line)

    def spans(self, line: Line) -> tuple[tuple[int, int], ...]:
        """Spans of numbers, figures or words, each as long as it can be."""
        spans: tuple[tuple[int, int], ...] = line.once("spans", lambda: tuple(self._spans(line)))
        return spans

    def _spans(self, line: Line) -> Iterator[tuple[int, int]]:
        i, flat = 0, line.flat
        open_ = True
        while i < len(flat):
            figures = _FIGURES.match(flat, i)
            if figures:
                words = [e for _, e in self.whole(line, i)]
                i2 = max([figures.end(), *words])
                yield i, i2
                i, open_ = i2, True
                continue
            numbers = (
                self.whole(line, i) if open_ or line.edge(i) or i in self.tables.cuts(line) else ()
            )
            if numbers:
                yield i, numbers[0][1]
                i, open_ = numbers[0][1], True
                continue
            open_ = False
            i += 1

    def number_ends(self, line: Line) -> dict[int, int]:
        """End of each number -> its start."""
        number_ends: dict[int, int] = line.once("ends", lambda: {e: i for i, e in self.spans(line)})
        return number_ends

    def number_starts(self, line: Line) -> dict[int, int]:
        number_starts: dict[int, int] = line.once("starts", lambda: dict(self.spans(line)))
        return number_starts

    def goes_on(self, line: Line, i: int) -> bool:
        """A number has begun before i and ends behind it."""
        inside: frozenset[int] = line.once("inside", lambda: frozenset(
            k for i, e in self.spans(line) for k in range(i + 1, e)
        ))  # fmt: skip
        return i in inside

    # --- runs of digits --------------------------------------------------------------------------

    def digits(self, line: Line, i: int) -> list[tuple[str, int, int]]:
        """(digits, end, doubts) that stand for themselves at i."""
        memo: dict[int, list[tuple[str, int, int]]] = line.once("digits", dict)
        if i not in memo:
            memo[i] = list(self._digits(line, i))
        return memo[i]

    def _digits(self, line: Line, i: int) -> Iterator[tuple[str, int, int]]:
        figures = _FIGURES.match(line.flat, i)
        if figures:
            yield figures[0], figures.end(), 0
            yield from self._counted(line, int(figures[0][:6]), figures.end())
        if not self.opens(line, i):
            return
        numbers = self.whole(line, i)
        for value, end in numbers:
            if not figures or end > figures.end():
                yield (
                    str(value),
                    end,
                    0 if end == numbers[0][1] else Doubt.REFUSED | Doubt.OTHERWISE,
                )
            yield from self._counted(line, value, end)
        for words in (self.tables.soft, self.tables.only_digits):
            for value, end in walk(words, line.flat, i):
                if self._ends(line, end) or self._goes_on(line, end):
                    yield str(value), end, 0
        for times, end in walk(self.tables.repeats, line.flat, i):
            if line.edge(i) or i in self.tables.cuts(line):  # doppelnull
                for digit, stop in self._digit(line, line.next(end)):
                    yield digit * times, stop, 0

    def _goes_on(self, line: Line, i: int) -> bool:
        tables = (self.tables.soft, self.tables.only_digits)
        return bool(self.whole(line, i)) or any(
            line.edge(e) for words in tables for _, e in walk(words, line.flat, i)
        )

    def _digit(self, line: Line, i: int) -> Iterator[tuple[str, int]]:
        if line.flat[i : i + 1].isdigit():
            if line.run(i) == i + 1:
                yield line.flat[i], i + 1
            return
        for value, end in self.whole(line, i):
            if value < 10:
                yield str(value), end
        for words in (self.tables.only_digits, self.tables.soft):
            for value, end in self.tables.at(words, line, i):
                yield str(value), end

    def _counted(self, line: Line, count: int, end: int) -> Iterator[tuple[str, int, int]]:
        """Two zeros, three times the eight."""
        if not 2 <= count <= 6:
            return
        place = line.next(end)
        for digit, stop in self.tables.at(self.tables.plural_digits, line, place):
            yield str(digit) * count, stop, 0
        for _, stop in self.tables.at(self.tables.times, line, place):
            for digit, last in self._digit(line, line.next(stop)):
                yield digit * count, last, 0

    # --- quantities ------------------------------------------------------------------------------

    def quantities(self, line: Line) -> dict[int, list[SpokenQuantity]]:
        """By start, all readings of quantities; those cut off by their neighbours are left out."""
        quantities: dict[int, list[SpokenQuantity]] = line.once(
            "quantities", lambda: self._quantities(line)
        )
        return quantities

    def _quantities(self, line: Line) -> dict[int, list[SpokenQuantity]]:
        quantities: dict[int, list[SpokenQuantity]] = {}
        flat = line.flat
        for i in range(len(flat)):
            if flat[i] == " " or not self.opens(line, i):
                continue
            at = list(self._at(line, i))
            if at:
                quantities[i] = at
        return quantities

    def _at(self, line: Line, i: int) -> Iterator[SpokenQuantity]:
        """A sign in front belongs to it."""
        flat = line.flat
        free = i == 0 or kind(flat[i - 1]) == ""
        negative = flat[i] == "-" and free and flat[i + 1 : i + 2] != " "  # a dash apart is none
        starts = [i + 1] if negative else []
        starts += [line.next(end) for _, end in self.tables.at(self.tables.minus, line, i)]
        for start in starts:
            for q in self._unsigned(line, start):
                yield SpokenQuantity(i, q.end, -q.value, q.doubts, q.worded, q.part)
        if flat[i] in "+-":
            return
        yield from self._unsigned(line, i)

    def _unsigned(self, line: Line, i: int) -> Iterator[SpokenQuantity]:
        for q in (*self._plain(line, i), *self._linked(line, i)):
            yield q
            yield from self.longer(line, q)
        for shift, end in self.tables.at(self.tables.shifts, line, i):
            yield from self._shifted(line, i, shift, line.next(end))
        for part, end in self.tables.at(self.tables.parts, line, i):
            q = SpokenQuantity(i, end, part, 0, True, part=part < 1)
            yield q
            yield from self._scaled(line, q)
        for digits, end in self._point(line, i):
            value = Fraction(int(digits), 10 ** len(digits))
            yield SpokenQuantity(i, end, value, 0, True)

    def _plain(self, line: Line, i: int) -> Iterator[SpokenQuantity]:
        ends = set()
        for pattern in (_LITERAL, _PLAIN):
            literal = pattern.match(line.flat, i, i + _REACH)
            if literal and literal.end() not in ends:
                ends.add(literal.end())
                for value, doubts in self.figure(literal[0]):
                    yield SpokenQuantity(i, literal.end(), value, doubts)
        for number, end in self.whole(line, i):
            yield SpokenQuantity(i, end, Fraction(number), 0, True)
        for soft, end in self.tables.at(self.tables.soft, line, i):
            if self._has_point(line, end):
                yield SpokenQuantity(i, end, Fraction(soft), 0, True)

    def _linked(self, line: Line, i: int) -> Iterator[SpokenQuantity]:
        """180 y 7: a round figure, the linking word and a smaller number are one, not sure."""
        figures = _FIGURES.match(line.flat, i)
        if not figures or not figures[0].endswith("0") or len(figures[0]) > 6:
            return
        place = 10 ** (len(figures[0]) - len(figures[0].rstrip("0")))
        for _, end in self.tables.at(self.tables.ands, line, line.next(figures.end())):
            more = _FIGURES.match(line.flat, line.next(end))
            if (
                more
                and 0 < int(more[0][:7]) < place
                and not self.ranged(line, i)
                and self.tables.counted_at(line, line.next(more.end()))
            ):
                value = Fraction(int(figures[0]) + int(more[0]))
                yield SpokenQuantity(i, more.end(), value, Doubt.OTHERWISE)

    def ranged(self, line: Line, i: int) -> bool:
        """A word in front says that the numbers behind it are two ("entre 100 y 200")."""
        before = line.back(i)
        return any(
            end == before
            for k in range(max(0, before - 12), before)
            for _, end in self.tables.at(self.tables.between, line, k)
        )

    def _has_point(self, line: Line, end: int) -> bool:
        return any(True for _ in self._point(line, line.next(end)))

    def figure(self, text: str) -> list[tuple[Fraction, int]]:
        """The quantity of a figure with its marks; nothing where it is no quantity (1.2.3)."""
        decimal, groups = self.tables.marks
        if len(text) > MAX_FIGURES:
            return []
        text = text.replace("’", "'")
        if text.isdigit():
            return [(Fraction(int(text)), 0)]
        marks = re.sub(r"\d", "", text)
        last = marks[-1]
        whole, _, rest = text.rpartition(last)
        if last in ".," and marks.count(last) == 1 and len(marks) > 1:
            other = marks[0]
            if set(marks[:-1]) == {other} and other in ",. '" and _grouped(whole, other):
                return [(Fraction(re.sub(r"\D", "", whole) + "." + rest), 0)]
            return []
        if len(set(marks)) > 1:
            return []
        if last in groups and _grouped(text, last):
            return [(Fraction(re.sub(r"\D", "", text)), 0)]
        if last == decimal and len(marks) == 1:
            return [(Fraction(whole + "." + rest), 0)]
        if last in ".," and len(marks) == 1 and len(rest) != 3:
            return [(Fraction(whole + "." + rest), Doubt.OTHERWISE)]
        if last in ".," and last != decimal and _grouped(text, last):
            return [(Fraction(re.sub(r"\D", "", text)), Doubt.OTHERWISE)]
        return []

    def _point(self, line: Line, i: int) -> Iterator[tuple[str, int]]:
        """Decimals behind a point that is said: "coma cero cinco"; and ".5"."""
        flat = line.flat
        opens = i == 0 or flat[i - 1] == " "
        if opens and flat.startswith((".", ","), i) and flat[i + 1 : i + 2].isdigit():
            yield flat[i + 1 : line.run(i + 1)], line.run(i + 1)
        starts = [line.next(end) for _, end in self.tables.at(self.tables.points, line, i)]
        if i and flat.startswith(".", i) and kind(flat[i - 1]) == "han":  # 一・五
            starts.append(i + 1)
        for start in starts:
            decimals, place, stop = "", start, start
            while (more := self.next_digits(line, place)) is not None:
                decimals, stop = decimals + more[0], more[1]
                place = line.next(stop)
                if len(decimals) > 12:
                    break
            if decimals:
                yield decimals, stop

    def next_digits(self, line: Line, i: int) -> tuple[str, int] | None:
        figures = _FIGURES.match(line.flat, i)
        if figures:
            return figures[0], figures.end()
        numbers = [*self.whole(line, i), *self.tables.at(self.tables.soft, line, i)]
        longest = max(numbers, key=lambda one: one[1], default=None)
        return (str(longest[0]), longest[1]) if longest else None

    def longer(self, line: Line, q: SpokenQuantity) -> Iterator[SpokenQuantity]:
        """With decimals, a scale word, a half; words that plainly go on are cut nowhere."""
        said = self.whole(line, q.start)
        if q.worded and said and q.end < said[0][1] and q.value.denominator == 1:
            return
        if q.value.denominator == 1:
            for digits, end in self._point(line, line.next(q.end)):
                value = q.value + Fraction(int(digits), 10 ** len(digits))
                longer = SpokenQuantity(q.start, end, value, q.doubts, q.worded)
                yield longer
                yield from self._scaled(line, longer)
            place = _last_place(q, 100 if self.tables.grammar.tails else 1000)
            for half, end in self.tables.at(self.tables.halves, line, line.next(q.end)):
                longer = SpokenQuantity(q.start, end, q.value + half * place, q.doubts, q.worded)
                yield longer
                yield from self._scaled(line, longer)
        yield from self._scaled(line, q)

    def _scaled(self, line: Line, q: SpokenQuantity) -> Iterator[SpokenQuantity]:
        for scale, end in self.tables.at(self.tables.scales, line, line.next(q.end)):
            value = q.value * scale
            scaled = SpokenQuantity(q.start, end, value, q.doubts, q.worded)
            yield scaled
            for half, stop in self.tables.at(self.tables.halves, line, line.next(end)):
                yield SpokenQuantity(q.start, stop, value + half * scale, q.doubts, q.worded)
            place = line.next(end)
            for rest in self._plain(line, place):
                if 0 < rest.value < scale and rest.value.denominator == 1:
                    yield SpokenQuantity(q.start, rest.end, value + rest.value, q.doubts, q.worded)

    def _shifted(self, line: Line, i: int, shift: Fraction, start: int) -> Iterator[SpokenQuantity]:
        """सवा दो लाख, साढ़े तीन, पौने सौ."""
        for scale, end in self.tables.at(self.tables.scales, line, start):
            yield SpokenQuantity(i, end, (1 + shift) * scale, 0, True)
        soft = [
            SpokenQuantity(start, end, Fraction(value), 0, True)
            for value, end in self.tables.at(self.tables.soft, line, start)
        ]
        for q in (*self._plain(line, start), *soft):
            if q.value < 100:
                shifted = SpokenQuantity(i, q.end, q.value + shift, q.doubts, True)
                yield shifted
                yield from self._scaled(line, shifted)


def _hyphened(flat: str, e: int) -> bool:
    """A hyphen binds what ends at e to the word behind it."""
    return flat.startswith("-", e) and flat[e + 1 : e + 2].isalpha()


def _last_place(q: SpokenQuantity, least: int) -> int:
    """A half behind a round number in words is half of its place (dos millones y medio)."""
    value = int(q.value)
    if not q.worded:
        return 1
    for place in (10**9, 10**6, 10**3, 100):
        if value and value % place == 0 and place >= least:
            return place
    return 1


def _grouped(text: str, mark: str) -> bool:
    """1.234.567, 1,00,000 (lakh)."""
    first, *rest = text.split(mark)
    if not rest or not 1 <= len(first) <= 3 or first.startswith("0"):
        return False
    if not all(part.isdigit() for part in (first, *rest)) or len(rest[-1]) != 3:
        return False
    return all(len(part) == 3 for part in rest) or (
        mark == "," and len(first) <= 2 and all(len(part) == 2 for part in rest[:-1])
    )
