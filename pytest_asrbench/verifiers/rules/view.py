"""
A value and a transcript in the same plain tokens, to say how near a miss was.

Number words become digits, spoken separators signs, other names of a unit, month or half of the
day one name. It only explains: verdicts come from the patterns.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from pytest_asrbench.verifiers.packs import pack
from pytest_asrbench.verifiers.rules.numbers import Numbers
from pytest_asrbench.verifiers.rules.tape import Tape
from pytest_asrbench.verifiers.rules.units import symbols

CODE, CHARACTERS, QUANTITY, CALENDAR = "code", "characters", "quantity", "calendar"
WORDS, ADDRESS = "words", "address"
KINDS = {
    "contact": CODE, "network": CODE, "developer": CODE, "identifiers": CHARACTERS,
    "quantities": QUANTITY, "money": QUANTITY, "calendar": CALENDAR, "clock": CALENDAR,
    "lexical": WORDS, "addresses": ADDRESS,
}  # fmt: skip


class Token(NamedTuple):
    """One plain token and the atoms it stands for."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class View:
    """Tokens in order; `text` is all of them joined, `offsets` where each starts in it."""

    tokens: list[Token]
    text: str
    offsets: list[int]

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
        length = len(self.tokens[k].text)
        begin = self.offsets[k]
        inside = min(stop, begin + length) - max(start, begin)
        return inside / length if length else 0.0


def view(tape: Tape, numbers: Numbers, kind: str) -> View:
    """The tape in plain tokens of one kind of family; made once a transcript."""
    found: View = tape.once(("view", kind, numbers.key), lambda: _view(tape, numbers, kind))
    return found


_FIGURES = frozenset("0123456789")


def _reach(chunk: tuple[str, int]) -> int:
    return chunk[1]


def _grouped(tape: Tape, end: int) -> bool:
    """A thousands mark with its three figures."""
    return (
        tape.char(end) == "," and tape.glued(end) and tape.glued(end + 1)
        and len(tape.runs.get(end + 1, "")) == 3 and tape.runs[end + 1].isdigit()
    )  # fmt: skip


def _single(tape: Tape, i: int) -> bool:
    run = tape.runs.get(i, "")
    return len(run) == 1 and run.isalpha()


def _view(tape: Tape, numbers: Numbers, kind: str) -> View:
    spelled = kind in (CODE, WORDS, ADDRESS)
    words = numbers.words - numbers.pack.zero_letters if kind == ADDRESS else numbers.words
    names = plain_names(numbers.pack.language, kind)
    fillers = numbers.pack.fillers
    tokens: list[Token] = []
    i, size = 0, len(tape)
    runs, flat = tape.runs, tape.flat
    while i < size:
        run = runs.get(i)
        if run is None:
            tokens.append(Token(names.get(flat[i], flat[i]), i, i + 1))
            i += 1
            continue
        end = i + len(run)
        if run in words:
            chunks = numbers.chunks(tape, i)
            if chunks:
                run, end = max(chunks, key=_reach)
        elif run[0] in _FIGURES:
            while _grouped(tape, end):
                run, end = run + tape.runs[end + 1], end + 4
        elif spelled and end == i + 1:
            while _single(tape, end):
                run, end = run + flat[end], end + 1
        if run not in fillers:
            tokens.append(Token(names.get(run, run), i, end))
        i = end
    texts = [token[0] for token in tokens]
    offsets = [0, *accumulate(map(len, texts))][:-1]
    return View(tokens, "".join(texts), offsets)


@lru_cache(maxsize=32)
def plain_names(language: str, kind: str) -> dict[str, str]:
    """Single words with the one name that stands for all their equals."""
    words = pack(language)
    if kind == CODE:
        return {n: sign for sign, names in words.separators.items() for n in names
                if " " not in n and n not in ("and", "quote", "at", "bang", "equal")}  # fmt: skip
    if kind == QUANTITY:
        found = dict(symbols(language))
        for currency in words.currencies:
            found |= dict.fromkeys((*currency.words, currency.code.lower()), currency.signs[0])
        return found | dict.fromkeys(words.percent, "%")
    if kind == CALENDAR:
        found = {form: names[0] for names in (*words.months, *words.weekdays) for form in names}
        return found | {word: str(value) for word, value in words.ordinals.items()}
    if kind == WORDS:
        return {form: group[-1] for group in words.equal_words for form in group}
    if kind == ADDRESS:
        groups = (*words.address_words, *words.regions.items())
        return {form: group[-1] for group in groups for form in group if " " not in form}
    return {}
