"""
Patterns: a start in the transcript mapped to its possible ends, never greedily.

`ends` gives {end: doubts}; where two readings reach the same end, the one with fewer doubts wins.
`starts` are the only places worth trying, so that a long transcript costs little.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from pytest_asrbench.verifiers.rules.tokens import Tokens, fold, tokenise

Ends = dict[int, int]
NONE: Ends = {}


def merge(into: Ends, end: int, doubts: int) -> None:
    """Add a reading; the one with fewer doubts stays."""
    old = into.get(end)
    if old is None or doubts.bit_count() < old.bit_count():
        into[end] = doubts


class Pattern(ABC):
    """A pattern that a value may follow from one start on."""

    nullable = False

    @abstractmethod
    def ends(self, tokens: Tokens, i: int) -> Ends:
        """Every place where a reading that starts at i may end, with its doubts."""

    def starts(self, tokens: Tokens) -> Iterable[int]:
        """Places where a reading may start."""
        return range(len(tokens))

    def tries(self, tokens: Tokens) -> list[tuple[int, Pattern]]:
        """Places to try and the pattern to try there: itself, or the options of a choice."""
        return [(i, self) for i in self.starts(tokens)]

    def __add__(self, other: Pattern) -> Pattern:
        return Sequence(self, other)

    def __or__(self, other: Pattern) -> Pattern:
        return Choice(self, other)


class Sequence(Pattern):
    """One after the other."""

    def __init__(self, *parts: Pattern) -> None:
        self.parts: list[Pattern] = []
        for part in parts:
            self.parts += part.parts if type(part) is Sequence else [part]
        self.nullable = all(part.nullable for part in self.parts)

    def ends(self, tokens: Tokens, i: int) -> Ends:
        place, doubts = i, 0
        for k, part in enumerate(self.parts):
            ends = part.ends(tokens, place)
            if not ends:
                return NONE
            if len(ends) != 1:
                return self._branched(tokens, ends, doubts, k + 1)
            ((place, more),) = ends.items()
            doubts |= more
        return {place: doubts}

    def _branched(self, tokens: Tokens, reached: Ends, doubts: int, k: int) -> Ends:
        """The rest of the parts from several places at once."""
        if doubts:
            reached = {place: more | doubts for place, more in reached.items()}
        for part in self.parts[k:]:
            ends: Ends = {}
            for place, so_far in reached.items():
                for end, more in part.ends(tokens, place).items():
                    merge(ends, end, so_far | more)
            if not ends:
                return NONE
            reached = ends
        return reached

    def starts(self, tokens: Tokens) -> Iterable[int]:
        if self.parts and not self.parts[0].nullable:
            return self.parts[0].starts(tokens)
        starts: set[int] = set()
        for part in self.parts:
            starts.update(part.starts(tokens))
            if not part.nullable:
                break
        return starts


class Choice(Pattern):
    """Any of several."""

    def __init__(self, *options: Pattern) -> None:
        self.options: list[Pattern] = []
        for option in options:
            self.options += option.options if type(option) is Choice else [option]
        self.nullable = any(option.nullable for option in self.options)

    def ends(self, tokens: Tokens, i: int) -> Ends:
        ends: Ends = {}
        for option in self.options:
            for end, doubts in option.ends(tokens, i).items():
                merge(ends, end, doubts)
        return ends

    def starts(self, tokens: Tokens) -> Iterable[int]:
        return {i for option in self.options for i in option.starts(tokens)}

    def tries(self, tokens: Tokens) -> list[tuple[int, Pattern]]:
        return [tries for option in self.options for tries in option.tries(tokens)]


class Optional(Pattern):
    """Once or not at all."""

    nullable = True

    def __init__(self, part: Pattern) -> None:
        self.part = part

    def ends(self, tokens: Tokens, i: int) -> Ends:
        return {i: 0} | self.part.ends(tokens, i)

    def starts(self, tokens: Tokens) -> Iterable[int]:
        return self.part.starts(tokens)


class Many(Pattern):
    """Any number of times, also none."""

    nullable = True

    def __init__(self, part: Pattern) -> None:
        self.part = part

    def ends(self, tokens: Tokens, i: int) -> Ends:
        ends = {i: 0}
        todo = [i]
        while todo:
            place = todo.pop()
            for end, doubts in self.part.ends(tokens, place).items():
                if end not in ends:
                    ends[end] = ends[place] | doubts
                    todo.append(end)
        return ends

    def starts(self, tokens: Tokens) -> Iterable[int]:
        return self.part.starts(tokens)


class Doubtful(Pattern):
    """A reading that counts but may be disputed."""

    def __init__(self, part: Pattern, doubts: int) -> None:
        self.part = part
        self.doubts = doubts
        self.nullable = part.nullable

    def ends(self, tokens: Tokens, i: int) -> Ends:
        return {end: doubts | self.doubts for end, doubts in self.part.ends(tokens, i).items()}

    def starts(self, tokens: Tokens) -> Iterable[int]:
        return self.part.starts(tokens)


@lru_cache(maxsize=4096)
def flat_forms(phrase: str) -> tuple[tuple[str, str], ...]:
    """First run and folded characters of a phrase; short words also spelled out: "a m", "p s i"."""
    tokens = tokenise(phrase)
    first, flat = tokens.runs.get(0, tokens.flat[:1]), tokens.flat
    if 2 <= len(flat) <= 4 and flat.isalpha() and first != first[0]:
        return (first, flat), (first[0], flat)
    return ((first, flat),)


@lru_cache(maxsize=4096)
def _by_first(phrases: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    forms: dict[str, tuple[str, ...]] = {}
    for phrase in phrases:
        for first, flat in flat_forms(phrase):
            forms[first] = (*forms.get(first, ()), flat)
    return forms


class Phrases(Pattern):
    """Any of some words or phrases, whole runs from first to last."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self.by_first = _by_first(tuple(phrases))

    def ends(self, tokens: Tokens, i: int) -> Ends:
        first = tokens.runs.get(i) or tokens.char(i)
        options = self.by_first.get(first)
        if not options:
            return NONE
        flat = tokens.flat
        return {
            i + len(option): 0
            for option in options
            if flat.startswith(option, i) and tokens.boundary(i + len(option))
        }

    def starts(self, tokens: Tokens) -> Iterable[int]:
        index = tokens.index
        return [i for first in self.by_first for i in index.get(first, ())]


