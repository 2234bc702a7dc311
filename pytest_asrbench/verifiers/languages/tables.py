"""A pack made ready for reading: its words folded and held in tries, made once a language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pytest_asrbench.errors import VerifierError
from pytest_asrbench.verifiers.languages.line import Line, fold
from pytest_asrbench.verifiers.languages.stated import MARKS, NOTHING
from pytest_asrbench.verifiers.packs.grammar import Grammar, trie, walk
from pytest_asrbench.verifiers.packs.pack import Pack
from pytest_asrbench.verifiers.packs.parts import Currency
from pytest_asrbench.verifiers.rules.rule_options import RuleOptions

Trie = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Tables:
    """The words of one pack in one region ("MX"; "" where the tag names none)."""

    pack: Pack
    region: str
    stated: RuleOptions = NOTHING

    def trie(self, words: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> Trie:
        pairs = words.items() if isinstance(words, Mapping) else words
        return trie([(fold(word, self.pack), value) for word, value in pairs])

    def listed(self, words: Iterable[str]) -> Trie:
        return self.trie([(word, word) for word in words])

    @cached_property
    def grammar(self) -> Grammar:
        grammar = self.pack.numbers.grammar
        if grammar is None:
            raise VerifierError(f"{self.pack.language}: no number grammar; numbers can't be judged")
        return grammar.folded(lambda word: fold(word, self.pack))

    # --- numbers ---------------------------------------------------------------------------------

    @cached_property
    def marks(self) -> tuple[str, str]:
        """Decimal mark, thousands marks."""
        if self.stated.decimal_mark:
            return MARKS[self.stated.decimal_mark]
        marks = self.pack.numbers.marks
        return marks.get(self.region) or marks.get("", (".", ","))

    @cached_property
    def never(self) -> re.Pattern[str] | None:
        patterns = self.pack.numbers.never
        return re.compile("|".join(patterns)) if patterns else None

    @cached_property
    def soft(self) -> Trie:
        return self.trie(self.pack.numbers.soft)

    @cached_property
    def tags(self) -> Trie:
        return self.listed(self.pack.numbers.tags)

    @cached_property
    def questions(self) -> tuple[str, ...]:
        return tuple(fold(phrase, self.pack) for phrase in self.pack.numbers.questions)

    @cached_property
    def soft_words(self) -> frozenset[str]:
        return frozenset(fold(word, self.pack) for word in self.pack.numbers.soft)

    @cached_property
    def soft_ones(self) -> Trie:
        soft = self.pack.numbers.soft
        return self.trie([(word, soft.get(word, 1)) for word in self.pack.numbers.soft_ones])

    @cached_property
    def only_digits(self) -> Trie:
        numbers = self.pack.numbers
        alike = numbers.homophones if self.stated.homophones == "accept" else {}
        return self.trie({**alike, **numbers.only_digits})

    @cached_property
    def repeats(self) -> Trie:
        return self.trie(self.pack.numbers.repeats)

    @cached_property
    def plural_digits(self) -> Trie:
        return self.trie(self.pack.numbers.plural_digits)

    @cached_property
    def times(self) -> Trie:
        return self.listed(self.pack.numbers.times)

    @cached_property
    def points(self) -> Trie:
        return self.listed(self.pack.numbers.points)

    @cached_property
    def scales(self) -> Trie:
        return self.trie(self.pack.numbers.scales)

    @cached_property
    def gaps(self) -> Trie:
        return self.trie([(word, 0) for word in self.grammar.gaps])

    @cached_property
    def halves(self) -> Trie:
        return self.trie(self.pack.numbers.halves)

    @cached_property
    def parts(self) -> Trie:
        return self.trie(self.pack.numbers.parts)

    @cached_property
    def shifts(self) -> Trie:
        return self.trie(self.pack.numbers.shifts)

    @cached_property
    def ands(self) -> Trie:
        return self.listed(self.pack.numbers.ands)

    @cached_property
    def minus(self) -> Trie:
        return self.listed(self.pack.numbers.minus)

    @cached_property
    def ranges(self) -> Trie:
        return self.listed(self.pack.numbers.ranges)

    @cached_property
    def between(self) -> Trie:
        return self.listed(self.pack.numbers.between)

    @cached_property
    def ordinal_tails(self) -> Trie:
        return self.listed(self.pack.numbers.ordinal_tails)

    @cached_property
    def inexact(self) -> Trie:
        return self.listed(self.pack.numbers.inexact)

    # --- units and money -------------------------------------------------------------------------

    @cached_property
    def of(self) -> Trie:
        return self.listed(self.pack.units.of)

    @cached_property
    def percent(self) -> Trie:
        return self.listed(("%", *self.pack.units.percent))

    @cached_property
    def percent_before(self) -> Trie:
        return self.listed(self.pack.units.percent_before)

    @cached_property
    def permille(self) -> Trie:
        return self.listed(("‰", *self.pack.units.permille))

    @cached_property
    def _units(self) -> list[tuple[str, str]]:
        return [(form, unit) for unit, forms in self.pack.units.names.items() for form in forms]

    @cached_property
    def units(self) -> Trie:
        return self.trie([(form, u) for form, u in self._units if not _lone(form)])

    @cached_property
    def lone_units(self) -> Trie:
        """Units written as one letter: behind figures alone, for words follow words."""
        return self.trie([(form, u) for form, u in self._units if _lone(form)])

    def counted_at(self, line: Line, i: int) -> bool:
        """A unit, a currency or percent stands at i."""
        words = (self.after_amount, self.percent)
        return any(True for _ in self.units_at(line, i)) or any(
            True for table in words for _ in self.at(table, line, i)
        )

    def units_at(self, line: Line, i: int) -> Iterator[tuple[str, int]]:
        """Units at i, behind a figure or a number word."""
        yield from self.at(self.units, line, i)
        glued = line.flat[i - 1 : i].isdigit()
        apart = line.flat[i - 2 : i - 1].isdigit() and line.flat[i - 1 : i] == " "
        if glued or (apart and line.char(i) not in self.pack.script.articles):
            yield from self.at(self.lone_units, line, i)

    @cached_property
    def loose_units(self) -> Trie:
        return self.trie(
            [(form, u) for u, forms in self.pack.units.loose.items() for form in forms]
        )

    @cached_property
    def per(self) -> Trie:
        return self.listed(self.pack.units.per)

    @cached_property
    def before_amount(self) -> Trie:
        """Signs and codes that stand in front."""
        here = self.pack.currencies.signs.get(self.region, {})
        pairs = [
            (form, here.get(form, one.code))
            for one in self.pack.currencies.known
            for form in (*one.signs, one.code.lower())
        ]
        return self.trie([*pairs, *here.items()])

    @cached_property
    def after_amount(self) -> Trie:
        pairs = [(w, one.code) for one in self.pack.currencies.known for w in one.words]
        return self.trie(pairs) | {} if not pairs else self._both(pairs)

    def _both(self, pairs: list[tuple[str, str]]) -> Trie:
        here = self.pack.currencies.signs.get(self.region, {})
        signs = [
            (form, here.get(form, one.code))
            for one in self.pack.currencies.known
            for form in (*one.signs, one.code.lower())
        ]
        return self.trie([*pairs, *signs, *here.items()])

    @cached_property
    def minor(self) -> Trie:
        return self.trie([(w, one.code) for one in self.pack.currencies.known for w in one.minor])

    @cached_property
    def tenth(self) -> Trie:
        return self.trie([(w, one.code) for one in self.pack.currencies.known for w in one.tenth])

    @cached_property
    def currencies(self) -> dict[str, Currency]:
        return {one.code: one for one in self.pack.currencies.known}

    @cached_property
    def money_links(self) -> Trie:
        return self.listed(self.pack.currencies.links)

    # --- characters ------------------------------------------------------------------------------

    @cached_property
    def signs(self) -> Trie:
        return self.trie([(n, s) for s, names in self.pack.signs.names.items() for n in names])

    @cached_property
    def letters(self) -> Trie:
        return self.trie([(n, a) for a, names in self.pack.letters.names.items() for n in names])

    @cached_property
    def alphabet(self) -> Trie:
        return self.trie([(n, a) for a, names in self.pack.letters.spelling.items() for n in names])

    @cached_property
    def as_in(self) -> Trie:
        return self.listed(self.pack.letters.as_in)

    @cached_property
    def behind(self) -> Trie:
        return self.listed(self.pack.letters.behind)

    @cached_property
    def doubles(self) -> Trie:
        return self.trie(self.pack.letters.doubles)

    @cached_property
    def glosses(self) -> Trie:
        return self.listed(self.pack.letters.glosses)

    @cached_property
    def fillers(self) -> Trie:
        return self.listed(self.pack.fillers)

    @cached_property
    def endings(self) -> Trie:
        return self.listed(self.pack.script.endings)

    @cached_property
    def word_endings(self) -> Trie:
        return self.listed(self.pack.script.word_endings)

    # --- addresses and names ---------------------------------------------------------------------

    @cached_property
    def free(self) -> Trie:
        return self.listed(self.pack.addresses.free)

    @cached_property
    def titles(self) -> Trie:
        return self.listed(self.pack.addresses.titles)

    @cached_property
    def equals(self) -> dict[str, tuple[str, ...]]:
        """A word of an address -> all that count for it."""
        equals: dict[str, tuple[str, ...]] = {}
        for group in (*self.pack.addresses.words, *self.pack.addresses.equal):
            forms = tuple(fold(form, self.pack) for form in group)
            for form in forms:
                equals[form] = (*equals.get(form, ()), *forms)
        return equals

    @cached_property
    def suffixes(self) -> tuple[tuple[str, ...], ...]:
        groups = self.pack.addresses.suffixes
        return tuple(tuple(fold(form, self.pack) for form in group) for group in groups)

    def at(self, words: Trie, line: Line, i: int) -> Iterator[tuple[Any, int]]:
        """(value, end) of whole words and phrases at i."""
        if not words or not (line.edge(i) or i in self.cuts(line)):
            return
        for value, end in walk(words, line.flat, i):
            if line.edge(end) or end in self.cuts(line):
                yield value, end
            elif self.word_endings and end - i > 2:
                for _, e in walk(self.word_endings, line.flat, end):
                    if line.edge(e):
                        yield value, e

    def cuts(self, line: Line) -> frozenset[int]:
        """Places where runs without white space part into names of letters, digits and signs."""
        if not self.pack.script.joined:
            return frozenset()
        cuts: frozenset[int] = line.once("cuts", lambda: frozenset(self._cuts(line)))
        return cuts

    def _cuts(self, line: Line) -> Iterator[int]:
        i = 0
        while i < len(line.flat):
            e = line.run(i)
            if e - i > 1 and line.flat[i] > "\u0900":
                yield from self._parted(line.flat, i, e) or ()
            i = max(e, i + 1)

    def _parted(self, flat: str, i: int, e: int) -> list[int] | None:
        """Inner borders of a run that is made of known names alone; the fewest."""
        best: dict[int, list[int]] = {i: []}
        for k in range(i, e):
            if k not in best:
                continue
            for words in self._joining:
                for _, end in walk(words, flat, k):
                    if k < end <= e and len(best.get(end, [0] * 99)) > len(best[k]) + 1:
                        best[end] = [*best[k], end]
        return best[e][:-1] if e in best else None

    @cached_property
    def _joining(self) -> tuple[Trie, ...]:
        numbers = self.grammar
        words = trie([*numbers.words.items(), *((w, 0) for p in numbers.places for w in p.words)])
        return (self.letters, self.signs, words, self.only_digits, self.points, self.units,
                self.after_amount, self.percent, self.endings, self.repeats)  # fmt: skip


def _lone(form: str) -> bool:
    """One letter of ours, which is also a letter, an article, a preposition."""
    return len(form) == 1 and form.isascii() and form.isalpha()
