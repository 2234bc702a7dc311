"""
Names said in parts, and words with their own spelling beside them (rules 48 and 49).

"Ashley, last name Brown"; "brown, b r o w n, at email". Where word and spelling differ within one
saying, the spelling is the evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from pytest_asrbench.verifiers.packs import pack as load_pack
from pytest_asrbench.verifiers.packs.parts import Names
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.names import Table, named, table
from pytest_asrbench.verifiers.rules.numbers import NumberReader
from pytest_asrbench.verifiers.rules.pattern import Ends, Pattern, Phrases
from pytest_asrbench.verifiers.rules.readings.runs import letter
from pytest_asrbench.verifiers.rules.tokens import Tokens


@dataclass(frozen=True, slots=True)
class Spelling:
    """Letters read out one by one."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class _Words:
    as_in: Table
    cues: Table
    alphabet: dict[str, str]
    spelling: Table
    names: dict[str, str]
    letter_names: Table
    links: Phrases


@lru_cache(maxsize=16)
def _words(language: str) -> _Words:
    pack = load_pack(language)
    alphabet = _flat(pack.spelling)
    names = _flat(pack.letter_names)
    return _Words(
        table(pack.as_in), table((*pack.capital, *pack.lower)), alphabet,
        table(n for group in pack.spelling.values() for n in group), names,
        table(n for group in pack.letter_names.values() for n in group),
        Phrases(pack.letters.spelled),
    )  # fmt: skip


def _flat(names: Names) -> dict[str, str]:
    """Each name without white space -> its letter."""
    return {
        name.replace(" ", "").replace("-", ""): letter
        for letter, group in names.items()
        for name in group
    }


def spellings(tokens: Tokens, numbers: NumberReader) -> list[Spelling]:
    """Every run of two or more letters that are read out, in order; made once a transcript."""
    spellings: list[Spelling] = tokens.once(
        ("spellings", numbers.key), lambda: list(_Reader(tokens, numbers).spellings())
    )
    return spellings


class _Reader:
    def __init__(self, tokens: Tokens, numbers: NumberReader) -> None:
        self.tokens, self.numbers, self.pack = tokens, numbers, numbers.pack
        self.words = _words(numbers.pack.language)

    def spellings(self) -> Iterator[Spelling]:
        until = 0
        shown = self._shown()
        for i in self._openings():
            if i < until or i in shown or not self._one(i):
                continue
            one = self._read(i)
            if len(one.text) > 1:
                until = one.end
                yield one

    def _shown(self) -> set[int]:
        """Letters that only tell of a word: "Kofi with a K, K-O-F-I" is spelled once."""
        links, tokens = self.words.links, self.tokens
        spans = ((i, stop) for i in links.starts(tokens) for stop in links.ends(tokens, i))
        return {k for i, stop in spans if letter(tokens, stop - 1) for k in range(i, stop)}

    def _openings(self) -> list[int]:
        """Places where a spelling may start, in order."""
        words = self.words
        openers = {*words.cues, *words.spelling, *words.letter_names, *self.pack.repeats}
        openings = [
            i
            for piece, places in self.tokens.index.items()
            if len(piece) == 1 or piece in openers
            for i in places
        ]
        return sorted(openings)

    def _read(self, i: int) -> Spelling:
        """Letters, or words of a spelling alphabet: "mike, m i k e" is a word and its spelling."""
        text, end, place = "", i, i
        alphabet = self.tokens.runs.get(i, "") in self.words.spelling and not letter(self.tokens, i)
        while one := self._one(place):
            worded = self.tokens.runs.get(place, "") in self.words.spelling
            if (worded and not letter(self.tokens, place)) is not alphabet:
                break
            more, end = one
            text += more
            place = self._onward(end)
        return Spelling(i, end, text)

    def _one(self, i: int) -> tuple[str, int] | None:
        """The next letter, with the word that explains it."""
        tokens = self.tokens
        run = tokens.runs.get(i, "")
        for stop in named(tokens, i, self.words.cues):
            if letter(tokens, stop):
                i, run = stop, tokens.runs[stop]
        count = self.pack.repeats.get(run, 0)
        if count and letter(tokens, i + len(run)):
            return tokens.flat[i + len(run)] * count, i + len(run) + 1
        for stop in named(tokens, i, self.words.letter_names):
            return self.words.names[tokens.flat[i:stop].replace("-", "")], stop
        if letter(tokens, i):
            possessive = tokens.char(i - 1) == "'" and i > 0 and tokens.glued(i)
            return None if possessive else (run, self._explained(i + 1, run))
        for stop in named(tokens, i, self.words.spelling):
            return self.words.alphabet[tokens.flat[i:stop].replace("-", "")], stop
        return None

    def _explained(self, e: int, at: str) -> int:
        """Past "as in king"."""
        tokens = self.tokens
        place = e + 1 if tokens.char(e) == "," and e < len(tokens) else e
        for stop in named(tokens, place, self.words.as_in):
            word = tokens.runs.get(stop, "")
            if word.startswith(at) and len(word) > 1:
                return stop + len(word)
        return e

    def _onward(self, e: int) -> int:
        """The place where the next letter may start: past a hyphen, stop, comma or "and"."""
        tokens = self.tokens
        if tokens.char(e) in ("-", ".", ",") and e < len(tokens):
            if tokens.char(e) == "-" and tokens.gaps[e + 1] and not tokens.gaps[e]:
                return e
            e += 1
        run = tokens.runs.get(e)
        if run in self.pack.ands and letter(tokens, e + len(run or "")):
            return e + len(run or "")
        return e


