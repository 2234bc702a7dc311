"""Names, terms and postal addresses: every word, in any allowed spelling (rules 17, 18, 37)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pytest_asrbench.verifiers.languages.characters import CharacterMatch, Characters, Shape
from pytest_asrbench.verifiers.languages.line import Line, kind, line
from pytest_asrbench.verifiers.languages.numbers import Numbers
from pytest_asrbench.verifiers.languages.tables import Tables
from pytest_asrbench.verifiers.languages.walks import Step, Walk, ends
from pytest_asrbench.verifiers.packs.grammar import walk
from pytest_asrbench.verifiers.rules.ambiguity import Doubt

_DIGITS: Final = Shape(names=False)
_SPELLED: Final = Shape()
_BETWEEN: Final = " ,.-'()/:;\"#"
_MAX: Final = 3000


@dataclass(frozen=True, slots=True)
class Place:
    """A place where a value of words was found."""

    start: int
    end: int
    doubts: int
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Looks for values of words in one language."""

    tables: Tables
    numbers: Numbers
    characters: Characters

    def tokens(self, value: str) -> list[str]:
        """Words and figures of a value, folded; signs only part them."""
        held = line(value, self.tables.pack)
        tokens, i = [], 0
        while i < len(held.flat):
            i = self._past_prefix(held, i)
            e = held.run(i)
            mark = held.flat[e : e + 2].lstrip(".")[:1] if e > i else ""
            if mark and mark in "ºª°":
                tokens.append(held.flat[i:e] + "º")
                e = held.flat.index(mark, e) + 1
            elif e > i:
                while (
                    e - i > 2 and re.match(r"-\d", held.flat[e : e + 2]) and held.flat[i].isdigit()
                ):
                    e = held.run(e + 1)
                tokens.append(re.sub(r"(?<=\d)-(?=\d)", "", held.flat[i:e]))
            elif held.flat[i] == "&":
                tokens.append("&")
            i = max(e, i + 1)
        return tokens

    def _past_prefix(self, held: Line, i: int) -> int:
        """D-50667: what may stand before a postal code."""
        for prefix in self.tables.pack.addresses.postal_prefixes:
            if held.edge(i) and re.match(re.escape(prefix) + r"\d{4,5}\b", held.flat[i:]):
                return i + len(prefix)
        return i

    def find(
        self, at: Line, tokens: list[str], reached: Walk, *, address: bool, person: bool = False
    ) -> Iterator[Place]:
        """Every place where all tokens stand in order."""
        if not tokens:
            return
        for i in self.characters._starts(at):
            for end, doubts in self._ends(at, i, tokens, reached, address):
                more = self._around(at, i, end, tokens)
                if person:
                    more |= self._han(at, end)
                    more |= self._spelled_on(at, i, end)
                yield Place(i, end, doubts | more, "words")
        if person:
            yield from self._described(at, tokens)

    def _spelled_on(self, at: Line, i: int, end: int) -> int:
        """A name that ends in named letters may go on in others."""
        last = any(self.characters._letters_to(at, end))
        named = CharacterMatch(i, end, 0)
        return self.characters.named_on(at, named, at.next(end)) if last else 0

    def _described(self, at: Line, tokens: list[str]) -> Iterator[Place]:
        """弓长张, 美丽的丽: each character of a name is fixed by a cue, in order (addendum)."""
        before, behind = self.tables.pack.letters.described
        if not before or not all(len(t) == 1 and kind(t) == "han" for t in tokens):
            return
        parts = [before + re.escape(t) + behind.replace("{c}", re.escape(t)) for t in tokens]
        for match in re.finditer("".join(parts), at.flat):
            if match.end() - match.start() > len(tokens):
                yield Place(match.start(), match.end(), 0, "described")

    def parts(self, at: Line, value: str, reached: Walk) -> Iterator[Place]:
        """The parts of an address in any order, beside one another."""
        chunks = [self.tokens(part) for part in re.split(r"[,，、;]", value)]
        chunks = [chunk for chunk in chunks if chunk]
        if not 2 <= len(chunks) <= 6:
            return
        for i in self.characters._starts(at):
            for end in self._any_order(at, i, chunks, frozenset(range(len(chunks)))):
                yield Place(i, end, self._around(at, i, end, chunks[0]), "parts in another order")

    def _any_order(
        self, at: Line, i: int, chunks: list[list[str]], left: frozenset[int]
    ) -> Iterator[int]:
        if not left:
            yield i
            return
        for k in left:
            for place in self._gaps(at, i, address=True) if len(left) < len(chunks) else [i]:
                for end, _ in self._ends(at, place, chunks[k], Walk(), True):
                    yield from self._any_order(at, end, chunks, left - {k})

    def _ends(
        self, at: Line, i: int, tokens: list[str], reached: Walk, address: bool
    ) -> Iterator[tuple[int, int]]:
        def steps(place: int, k: int) -> Iterator[Step]:
            for start in self._gaps(at, place, address=address) if k else [place]:
                yield from self._token(at, start, tokens, k, address)
            if address and k and self._optional(tokens, k):
                yield place, 1, 0

        return ends(i, len(tokens), steps, reached, _MAX)

    def _optional(self, tokens: list[str], k: int) -> bool:
        """A word that may be left out; the letter of a house ("8 a") may not."""
        token = tokens[k]
        if len(token) == 1 and (tokens[k - 1].isdigit() or k + 1 == len(tokens)):
            return False
        return any(end == len(token) for _, end in walk(self.tables.free, token, 0))

    def _gaps(self, at: Line, i: int, *, address: bool) -> list[int]:
        """Places that may follow: white space, commas, fillers, free words."""
        gaps: list[int] = []
        todo = [i]
        while todo and len(gaps) < 40:
            place = todo.pop()
            if place in gaps or place > len(at.flat):
                continue
            gaps.append(place)
            if at.char(place) and at.char(place) in _BETWEEN:
                todo.append(place + 1)
            words = [self.tables.fillers]
            words += [self.tables.free] if address else []
            todo += [e for table in words for _, e in self.tables.at(table, at, place)]
        return gaps

    def _token(
        self, at: Line, i: int, tokens: list[str], k: int, address: bool
    ) -> Iterator[tuple[int, int, int]]:
        """(end, tokens taken, doubts) for ways in which the next token stands at i."""
        token = tokens[k]
        if token == "&":
            if at.char(i) == "&":
                yield i + 1, 1, 0
            return
        if (
            address
            and kind(at.char(i)) == "figure"
            and self._numeral(token, at.flat[i : at.run(i)])
        ):
            yield at.run(i), 1, Doubt.OTHERWISE if k and not tokens[k - 1].isalpha() else 0
        if token.isdigit():
            for end, doubts in self.characters._ends(at, i, token, _DIGITS, Walk()):
                if end > i:
                    yield end, 1, doubts
            if address:
                yield from self._ordinal(at, i, int(token[:9]))
            return
        spelled = self._spelling(at, i, token)
        if spelled is not None:
            yield spelled, 1, 0
        for equal, taken in self._equal(tokens, k):
            for _, e in self.tables.at(self.tables.trie([(equal, equal)]), at, i):
                yield e, taken, 0
        letters = len(token) > 1 and kind(token[0]) in ("letter", "nagari")
        short = at.run(i) <= i + 2 or self.tables.pack.script.joined
        if spelled is None and letters and short:
            for e, doubts in self.characters._ends(at, i, token, _SPELLED, Walk()):
                yield e, 1, doubts
        if len(token) == 1 and kind(token) == "letter":
            for letter, e in self.tables.at(self.tables.letters, at, i):
                if letter == token:
                    yield e, 1, 0

    def _ordinal(self, at: Line, i: int, number: int) -> Iterator[tuple[int, int, int]]:
        """23. Cad., yirmi üçüncü cadde."""
        for value, end in self.tables.grammar.read(at.flat, i) if at.edge(i) else ():
            for _, e in walk(self.tables.ordinal_tails, at.flat, end):
                if value == number and at.edge(e):
                    yield e, 1, 0

    def _numeral(self, token: str, figures: str) -> bool:
        """A Han numeral of an address, written in figures (四段, 2楼)."""
        return kind(token[0]) == "han" and any(
            str(value) == figures for value, end in self.tables.grammar.read(token, 0)
            if end == len(token)
        )  # fmt: skip

    def _equal(self, tokens: list[str], k: int) -> Iterator[tuple[str, int]]:
        """Other forms of the words at k: street and st."""
        for taken in (1, 2, 3):
            word = " ".join(tokens[k : k + taken])
            glued = "".join(tokens[k : k + taken])
            if k + taken > len(tokens):
                break
            for form in dict.fromkeys(
                (word, word + ".", glued, ".".join(tokens[k : k + taken]) + ".")
            ):
                for other in self.tables.equals.get(form, ()):
                    yield other, taken
        for group in self.tables.suffixes:
            for ending in group:
                if tokens[k].endswith(ending) and len(tokens[k]) > len(ending):
                    stem = tokens[k].removesuffix(ending)
                    yield from ((stem + other, 1) for other in group)
                    yield from ((f"{stem} {other}", 1) for other in group)

    def _spelling(self, at: Line, i: int, token: str) -> int | None:
        """The ends of the token's letters; a space or a hyphen may part them."""
        flat, place = at.flat, i
        if not (at.edge(i) or kind(token[0]) == "han" or flat[i - 1 : i].isalpha()):
            return None
        for k, char in enumerate(token):
            if k and place < len(flat) and flat[place] in " -'" and char != flat[place]:
                place += 1
            if place >= len(flat) or flat[place] != char:
                return None
            place += 1
        return place

    def _around(self, at: Line, i: int, end: int, tokens: list[str]) -> int:
        """Words end at white space and signs; a glued ending is free where the language has it."""
        flat, doubts = at.flat, 0
        if not at.edge(i) and i not in self.tables.cuts(at):
            return Doubt.REFUSED
        if i > 1 and flat[i - 1] in "-_/.@'" and flat[i - 2].isalnum():
            doubts |= Doubt.REFUSED if flat[i - 1] in "-_@" else Doubt.NEIGHBOUR
        if not at.edge(end) and not self._ended(at, end):
            return Doubt.REFUSED
        if flat[end : end + 1] in ("-", "_", "@", ".") and flat[end + 1 : end + 2].isalnum():
            doubts |= Doubt.REFUSED
        apostrophe = flat[end : end + 1] == "'" and flat[end + 1 : end + 2].isalpha()
        if apostrophe and not self.tables.pack.script.apostrophe_endings:
            doubts |= Doubt.NEIGHBOUR
        if tokens[0].isdigit() and at.back(i) in self.numbers.number_ends(at):
            doubts |= Doubt.REFUSED
        if tokens[-1].isdigit() and at.next(end) in self.numbers.number_starts(at):
            doubts |= Doubt.REFUSED
        return doubts | self._letters(at, i, end)

    def _ended(self, at: Line, end: int) -> bool:
        """A particle, a postposition or a title is glued to it."""
        if self.tables.pack.script.unspaced and any(walk(self.tables.titles, at.flat, end)):
            return True
        return any(at.edge(e) for _, e in walk(self.tables.endings, at.flat, end))

    def _letters(self, at: Line, i: int, end: int) -> int:
        """A lone letter beside a spelled end goes on with it."""
        flat, articles = at.flat, self.tables.pack.script.articles
        if kind(flat[end - 1]) == "letter" and end - 2 >= i and flat[end - 2] == " ":
            place = at.next(end)
            lone = at.run(place) == place + 1 and kind(at.char(place)) == "letter"
            if lone and at.char(place) not in articles:
                return Doubt.REFUSED
        return 0

    def _han(self, at: Line, end: int) -> int:
        """In a script without spaces a name ends where a word of another kind begins."""
        follow = self.tables.pack.script.follow
        if not follow or end >= len(at.flat) or kind(at.flat[end]) != "han":
            return 0
        if kind(at.flat[end - 1]) != "han" or at.flat[end] in follow:
            return 0
        return Doubt.REFUSED
