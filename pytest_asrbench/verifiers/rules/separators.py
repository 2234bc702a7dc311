"""Patterns for separators, written or spoken, and for the words between them (rules 1, 7, 36)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.packs import pack as load_pack
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.names import Table, cues, letter_names, named, table
from pytest_asrbench.verifiers.rules.numbers import NumberReader
from pytest_asrbench.verifiers.rules.pattern import NONE, Ends, Pattern, merge, sequence, walk
from pytest_asrbench.verifiers.rules.saying import Respelled
from pytest_asrbench.verifiers.rules.sequences import Digits
from pytest_asrbench.verifiers.rules.tokens import Tokens

PARTS = re.compile(r"\s+|[^\W\d_]+|[0-9]+|->|=>|(.)\1*", re.DOTALL)


def unhyphened(tokens: Tokens, i: int) -> int:
    """Past a hyphen that only joins spoken words: "ten-dot-five"."""
    if tokens.char(i) == "-" and i + 1 in tokens.runs and tokens.glued(i) and tokens.glued(i + 1):
        return i + 1
    return i


@dataclass(frozen=True)
class _SignWords:
    """Names of a separator, found by their first word."""

    names: Table
    plurals: Table
    counts: Mapping[str, int]
    then: Table


@lru_cache(maxsize=256)
def _sign_words(sign: str, language: str) -> _SignWords:
    pack = load_pack(language)
    return _SignWords(
        table(pack.separators.get(sign, ())),
        table(pack.plural_separators.get(sign, ())),
        {word: number for number, words in pack.counted.items() for word in words},
        table(("then", "and", "and then")),
    )


@lru_cache(maxsize=8)
def _as_in(language: str) -> Table:
    """Words between a letter and the word that explains it."""
    return table(load_pack(language).as_in)


class Skip(Pattern):
    """Fillers and the commas of a speaker who reads out part by part (rule 33)."""

    nullable = True

    def __init__(self, pack: Pack) -> None:
        self.fillers = pack.fillers

    def ends(self, tokens: Tokens, i: int) -> Ends:
        ends = {i: 0}
        while i < len(tokens):
            run = tokens.runs.get(i)
            if run in self.fillers and run is not None:
                i += len(run)
            elif tokens.flat[i] == "," and tokens.gaps[i + 1]:
                i += 1
            else:
                break
            ends[i] = 0
        return ends

    def starts(self, tokens: Tokens) -> Iterable[int]:
        return ()


class Sign(Pattern):
    """One separator, as often as the value has it: "--", "dash dash", "double dash" (rule 7)."""

    def __init__(self, sign: str, count: int, pack: Pack) -> None:
        self.sign = sign
        self.count = count
        words = _sign_words(sign, pack.language)
        self.names, self.plurals = words.names, words.plurals
        self.counts, self.then = words.counts, words.then

    def ends(self, tokens: Tokens, i: int) -> Ends:
        reached = {(i, 0): 0}
        todo = [(i, 0)]
        ends: Ends = {}
        while todo:
            place, n = state = todo.pop()
            doubts = reached[state]
            if n == self.count:
                merge(ends, place, doubts)
                continue
            for end, taken, more in self._steps(tokens, place):
                if n + taken <= self.count and (end, n + taken) not in reached:
                    reached[end, n + taken] = doubts | more
                    todo.append((end, n + taken))
        return ends

    def _steps(self, tokens: Tokens, i: int) -> Iterable[tuple[int, int, int]]:
        if tokens.flat.startswith(self.sign, i):
            yield i + len(self.sign), 1, 0
        elif self.sign == '"' and tokens.flat.startswith("''", i):
            yield i + 2, 1, 0
        if not self.names:
            return
        place = unhyphened(tokens, i)
        if tokens.char(place) == "," and tokens.gaps[place + 1]:
            place += 1
        for end in named(tokens, place, self.names):
            yield unhyphened(tokens, end), 1, 0
        number = self.counts.get(tokens.runs.get(place, ""))
        if number and self.count >= number:
            yield from self._counted(tokens, place + len(tokens.runs[place]), number)

    def _counted(self, tokens: Tokens, i: int, number: int) -> Iterable[tuple[int, int, int]]:
        """double dash, double-dash, two dashes then."""
        place = unhyphened(tokens, i)
        for end in named(tokens, place, self.names):
            yield unhyphened(tokens, end), number, 0
        for end in named(tokens, place, self.plurals):
            yield end, number, Doubt.DESCRIBED
            later = end + 1 if tokens.char(end) == "," else end
            for stop in named(tokens, later, self.then):
                yield stop, number, Doubt.DESCRIBED

    def starts(self, tokens: Tokens) -> Iterable[int]:
        index = tokens.index
        starts = list(index.get(self.sign[0], ()))
        if self.sign == '"':
            starts += index.get("'", ())
        for word in self.names:
            starts += index.get(word, ())
        if self.count > 1:
            for word in self.counts:
                starts += index.get(word, ())
        return starts


@lru_cache(maxsize=1024)
def _slow(first: str, language: str) -> frozenset[str]:
    """Openings that the spelling of a word with this first letter may begin with."""
    names = letter_names(language).get(first, ())
    return frozenset({first, *load_pack(language).repeats, *cues(language), *names})


class Spelled(Pattern):
    """A word's letters: whole, split (rule 37), spelled out, "triple w", "capital B"."""

    def __init__(
        self, word: str, pack: Pack, *, hyphens: bool = False, initials: bool = False
    ) -> None:
        self.word = word
        self.hyphens = hyphens
        """A hyphen inside the word is formatting (rule 17)."""
        self.initials = initials or len(word) > 2
        """Its letters may be read out with stops or hyphens between."""
        self.pack = pack
        self.cues = cues(pack.language)
        self.as_in = _as_in(pack.language)
        self.named = letter_names(pack.language)
        self.slow = _slow(word[:1], pack.language)
        """What a spelling may begin with that is not simply the word."""

    def ends(self, tokens: Tokens, i: int) -> Ends:
        run = tokens.runs.get(i)
        if run is None:
            return NONE
        if tokens.flat.startswith(self.word, i):
            end = i + len(self.word)
            return (
                {end: 0}
                if len(self.word) > 1
                else {end: 0, **dict.fromkeys(self._told(tokens, end, 1), 0)}
            )
        if run not in self.slow and not self.word.startswith(run):
            return NONE
        return self._spelled(tokens, i)

    def _spelled(self, tokens: Tokens, i: int) -> Ends:
        ends: Ends = {}
        for place in walk(i, len(self.word), partial(self._steps, tokens)):
            parted = not self.hyphens and "-" in tokens.flat[i:place]
            ends[place] = Doubt.HYPHENED if parted else 0
            if place - 1 in tokens.runs:  # its last letter stands alone and may be explained
                for stop in self._told(tokens, place, len(self.word)):
                    ends[stop] = ends[place]
        return ends

    def _steps(self, tokens: Tokens, i: int, k: int) -> Iterable[tuple[int, int]]:
        wanted = self.word[k]
        if tokens.char(i) == wanted:
            yield i + 1, k + 1
        run = tokens.runs.get(i, "")
        end = i + len(run)
        count = self.pack.repeats.get(run, 0)
        if count and self.word.startswith(wanted * count, k) and tokens.runs.get(end) == wanted:
            yield end + 1, k + count
        if k and self._listed(tokens, i):
            yield i + 1, k
        if k and run in self.pack.fillers:
            yield end, k
        if k and unhyphened(tokens, i) > i and (self.hyphens or self._by_letter(tokens, i)):
            yield i + 1, k
        if k and self.hyphens and tokens.char(i) == "." and self._by_letter(tokens, i):
            yield i + 1, k
        for stop in named(tokens, i, self.cues):
            if tokens.runs.get(stop) == wanted:
                yield stop + 1, k + 1
        for stop in named(tokens, i, self.named.get(wanted, {})):
            yield stop, k + 1
        if k and tokens.runs.get(i - 1) == self.word[k - 1]:
            for stop in self._told(tokens, i, k):
                yield stop, k
                if tokens.char(stop) == "," and tokens.gaps[stop + 1]:
                    yield stop + 1, k

    def _told(self, tokens: Tokens, i: int, k: int) -> Iterable[int]:
        """Past the word that explains a letter: "J as in John," (rule 49)."""
        for stop in named(tokens, i, self.as_in):
            word = tokens.runs.get(stop, "")
            if word.startswith(self.word[k - 1]) and len(word) > 1:
                yield stop + len(word)

    def _listed(self, tokens: Tokens, i: int) -> bool:
        """The comma of "h, t, t, p"."""
        listed = tokens.char(i) == "," and tokens.gaps[i + 1] and i - 1 in tokens.runs
        return bool(listed) and len(tokens.runs.get(i + 1, "")) == 1

    def _by_letter(self, tokens: Tokens, i: int) -> bool:
        """The hyphen of "r-a-m-i", the stop of "e.b.i.t.d.a."."""
        before, after = tokens.runs.get(tokens.ends.get(i, -1), ""), tokens.runs.get(i + 1, "")
        return self.initials and len(before) == len(after) == 1

    def starts(self, tokens: Tokens) -> Iterable[int]:
        starts = tokens.all(self.word)
        for word in self.slow:
            starts += tokens.index.get(word, ())
        if self.hyphens and "-" in tokens.index:
            starts += [tokens.ends[k] for k in tokens.index["-"] if self._opens(tokens, k)]
        return starts

    def _opens(self, tokens: Tokens, k: int) -> bool:
        """The run before a hyphen begins the word: "back-pressure" for "backpressure"."""
        before = tokens.runs.get(tokens.ends.get(k, -1))
        return before is not None and len(before) > 1 and self.word.startswith(before)