class Respelled(Pattern):
    """Behind a word, its own spelling or nothing; what spells another word ends the reading."""

    nullable = True

    def __init__(
        self, word: str, whole: str, numbers: NumberReader, *, strict: bool = True
    ) -> None:
        self.word = word
        self.whole = whole
        """All words of the value, which may be spelled in one go."""
        self.numbers = numbers
        self.strict = strict
        self.links = Phrases(numbers.pack.letters.spelled)

    def ends(self, tokens: Tokens, i: int) -> Ends:
        ends: Ends = {} if self.strict and self.contradicted(tokens, i) else {i: 0}
        for one, _ in self._beside(tokens, i):
            if self._fits(one.text):
                ends[one.end] = 0
                if tokens.char(one.end) == "," and tokens.gaps[one.end + 1]:
                    ends[one.end + 1] = 0
        return ends

    def starts(self, tokens: Tokens) -> Iterable[int]:
        return ()

    def contradicted(self, tokens: Tokens, i: int) -> bool:
        """A spelling that follows the word is another word's."""
        return any(
            not self._fits(one.text) and (told or self._alike(one.text))
            for one, told in self._beside(tokens, i)
        )

    def _fits(self, text: str) -> bool:
        tail = len(text) > 2 and self.word.endswith(text)
        return text in (self.word, self.whole) or tail

    def _alike(self, text: str) -> bool:
        word = self.word
        near = Levenshtein.distance(word, text) <= max(1, len(word) // 3)
        return len(text) > 2 and (near or (text[0] == word[0] and abs(len(text) - len(word)) < 2
                                           and text[-1] == word[-1]))  # fmt: skip

    def _beside(self, tokens: Tokens, i: int) -> Iterator[tuple[Spelling, bool]]:
        """Spellings right behind, and whether a word like "spelled" announces them."""
        all_spelled = spellings(tokens, self.numbers)
        if not all_spelled:
            return
        starts = {one.start: one for one in all_spelled}
        for place, told in _linked(tokens, i, self.links):
            if place in starts:
                yield starts[place], told


def _linked(tokens: Tokens, i: int, links: Phrases) -> Iterator[tuple[int, bool]]:
    """Places where a spelling may start behind a word."""
    seen = {i: False}
    todo = [i]
    while todo:
        place = todo.pop()
        yield place, seen[place]
        steps = [(end, True) for end in links.ends(tokens, place)]
        if tokens.char(place) in (",", ".", ":", "-", "(") and place < len(tokens):
            steps.append((place + 1, seen[place]))
        for end, told in steps:
            if end not in seen:
                seen[end] = told or seen[place]
                todo.append(end)


class Corrected(Pattern):
    """Another word, and the spelling that shows what it is: "Allan, spelled A-L-L-E-N"."""

    def __init__(self, word: str, numbers: NumberReader) -> None:
        self.word = word
        self.numbers = numbers
        self.links = Phrases(numbers.pack.letters.spelled)

    def ends(self, tokens: Tokens, i: int) -> Ends:
        run = tokens.runs.get(i, "")
        ends: Ends = {}
        for one in self._spelled(tokens):
            if one.start == i:
                ends[one.end] = 0
            elif run.isalpha() and len(run) > 1:
                places = dict(_linked(tokens, i + len(run), self.links))
                if places.get(one.start) or (one.start in places and self._near(run)):
                    ends[one.end] = 0
        return ends

    def _near(self, run: str) -> bool:
        """It may be what was misheard: no word like "spelled" says so."""
        return run[0] == self.word[0] or Levenshtein.distance(run, self.word) <= len(run) // 2

    def starts(self, tokens: Tokens) -> Iterable[int]:
        for one in self._spelled(tokens):
            yield one.start
            yield from (i for i in tokens.runs if one.start - 24 <= i < one.start)

    def _spelled(self, tokens: Tokens) -> list[Spelling]:
        if len(self.word) < 3:
            return []  # "A.L." are initials
        return [one for one in spellings(tokens, self.numbers) if one.text == self.word]


def spells_the_word_before(tokens: Tokens, i: int, numbers: NumberReader) -> bool:
    """A spelling starts at i, and the word that it spells stands in front: it began there."""
    one = next((one for one in spellings(tokens, numbers) if one.start == i), None)
    if one is None:
        return False
    links = Phrases(numbers.pack.letters.spelled)
    nearby = (k for k in tokens.runs if i - 20 - len(one.text) <= k < i)
    return any(
        tokens.runs[k] == one.text and i in dict(_linked(tokens, k + len(one.text), links))
        for k in nearby
    )


def contradicted(tokens: Tokens, e: int, word: str, whole: str, numbers: NumberReader) -> int:
    """Refused where the spelling behind a word is another's (rule 48)."""
    other = Respelled(word, whole, numbers).contradicted(tokens, e)
    return Doubt.REFUSED | Doubt.CONTRADICTED if other else 0