class LetterPattern(Pattern):
    """A word's letters in order, spelled, split or whole (rules 24 and 37)."""

    def __init__(self, word: str) -> None:
        self.flat = tokenise(word).flat

    def ends(self, tokens: Tokens, i: int) -> Ends:
        if tokens.flat.startswith(self.flat, i) and tokens.boundary(i):
            return {i + len(self.flat): 0}
        return NONE

    def starts(self, tokens: Tokens) -> Iterable[int]:
        return tokens.all(self.flat) if self.flat else ()


class Test(Pattern):
    """Takes nothing; holds or not at a place."""

    nullable = True

    def __init__(self, holds: Callable[[Tokens, int], bool]) -> None:
        self.holds = holds

    def ends(self, tokens: Tokens, i: int) -> Ends:
        return {i: 0} if self.holds(tokens, i) else NONE

    def starts(self, tokens: Tokens) -> Iterable[int]:
        return ()


def phrases(*options: str) -> Pattern:
    return Phrases(options)


def maybe(part: Pattern) -> Pattern:
    return Optional(part)


def choice(options: Iterable[Pattern]) -> Pattern:
    patterns = list(options)
    return patterns[0] if len(patterns) == 1 else Choice(*patterns)


def sequence(parts: Iterable[Pattern]) -> Pattern:
    patterns = list(parts)
    return patterns[0] if len(patterns) == 1 else Sequence(*patterns)


def walk(
    start: int, parts: int, steps: Callable[[int, int], Iterable[tuple[int, int]]]
) -> Iterator[int]:
    """The ends of a value of so many parts, heard part by part from `start` on.

    `steps(place, heard)` gives where one may stand next, and how many parts are heard by then. A
    state is visited once, however many ways lead to it.
    """
    todo = [(start, 0)]
    seen = set(todo)
    while todo:
        place, heard = todo.pop()
        if heard == parts:
            yield place
            continue
        for step in steps(place, heard):
            if step not in seen:
                seen.add(step)
                todo.append(step)


__all__ = [
    "NONE", "Choice", "Doubtful", "Ends", "LetterPattern", "Many", "Optional", "Pattern", "Phrases",
    "Sequence", "Test", "choice", "fold", "maybe", "merge", "phrases", "sequence", "walk",
]  # fmt: skip