class Break(Pattern):
    """The white space of a command: a token boundary (rule 22), lost in "pods-n" and "sleep10"."""

    nullable = True

    def ends(self, tokens: Tokens, i: int) -> Ends:
        if i >= len(tokens) or tokens.gaps[i]:
            return {i: 0}
        left, right = tokens.char(i - 1), tokens.char(i)
        if left.isalnum() and (right == "-" or left.isdigit() != right.isdigit()):
            argument = right.isdigit() and tokens.char(i - 2) == "-"  # "-n5" for "-n 5"
            return {i: Doubt.GLUED if argument else Doubt.REFUSED | Doubt.GLUED}
        return NONE if left.isalnum() and right.isalnum() else {i: 0}

    def starts(self, tokens: Tokens) -> Iterable[int]:
        return ()


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a written value: word, digits, separators or white space."""

    kind: str
    text: str


def parts(text: str) -> list[Part]:
    """Pieces of a value in order; separators of one kind that stand together are one piece."""
    parts: list[Part] = []
    for piece in PARTS.finditer(text):
        value = piece[0]
        if value.isspace():
            parts.append(Part("space", value))
        elif value.isdecimal():
            parts.append(Part("digits", value))
        elif value[0].isalpha():
            parts.append(Part("word", value))
        else:
            parts.append(Part("sign", value))
    return parts


def code(text: str, numbers: NumberReader, *, respelled: bool = False) -> Pattern:
    """A value in which separators count: every one must be there, written or spoken (rule 7).

    `respelled`: each word may have its own spelling behind it (rule 49).
    """
    pieces = []
    for part in parts(text):
        one = piece(part, numbers)
        spelled = respelled and part.kind == "word" and len(part.text) > 1
        pieces.append(
            one + Respelled(part.text, part.text, numbers, strict=False) if spelled else one
        )
    return joined(pieces, numbers.pack)


@lru_cache(maxsize=4096)
def spelled(word: str, language: str) -> Spelled:
    """A word's letters, made once for the words of many values: "https", "dash", "com"."""
    return Spelled(word, load_pack(language))


def piece(part: Part, numbers: NumberReader) -> Pattern:
    if part.kind == "word":
        return spelled(part.text, numbers.pack.language)
    if part.kind == "digits":
        return Digits(part.text, numbers, listed=True)
    if part.kind == "space":
        return Break()
    return sign(part.text, numbers.pack)


def sign(text: str, pack: Pack) -> Pattern:
    """One separator or several of a kind, made once a pack."""
    return _sign(text, pack.language)


@lru_cache(maxsize=256)
def _sign(text: str, language: str) -> Pattern:
    pack = load_pack(language)
    if text in ("->", "=>"):
        return Sign(text, 1, pack)
    return Sign(text[0], len(text), pack)


def joined(pieces: list[Pattern], pack: Pack) -> Pattern:
    """Pieces with fillers and read-out commas allowed between them (rule 33)."""
    parts: list[Pattern] = []
    for one in pieces:
        if parts:
            parts.append(Skip(pack))
        parts.append(one)
    return sequence(parts)
