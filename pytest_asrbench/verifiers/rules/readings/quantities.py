"""
Quantities of a transcript: amounts, measures, percentages, ranges (rules 13, 14, 30, 41 to 43, 52).

Each number is read with what stands around it: a currency in front, a unit behind, the second part
of the same value, the rate, the other end of a range. What is only a part of a longer value is kept
as refused, so that a miss can say why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from pytest_asrbench.verifiers.rules import ambiguity as d
from pytest_asrbench.verifiers.rules.numbers import NumberReader
from pytest_asrbench.verifiers.rules.readings.links import chain
from pytest_asrbench.verifiers.rules.readings.names import (
    MINOR,
    MONEY,
    UNIT,
    Named,
    begins_own,
    named,
    prefixes,
    rated,
)
from pytest_asrbench.verifiers.rules.readings.whole import Whole, Wholes, wholes
from pytest_asrbench.verifiers.rules.tokens import Tokens
from pytest_asrbench.verifiers.rules.units import PART_OF, PARTS

CENTS = 100


@dataclass(frozen=True, slots=True)
class QuantityReading:
    """A number with its unit or currency, from its first sign to its last word."""

    start: int
    end: int
    key: str
    """Unit or currency; "ft+in" of two parts, "km..km" of a range."""
    value: Fraction
    more: Fraction | None = None
    """The second part, or the upper end."""
    doubts: int = 0
    whole: Whole | None = None
    kind: str = UNIT

    @property
    def refused(self) -> bool:
        return bool(self.doubts & d.REFUSED)


@dataclass(slots=True)
class Quantities:
    """All quantities of a transcript, by what they say."""

    by_value: dict[tuple[str, Fraction, Fraction | None], list[QuantityReading]] = field(
        default_factory=dict
    )
    unfit: set[int] = field(default_factory=set)
    """Ends of numbers that share a multiplier with another: the 15 of "15 to 20 billion"."""
    spans: list[tuple[int, int]] = field(default_factory=list)
    """Every quantity that stands, for those who ask what a figure is."""

    def add(self, one: QuantityReading) -> None:
        self.by_value.setdefault((one.key, one.value, one.more), []).append(one)
        if not one.refused:
            self.spans.append((one.start, one.end))

    def find(
        self, key: str, value: Fraction, more: Fraction | None = None
    ) -> list[QuantityReading]:
        return self.by_value.get((key, value, more), [])


def quantities(tape: Tokens, numbers: NumberReader) -> Quantities:
    """Every quantity; made once a transcript."""
    key = ("quantities", numbers.key)
    quantities: Quantities = tape.once(key, lambda: _Reader(tape, numbers).quantities())
    return quantities


class _Reader:
    def __init__(self, tape: Tokens, numbers: NumberReader) -> None:
        self.tape, self.numbers, self.pack = tape, numbers, numbers.pack
        self.wholes: Wholes = wholes(tape, numbers)
        self.chain = chain(tape, numbers)
        self.found = Quantities()
        self.taken: set[tuple[int, int]] = set()
        """Spans that are part of a longer value."""

    def quantities(self) -> Quantities:
        first = [one for whole in self.wholes.all for one in self._alone(whole)]
        rates = {one.end for one in first}
        first += self._articles(rates)
        starts: dict[int, list[QuantityReading]] = {}
        for one in first:
            starts.setdefault(one.start, []).append(one)
        longer = [two for one in first if not one.refused for two in self._continued(one, starts)]
        longer += self._bare_and_a_half()
        longer += [two for whole in self.wholes.all for two in self._ranged(whole, starts)]
        for one in first:
            part = (one.start, one.end) in self.taken and not one.refused
            self.found.add(replace(one, doubts=one.doubts | d.REFUSED) if part else one)
        for one in longer:
            self.found.add(one)
        return self.found

    # --- one number with its unit or currency --------------------------------------------------

    def _alone(self, whole: Whole) -> Iterator[QuantityReading]:
        yield from self._signed(whole)
        for place in self._places(whole):
            for one, part in named(self.tape, self.numbers, place):
                yield from self._named(whole, one, part)
        yield from self._slang(whole)

    def _places(self, whole: Whole) -> list[int]:
        """Where the unit may start: at once, past a hyphen, past the "of a" of a fraction."""
        tape, e = self.tape, whole.end
        if tape.char(e) == "-" and tape.glued(e):
            return [e + 1]
        places = [e]
        if abs(whole.value) < 1 or whole.value.denominator != 1:
            run = tape.runs.get(e, "")
            k = e + len(run) if run == "of" else e
            article = tape.runs.get(k, "")
            if article in self.pack.one or article == "one":
                places.append(k + len(article))
        return places

    def _named(self, whole: Whole, one: Named, part: bool) -> Iterator[QuantityReading]:
        kind, key = one.name.kind, one.name.key
        doubts = whole.doubts | one.name.doubts | (d.REFUSED if part else 0)
        if whole.suffixed and kind != UNIT:
            doubts |= d.REFUSED
        flat, stop = self.tape.flat, one.end
        if self.tape.glued(stop) and flat[stop].isalnum() and flat[stop - 1].isalnum():
            doubts |= d.REFUSED
        rate, open_rate = rated(self.tape, self.numbers, one)
        value = whole.value / CENTS if kind == MINOR else whole.value
        start = whole.start
        below = self._below(one.end)
        if below > one.end:
            if value > 0 and kind == UNIT:
                yield QuantityReading(start, below, key, -value, None, doubts, whole)
            doubts |= d.REFUSED
        yield QuantityReading(start, one.end, key, value, None, doubts | open_rate, whole, kind)
        if rate is not None and not part and kind == UNIT:
            again = rated(self.tape, self.numbers, rate)[1]
            yield QuantityReading(
                start, rate.end, rate.name.key, value, None, doubts | again, whole
            )

    def _below(self, e: int) -> int:
        """Past "below zero": a temperature under it."""
        tape = self.tape
        word = tape.runs.get(e, "")
        if word not in self.pack.units.below:
            return e
        stop = e + len(word)
        zero = tape.runs.get(stop, "")
        return stop + len(zero) if zero in self.numbers.zeros else stop

    def _signed(self, whole: Whole) -> Iterator[QuantityReading]:
        """$5, USD 90.00, -$200, $-200."""
        for sign, codes, start in self._prefixes(whole.start):
            value, place, doubts = whole.value, start, whole.doubts
            if whole.suffixed:
                doubts |= d.REFUSED
            if value > 0:
                negative, place = self._minus(start)
                value = -value if negative else value
            end = whole.end
            if self.tape.glued(end) and self.tape.flat[end].isalnum():
                doubts |= d.REFUSED | d.NEIGHBOUR
            after = [one for one, part in named(self.tape, self.numbers, end) if not part]
            codes, end, more = self._confirmed(sign, codes, end, after)
            for code in codes:
                for one in after:
                    if one.name.kind == MINOR and one.name.key == code:
                        more |= d.REFUSED  # "$5 cents"
                yield QuantityReading(place, end, code, value, None, doubts | more, whole, MONEY)

    def _confirmed(
        self, sign: str, codes: tuple[str, ...], end: int, after: list[Named]
    ) -> tuple[tuple[str, ...], int, int]:
        """The currency's name behind the amount as well, which may be another's."""
        behind = [one for one in after if one.name.kind == MONEY and one.end > end + 1]
        if behind:
            same = tuple(code for code in codes if code in {one.name.key for one in behind})
            others = tuple(dict.fromkeys(one.name.key for one in behind))
            return same or others, behind[0].end, 0
        other = sign == "$" and self.tape.runs.get(end) in self.pack.currencies.others
        return codes, end, d.REFUSED | d.KIND if other else 0

    def _prefixes(self, i: int) -> Iterator[tuple[str, tuple[str, ...], int]]:
        """The longest currency sign or code that ends at i."""
        tape, known = self.tape, prefixes(self.pack.language)
        if i == 0 or (tape.flat[i - 1].isdigit()):
            return
        for size in range(min(5, i), 0, -1):
            start = i - size
            codes = known.get(tape.flat[start:i])
            if codes is None or not tape.edge(start):
                continue
            if tape.glued(start) and tape.flat[start - 1].isalnum():
                return  # another currency's letters, or a figure: "1$200"
            yield tape.flat[start:i], codes, start
            return

    def _minus(self, i: int) -> tuple[bool, int]:
        tape = self.tape
        before = tape.ends.get(i, -1)
        if tape.runs.get(before) in self.pack.minus:
            return True, before
        if tape.char(i - 1) == "-" and (i == 1 or tape.gaps[i - 1]):
            return True, i - 1
        return False, i

    def _slang(self, whole: Whole) -> Iterator[QuantityReading]:
        """25 grand: of dollars, pounds or euros, not surely."""
        scale = self.pack.currencies.slang.get(self.tape.runs.get(whole.end, ""))
        if scale is None:
            return
        end = whole.end + len(self.tape.runs[whole.end])
        after = {one.name.key for one, _ in named(self.tape, self.numbers, end)
                 if one.name.kind == MONEY}  # fmt: skip
        signed = {code for _, codes, _ in self._prefixes(whole.start) for code in codes}
        self.taken.add((whole.start - 1, whole.end))
        for code in signed or after or self.pack.currencies.slang_codes:
            yield QuantityReading(
                whole.start, end, code, whole.value * scale, None, whole.doubts | d.SCALED, whole,
                MONEY,
            )  # fmt: skip

    def _articles(self, rates: set[int]) -> Iterator[QuantityReading]:
        """An hour, a dollar: one of it; not the "an" of "five km an hour"."""
        for article in self.pack.one:
            for i in self.tape.index.get(article, ()):
                place = i + len(article)
                if i in rates or i in self.wholes.by_start:
                    continue
                for one, part in named(self.tape, self.numbers, place):
                    if part or one.end - place < 2:
                        continue
                    kind, key = one.name.kind, one.name.key
                    value = Fraction(1, CENTS) if kind == MINOR else Fraction(1)
                    doubts = one.name.doubts | rated(self.tape, self.numbers, one)[1]
                    yield QuantityReading(i, one.end, key, value, None, doubts, None, kind)

    def _bare_and_a_half(self) -> Iterator[QuantityReading]:
        """Week and a half (rule 52)."""
        tape = self.tape
        for word in self.pack.ands:
            for e in tape.index.get(word, ()):
                i = tape.ends.get(e, -1)
                before = tape.runs.get(tape.ends.get(i, -1), "")
                if i < 0 or i in self.chain.starts or before in self.pack.one:
                    continue
                if self.chain.ends.get(i) is not None:
                    continue
                for one, part in named(tape, self.numbers, i):
                    if one.end != e or part or one.name.kind != UNIT or e - i < 3:
                        continue
                    base = QuantityReading(i, e, one.name.key, Fraction(1), None, d.IMPLIED)
                    yield from self._halved(base, e + len(word), "and", {})

    # --- second parts (rule 42) ----------------------------------------------------------------

    def _continued(
        self, one: QuantityReading, starts: dict[int, list[QuantityReading]]
    ) -> Iterator[QuantityReading]:
        if one.kind == MINOR or one.value.denominator != 1:
            return
        for place, joined in self._onward(one.end):
            for two in starts.get(place, ()):
                yield from self._two_parts(one, two)
            if joined != ",":
                yield from self._halved(one, place, joined, starts)
                yield from self._implied(one, place, joined, starts)

    def _onward(self, e: int) -> Iterator[tuple[int, str]]:
        """Where a second part may start: at once, past a comma, past "and"."""
        tape = self.tape
        yield e, ""
        if tape.char(e) == "," and tape.gaps[e + 1]:
            e += 1
            yield e, ","
        if tape.runs.get(e) in self.pack.ands:
            yield e + len(tape.runs[e]), "and"

    def _two_parts(self, one: QuantityReading, two: QuantityReading) -> Iterator[QuantityReading]:
        """Seven dollars, 99 cents; 2 hours and 30 minutes; six pounds four ounces."""
        if two.value < 0 or two.doubts & d.REFUSED:
            return
        doubts = one.doubts | two.doubts
        if one.kind == MONEY and two.kind == MINOR and two.key == one.key:
            if two.value < 1:
                self._take(one, two)
                value = one.value + two.value if one.value >= 0 else one.value - two.value
                yield QuantityReading(one.start, two.end, one.key, value, None, doubts, None, MONEY)
            return
        if one.kind != UNIT or two.kind != UNIT:
            return
        small = "min" if two.key == "m" and one.key == "h" else two.key
        if small in PARTS.get(one.key, ()) and two.value < PART_OF[one.key, small]:
            self._take(one, two)
            key = f"{one.key}+{small}"
            yield QuantityReading(one.start, two.end, key, one.value, two.value, doubts)

    def _take(self, *parts: QuantityReading) -> None:
        self.taken |= {(part.start, part.end) for part in parts}

    def _halved(
        self,
        one: QuantityReading,
        place: int,
        joined: str,
        starts: dict[int, list[QuantityReading]],
    ) -> Iterator[QuantityReading]:
        """Two hours and a half, an inch and a half."""
        if joined != "and":
            return
        run = self.tape.runs.get(place, "")
        place += len(run) if run in self.pack.one else 0
        for whole in self.wholes.by_bare.get(place, ()):
            if not 0 < whole.value < 1 or self.tape.runs.get(place) not in self.pack.fractions:
                continue
            follower = self.tape.runs.get(whole.end, "")
            if starts.get(place) or follower in self.pack.numbers.of_whole:
                continue  # "$12 and half an hour", "12% and half the rest"
            self._take(one)
            value = one.value + whole.value
            yield QuantityReading(
                one.start, whole.end, one.key, value, None, one.doubts, None, one.kind
            )

    def _implied(
        self,
        one: QuantityReading,
        place: int,
        joined: str,
        starts: dict[int, list[QuantityReading]],
    ) -> Iterator[QuantityReading]:
        """Nineteen dollars ninety nine, two hours forty five, five foot two."""
        small, limit = self._smaller(one)
        if not limit or starts.get(place):
            return
        for value, end, doubts in self._loose(place, limit, money=one.kind == MONEY):
            if begins_own(self.tape, self.numbers, place):
                return
            if one.kind == MONEY and value < 10 and doubts == 0:
                self.taken.add((one.start, one.end))
                continue
            self._take(one)
            doubts |= one.doubts | (d.IMPLIED if one.kind != MONEY or joined else 0)
            if one.kind == MONEY:
                total = one.value + Fraction(value, CENTS)
                rest = doubts & ~d.OTHERWISE
                yield QuantityReading(one.start, end, one.key, total, None, rest, None, MONEY)
            else:
                key = f"{one.key}+{small}"
                yield QuantityReading(one.start, end, key, one.value, Fraction(value), doubts)

    def _smaller(self, one: QuantityReading) -> tuple[str, int]:
        if one.kind == MONEY:
            currency = next(c for c in self.pack.currencies if c.code == one.key)
            words = self.tape.flat[one.end - 1].isalpha()
            return "", CENTS if currency.minor and words else 0
        small = next(iter(PARTS.get(one.key, ())), "")
        return small, PART_OF[one.key, small] if small else 0

    def _loose(self, place: int, limit: int, *, money: bool) -> Iterator[tuple[int, int, int]]:
        """Whole numbers at a place below the limit, "oh nine" included."""
        tape, run = self.tape, self.tape.runs.get(place, "")
        if run in self.numbers.zeros:
            for digits, end in self.numbers.chunks(tape, place + len(run)):
                if len(digits) == 1:
                    stop = end
                    for one, part in named(tape, self.numbers, end):
                        if one.name.kind == MINOR and not part and money:
                            stop = one.end
                    yield int(digits), stop, d.OTHERWISE
            return
        for whole in self.wholes.by_start.get(place, ()):
            fits = 0 < whole.value < limit and whole.value.denominator == 1
            if fits and not whole.suffixed:
                yield int(whole.value), whole.end, 0

    # --- ranges (rules 30 and 52) --------------------------------------------------------------

    def _ranged(
        self, low: Whole, starts: dict[int, list[QuantityReading]]
    ) -> Iterator[QuantityReading]:
        place = self._linked(low)
        if place < 0:
            return
        ahead = [one for one in starts.get(low.start, ()) if one.whole is low]
        mine = [one for start in self._with_sign(low) for one in starts.get(start, ())
                if one.whole is low and not one.refused]  # fmt: skip
        highs = [one for one in starts.get(place, ()) if one.whole and not one.refused]
        for high in highs:
            if not mine or all(one.key == high.key for one in mine):
                yield from self._shared(low, high, mine or ahead)
        if mine and not highs:
            for whole in self.wholes.by_start.get(place, ()):
                for one in mine:
                    if one.kind == MONEY and not whole.suffixed:
                        yield from self._shared_sign(one, low, whole)

    def _linked(self, low: Whole) -> int:
        """Where the other end of a range starts; -1 where there is none."""
        tape, e = self.tape, low.end
        for one, part in named(tape, self.numbers, e):
            if not part and one.end > e:
                e = one.end
                break
        if tape.char(e) == "-" and tape.gaps[e] == tape.gaps[e + 1]:
            return e + 1
        run = tape.runs.get(e, "")
        if run in self.pack.range_words:
            return e + len(run)
        before = tape.runs.get(tape.ends.get(low.start, -1))
        return e + len(run) if run in self.pack.ands and before == "between" else -1

    def _with_sign(self, low: Whole) -> set[int]:
        return {low.start, *(start for _, _, start in self._prefixes(low.start))}

    def _shared(
        self, low: Whole, high: QuantityReading, mine: list[QuantityReading]
    ) -> Iterator[QuantityReading]:
        assert high.whole is not None
        doubts = low.doubts | high.doubts | d.SHARED
        value, factor = low.value, self._factor(low, high.whole)
        divisor = CENTS if high.kind == MINOR else 1
        start = min([low.start, *(one.start for one in mine)])
        if factor > 1:
            self.found.unfit.add(low.end)
            self.taken |= {(one.start, one.end) for one in mine}
            doubts |= d.SCALED
        bottom = value * factor / divisor
        if factor > 1 or not mine:
            yield QuantityReading(start, high.end, high.key, bottom, None, doubts, None, high.kind)
        yield QuantityReading(
            start, high.end, f"{high.key}..{high.key}", bottom, high.value,
            (doubts & ~d.SHARED) | (d.SCALED if factor > 1 else 0), None, high.kind,
        )  # fmt: skip

    def _shared_sign(
        self, one: QuantityReading, low: Whole, high: Whole
    ) -> Iterator[QuantityReading]:
        """$10 to 20: the sign in front counts for both."""
        factor = self._factor(low, high)
        if factor > 1:
            self.found.unfit.add(low.end)
            self._take(one)
            yield replace(
                one, value=one.value * factor, end=high.end, doubts=one.doubts | d.SHARED | d.SCALED
            )
        doubts = one.doubts | high.doubts | d.SHARED
        yield QuantityReading(one.start, high.end, one.key, high.value, None, doubts, None, MONEY)
        bottom = one.value * factor
        yield QuantityReading(
            one.start, high.end, f"{one.key}..{one.key}", bottom, high.value, doubts & ~d.SHARED,
            None, MONEY,
        )  # fmt: skip

    def _factor(self, low: Whole, high: Whole) -> int:
        """The multiplier of "15 to 20 billion"; 1 where the lower end has its own or is no less."""
        shared = high.scale > 1 and low.scale == 1 and 0 < low.value < high.value / high.scale
        return high.scale if shared else 1


def parts_of(ones: Iterable[QuantityReading]) -> list[QuantityReading]:
    return [one for one in ones if not one.refused]
