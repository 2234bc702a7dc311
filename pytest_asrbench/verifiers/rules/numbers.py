"""
Quantities as they are said and written, and what stands around a number (rules 10, 12, 26, 30).

`values` gives every reading at a place as a quantity: decimals, fractions, scales.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pytest_asrbench.verifiers.rules.cardinals import Cardinals, after
from pytest_asrbench.verifiers.rules.tokens import Tokens

MAX_DECIMALS = 12
MAX_FIGURES = 30
"""A longer run of figures is a code, no quantity."""
_VULGAR = {
    "¼": Fraction(1, 4), "½": Fraction(1, 2), "¾": Fraction(3, 4), "⅓": Fraction(1, 3),
    "⅔": Fraction(2, 3), "⅛": Fraction(1, 8), "⅜": Fraction(3, 8), "⅝": Fraction(5, 8),
    "⅞": Fraction(7, 8), "⅕": Fraction(1, 5), "⅖": Fraction(2, 5), "⅗": Fraction(3, 5),
    "⅘": Fraction(4, 5), "⅙": Fraction(1, 6), "⅚": Fraction(5, 6),
}  # fmt: skip

_CLOSING = frozenset(';:!?)("')
"""Signs that part a number from what follows."""

Value = tuple[Fraction, int, bool]
"""A quantity, the place where it ends, and whether K, M or B scaled it."""


@dataclass(frozen=True)
class NumberReader(Cardinals):
    """All number readings of one language."""

    # --- quantities ----------------------------------------------------------------------------

    def values(self, tokens: Tokens, i: int) -> list[Value]:
        """Every quantity that starts at i, decimals, fractions and scales included."""
        memo: dict[int, list[Value]] = tokens.table(self.memos.values)
        values = memo.get(i)
        if values is None:
            values = memo[i] = self._values(tokens, i)
        return values

    def _values(self, tokens: Tokens, i: int) -> list[Value]:
        whole = self._numerals(tokens, i) + self._worded(tokens, i)
        run = tokens.runs.get(i, "")
        if run[:1].isdigit() or run in self.words:
            ends = {i + len(run), *(end for _, end in whole)}
            if not any(self._goes_on(tokens, end) for end in ends):
                return [(value, end, False) for value, end in whole]  # the usual number
        plain = whole + [d for v, e in whole for d in self._decimals(tokens, v, e)]
        plain += self._decimals(tokens, Fraction(0), i)
        mixed = plain + [m for v, e in plain for m in self._mixed(tokens, v, e)]
        mixed += self._fractions(tokens, i)
        values: list[Value] = [(v, e, False) for v, e in mixed]
        for value, end in mixed:
            values += self._by_scale(tokens, value, end)
        return values

    @cached_property
    def _extending(self) -> frozenset[str]:
        """Words that may turn the whole number before them into another quantity."""
        pack = self.pack
        more = (
            *pack.one,
            *pack.ands,
            *pack.points,
            *pack.fractions,
            *pack.scales,
            *pack.numbers.shorts,
        )
        return frozenset(more)

    @cached_property
    def trailing(self) -> frozenset[str]:
        """Words that may go on with the figure before them."""
        return self._extending | self.pack.hundreds | self.words

    marks = frozenset((*".,-/", *_VULGAR))
    """Signs that a number may go on with."""

    @cached_property
    def leading(self) -> frozenset[str]:
        """Words that may belong to the figure behind them."""
        return frozenset((*self.pack.points, *self.pack.minus))

    def _goes_on(self, tokens: Tokens, end: int) -> bool:
        """A decimal, fraction or scale may follow."""
        run = tokens.runs.get(end)
        if run is None:
            return end < len(tokens) and tokens.flat[end] in self.marks
        return run in self._extending or run[0].isdigit()

    def _worded(self, tokens: Tokens, i: int) -> list[tuple[Fraction, int]]:
        return [(Fraction(int(digits)), end) for digits, end in self.chunks(tokens, i)]

    def _numerals(self, tokens: Tokens, i: int) -> list[tuple[Fraction, int]]:
        """Figures, with thousands marks or spaces and a decimal mark (rule 26)."""
        run = tokens.runs.get(i, "")
        thousands, decimal = (".", ",") if self.comma_decimal else (",", ".")
        if not run[:1].isdigit():
            free = tokens.gaps[i] or not tokens.flat[i - 1].isalnum()
            return self._tail_figures(tokens, Fraction(0), i, decimal) if free else []
        if len(run) > MAX_FIGURES:
            return []
        ends = [(run, i + len(run))]
        for mark in (thousands, ""):
            ends += self._grouped(tokens, run, i + len(run), mark)
        numerals = [(Fraction(int(digits)), end) for digits, end in ends]
        return numerals + [
            d for v, e in numerals for d in self._tail_figures(tokens, v, e, decimal)
        ]

    def _grouped(self, tokens: Tokens, run: str, end: int, mark: str) -> list[tuple[str, int]]:
        if len(run) > 3 or run[0] == "0":
            return []
        digits = run
        groups: list[tuple[str, int]] = []
        while True:
            if mark:
                joined = tokens.char(end) == mark and tokens.glued(end) and tokens.glued(end + 1)
            else:
                joined = end < len(tokens) and bool(tokens.gaps[end])
            group = tokens.runs.get(end + len(mark), "")
            lakhs = mark == "," and len(group) == 2 and len(run) < 3 and not groups  # 1,00,000
            grouped = len(group) == 3 or lakhs
            if not (joined and grouped and group[0].isdigit() and len(digits) < MAX_FIGURES):
                return groups[-1:]
            digits, end = digits + group, end + len(mark) + len(group)
            if not lakhs:
                groups.append((digits, end))

    def _tail_figures(
        self, tokens: Tokens, value: Fraction, end: int, mark: str
    ) -> list[tuple[Fraction, int]]:
        """ ".50" glued to its figure, or ".5" alone."""
        run = tokens.runs.get(end + 1, "")
        if tokens.char(end) != mark or tokens.gaps[end + 1] or not run[:1].isdigit():
            return []
        if value and tokens.gaps[end]:
            return []
        if len(run) > MAX_FIGURES:
            return []
        return [(value + Fraction(int(run), 10 ** len(run)), end + 1 + len(run))]

    def _decimals(self, tokens: Tokens, value: Fraction, end: int) -> list[tuple[Fraction, int]]:
        """point seven five."""
        j = after(tokens, end)
        if tokens.runs.get(j) not in self.pack.points or value.denominator != 1:
            return []
        decimals: list[tuple[Fraction, int]] = []
        todo = [("", j + len(tokens.runs[j]))]
        while todo:
            digits, e = todo.pop()
            k = after(tokens, e)
            run = tokens.runs.get(k, "")
            options = self._after_point(tokens, k, run)
            for more, stop in options:
                joined = digits + more
                if len(joined) <= MAX_DECIMALS:
                    decimals.append((value + Fraction(int(joined), 10 ** len(joined)), stop))
                    todo.append((joined, stop))
        return decimals

    def _after_point(self, tokens: Tokens, k: int, run: str) -> list[tuple[str, int]]:
        """Digits one by one, or in tens: "point seventy five"."""
        if run[:1].isdigit():
            return [(run, k + len(run))]
        digit = self._digit(run)
        return [(digit, k + len(run))] if digit is not None else self.chunks(tokens, k)

    def _mixed(self, tokens: Tokens, value: Fraction, end: int) -> list[tuple[Fraction, int]]:
        """and a half, and seven eighths, 1/2 or ½ after a whole number."""
        if value.denominator != 1:
            return []
        sums = [(value + v, e) for v, e in self._slashed(tokens, end) if tokens.gaps[end]]
        j = after(tokens, end)
        if tokens.runs.get(j) in self.pack.ands:
            k = j + len(tokens.runs[j])
            for part, e in self._fractions(tokens, k):
                if part < 1 and tokens.runs.get(k) not in self.pack.fractions:
                    sums.append((value + part, e))
        vulgar = _VULGAR.get(tokens.char(end))
        if vulgar is not None:
            sums.append((value + vulgar, end + 1))
        return sums

    def _fractions(self, tokens: Tokens, i: int) -> list[tuple[Fraction, int]]:
        """half, a quarter, three quarters, 3/4, ¾."""
        run = tokens.runs.get(i, "")
        vulgar = _VULGAR.get(tokens.char(i))
        if vulgar is not None:
            return [(vulgar, i + 1)]
        fractions = self._slashed(tokens, i)
        if self.pack.fractions.get(run) == 2:
            fractions.append((Fraction(1, 2), i + len(run)))
        heads = self._heads(tokens, i)
        if run in self.pack.one:
            heads.append((1, i + len(run)))
        for value, end in heads:
            j = after(tokens, end)
            part = self.pack.fractions.get(tokens.runs.get(j, ""))
            if part and value < part:
                fractions.append((Fraction(value, part), j + len(tokens.runs[j])))
        return fractions

    def _slashed(self, tokens: Tokens, i: int) -> list[tuple[Fraction, int]]:
        over = tokens.runs.get(i, "")
        j = i + len(over)
        under = tokens.runs.get(j + 1, "")
        if not over[:1].isdigit() or tokens.char(j) != "/" or not under[:1].isdigit():
            return []
        if not tokens.glued(j) or not tokens.glued(j + 1) or len(over) > 3 or len(under) > 3:
            return []
        return [(Fraction(int(over), int(under)), j + 1 + len(under))] if int(under) else []

    def _by_scale(self, tokens: Tokens, value: Fraction, end: int) -> list[Value]:
        """million after a figure, "half a million", and $5K (rule 30)."""
        j = after(tokens, end)
        run = tokens.runs.get(j, "")
        short = self.pack.numbers.shorts.get(run)
        if short:
            return [(value * short, j + len(run), True)]
        if run in self.pack.one and value < 1:
            j += len(run)
            run = tokens.runs.get(j, "")
        scale = self.pack.scales.get(run)
        return [(value * scale, j + len(run), False)] if scale else []

    # --- neighbours ----------------------------------------------------------------------------

    def before(self, tokens: Tokens, i: int) -> str:
        """The joint of a number that ends right before i; "" where none is."""
        if i == 0:
            return ""
        start = tokens.ends.get(i)
        if start is not None:
            return self._run_before(tokens, start, i)
        sign = tokens.flat[i - 1]
        number = self.is_number(tokens.runs.get(tokens.ends.get(i - 1, -1)))
        if not number:
            return ""
        if not tokens.gaps[i] and not tokens.gaps[i - 1]:
            return sign
        return sign + " " if sign in ",." and not tokens.gaps[i - 1] else ""

    def _run_before(self, tokens: Tokens, start: int, i: int) -> str:
        run = tokens.runs[start]
        if self.is_number(run):
            return " " if tokens.gaps[i] else "glued"
        earlier = tokens.runs.get(tokens.ends.get(start, -1), "")
        if run in self.pack.ands and (earlier in self.pack.hundreds or earlier in self.pack.scales):
            return "and"
        return "point" if run in self.pack.points and self.is_number(earlier) else ""

    def after(self, tokens: Tokens, e: int) -> str:
        """The joint of a number that starts right after e; "" where none is."""
        run = tokens.runs.get(e)
        if run is not None:
            return self._run_after(tokens, e, run)
        sign = tokens.char(e)
        follower = tokens.runs.get(e + 1)
        if not sign or not self.is_number(follower):
            return ""
        if not tokens.gaps[e] and not tokens.gaps[e + 1]:
            return sign
        return sign + " " if sign in ",." and not tokens.gaps[e] else ""

    def _run_after(self, tokens: Tokens, e: int, run: str) -> str:
        stop = e + len(run)
        follower = tokens.runs.get(stop)
        if run in self.pack.zero_letters and not self.is_number(follower):
            return ""
        if run == "dozen" or self.is_number(run):
            return " " if tokens.gaps[e] else "glued"
        if run in self.pack.fractions:
            return "fraction" if run not in self.pack.ordinals else ""
        if run in self.pack.points and self.is_number(follower):
            return "point"
        if run not in self.pack.ands:
            return ""
        last = tokens.runs.get(tokens.ends.get(e, -1), "")
        if follower and (last in self.pack.hundreds or last in self.pack.scales):
            return "and" if self._below_hundred(tokens, stop) else ""
        return "fraction" if self._mixed(tokens, Fraction(1), e) else ""


__all__ = ["MAX_FIGURES", "NumberReader", "after"]
