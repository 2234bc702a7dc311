"""Ranges of quantities: "5-7 days", "15 to 20 billion dollars" (rules 30 and 52)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.numbers import NumberReader
from pytest_asrbench.verifiers.rules.readings.names import MINOR, MONEY, named, prefixed
from pytest_asrbench.verifiers.rules.readings.quantity import CENTS, Quantities, Quantity
from pytest_asrbench.verifiers.rules.readings.whole import Whole, Wholes
from pytest_asrbench.verifiers.rules.tokens import Tokens

Starts = Mapping[int, list[Quantity]]


@dataclass
class Ranges:
    """Both ends of a range share what stands beside one of them."""

    tokens: Tokens
    numbers: NumberReader
    wholes: Wholes
    quantities: Quantities
    taken: set[tuple[int, int]]
    """Spans that are part of a longer value."""

    def read(self, low: Whole, starts: Starts) -> Iterator[Quantity]:
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
        """The start of a range's other end; -1 where there is none."""
        tokens, e = self.tokens, low.end
        for one, part in named(tokens, self.numbers, e):
            if not part and one.end > e:
                e = one.end
                break
        if tokens.char(e) == "-" and tokens.gaps[e] == tokens.gaps[e + 1]:
            return e + 1
        run = tokens.runs.get(e, "")
        if run in self.numbers.pack.range_words:
            return e + len(run)
        before = tokens.runs.get(tokens.ends.get(low.start, -1))
        return e + len(run) if run in self.numbers.pack.ands and before == "between" else -1

    def _with_sign(self, low: Whole) -> set[int]:
        return {
            low.start,
            *(start for _, _, start in prefixed(self.tokens, self.numbers, low.start)),
        }

    def _shared(self, low: Whole, high: Quantity, mine: list[Quantity]) -> Iterator[Quantity]:
        assert high.whole is not None
        doubts = low.doubts | high.doubts | Doubt.SHARED
        value, factor = low.value, self._factor(low, high.whole)
        divisor = CENTS if high.kind == MINOR else 1
        start = min([low.start, *(one.start for one in mine)])
        if self.tokens.runs.get(low.end) in self.numbers.pack.ands:
            start = self.tokens.ends.get(start, start)  # "between", without which it is no range
        if factor > 1:
            self.quantities.unfit.add(low.end)
            self.taken |= {(one.start, one.end) for one in mine}
            doubts |= Doubt.SCALED
        bottom = value * factor / divisor
        if factor > 1 or not mine:
            yield Quantity(start, high.end, high.key, bottom, None, doubts, None, high.kind)
        yield Quantity(
            start, high.end, f"{high.key}..{high.key}", bottom, high.value,
            (doubts & ~Doubt.SHARED) | (Doubt.SCALED if factor > 1 else 0), None, high.kind,
        )  # fmt: skip

    def _shared_sign(self, one: Quantity, low: Whole, high: Whole) -> Iterator[Quantity]:
        """$10 to 20: the sign in front counts for both."""
        factor = self._factor(low, high)
        if factor > 1:
            self.quantities.unfit.add(low.end)
            self.taken.add((one.start, one.end))
            yield replace(
                one,
                value=one.value * factor,
                end=high.end,
                doubts=one.doubts | Doubt.SHARED | Doubt.SCALED,
            )
        doubts = one.doubts | high.doubts | Doubt.SHARED
        yield Quantity(one.start, high.end, one.key, high.value, None, doubts, None, MONEY)
        bottom = one.value * factor
        yield Quantity(
            one.start, high.end, f"{one.key}..{one.key}", bottom, high.value,
            doubts & ~Doubt.SHARED, None, MONEY,
        )  # fmt: skip

    def _factor(self, low: Whole, high: Whole) -> int:
        """The multiplier of "15 to 20 billion"; 1 where the lower end has its own or is no less."""
        shared = high.scale > 1 and low.scale == 1 and 0 < low.value < high.value / high.scale
        return high.scale if shared else 1
