"""
Whole numbers as they are said and written (rules 10 and 11).

Number words are ambiguous: "one ninety two" is 1-92, 190-2 or 192. `chunks` gives every whole
reading at a place as digits to be joined. A reading never stops where the same number plainly goes
on ("sixty" of "sixty eight").
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.rules.tokens import Tokens


class MemoKeys(NamedTuple):
    """Keys of what :class:`Cardinals` and its readers remember of a transcript, each under one
    key."""

    chunks: str
    cardinals: str
    values: str
    places: str
    opening: str


MAX_DECIMALS = 12
FIGURES = frozenset("0123456789")
VULGAR = "½¼¾⅓⅔⅛⅜⅝⅞⅕⅖⅗⅘⅙⅚"


def after(tokens: Tokens, e: int) -> int:
    """The place where the next word of one number would start: past white space or a joining
    hyphen."""
    if tokens.char(e) == "-" and not tokens.gaps[e] and not tokens.gaps[e + 1]:
        return e + 1
    return e


@dataclass(frozen=True)
class Cardinals:
    """Whole numbers in one language, under the options that concern numbers."""

    pack: Pack
    homophones: bool = False
    comma_decimal: bool = False

    @cached_property
    def units(self) -> dict[str, int]:
        return dict(self.pack.digits) | (dict(self.pack.homophones) if self.homophones else {})

    @cached_property
    def zeros(self) -> frozenset[str]:
        return self.pack.numbers.zeros | self.pack.zero_letters

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that belong to a number."""
        pack = self.pack
        return frozenset(
            {*self.units, *pack.teens, *pack.tens, *pack.hundreds, *pack.scales, *pack.repeats}
            | self.zeros
        )

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Every word that is part of a number, also of an ordinal or a fraction -> its kind."""
        pack = self.pack
        kinds = dict.fromkeys(pack.fractions, "fraction") | dict.fromkeys(pack.ordinals, "ordinal")
        kinds |= dict.fromkeys((*pack.hundreds, *pack.scales), "big")
        kinds |= dict.fromkeys(pack.repeats, "repeat") | dict.fromkeys(self.zeros, "zero")
        kinds |= dict.fromkeys(pack.tens, "tens")
        return kinds | dict.fromkeys((*pack.teens, *self.units), "digit")

    @cached_property
    def key(self) -> tuple[str, bool, bool]:
        return self.pack.language, self.homophones, self.comma_decimal

    @cached_property
    def memos(self) -> MemoKeys:
        """Names of what is remembered of a transcript."""
        return MemoKeys(*(f"{name} {self.key}" for name in MemoKeys._fields))

    def is_number(self, run: str | None) -> bool:
        return bool(run) and (run in self.words or run[0] in FIGURES)  # type: ignore[index]

    def places(self, tokens: Tokens) -> list[int]:
        """Every place where a number may start."""
        places: list[int] | None = tokens.memo.get(self.memos.places)
        if places is None:
            places = tokens.memo[self.memos.places] = self._places(tokens)
        return places

    def _places(self, tokens: Tokens) -> list[int]:
        index = tokens.index
        places = [i for word in self.words & index.keys() for i in index[word]]
        places += [i for piece in index if piece[0] in FIGURES for i in index[piece]]
        for word in sorted(self._openers & tokens.index.keys()):
            places += [i for i in tokens.index[word] if self._opens(tokens, i, word)]
        places += [i for i in tokens.index.get(".", ()) if tokens.flat[i + 1 : i + 2] in FIGURES]
        if not tokens.flat.isascii():
            places += [i for c in VULGAR if c in tokens.index for i in tokens.index[c]]
        places.sort()
        return places

    def opening(self, tokens: Tokens, digit: str) -> list[int]:
        """Places of numbers that may begin with this digit."""
        by_digit: dict[str, list[int]] | None = tokens.memo.get(self.memos.opening)
        if by_digit is None:
            by_digit = tokens.memo[self.memos.opening] = {}
            for i in self.places(tokens):
                run = tokens.runs.get(i, "")
                first = run[0] if run[:1] in FIGURES and run else self._first.get(run, "")
                by_digit.setdefault(first, []).append(i)
        return by_digit.get(digit, []) + by_digit.get("", [])

    @cached_property
    def _first(self) -> dict[str, str]:
        """Number words -> their first digit. "double" and "a" leave it open."""
        tens = {
            word: str(value)[0] for word, value in {**self.pack.teens, **self.pack.tens}.items()
        }
        units = {word: str(value) for word, value in self.units.items()}
        return dict.fromkeys(self.zeros, "0") | tens | units

    @cached_property
    def _openers(self) -> frozenset[str]:
        return frozenset((*self.pack.one, *self.pack.fractions, *self.pack.points))

    def _opens(self, tokens: Tokens, i: int, word: str) -> bool:
        """An article needs hundred or a fraction behind it, a point its figures."""
        after = tokens.runs.get(i + len(word), "")
        if word in self.pack.points:
            return self.is_number(after or None)
        pack = self.pack
        bigger = after in pack.hundreds or after in pack.scales or after in pack.fractions
        return bigger or word not in pack.one

    # --- joined digits -------------------------------------------------------------------------

    def chunks(self, tokens: Tokens, i: int) -> list[tuple[str, int]]:
        """Digits that the number words at i stand for, with their ends; nothing for figures."""
        memo: dict[int, list[tuple[str, int]]] = tokens.table(self.memos.chunks)
        chunks = memo.get(i)
        if chunks is None:
            chunks = memo[i] = self._chunks(tokens, i)
        return chunks

    def _chunks(self, tokens: Tokens, i: int) -> list[tuple[str, int]]:
        run = tokens.runs.get(i)
        if run is None:
            return []
        if run in self.zeros:
            return [("0", i + len(run))]
        if run in self.pack.repeats:
            return self._repeated(tokens, i, run)
        if not (run in self.words or run[0].isdigit() or run in self.pack.one):
            return []
        return [(str(value), end) for value, end in self.cardinals(tokens, i)]

    def _repeated(self, tokens: Tokens, i: int, run: str) -> list[tuple[str, int]]:
        j = after(tokens, i + len(run))
        digit = self._digit(tokens.runs.get(j))
        if digit is None:
            return []
        return [(digit * self.pack.repeats[run], j + len(tokens.runs[j]))]

    def _digit(self, run: str | None) -> str | None:
        if run is None:
            return None
        if run in self.zeros:
            return "0"
        if run in self.units:
            return str(self.units[run])
        return run if len(run) == 1 and run.isdigit() else None

    # --- whole numbers -------------------------------------------------------------------------

    def cardinals(self, tokens: Tokens, i: int) -> list[tuple[int, int]]:
        """Whole numbers that start at i and hold at least one word."""
        memo: dict[int, list[tuple[int, int]]] = tokens.table(self.memos.cardinals)
        cardinals = memo.get(i)
        if cardinals is None:
            cardinals = memo[i] = self._cardinals(tokens, i, 10**15)
        return cardinals

    def _cardinals(self, tokens: Tokens, i: int, limit: int) -> list[tuple[int, int]]:
        cardinals: list[tuple[int, int]] = []
        for value, end in self._hundreds(tokens, i):
            j = after(tokens, end)
            scale = self.pack.scales.get(tokens.runs.get(j, ""), limit)
            if scale < limit:
                cardinals += self.scaled(tokens, value * scale, scale, j + len(tokens.runs[j]))
            elif not tokens.runs[i][0].isdigit() or end > i + len(tokens.runs[i]):
                cardinals.append((value, end))
        return cardinals

    def scaled(self, tokens: Tokens, value: int, scale: int, end: int) -> list[tuple[int, int]]:
        """value thousand, alone or with what follows: two hundred, and five."""
        rest = [r for j in self._tails(tokens, end) for r in self._rest(tokens, j, scale)]
        numbers = [(value + more, e) for more, e in rest]
        comma = tokens.char(end) == ","
        if comma or not rest or any(self._runs_on(tokens, *r) for r in rest):
            numbers.append((value, end))
        return numbers

    def _rest(self, tokens: Tokens, i: int, scale: int) -> list[tuple[int, int]]:
        if tokens.runs.get(i, "")[:1].isdigit():
            return self._figures(tokens.runs[i], i, scale)
        return [r for r in self._cardinals(tokens, i, scale) if r[0] < scale]

    def _figures(self, run: str, i: int, limit: int) -> list[tuple[int, int]]:
        """The rest of a number in figures: the 12 of "two hundred 12"."""
        whole = run[:1].isdigit() and len(run) <= 3 and run[0] != "0" and int(run) < limit
        return [(int(run), i + len(run))] if whole else []

    def _tails(self, tokens: Tokens, end: int) -> list[int]:
        """Places where a number may go on after hundred or thousand: directly, past "and", past
        ","."""
        j = after(tokens, end)
        tails = [j] if not tokens.runs.get(j, "0")[0].isdigit() or tokens.gaps[j] else []
        if tokens.runs.get(j) in self.pack.ands:
            k = after(tokens, j + len(tokens.runs[j]))
            if not tokens.runs.get(k, "0")[0].isdigit():
                tails.append(k)
        if tokens.char(end) == "," and tokens.gaps[end + 1]:
            k = end + 1
            if not tokens.runs.get(k, "0")[0].isdigit():
                tails.append(k)
        return tails

    def _hundreds(self, tokens: Tokens, i: int) -> list[tuple[int, int]]:
        numbers: list[tuple[int, int]] = []
        for value, end in self._heads(tokens, i):
            j = after(tokens, end)
            if tokens.runs.get(j) in self.pack.hundreds and 0 < value < 100:
                numbers += self.hundred(tokens, value * 100, j + len(tokens.runs[j]))
            else:
                numbers.append((value, end))
        return numbers

    def hundred(self, tokens: Tokens, value: int, end: int) -> list[tuple[int, int]]:
        tails = [j for j in self._tails(tokens, end) if tokens.char(j - 1) != ","]
        rest = [r for j in tails for r in self._below_hundred(tokens, j)]
        numbers = [(value + more, e) for more, e in rest]
        if not rest or any(self._runs_on(tokens, *r) for r in rest):
            numbers.append((value, end))
        # In figures it may as well be a number of its own: "eight hundred 20 30" is 800-20-30 too.
        figures = [r for j in tails for r in self._figures(tokens.runs.get(j, ""), j, 100)]
        return numbers + [(value + more, e) for more, e in figures if not self._joined(tokens, e)]

    def _joined(self, tokens: Tokens, e: int) -> bool:
        """A figure that goes on, or is part of a word: "12-inch", "5th", "1.5", "24/7"."""
        return e < len(tokens) and not tokens.gaps[e] and tokens.glued(e + 1)

    def _runs_on(self, tokens: Tokens, value: int, end: int) -> bool:
        """A lone digit with more numbers behind: "eight hundred five five five" is 800-555 too."""
        return value < 10 and self.is_number(tokens.runs.get(after(tokens, end)))

    def _heads(self, tokens: Tokens, i: int) -> list[tuple[int, int]]:
        run = tokens.runs.get(i)
        if run is None:
            return []
        if run[0].isdigit():
            return [(int(run), i + len(run))] if len(run) <= 3 and run[0] != "0" else []
        if run in self.pack.one:
            j = i + len(run)
            bigger = tokens.runs.get(j, "")
            counts = bigger in self.pack.hundreds or bigger in self.pack.scales
            return [(1, j)] if counts else []
        return self._below_hundred(tokens, i)

    def _below_hundred(self, tokens: Tokens, i: int) -> list[tuple[int, int]]:
        run = tokens.runs.get(i, "")
        end = i + len(run)
        if run in self.units:
            return [(self.units[run], end)]
        if run in self.pack.teens:
            return [(self.pack.teens[run], end)]
        if run in self.pack.tens:
            j = after(tokens, end)
            unit = self.pack.digits.get(tokens.runs.get(j, ""))
            tens = self.pack.tens[run]
            return [(tens + unit, j + len(tokens.runs[j]))] if unit else [(tens, end)]
        return []
