"""
Whole numbers in words, by a grammar that packs configure: read in a text, and said.

A number is a row of places in falling order: so many millions, so many thousands, so many hundreds,
and the rest. What stands below the places is a table of words (1 to 99 in most languages, 1 to 9
where ten is a place of its own); how the places are joined differs from language to language.

    read("dos mil veintiséis", 0)  ->  ((2026, 18), (2020, …), …)     every whole number at a place
    say(2026)                      ->  "dos mil veintiséis"
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

TOP: Final = 10**15
_END: Final = ""
_FIGURE_COEFFICIENT: Final = 4  # "1500 million" is said; longer figures stand alone


@dataclass(frozen=True, kw_only=True)
class GrammarPlace:
    """One place of the system: hundred, thousand, lakh, 万."""

    value: int
    words: tuple[str, ...]
    """The usual one first."""
    least: int = 1
    most: int = 9
    """So many of it are said with this word."""
    bare: bool = False
    """The word alone is one of it (mil, mille, hundert)."""
    links: tuple[str, ...] = ("",)
    """What stands before the rest: "" nothing, "and". Only what is listed joins."""
    apart: bool = False
    """Written apart where other words are joined (eine Million)."""
    plural: str = ""
    """Said with more than one of it, where it differs."""
    one: str | None = None
    """What "one" is called in front of it, where it differs; "" for nothing."""

    def said_with(self, count: int) -> bool:
        """True if so many are said with this word."""
        return count >= max(self.least, 1) or (self.bare and count == 1)


@dataclass(frozen=True, kw_only=True, eq=False)
class Grammar:
    """The number words of one language, as they are written; :meth:`folded` reads transcripts."""

    words: Mapping[str, int]
    """What stands below the places; the first word for a value is the one that is said."""
    places: tuple[GrammarPlace, ...] = ()
    """In falling order."""
    hundreds: Mapping[str, int] = field(default_factory=dict)
    """Single words for whole hundreds (doscientos), where there are such."""
    hundreds_links: tuple[str, ...] = ("",)
    hundreds_alone: frozenset[str] = frozenset()
    """Those behind which nothing smaller stands (cien, but ciento dos)."""
    gaps: tuple[str, ...] = ()
    """Words for an empty place (三千零五, hai trăm linh sáu); the first is said."""
    tails: bool = False
    """A lone digit at the end counts tenths of the last place: 一百二 = 120."""
    spaced: bool = True
    """Words are said with white space between them."""
    before_places: Mapping[str, str] = field(default_factory=dict)
    """Said form of a coefficient -> what it becomes in front of a place (uno -> un)."""

    @cached_property
    def _table(self) -> dict[str, Any]:
        return trie(self.words)

    @cached_property
    def _hundreds(self) -> dict[str, Any]:
        return trie(self.hundreds)

    @cached_property
    def _words_of_places(self) -> tuple[tuple[GrammarPlace, dict[str, Any]], ...]:
        return tuple((p, trie(dict.fromkeys(p.words, p.value))) for p in self.places)

    @cached_property
    def _gap_words(self) -> dict[str, Any]:
        return trie(dict.fromkeys(self.gaps, 0))

    @cached_property
    def first(self) -> frozenset[str]:
        """First characters of number words."""
        initials = {word[0] for word in (*self.words, *self.hundreds)}
        return frozenset(initials | {w[0] for p in self.places if p.bare for w in p.words})

    def read(self, flat: str, i: int) -> tuple[tuple[int, int], ...]:
        """Every (value, end) of a number said at i, the longest first; figures count as parts.

        `flat` is folded text in which white space is one space. Nothing is asked of what stands
        around the number: an end may cut a word.
        """
        if not flat[i : i + 1].isdigit() and flat[i : i + 1] not in self.first:
            return ()
        numbers = {(value, end) for value, end, worded in self._below(flat, i, TOP, {}) if worded}
        return tuple(sorted(numbers, key=lambda one: (-one[1], one[0])))

    def _below(
        self, flat: str, i: int, limit: int, memo: dict[tuple[int, int], tuple[Reading, ...]]
    ) -> tuple[Reading, ...]:
        """Readings of a number under `limit` at i."""
        key = (i, limit)
        if key not in memo:
            memo[key] = ()
            memo[key] = tuple(dict.fromkeys(self._parts(flat, i, limit, memo)))
        return memo[key]

    def _parts(
        self, flat: str, i: int, limit: int, memo: dict[tuple[int, int], tuple[Reading, ...]]
    ) -> Iterator[Reading]:
        for value, end in walk(self._table, flat, i):
            if value < limit:
                yield value, end, True
        end = i
        while end < len(flat) and flat[end] in _FIGURES:
            end += 1
        if i < end <= i + _FIGURE_COEFFICIENT and int(flat[i:end]) < limit:
            yield int(flat[i:end]), end, False
        if limit > 100:
            for value, end in walk(self._hundreds, flat, i):
                yield value, end, True
                if flat[i:end] in self.hundreds_alone:
                    continue
                for rest, stop, _ in self._rest(flat, end, 100, self.hundreds_links, memo):
                    yield value + rest, stop, True
        for place, words in self._words_of_places:
            if place.value < limit:
                yield from self._place(flat, i, place, words, memo)

    def _place(
        self,
        flat: str,
        i: int,
        place: GrammarPlace,
        words: dict[str, Any],
        memo: dict[tuple[int, int], tuple[Reading, ...]],
    ) -> Iterator[Reading]:
        """So many of a place, and what follows it."""
        counts: list[tuple[int, int]] = [(1, i)] if place.bare else []
        if place.most:
            for count, end, _ in self._below(flat, i, place.most + 1, memo):
                if count >= place.least:
                    counts += [(count, k) for k in joints(flat, end)]
        for count, k in counts:
            for _, end in walk(words, flat, k):
                yield count * place.value, end, True
                for rest, stop, _ in self._rest(flat, end, place.value, place.links, memo):
                    yield count * place.value + rest, stop, True
                if self.tails and place.value >= 100:
                    for k2 in joints(flat, end):
                        for tail, stop in (*walk(self._table, flat, k2), *_figure(flat, k2)):
                            if 0 < tail < 10:
                                yield (count * 10 + tail) * place.value // 10, stop, True

    def _rest(
        self,
        flat: str,
        i: int,
        limit: int,
        links: tuple[str, ...],
        memo: dict[tuple[int, int], tuple[Reading, ...]],
    ) -> Iterator[Reading]:
        """The rest behind a place: smaller ones, joined as the language joins them."""
        for k in joints(flat, i):
            for link in links:
                if not flat.startswith(link, k):
                    continue
                for start in joints(flat, k + len(link)) if link else (k,):
                    for rest in self._below(flat, start, limit, memo):
                        alone = rest[0] < 10 and " " not in flat[start : rest[1]]
                        if rest[0] > 0 and not (self.tails and alone and limit > 10):
                            yield rest
            for _, end in walk(self._gap_words, flat, k):
                for start in joints(flat, end):
                    for rest in self._below(flat, start, limit, memo):
                        if 0 < rest[0] < limit // 10 or 0 < rest[0] < 10:
                            yield rest

    def folded(self, fold: Callable[[str], str]) -> Grammar:
        """The same grammar of folded words; a hyphen in them may be a space or nothing."""

        def plain(word: str) -> str:
            return fold(word).replace("-", " ")

        return replace(
            self,
            words={plain(word): value for word, value in self.words.items()},
            hundreds={plain(word): value for word, value in self.hundreds.items()},
            places=tuple(
                replace(p, words=tuple(map(plain, p.words)), links=tuple(map(plain, p.links)))
                for p in self.places
            ),
            hundreds_links=tuple(map(plain, self.hundreds_links)),
            hundreds_alone=frozenset(map(plain, self.hundreds_alone)),
            gaps=tuple(map(plain, self.gaps)),
        )

    # --- said ----------------------------------------------------------------------------------

    @cached_property
    def _said(self) -> dict[int, str]:
        words: dict[int, str] = {}
        for word, value in (*self.words.items(), *self.hundreds.items()):
            words.setdefault(value, word)
        return words

    def say(self, number: int) -> str:
        """The number in words, as :meth:`read` reads it. Not negative, below 10**15."""
        if not 0 <= number < TOP:
            raise ValueError(f"{number} is not said in words here")
        return self._say(number)

    def _say(self, number: int) -> str:
        if number in self._said and not self._placed(number):
            return self._said[number]
        if number < 1000 and self.hundreds and number >= 100:
            whole, rest = number // 100 * 100, number % 100
            head = self._hundred(whole, bool(rest))
            return self._joined(head, self.hundreds_links[0], self._say(rest)) if rest else head
        place = next(p for p in self.places if p.said_with(number // p.value))
        count, rest = divmod(number, place.value)
        head = self._head(count, place)
        if not rest:
            return head
        space = self.spaced or place.apart
        gap = self.gaps[:1] if self.gaps and rest < place.value // 10 else ()
        link = gap[0] if gap else place.links[0]
        return (" " if space else "").join(p for p in (head, link, self._say(rest)) if p)

    def _placed(self, number: int) -> bool:
        return any(place.value == number for place in self.places) and number >= 100

    def _hundred(self, whole: int, more: bool) -> str:
        """cien, but ciento uno: the second word for a hundred stands before more."""
        words = [word for word, value in self.hundreds.items() if value == whole]
        return words[1] if more and len(words) > 1 and whole == 100 else words[0]

    def _head(self, count: int, place: GrammarPlace) -> str:
        word = place.words[0]
        space = " " if self.spaced or place.apart else ""
        if count == 1 and place.one is not None:
            return space.join(part for part in (place.one, word) if part)
        if count == 1 and place.bare:
            return word
        said = self._say(count)
        for ending, instead in self.before_places.items():
            if said.endswith(ending):
                said = said.removesuffix(ending) + instead
                break
        return space.join((said, (place.plural if count > 1 else "") or word))

    def _joined(self, *parts: str) -> str:
        return (" " if self.spaced else "").join(part for part in parts if part)


Reading = tuple[int, int, bool]
"""Value, end, and whether a word was among its parts."""
_FIGURES: Final = frozenset("0123456789")
_GOES_ON: Final = _FIGURES | {".", ",", ":"}


def _figure(flat: str, i: int) -> tuple[tuple[int, int], ...]:
    """A lone figure at i."""
    lone = flat[i : i + 1] in _FIGURES and flat[i + 1 : i + 2] not in _GOES_ON
    return ((int(flat[i]), i + 1),) if flat[i : i + 1] and lone else ()


def joints(flat: str, i: int) -> tuple[int, ...]:
    """Places where the next word of one number may start: at once, after a space or a hyphen."""
    if flat.startswith(" ", i) or flat.startswith("-", i):
        return (i + 1,)
    return (i,)


def trie(words: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Phrases to be found by :func:`walk`; a space in them stands for a space, a hyphen or none."""
    root: dict[str, Any] = {}
    for word, value in words.items() if isinstance(words, Mapping) else words:
        node = root
        for char in word:
            node = node.setdefault(char, {})
        node.setdefault(_END, []).append(value)
    return root


def walk(root: dict[str, Any], flat: str, i: int) -> Iterator[tuple[Any, int]]:
    """Every (value, end) of phrases that stand at i."""
    todo = [(root, i)]
    while todo:
        node, k = todo.pop()
        for value in node.get(_END, ()):
            yield value, k
        char = flat[k : k + 1]
        if not char:
            continue
        if char in node:
            todo.append((node[char], k + 1))
        if " " in node and char != " ":
            todo.append((node[" "], k + 1 if char == "-" else k))
