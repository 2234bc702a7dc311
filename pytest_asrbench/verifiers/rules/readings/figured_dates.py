"""Dates in figures, and in figures said one after the other (rules 15, 27, 45, 53)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.numbers import NumberReader
from pytest_asrbench.verifiers.rules.pattern import Phrases
from pytest_asrbench.verifiers.rules.readings.date_parts import Date, parts, product
from pytest_asrbench.verifiers.rules.readings.links import Atom, Chain, Link, chain
from pytest_asrbench.verifiers.rules.readings.names import counted
from pytest_asrbench.verifiers.rules.readings.names import named as units_at
from pytest_asrbench.verifiers.rules.readings.whole import Span, strings, wholes
from pytest_asrbench.verifiers.rules.tokens import Tokens

_NO_DAY = 32
"""Two figures from here on are a year."""
_SIGNS = {Link.SLASH: "/", Link.DASH: "-", Link.DOT: "."}
_SLASH = Phrases(("slash", "dash"))


@dataclass
class DateFigures:
    """Reads a transcript's dates that have no month's name."""

    tokens: Tokens
    numbers: NumberReader
    day_first: bool

    @property
    def pack(self) -> Pack:
        return self.numbers.pack

    @cached_property
    def chain(self) -> Chain:
        return chain(self.tokens, self.numbers)

    @cached_property
    def spans(self) -> list[Span]:
        return wholes(self.tokens, self.numbers).spans

    def dates(self) -> Iterator[Date]:
        yield from self._figures()
        yield from self._regions()
        yield from self._listed()

    # --- figures -------------------------------------------------------------------------------

    def _figures(self) -> Iterator[Date]:
        """2026-03-05, 3/5/2026, 3/5, 03/2026."""
        atoms, links = self.chain.atoms, self.chain.links
        k = 0
        while k < len(atoms):
            last = k
            while (
                last + 1 < len(atoms)
                and links[last + 1] in _SIGNS
                and (last == k or links[last + 1] is links[k + 1])
            ):
                last += 1
            goes_on = last + 1 < len(atoms) and links[last + 1] in (
                *_SIGNS, Link.COLON, Link.COMMA, Link.GLUED,
            )  # fmt: skip
            before = links[k] in (*_SIGNS, Link.COLON, Link.COMMA, Link.POINT, Link.GLUED)
            parts = atoms[k : last + 1]
            figures = all(atom.kind == "figure" for atom in parts)
            if 2 <= len(parts) <= 3 and figures and not goes_on and not before:
                yield from self._ordered(parts, _SIGNS[links[k + 1] or Link.SLASH])
            k = max(last, k + 1)

    def _ordered(self, atoms: tuple[Atom, ...], sign: str) -> Iterator[Date]:
        i, e = atoms[0].start, atoms[-1].end
        texts = [atom.text for atom in atoms]
        doubts = self._another_kind(i, e)
        start = i
        if len(texts) == 2 and sign != "/":
            start = self._dated(i)
            doubts |= Doubt.REFUSED if start == i else 0
        if self.tokens.glued(i) and self.tokens.flat[i - 1].isalpha():
            return
        for date in parts(texts, day_first=self.day_first):
            yield replace(date, start=start, end=e, doubts=date.doubts | doubts)

    def _another_kind(self, i: int, e: int) -> int:
        """A sign, unit or noun makes it no date (rule 45)."""
        tokens = self.tokens
        before = tokens.runs.get(tokens.ends.get(i, -1), "")
        signed = (
            i
            and tokens.glued(i)
            and not tokens.flat[i - 1].isalnum()
            and tokens.flat[i - 1] in "$€£#"
        )
        unit = any(not part for _, part in units_at(tokens, self.numbers, e))
        noun = counted(tokens, self.numbers, e) or before in self.pack.calendar.not_dating
        return Doubt.REFUSED if signed or unit or noun or self._share(e) else 0

    def _share(self, e: int) -> bool:
        """ "3/5 of the people"; "3/5 of 2026" is a date."""
        word = self.tokens.runs.get(e, "")
        after = self.tokens.runs.get(e + len(word), "")
        return word in self.pack.numbers.shares and not after.isdigit()

    def _dated(self, i: int) -> int:
        """The start of the word in front that makes a figure a date; i where none does."""
        before = self.tokens.ends.get(i, -1)
        if self.tokens.runs.get(before) == "the":
            before = self.tokens.ends.get(before, -1)
        return before if self.tokens.runs.get(before) in self.pack.calendar.dating else i

    # --- figures and words side by side --------------------------------------------------------

    def _regions(self) -> Iterator[Date]:
        """Ten ten twenty twenty three, 1994 02 11, 09 29 83, three slash five."""
        yield from self._slashed()
        for span in self.spans:
            bounds = list(atom_starts(self.chain, span.start, span.end))
            if len(bounds) > 8:
                continue
            for bound in bounds:
                yield from self._month_and_year(span.start, bound, span.end)
            for a in bounds:
                for b in bounds:
                    if a < b:
                        groups = ((span.start, a), (a, b), (b, span.end))
                        texts = [digits_of(self.tokens, self.numbers, *group) for group in groups]
                        yield from self._grouped(texts, span.start, span.end)

    def _month_and_year(self, i: int, bound: int, e: int) -> Iterator[Date]:
        """Oh four twenty twenty seven, twenty twenty seven oh four."""
        for one in digits_of(self.tokens, self.numbers, i, bound):
            for two in digits_of(self.tokens, self.numbers, bound, e):
                if {len(one), len(two)} == {2, 4}:
                    for date in parts([one, two], day_first=False):
                        yield replace(date, start=i, end=e, doubts=self._another_kind(i, e))

    def _listed(self) -> Iterator[Date]:
        """Nineteen ninety four, zero two, eleven."""
        by_start = {span.start: span for span in self.spans if not span.doubts}
        for one in self.spans:
            two = by_start.get(self._comma(one.end))
            three = by_start.get(self._comma(two.end)) if two else None
            if two and three:
                texts = [list(span.strings) for span in (one, two, three)]
                yield from self._grouped(texts, one.start, three.end)

    def _comma(self, e: int) -> int:
        return e + 1 if self.tokens.char(e) in (",", ".") and self.tokens.gaps[e + 1] else -1

    def _grouped(self, texts: list[list[str]], i: int, e: int) -> Iterator[Date]:
        doubts = self._another_kind(i, e)
        for one in texts[0]:
            for two in texts[1]:
                for three in texts[2]:
                    if len(one) == 4 and len(two) != 2:
                        continue
                    short = len(three) == 2 and len(one) <= 2
                    if short and not len(one) == len(two) == 2 and int(three) < _NO_DAY:
                        continue
                    for date in parts([one, two, three], day_first=self.day_first):
                        yield replace(date, start=i, end=e, doubts=date.doubts | doubts)

    def _slashed(self) -> Iterator[Date]:
        by_start: dict[int, list[int]] = {}
        for k, span in enumerate(self.spans):
            by_start.setdefault(span.start, []).append(k)
        for one in self.spans:
            for place in _SLASH.ends(self.tokens, one.end):
                for k in by_start.get(place, ()):
                    two = self.spans[k]
                    thirds = [self.spans[n] for stop in _SLASH.ends(self.tokens, two.end)
                            for n in by_start.get(stop, ())]  # fmt: skip
                    groups = [[one, two, rest] for rest in thirds] or [[one, two]]
                    for group in groups:
                        e = group[-1].end
                        for texts in product([list(span.strings) for span in group]):
                            for date in parts(texts, day_first=self.day_first):
                                yield replace(date, start=one.start, end=e)


def atom_starts(atom_chain: Chain, i: int, e: int) -> list[int]:
    """Starts of atoms inside a span that only white space and hyphens part."""
    k = atom_chain.starts.get(i)
    places: list[int] = []
    while k is not None and k + 1 < len(atom_chain.atoms):
        k += 1
        atom = atom_chain.atoms[k]
        if atom.start >= e:
            break
        if atom_chain.links[k] not in (Link.SPACE, Link.HYPHEN, Link.AND):
            return []
        places.append(atom.start)
    return places


def digits_of(tokens: Tokens, numbers: NumberReader, i: int, e: int) -> list[str]:
    """Digits that what stands between two atoms may be read as."""
    if tokens.char(e - 1) == "-":
        e -= 1
    return [whole for whole, tail in strings(tokens, numbers, i, e) if not tail]
