"""
Quantities of a transcript: amounts, measures, percentages, ranges (rules 13, 14, 30, 41 to 43, 52).

Each number is read with what stands around it: a currency in front, a unit behind, the second part
of the same value, the rate, the other end of a range. What is only a part of a longer value is kept
as refused, so that a miss can say why.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.numbers import NumberReader
from pytest_asrbench.verifiers.rules.readings.links import chain
from pytest_asrbench.verifiers.rules.readings.names import (
    MINOR,
    MONEY,
    UNIT,
    Named,
    begins_own,
    named,
    prefixed,
    rated,
)
from pytest_asrbench.verifiers.rules.readings.quantity import CENTS, Quantities, Quantity
from pytest_asrbench.verifiers.rules.readings.ranges import Ranges
from pytest_asrbench.verifiers.rules.readings.whole import Whole, Wholes, wholes
from pytest_asrbench.verifiers.rules.tokens import Tokens
from pytest_asrbench.verifiers.rules.units import PART_OF, PARTS


def quantities(tokens: Tokens, numbers: NumberReader) -> Quantities:
    """Every quantity; made once a transcript."""
    key = ("quantities", numbers.key)
    quantities: Quantities = tokens.once(key, lambda: _Reader(tokens, numbers).quantities())
    return quantities


class _Reader:
    def __init__(self, tokens: Tokens, numbers: NumberReader) -> None:
        self.tokens, self.numbers, self.pack = tokens, numbers, numbers.pack
        self.wholes: Wholes = wholes(tokens, numbers)
        self.chain = chain(tokens, numbers)
        self.read = Quantities()
        self.taken: set[tuple[int, int]] = set()
        """Spans that are part of a longer value."""

    def quantities(self) -> Quantities:
        first = [one for whole in self.wholes.all for one in self._alone(whole)]
        rates = {one.end for one in first}
        first += self._articles(rates)
        starts: dict[int, list[Quantity]] = {}
        for one in first:
            starts.setdefault(one.start, []).append(one)
        longer = [two for one in first if not one.refused for two in self._continued(one, starts)]
        longer += self._bare_and_a_half()
        ranges = Ranges(self.tokens, self.numbers, self.wholes, self.read, self.taken)
        longer += [two for whole in self.wholes.all for two in ranges.read(whole, starts)]
        for one in first:
            part = (one.start, one.end) in self.taken and not one.refused
            self.read.add(replace(one, doubts=one.doubts | Doubt.REFUSED) if part else one)
        for one in longer:
            self.read.add(one)
        return self.read

    # --- one number with its unit or currency --------------------------------------------------

    def _alone(self, whole: Whole) -> Iterator[Quantity]:
        yield from self._signed(whole)
        for place in self._places(whole):
            for one, part in named(self.tokens, self.numbers, place):
                yield from self._named(whole, one, part)
        yield from self._slang(whole)

    def _places(self, whole: Whole) -> list[int]:
        """Places where the unit may start: at once, past a hyphen, past the "of a" of a
        fraction."""
        tokens, e = self.tokens, whole.end
        if tokens.char(e) == "-" and tokens.glued(e):
            return [e + 1]
        places = [e]
        if abs(whole.value) < 1 or whole.value.denominator != 1:
            run = tokens.runs.get(e, "")
            k = e + len(run) if run == "of" else e
            article = tokens.runs.get(k, "")
            if article in self.pack.one or article == "one":
                places.append(k + len(article))
        return places

    def _named(self, whole: Whole, one: Named, part: bool) -> Iterator[Quantity]:
        kind, key = one.name.kind, one.name.key
        doubts = whole.doubts | one.name.doubts | (Doubt.REFUSED if part else 0)
        if whole.suffixed and kind != UNIT:
            doubts |= Doubt.REFUSED
        flat, stop = self.tokens.flat, one.end
        if self.tokens.glued(stop) and flat[stop].isalnum() and flat[stop - 1].isalnum():
            doubts |= Doubt.REFUSED
        if self._compound(stop):
            doubts |= Doubt.REFUSED
        rate, open_rate = rated(self.tokens, self.numbers, one)
        value = whole.value / CENTS if kind == MINOR else whole.value
        start = whole.start
        below = self._below(one.end)
        if below > one.end:
            if value > 0 and kind == UNIT:
                yield Quantity(start, below, key, -value, None, doubts, whole)
            doubts |= Doubt.REFUSED
        yield Quantity(start, one.end, key, value, None, doubts | open_rate, whole, kind)
        if rate is not None and not part and kind == UNIT:
            again = rated(self.tokens, self.numbers, rate)[1]
            yield Quantity(start, rate.end, rate.name.key, value, None, doubts | again, whole)

    def _compound(self, e: int) -> bool:
        """A second unit is joined to the one that ends at e: "lb-ft", "N·m"."""
        tokens = self.tokens
        if tokens.char(e) not in ("-", "·", "*") or not (tokens.glued(e) and tokens.glued(e + 1)):
            return False
        return any(
            one.name.kind == UNIT and not part for one, part in named(tokens, self.numbers, e + 1)
        )

    def _below(self, e: int) -> int:
        """Past "below zero": a temperature under it."""
        tokens = self.tokens
        word = tokens.runs.get(e, "")
        if word not in self.pack.units.below:
            return e
        stop = e + len(word)
        zero = tokens.runs.get(stop, "")
        return stop + len(zero) if zero in self.numbers.zeros else stop

    def _signed(self, whole: Whole) -> Iterator[Quantity]:
        """$5, USD 90.00, -$200, $-200."""
        for sign, codes, start in prefixed(self.tokens, self.numbers, whole.start):
            value, place, doubts = whole.value, start, whole.doubts
            if whole.suffixed:
                doubts |= Doubt.REFUSED
            if value > 0:
                negative, place = self._minus(start)
                value = -value if negative else value
            end = whole.end
            if self.tokens.glued(end) and self.tokens.flat[end].isalnum():
                doubts |= Doubt.REFUSED | Doubt.NEIGHBOUR
            after = [one for one, part in named(self.tokens, self.numbers, end) if not part]
            codes, end, more = self._confirmed(sign, codes, end, after)
            for code in codes:
                for one in after:
                    if one.name.kind == MINOR and one.name.key == code:
                        more |= Doubt.REFUSED  # "$5 cents"
                yield Quantity(place, end, code, value, None, doubts | more, whole, MONEY)

    def _confirmed(
        self, sign: str, codes: tuple[str, ...], end: int, after: list[Named]
    ) -> tuple[tuple[str, ...], int, int]:
        """The currency's name behind the amount as well, which may be another's."""
        names = [one for one in after if one.name.kind == MONEY and one.end > end + 1]
        behind = [one for one in names if not self._ordinary(end, one.end)]
        if behind:
            same = tuple(code for code in codes if code in {one.name.key for one in behind})
            others = tuple(dict.fromkeys(one.name.key for one in behind))
            return same or others, behind[0].end, 0
        other = sign == "$" and self.tokens.runs.get(end) in self.pack.currencies.others
        return codes, end, Doubt.REFUSED | Doubt.KIND if other else 0

    def _ordinary(self, i: int, e: int) -> bool:
        """An everyday word that is a currency's name as well: "$20, try again", "$20 won"."""
        word = self.tokens.raw(i, e)
        return word.islower() and word in self.pack.everyday

    def _minus(self, i: int) -> tuple[bool, int]:
        tokens = self.tokens
        before = tokens.ends.get(i, -1)
        if tokens.runs.get(before) in self.pack.minus:
            return True, before
        if tokens.char(i - 1) == "-" and tokens.glued(i) and (i == 1 or tokens.gaps[i - 1]):
            return True, i - 1  # "the total - $20" is no debt
        return False, i

    def _slang(self, whole: Whole) -> Iterator[Quantity]:
        """25 grand: of dollars, pounds or euros, not surely."""
        scale = self.pack.currencies.slang.get(self.tokens.runs.get(whole.end, ""))
        if scale is None:
            return
        end = whole.end + len(self.tokens.runs[whole.end])
        after = {one.name.key for one, _ in named(self.tokens, self.numbers, end)
                 if one.name.kind == MONEY}  # fmt: skip
        signed = {
            code
            for _, codes, _ in prefixed(self.tokens, self.numbers, whole.start)
            for code in codes
        }
        self.taken.add((whole.start - 1, whole.end))
        for code in signed or after or self.pack.currencies.slang_codes:
            yield Quantity(
                whole.start, end, code, whole.value * scale, None, whole.doubts | Doubt.SCALED,
                whole, MONEY,
            )  # fmt: skip

    def _articles(self, rates: set[int]) -> Iterator[Quantity]:
        """An hour, a dollar: one of it; not the "an" of "five km an hour"."""
        for article in self.pack.one:
            for i in self.tokens.index.get(article, ()):
                place = i + len(article)
                if i in rates or i in self.wholes.by_start or self._share(i):
                    continue
                for one, part in named(self.tokens, self.numbers, place):
                    if part or one.end - place < 2:
                        continue
                    kind, key = one.name.kind, one.name.key
                    value = Fraction(1, CENTS) if kind == MINOR else Fraction(1)
                    doubts = one.name.doubts | rated(self.tokens, self.numbers, one)[1]
                    yield Quantity(i, one.end, key, value, None, doubts, None, kind)

    def _share(self, i: int) -> bool:
        """Only a part of what stands at i: "half a milligram", "a tenth of a dollar"."""
        before = self.tokens.ends.get(i, -1)
        word = self.tokens.runs.get(before)
        if word in self.pack.fractions:
            return True
        if word not in self.pack.numbers.shares:
            return False
        share = self.tokens.runs.get(self.tokens.ends.get(before, -1))
        return before in self.chain.ends or share in self.pack.percent

    def _bare_and_a_half(self) -> Iterator[Quantity]:
        """Week and a half (rule 52)."""
        tokens = self.tokens
        for word in self.pack.ands:
            for e in tokens.index.get(word, ()):
                i = tokens.ends.get(e, -1)
                before = tokens.runs.get(tokens.ends.get(i, -1), "")
                if i < 0 or i in self.chain.starts or before in self.pack.one:
                    continue
                if self.chain.ends.get(i) is not None:
                    continue
                for one, part in named(tokens, self.numbers, i):
                    if one.end != e or part or one.name.kind != UNIT or e - i < 3:
                        continue
                    base = Quantity(i, e, one.name.key, Fraction(1), None, Doubt.IMPLIED)
                    yield from self._halved(base, e + len(word), "and", {})

    # --- second parts (rule 42) ----------------------------------------------------------------

    def _continued(self, one: Quantity, starts: dict[int, list[Quantity]]) -> Iterator[Quantity]:
        if one.kind == MINOR or one.value.denominator != 1:
            return
        for place, joined in self._onward(one.end):
            for two in starts.get(place, ()):
                yield from self._two_parts(one, two)
            if joined != ",":
                yield from self._halved(one, place, joined, starts)
                yield from self._implied(one, place, joined, starts)

    def _onward(self, e: int) -> Iterator[tuple[int, str]]:
        """Places where a second part may start: at once, past a comma, past "and"."""
        tokens = self.tokens
        yield e, ""
        if tokens.char(e) == "," and tokens.gaps[e + 1]:
            e += 1
            yield e, ","
        if tokens.runs.get(e) in self.pack.ands:
            yield e + len(tokens.runs[e]), "and"

    def _two_parts(self, one: Quantity, two: Quantity) -> Iterator[Quantity]:
        """Seven dollars, 99 cents; 2 hours and 30 minutes; six pounds four ounces."""
        if two.value < 0 or two.doubts & Doubt.REFUSED:
            return
        doubts = one.doubts | two.doubts
        if one.kind == MONEY and two.kind == MINOR and two.key == one.key:
            if two.value < 1:
                self._take(one, two)
                value = one.value + two.value if one.value >= 0 else one.value - two.value
                yield Quantity(one.start, two.end, one.key, value, None, doubts, None, MONEY)
            return
        if one.kind != UNIT or two.kind != UNIT:
            return
        small = "min" if two.key == "m" and one.key == "h" else two.key
        if small in PARTS.get(one.key, ()) and two.value < PART_OF[one.key, small]:
            self._take(one, two)
            key = f"{one.key}+{small}"
            yield Quantity(one.start, two.end, key, one.value, two.value, doubts)

    def _take(self, *parts: Quantity) -> None:
        self.taken |= {(part.start, part.end) for part in parts}

    def _halved(
        self, one: Quantity, place: int, joined: str, starts: dict[int, list[Quantity]]
    ) -> Iterator[Quantity]:
        """Two hours and a half, an inch and a half."""
        if joined != "and":
            return
        run = self.tokens.runs.get(place, "")
        place += len(run) if run in self.pack.one else 0
        for whole in self.wholes.by_bare.get(place, ()):
            if not 0 < whole.value < 1 or self.tokens.runs.get(place) not in self.pack.fractions:
                continue
            follower = self.tokens.runs.get(whole.end, "")
            if starts.get(place) or follower in self.pack.numbers.of_whole:
                continue  # "$12 and half an hour", "12% and half the rest"
            self._take(one)
            value = one.value + whole.value
            yield Quantity(one.start, whole.end, one.key, value, None, one.doubts, None, one.kind)

    def _implied(
        self, one: Quantity, place: int, joined: str, starts: dict[int, list[Quantity]]
    ) -> Iterator[Quantity]:
        """Nineteen dollars ninety nine, two hours forty five, five foot two."""
        small, limit = self._smaller(one)
        if not limit or starts.get(place):
            return
        for value, end, doubts in self._loose(place, limit, money=one.kind == MONEY):
            if begins_own(self.tokens, self.numbers, place):
                return
            if one.kind == MONEY and value < 10 and doubts == 0:
                self.taken.add((one.start, one.end))
                continue
            self._take(one)
            doubts |= one.doubts | (Doubt.IMPLIED if one.kind != MONEY or joined else 0)
            if one.kind == MONEY:
                total = one.value + Fraction(value, CENTS)
                yield Quantity(one.start, end, one.key, total, None, doubts & ~Doubt.OTHERWISE,
                               None, MONEY)  # fmt: skip
            else:
                key = f"{one.key}+{small}"
                yield Quantity(one.start, end, key, one.value, Fraction(value), doubts)

    def _smaller(self, one: Quantity) -> tuple[str, int]:
        if one.kind == MONEY:
            currency = next(c for c in self.pack.currencies if c.code == one.key)
            words = self.tokens.flat[one.end - 1].isalpha()
            return "", CENTS if currency.minor and words else 0
        small = next(iter(PARTS.get(one.key, ())), "")
        return small, PART_OF[one.key, small] if small else 0

    def _loose(self, place: int, limit: int, *, money: bool) -> Iterator[tuple[int, int, int]]:
        """Whole numbers at a place below the limit, "oh nine" included."""
        tokens, run = self.tokens, self.tokens.runs.get(place, "")
        if run in self.numbers.zeros:
            for digits, end in self.numbers.chunks(tokens, place + len(run)):
                if len(digits) == 1:
                    stop = end
                    for one, part in named(tokens, self.numbers, end):
                        if one.name.kind == MINOR and not part and money:
                            stop = one.end
                    yield int(digits), stop, Doubt.OTHERWISE
            return
        for whole in self.wholes.by_start.get(place, ()):
            fits = 0 < whole.value < limit and whole.value.denominator == 1
            if fits and not whole.suffixed:
                yield int(whole.value), whole.end, 0
