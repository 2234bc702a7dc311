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

    def values(self, tape: Tokens, i: int) -> list[Value]:
        """Every quantity that starts at i, decimals, fractions and scales included."""
        memo: dict[int, list[Value]] = tape.table(self.keys[2])
        values = memo.get(i)
        if values is None:
            values = memo[i] = self._values(tape, i)
        return values

    def _values(self, tape: Tokens, i: int) -> list[Value]:
        whole = self._numerals(tape, i) + self._worded(tape, i)
        run = tape.runs.get(i, "")
        if run[:1].isdigit() or run in self.words:
            ends = {i + len(run), *(end for _, end in whole)}
            if not any(self._goes_on(tape, end) for end in ends):
                return [(value, end, False) for value, end in whole]  # the usual number
        plain = whole + [d for v, e in whole for d in self._decimals(tape, v, e)]
        plain += self._decimals(tape, Fraction(0), i)
        mixed = plain + [m for v, e in plain for m in self._mixed(tape, v, e)]
        mixed += self._fractions(tape, i)
        values: list[Value] = [(v, e, False) for v, e in mixed]
        for value, end in mixed:
            values += self._by_scale(tape, value, end)
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

    def _goes_on(self, tape: Tokens, end: int) -> bool:
        """A decimal, fraction or scale may follow."""
        run = tape.runs.get(end)
        if run is None:
            return end < len(tape) and (tape.flat[end] in ".,-/" or tape.flat[end] in _VULGAR)
        return run in self._extending or run[0].isdigit()

    def _worded(self, tape: Tokens, i: int) -> list[tuple[Fraction, int]]:
        return [(Fraction(int(digits)), end) for digits, end in self.chunks(tape, i)]

    def _numerals(self, tape: Tokens, i: int) -> list[tuple[Fraction, int]]:
        """Figures, with thousands marks or spaces and a decimal mark (rule 26)."""
        run = tape.runs.get(i, "")
        thousands, decimal = (".", ",") if self.comma_decimal else (",", ".")
        if not run[:1].isdigit():
            free = tape.gaps[i] or not tape.flat[i - 1].isalnum()
            return self._tail_figures(tape, Fraction(0), i, decimal) if free else []
        if len(run) > MAX_FIGURES:
            return []
        ends = [(run, i + len(run))]
        for mark in (thousands, ""):
            ends += self._grouped(tape, run, i + len(run), mark)
        numerals = [(Fraction(int(digits)), end) for digits, end in ends]
        return numerals + [d for v, e in numerals for d in self._tail_figures(tape, v, e, decimal)]

    def _grouped(self, tape: Tokens, run: str, end: int, mark: str) -> list[tuple[str, int]]:
        if len(run) > 3 or run[0] == "0":
            return []
        digits = run
        groups: list[tuple[str, int]] = []
        while True:
            if mark:
                joined = tape.char(end) == mark and tape.glued(end) and tape.glued(end + 1)
            else:
                joined = end < len(tape) and bool(tape.gaps[end])
            group = tape.runs.get(end + len(mark), "")
            grouped = len(group) == 3 and group[0].isdigit() and len(digits) < MAX_FIGURES
            if not (joined and grouped):
                return groups[-1:]
            digits, end = digits + group, end + len(mark) + 3
            groups.append((digits, end))

    def _tail_figures(
        self, tape: Tokens, value: Fraction, end: int, mark: str
    ) -> list[tuple[Fraction, int]]:
        """ ".50" glued to its figure, or ".5" alone."""
        run = tape.runs.get(end + 1, "")
        if tape.char(end) != mark or tape.gaps[end + 1] or not run[:1].isdigit():
            return []
        if value and tape.gaps[end]:
            return []
        if len(run) > MAX_FIGURES:
            return []
        return [(value + Fraction(int(run), 10 ** len(run)), end + 1 + len(run))]

    def _decimals(self, tape: Tokens, value: Fraction, end: int) -> list[tuple[Fraction, int]]:
        """point seven five."""
        j = after(tape, end)
        if tape.runs.get(j) not in self.pack.points or value.denominator != 1:
            return []
        decimals: list[tuple[Fraction, int]] = []
        todo = [("", j + len(tape.runs[j]))]
        while todo:
            digits, e = todo.pop()
            k = after(tape, e)
            run = tape.runs.get(k, "")
            options = self._after_point(tape, k, run)
            for more, stop in options:
                joined = digits + more
                if len(joined) <= MAX_DECIMALS:
                    decimals.append((value + Fraction(int(joined), 10 ** len(joined)), stop))
                    todo.append((joined, stop))
        return decimals

    def _after_point(self, tape: Tokens, k: int, run: str) -> list[tuple[str, int]]:
        """Digits one by one, or in tens: "point seventy five"."""
        if run[:1].isdigit():
            return [(run, k + len(run))]
        digit = self._digit(run)
        return [(digit, k + len(run))] if digit is not None else self.chunks(tape, k)

    def _mixed(self, tape: Tokens, value: Fraction, end: int) -> list[tuple[Fraction, int]]:
        """and a half, and seven eighths, 1/2 or ½ after a whole number."""
        if value.denominator != 1:
            return []
        sums = [(value + v, e) for v, e in self._slashed(tape, end) if tape.gaps[end]]
        j = after(tape, end)
        if tape.runs.get(j) in self.pack.ands:
            k = j + len(tape.runs[j])
            for part, e in self._fractions(tape, k):
                if part < 1 and tape.runs.get(k) not in self.pack.fractions:
                    sums.append((value + part, e))
        vulgar = _VULGAR.get(tape.char(end))
        if vulgar is not None:
            sums.append((value + vulgar, end + 1))
        return sums

    def _fractions(self, tape: Tokens, i: int) -> list[tuple[Fraction, int]]:
        """half, a quarter, three quarters, 3/4, ¾."""
        run = tape.runs.get(i, "")
        vulgar = _VULGAR.get(tape.char(i))
        if vulgar is not None:
            return [(vulgar, i + 1)]
        fractions = self._slashed(tape, i)
        if self.pack.fractions.get(run) == 2:
            fractions.append((Fraction(1, 2), i + len(run)))
        heads = self._heads(tape, i)
        if run in self.pack.one:
            heads.append((1, i + len(run)))
        for value, end in heads:
            j = after(tape, end)
            part = self.pack.fractions.get(tape.runs.get(j, ""))
            if part and value < part:
                fractions.append((Fraction(value, part), j + len(tape.runs[j])))
        return fractions

    def _slashed(self, tape: Tokens, i: int) -> list[tuple[Fraction, int]]:
        over = tape.runs.get(i, "")
        j = i + len(over)
        under = tape.runs.get(j + 1, "")
        if not over[:1].isdigit() or tape.char(j) != "/" or not under[:1].isdigit():
            return []
        if not tape.glued(j) or not tape.glued(j + 1) or len(over) > 3 or len(under) > 3:
            return []
        return [(Fraction(int(over), int(under)), j + 1 + len(under))] if int(under) else []

    def _by_scale(self, tape: Tokens, value: Fraction, end: int) -> list[Value]:
        """million after a figure, "half a million", and $5K (rule 30)."""
        j = after(tape, end)
        run = tape.runs.get(j, "")
        short = self.pack.numbers.shorts.get(run)
        if short:
            return [(value * short, j + len(run), True)]
        if run in self.pack.one and value < 1:
            j += len(run)
            run = tape.runs.get(j, "")
        scale = self.pack.scales.get(run)
        return [(value * scale, j + len(run), False)] if scale else []

    # --- neighbours ----------------------------------------------------------------------------

    def before(self, tape: Tokens, i: int) -> str:
        """How a number that ends right before i is joined to it; "" where none is."""
        if i == 0:
            return ""
        start = tape.ends.get(i)
        if start is not None:
            return self._run_before(tape, start, i)
        sign = tape.flat[i - 1]
        number = self.is_number(tape.runs.get(tape.ends.get(i - 1, -1)))
        if not number:
            return ""
        if not tape.gaps[i] and not tape.gaps[i - 1]:
            return sign
        return sign + " " if sign in ",." and not tape.gaps[i - 1] else ""

    def _run_before(self, tape: Tokens, start: int, i: int) -> str:
        run = tape.runs[start]
        if self.is_number(run):
            return " " if tape.gaps[i] else "glued"
        earlier = tape.runs.get(tape.ends.get(start, -1), "")
        if run in self.pack.ands and (earlier in self.pack.hundreds or earlier in self.pack.scales):
            return "and"
        return "point" if run in self.pack.points and self.is_number(earlier) else ""

    def after(self, tape: Tokens, e: int) -> str:
        """How a number that starts right after e is joined to it; "" where none is."""
        run = tape.runs.get(e)
        if run is not None:
            return self._run_after(tape, e, run)
        sign = tape.char(e)
        follower = tape.runs.get(e + 1)
        if not sign or not self.is_number(follower):
            return ""
        if not tape.gaps[e] and not tape.gaps[e + 1]:
            return sign
        return sign + " " if sign in ",." and not tape.gaps[e] else ""

    def _run_after(self, tape: Tokens, e: int, run: str) -> str:
        stop = e + len(run)
        follower = tape.runs.get(stop)
        if run in self.pack.zero_letters and not self.is_number(follower):
            return ""
        if run == "dozen" or self.is_number(run):
            return " " if tape.gaps[e] else "glued"
        if run in self.pack.fractions:
            return "fraction" if run not in self.pack.ordinals else ""
        if run in self.pack.points and self.is_number(follower):
            return "point"
        if run not in self.pack.ands:
            return ""
        last = tape.runs.get(tape.ends.get(e, -1), "")
        if follower and (last in self.pack.hundreds or last in self.pack.scales):
            return "and" if self._below_hundred(tape, stop) else ""
        return "fraction" if self._mixed(tape, Fraction(1), e) else ""


__all__ = ["MAX_FIGURES", "NumberReader", "after"]
