"""Patterns for digits, for letters and digits in order, and for quantities."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache, partial

from pytest_asrbench.verifiers.packs import pack
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.names import cues, letter_names, named, spelling_words, table
from pytest_asrbench.verifiers.rules.numbers import NumberReader, after
from pytest_asrbench.verifiers.rules.pattern import (
    NONE,
    Ends,
    Pattern,
    merge,
    walk,
)
from pytest_asrbench.verifiers.rules.tokens import Tokens

_ONE_DOT = re.compile(r"\d\.\d")


class Digits(Pattern):
    """Digits in order: figures, number words, or both, joined only by white space (rule 10)."""

    def __init__(
        self,
        digits: str,
        numbers: NumberReader,
        *,
        grouped: bool = False,
        listed: bool = False,
        dashed: bool = False,
    ) -> None:
        self.digits = digits
        self.numbers = numbers
        self.grouped = grouped
        """Thousands commas may stand between figures (rule 8)."""
        self.listed = listed
        """Commas may stand between digits that are read out one by one: "seven, seven"."""
        self.dashed = dashed
        """A hyphen between digits is formatting (rule 39)."""
        self.dashes = frozenset(numbers.pack.separators["-"]) if dashed else frozenset()

    def ends(self, tokens: Tokens, i: int) -> Ends:
        return dict.fromkeys(walk(i, len(self.digits), partial(self._steps, tokens)), 0)

    def _steps(self, tokens: Tokens, i: int, k: int) -> Iterable[tuple[int, int]]:
        char = tokens.char(i)
        if char == self.digits[k]:
            yield i + 1, k + 1
        if k and char == "," and self.grouped and tokens.glued(i) and tokens.glued(i + 1):
            group = tokens.runs.get(i + 1, "")
            if len(group) == 3 and group.isdigit():
                yield i + 1, k
        if k and char == "," and self.listed and self._between_digits(tokens, i):
            yield i + 1, k
        if k and self.dashed and (char == "-" or tokens.runs.get(i) in self.dashes):
            yield i + len(tokens.runs.get(i, char)), k
        place = after(tokens, i) if k else i
        for digits, end in self.numbers.chunks(tokens, place):
            if self.digits.startswith(digits, k):
                yield end, k + len(digits)

    def _between_digits(self, tokens: Tokens, i: int) -> bool:
        around = tokens.runs.get(tokens.ends.get(i, -1), ""), tokens.runs.get(i + 1, "")
        one = [run in self.numbers.units or (len(run) == 1 and run.isdigit()) for run in around]
        return all(one) and bool(tokens.gaps[i + 1])

    def starts(self, tokens: Tokens) -> Iterable[int]:
        first = self.digits[0]
        return [
            i
            for i in self.numbers.opening(tokens, first)
            if tokens.flat[i] == first
            or any(self.digits.startswith(digits) for digits, _ in self.numbers.chunks(tokens, i))
        ]


_Initials = dict[str, list[tuple[str, list[int]]]]


def _initials(tokens: Tokens) -> _Initials:
    """Runs and signs, with their places, by their first character."""

    def make() -> _Initials:
        initials: _Initials = {}
        for piece, places in tokens.index.items():
            initials.setdefault(piece[0], []).append((piece, places))
        return initials

    initials: _Initials = tokens.once("initials", make)
    return initials


@lru_cache(maxsize=1024)
def _joiners(separators: str, language: str) -> frozenset[str]:
    """Spoken separators that are formatting."""
    words = pack(language)
    spoken = {w for sign in "-" + separators for w in words.separators.get(sign, ())}
    return frozenset(w.replace(" ", "") for w in spoken) - words.ands


@lru_cache(maxsize=1024)
def _openers(first: str, language: str) -> frozenset[str]:
    """What a reading may begin with that is not simply this first letter."""
    words = pack(language)
    names = (*letter_names(language).get(first, ()), *words.separators.get(first, ()))
    spelling = spelling_words(language).get(first, ())
    return frozenset((*spelling, *cues(language), *names, *words.repeats))


class CharacterSequence(Pattern):
    """Letters and digits in order, spelled or whole; separators are formatting (rules 8, 24)."""

    def __init__(
        self,
        text: str,
        numbers: NumberReader,
        *,
        separators: str = "",
        required: str = "",
        nato: int = 0,
    ) -> None:
        self.text = text
        """Folded letters and digits, and separators that must be shown ("&", "/" is not one)."""
        self.numbers = numbers
        pack = numbers.pack
        self.separators = frozenset("-,.()/_" + separators)
        self.required = required
        self.joiners = _joiners(separators, pack.language)
        self.dotted = "." in separators
        """A dot stands in the value itself: one in the transcript is no decimal point."""
        self.nato = nato
        """Doubts of a spelling word that the spoken form does not use."""
        self.cues = cues(pack.language)
        self.as_in = table(pack.as_in)
        self.letter_names = letter_names(pack.language)
        self.spelling = spelling_words(pack.language)
        self.openers = _openers(text[:1], pack.language)

    def ends(self, tokens: Tokens, i: int) -> Ends:
        if not self.text:
            return NONE
        ends: Ends = {}
        best: dict[tuple[int, int], int] = {(i, 0): 0}
        todo = [(i, 0)]
        while todo:
            place, k = state = todo.pop()
            doubts = best[state]
            if k == len(self.text):
                if self.dotted or len(_ONE_DOT.findall(tokens.spaced(i, place))) != 1:
                    merge(ends, place, doubts)
                self._suffixes(tokens, place, k, doubts, best, todo)
                continue
            for end, taken, more in self._steps(tokens, place, k):
                self._reach((end, taken), doubts | more, best, todo)
            if k:
                for end in self._joined(tokens, place):
                    self._reach((end, k), doubts, best, todo)
                self._suffixes(tokens, place, k, doubts, best, todo)
        return ends

    def _reach(
        self,
        state: tuple[int, int],
        doubts: int,
        best: dict[tuple[int, int], int],
        todo: list[tuple[int, int]],
    ) -> None:
        old = best.get(state)
        if old is None or doubts.bit_count() < old.bit_count():
            best[state] = doubts
            todo.append(state)

    def _steps(self, tokens: Tokens, i: int, k: int) -> Iterable[tuple[int, int, int]]:
        wanted = self.text[k]
        if tokens.char(i) == wanted:
            yield i + 1, k + 1, 0
        run = tokens.runs.get(i)
        if run is None:
            return
        if wanted.isdigit():
            for digits, end in self.numbers.chunks(tokens, i):
                if self.text.startswith(digits, k):
                    yield end, k + len(digits), 0
        elif wanted.isalpha():
            yield from self._letter(tokens, i, k, run)
        else:
            for name in self.numbers.pack.separators.get(wanted, ()):
                if run == name:
                    yield i + len(run), k + 1, 0

    def _letter(self, tokens: Tokens, i: int, k: int, run: str) -> Iterable[tuple[int, int, int]]:
        pack, wanted = self.numbers.pack, self.text[k]
        end = i + len(run)
        count = pack.repeats.get(run, 0)
        if count and self.text.startswith(wanted * count, k) and tokens.runs.get(end) == wanted:
            yield end + 1, k + count, 0
        for stop in named(tokens, i, self.letter_names.get(wanted, {})):
            yield stop, k + 1, Doubt.LETTER_NAME
        for stop in named(tokens, i, self.spelling.get(wanted, {})):
            yield stop, k + 1, self.nato
        for stop in named(tokens, i, self.cues):
            if tokens.runs.get(stop) == wanted:
                yield stop + 1, k + 1, 0

    def _joined(self, tokens: Tokens, i: int) -> Iterable[int]:
        if tokens.char(i) in self.separators:
            yield i + 1
        run = tokens.runs.get(i)
        if run in self.numbers.pack.fillers or run in self.joiners:
            yield i + len(run or "")
        if (
            run in self.numbers.pack.ands
            and run is not None
            and self._explained(tokens, i + len(run))
        ):
            yield i + len(run)  # "C as in cat and N as in Nancy"

    def _explained(self, tokens: Tokens, i: int) -> bool:
        """A letter and the word that explains it."""
        run = tokens.runs.get(i, "")
        return len(run) == 1 and any(
            tokens.runs.get(stop, "").startswith(run) for stop in named(tokens, i + 1, self.as_in)
        )

    def _suffixes(
        self,
        tokens: Tokens,
        i: int,
        k: int,
        doubts: int,
        best: dict[tuple[int, int], int],
        todo: list[tuple[int, int]],
    ) -> None:
        """ "as in Bravo" after a letter: the word must begin with it (rule 24)."""
        letter = self.text[k - 1]
        if not letter.isalpha() or tokens.runs.get(i - 1) != letter:
            return
        if tokens.char(i) and tokens.char(i) in ",-(":
            i += 1
        for stop in named(tokens, i, self.as_in):
            word = tokens.runs.get(stop, "")
            if word == "x" == letter:
                word = next((w for w in ("x-ray", "xray") if tokens.flat.startswith(w, stop)), word)
            if word.startswith(letter) and len(word) > 1:
                self._reach((stop + len(word), k), doubts, best, todo)

    def _opens(self, tokens: Tokens, i: int) -> bool:
        run = tokens.runs.get(i, "")
        if run[:1].isdigit() and self.text.startswith(run[: len(self.text)]):
            return True
        return any(self.text.startswith(digits) for digits, _ in self.numbers.chunks(tokens, i))

    def starts(self, tokens: Tokens) -> Iterable[int]:
        if not self.text:
            return []
        wanted = self.text[0]
        if wanted.isdigit():
            return [i for i in self.numbers.opening(tokens, wanted) if self._opens(tokens, i)]
        text, size = self.text, len(self.text)
        starts = [
            i
            for piece, places in _initials(tokens).get(wanted, ())
            if text.startswith(piece[:size])
            for i in places
        ]
        return starts + [
            i for word in self.openers & tokens.index.keys() for i in tokens.index[word]
        ]
