"""
A value and a transcript in the same plain tokens, to say how near a miss was.

Number words become digits, spoken separators signs, other names of a unit, month or half of the
day one name. It only explains: verdicts come from the patterns.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from pytest_asrbench.verifiers.packs import pack
from pytest_asrbench.verifiers.rules.alignment import (
    ADDRESS,
    CALENDAR,
    CHARACTERS,
    CODE,
    MONEY,
    QUANTITY,
    WORDS,
)
from pytest_asrbench.verifiers.rules.numbers import NumberReader
from pytest_asrbench.verifiers.rules.tokens import Tokens
from pytest_asrbench.verifiers.rules.units import symbols

_CHAINED = {
    QUANTITY: ".,:", MONEY: ".,:", CHARACTERS: ".,:", ADDRESS: ",", WORDS: ",", CALENDAR: ",",
    CODE: "",
}  # fmt: skip
"""Signs that join figures to one token: "1,243.50", "3:05"."""
_FIGURES = frozenset("0123456789")


@dataclass(frozen=True, slots=True)
class View:
    """Plain tokens in order: their texts, and the characters that each stands for."""

    texts: list[str]
    starts: list[int]
    ends: list[int]
    text: str
    """All texts joined."""
    offsets: list[int]
    """Where each text starts in it."""

    def window(self, start: int, stop: int) -> tuple[int, int]:
        """The tokens of which `text[start:stop]` holds at least half."""
        first = max(0, bisect_right(self.offsets, start) - 1)
        last = max(first, bisect_right(self.offsets, max(start, stop - 1)) - 1)
        if first < last and self._share(first, start, stop) < 0.5:
            first += 1
        if first < last and self._share(last, start, stop) < 0.5:
            last -= 1
        return first, last + 1

    def _share(self, k: int, start: int, stop: int) -> float:
        length = len(self.texts[k])
        begin = self.offsets[k]
        inside = min(stop, begin + length) - max(start, begin)
        return inside / length if length else 0.0


def view(tokens: Tokens, numbers: NumberReader, kind: str) -> View:
    """The transcript in plain tokens of one kind of family; made once a transcript."""
    key = ("view", kind, numbers.key)
    made: View = tokens.once(key, lambda: _Reader(tokens, numbers, kind).view())
    return made


class _Reader:
    """Walks the pieces of a transcript; most are ordinary words and stand for themselves."""

    def __init__(self, tokens: Tokens, numbers: NumberReader, kind: str) -> None:
        self.tokens, self.numbers, self.kind = tokens, numbers, kind
        self.spelled = kind in (CODE, WORDS, ADDRESS)
        self.names = plain_names(numbers.pack.language, kind)
        self.words = numbers.words
        if kind in (ADDRESS, WORDS):
            self.words = numbers.words - numbers.pack.zero_letters
        elif kind == CHARACTERS:
            self.words = frozenset(word for word in numbers.words if len(word) > 1)
        self.fillers = numbers.pack.fillers

    def view(self) -> View:
        """Runs of ordinary words are copied whole; the rest is read piece by piece."""
        pieces, starts = self.tokens.pieces, self.tokens.starts
        stops = [*starts[1:], len(self.tokens)]
        texts: list[str] = []
        begins: list[int] = []
        ends: list[int] = []
        k = 0
        for odd in self._odd():
            if odd < k:
                continue
            texts += pieces[k:odd]
            begins += starts[k:odd]
            ends += stops[k:odd]
            k = odd + 1
            if pieces[odd] in self.fillers:
                continue
            text, reached = self._token(pieces[odd], starts[odd])
            texts.append(self.names.get(text, text))
            begins.append(starts[odd])
            ends.append(reached)
            while k < len(starts) and starts[k] < reached:
                k += 1
        texts += pieces[k:]
        begins += starts[k:]
        ends += stops[k:]
        offsets = [0, *accumulate(map(len, texts))][:-1]
        return View(texts, begins, ends, "".join(texts), offsets)

    def _odd(self) -> list[int]:
        """Places of pieces that are no ordinary words."""
        special = _special(self.numbers.pack.language, self.kind, self.numbers.words)
        return [
            k
            for k, piece in enumerate(self.tokens.pieces)
            if piece in special or len(piece) == 1 or piece[0] in _FIGURES
        ]

    def _token(self, piece: str, i: int) -> tuple[str, int]:
        """A number, or letters that are spelled out."""
        if piece[0] in _FIGURES:
            return self._figure(piece, i)
        if piece in self.words:
            return self._number(piece, i)
        end = i + len(piece)
        while self.spelled and self._single(i) and self._single(end):
            piece, end = piece + self.tokens.flat[end], end + 1
        return piece, end

    def _single(self, i: int) -> bool:
        run = self.tokens.runs.get(i, "")
        return len(run) == 1 and run.isalpha()

    def _number(self, piece: str, i: int) -> tuple[str, int]:
        value = self._value(i)
        chunks = self.numbers.chunks(self.tokens, i)
        longest = max(chunks, key=lambda c: c[1], default=(piece, i + len(piece)))
        return value if value is not None and value[1] > longest[1] else longest

    def _figure(self, run: str, i: int) -> tuple[str, int]:
        tokens, end, signs = self.tokens, i + len(run), _CHAINED[self.kind]
        while tokens.char(end) in signs and tokens.glued(end) and tokens.glued(end + 1):
            group = tokens.runs.get(end + 1, "")
            if not group.isdigit():
                break
            thousands = tokens.char(end) == "," and len(group) == 3
            run, end = run + ("" if thousands else tokens.char(end)) + group, end + 1 + len(group)
        value = self._value(i)
        return value if value is not None and value[1] > end else (run, end)

    def _value(self, i: int) -> tuple[str, int] | None:
        """The longest quantity here, in figures: "two and a half". Scales stay words."""
        if self.kind not in (QUANTITY, MONEY):
            return None
        tokens, scales = self.tokens, self.numbers.pack.scales
        values = [
            (end, value)
            for value, end, suffixed in self.numbers.values(tokens, i)
            if not suffixed and tokens.runs.get(tokens.ends.get(end, -1)) not in scales
        ]
        if not values:
            return None
        end, value = max(values)
        return decimal(value), end


def decimal(value: Fraction) -> str:
    """At most six places."""
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.6f}".rstrip("0")


@lru_cache(maxsize=32)
def _special(language: str, kind: str, numbers: frozenset[str]) -> frozenset[str]:
    """Words that do not stand for themselves."""
    return numbers | pack(language).fillers | plain_names(language, kind).keys()


@lru_cache(maxsize=32)
def unit_names(language: str, kind: str) -> frozenset[str]:
    """The names that stand for units, currencies and the percent sign."""
    return frozenset(plain_names(language, kind).values())


@lru_cache(maxsize=32)
def currency_signs(language: str) -> frozenset[str]:
    return frozenset(currency.signs[0] for currency in pack(language).currencies)


@lru_cache(maxsize=32)
def plain_names(language: str, kind: str) -> dict[str, str]:
    """Single words with the one name that stands for all their equals."""
    words = pack(language)
    if kind == CODE:
        return {n: sign for sign, names in words.separators.items() for n in names
                if " " not in n and n not in ("and", "quote", "at", "bang", "equal")}  # fmt: skip
    if kind in (QUANTITY, MONEY):
        signs = {
            name: currency.signs[0]
            for currency in words.currencies
            for name in (*currency.words, currency.code.lower())
        }
        units = dict(symbols(language)) | dict.fromkeys(words.percent, "%")
        return units | signs if kind == MONEY else signs | units
    if kind == CHARACTERS:
        spelled = {name: letter for letter, names in words.spelling.items() for name in names}
        return spelled | {name: sign for sign in "-/._" for name in words.separators[sign]}
    if kind == CALENDAR:
        plain_names = {
            form: names[0] for names in (*words.months, *words.weekdays) for form in names
        }
        return plain_names | {word: str(value) for word, value in words.ordinals.items()}
    if kind == WORDS:
        return {form: group[-1] for group in words.equal_words for form in group}
    if kind == ADDRESS:
        groups = (*words.address_words, *words.regions.items())
        return {form: group[-1] for group in groups for form in group if " " not in form}
    return {}
