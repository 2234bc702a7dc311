"""
Whole numbers of a transcript (rules 41 and 57).

A number is one thing from its first sign to its last: a region of linked atoms. Where figures and
words stand side by side and the second begins a reading of its own ("two 500 mg tablets"), each is
a number too, though not surely.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.cardinals import FIGURES
from pytest_asrbench.verifiers.rules.numbers import NumberReader
from pytest_asrbench.verifiers.rules.readings.links import ONE_NUMBER, Atom, Chain, Link, chain
from pytest_asrbench.verifiers.rules.readings.names import begins_own, names_unit, prefixes
from pytest_asrbench.verifiers.rules.tokens import Tokens

_MAX_STRINGS = 24
_MAX_FIGURES = 15
_SHORT = 4
_MOST_CUTS = 8


@dataclass(frozen=True, slots=True)
class Whole:
    """One number, from its sign to its last atom."""

    start: int
    end: int
    value: Fraction
    doubts: int = 0
    scale: int = 1
    """What a shared multiplier made of it: 10**9 for "20 billion"."""
    suffixed: bool = False
    """K, M or B stands behind the figure, which may as well be a unit: "5 m"."""
    inner: int = -1
    """Where the number starts behind its sign."""

    @property
    def bare(self) -> int:
        return self.start if self.inner < 0 else self.inner


@dataclass(frozen=True, slots=True)
class Span:
    """The span of one number, its sign aside, with the digits it may be read as."""

    start: int
    end: int
    doubts: int
    strings: frozenset[str]
    """Digits in order, where no point or mark stands between: "0930"."""
    figures: bool
    """One run of figures."""


@dataclass(slots=True)
class Wholes:
    """All numbers of a transcript by place and by value."""

    spans: list[Span] = field(default_factory=list)
    span_starts: dict[int, list[Span]] = field(default_factory=dict)
    span_ends: dict[int, list[Span]] = field(default_factory=dict)
    all: list[Whole] = field(default_factory=list)
    by_value: dict[Fraction, list[Whole]] = field(default_factory=dict)
    by_start: dict[int, list[Whole]] = field(default_factory=dict)
    by_bare: dict[int, list[Whole]] = field(default_factory=dict)
    """By the first atom, the sign and the leading point aside."""

    def add_span(self, span: Span) -> None:
        self.spans.append(span)
        self.span_starts.setdefault(span.start, []).append(span)
        self.span_ends.setdefault(span.end, []).append(span)

    def add(self, whole: Whole) -> None:
        self.all.append(whole)
        self.by_value.setdefault(whole.value, []).append(whole)
        self.by_start.setdefault(whole.start, []).append(whole)
        self.by_bare.setdefault(whole.bare, []).append(whole)


def wholes(tokens: Tokens, numbers: NumberReader) -> Wholes:
    """Every whole number, in order of place; made once a transcript."""
    wholes: Wholes = tokens.once(("wholes", numbers.key), lambda: _Reader(tokens, numbers).wholes())
    return wholes


class _Reader:
    def __init__(self, tokens: Tokens, numbers: NumberReader) -> None:
        self.tokens, self.numbers = tokens, numbers
        self.chain: Chain = chain(tokens, numbers)

    def wholes(self) -> Wholes:
        wholes = Wholes()
        for first, last in self._regions():
            if first == last and self._lone(wholes, first):
                continue
            for i, e, doubts in self._spans(first, last):
                said = self._strings(i, e)
                plain = frozenset(digits for digits, tail in said if not tail)
                figures = (
                    e - i == len(self.tokens.runs.get(i, "")) and self.tokens.flat[i].isdigit()
                )
                wholes.add_span(Span(i, e, doubts, plain, figures))
                for whole in self._read(i, e, doubts, said):
                    wholes.add(whole)
        return wholes

    def _lone(self, wholes: Wholes, k: int) -> bool:
        """A run of figures between plain words, as most numbers are written: it says what it shows.
        False where anything beside it may be part of the number."""
        i, e, kind, run = self.chain.atoms[k]
        tokens, numbers = self.tokens, self.numbers
        if kind != "figure" or len(run) > _MAX_FIGURES:
            return False
        if not tokens.gaps[i] and (tokens.flat[i - 1].isalnum() or tokens.flat[i - 1] in ".-"):
            return False
        if tokens.runs.get(tokens.ends.get(i, -1)) in numbers.leading:
            return False
        follower = tokens.runs.get(e)
        if follower is None:  # a sign: it may be a mark of the number, or end a clause
            sign = tokens.char(e)
            if sign in numbers.marks and not (sign in ".," and tokens.gaps[e + 1]):
                return False
        elif not tokens.gaps[e] or follower[0] in FIGURES or follower in numbers.trailing:
            return False
        wholes.add_span(Span(i, e, 0, frozenset((run,)), figures=True))
        wholes.add(Whole(i, e, Fraction(int(run)), inner=i))
        return True

    def _regions(self) -> Iterator[tuple[int, int]]:
        """First and last atom of each run of atoms that are one number."""
        first = 0
        for k in range(1, len(self.chain.atoms) + 1):
            if k == len(self.chain.atoms) or not self._one(k):
                yield first, k - 1
                first = k

    def _one(self, k: int) -> bool:
        link = self.chain.links[k]
        if link is Link.LIST:
            return self._scaled_list(k)
        return link in ONE_NUMBER

    def _scaled_list(self, k: int) -> bool:
        """Forty-seven thousand, three hundred."""
        one, two = self.chain.atoms[k - 1], self.chain.atoms[k]
        scales = self.numbers.pack.scales
        return one.text in scales and two.kind in ("digit", "tens")

    # --- where numbers start and end -----------------------------------------------------------

    def _spans(self, first: int, last: int) -> Iterator[tuple[int, int, int]]:
        """The whole region, and what it divides into."""
        atoms = self.chain.atoms
        signed = last > first and self._money(atoms[first].start)
        cuts = [
            (k, doubts)
            for k in range(first + 1, last + 1)
            if (doubts := self._cut(k, signed=signed)) >= 0
        ]
        if last - first > _SHORT:  # a refused part of a long run explains nothing
            cuts = [cut for cut in cuts if not cut[1] & Doubt.REFUSED][:_MOST_CUTS]
        starts = [(first, 0), *cuts]
        for n, (k, left) in enumerate(starts):
            for m in range(n, len(starts)):
                stop, right = (last, 0) if m + 1 == len(starts) else (starts[m + 1][0] - 1,
                                                                     starts[m + 1][1])  # fmt: skip
                inner = 0
                for place, doubts in starts[n + 1 : m + 1]:
                    mixed = "figure" in (atoms[place - 1].kind, atoms[place].kind)
                    if not doubts & Doubt.REFUSED and mixed:
                        inner |= (
                            Doubt.DISPUTED if atoms[place - 1].kind != "figure" else Doubt.NEIGHBOUR
                        )
                yield atoms[k].start, atoms[stop].end, left | right | inner

    def _money(self, i: int) -> bool:
        """A currency stands in front, so that the amount is one figure."""
        flat = self.tokens.flat
        run = self.tokens.runs.get(self.tokens.ends.get(i, -1), "")
        known = prefixes(self.numbers.pack.language)
        return (i > 0 and flat[i - 1] in known) or run in known

    def _cut(self, k: int, *, signed: bool) -> int:
        """Doubts of dividing a region in front of this atom; -1 where it can't be."""
        one, two = self.chain.atoms[k - 1], self.chain.atoms[k]
        link = self.chain.links[k]
        if link in (Link.SPACE, Link.HYPHEN) and two.kind == "ordinal":
            # "a twenty second break"
            return Doubt.KIND if names_unit(self.numbers, two.text) else -1
        if link is not Link.SPACE:
            return -1
        if signed and two.kind == "figure" and len(two.text) != 3 and self._own(two):
            return Doubt.NEIGHBOUR  # "$17 5 minutes ago"
        if "figure" not in (one.kind, two.kind):
            return -1
        if one.kind == "figure" == two.kind:
            return self._between_figures(one, two)
        if self._combine(one, two):
            return -1
        if one.kind in ("big", "repeat") or two.kind in ("big", "fraction", "ordinal", "zero"):
            return -1
        return Doubt.NEIGHBOUR if self._own(two) else Doubt.DISPUTED

    def _between_figures(self, one: Atom, two: Atom) -> int:
        long = max(len(one.text), len(two.text))
        if long > 3:
            return Doubt.NEIGHBOUR
        if len(two.text) == 3 and one.text[0] != "0":
            return Doubt.DISPUTED  # "2 500 mg" may be 2,500 mg
        return Doubt.NEIGHBOUR if len(two.text) == 2 and self._own(two) else Doubt.DISPUTED

    def _combine(self, one: Atom, two: Atom) -> bool:
        """Twenty 5, two hundred 12, 20 five: one number half written in figures."""
        if one.kind == "tens":
            return len(two.text) == 1
        if one.kind == "big":
            return len(two.text) <= 3
        return one.kind == "figure" and len(one.text) == 2 and one.text[1] == "0" and (
            two.kind == "digit"
        )  # fmt: skip

    def _own(self, atom: Atom) -> bool:
        """A reading of its own begins here: a figure with its unit or noun (rule 57)."""
        return begins_own(self.tokens, self.numbers, atom.start, letters=True)

    # --- what a span says ----------------------------------------------------------------------

    def _read(self, i: int, e: int, doubts: int, said: set[tuple[str, str]]) -> Iterable[Whole]:
        tokens, numbers = self.tokens, self.numbers
        glued = tokens.glued(i) and tokens.flat[i - 1].isalpha()
        start, pointed = self._opened(i)
        values: dict[tuple[Fraction, int], bool] = {}
        for value, end, scaled in numbers.values(tokens, start):
            if end == e or (end > e and end not in self.chain.ends and tokens.boundary(end)):
                values.setdefault((value, end), scaled)
        if not pointed:
            for value in _joined(said):
                values.setdefault((value, e), False)
        if start == i and self.chain.atoms[self.chain.starts[i]].kind == "big":
            values |= {(Fraction(value), e): False for value in self._bare_big(i, e)}
            doubts |= Doubt.IMPLIED
        if glued or not values:
            return []
        return self._signed(start, i, values, doubts)

    def _bare_big(self, i: int, e: int) -> Iterator[int]:
        """Hundred and five, without its one (rule 52)."""
        numbers, word = self.numbers, self.tokens.runs[i]
        end = i + len(word)
        scale = numbers.pack.scales.get(word)
        numbers_said = numbers.scaled(self.tokens, scale, scale, end) if scale else (
            numbers.hundred(self.tokens, 100, end)
        )  # fmt: skip
        return (value for value, stop in numbers_said if stop == e)

    def _signed(
        self, i: int, first: int, values: dict[tuple[Fraction, int], bool], doubts: int
    ) -> Iterable[Whole]:
        sign, start, more = self._sign(i)
        longest = max(end for _, end in values)
        for value, end in values:
            scale = self._scale(i, end)
            yield Whole(start, end, sign * value, doubts | more, scale, end < longest, first)

    def _scale(self, i: int, e: int) -> int:
        """The scale of the last word: it may be shared by a range (rule 52)."""
        last = self.tokens.ends.get(e, i)
        pack, word = self.numbers.pack, self.tokens.runs.get(last, "")
        if last <= i:
            return 1
        return 100 if word in pack.hundreds else pack.scales.get(word) or (
            pack.numbers.shorts.get(word, 1)
        )  # fmt: skip

    def _opened(self, i: int) -> tuple[int, bool]:
        """The true start of the number at i: at its leading point."""
        tokens = self.tokens
        if tokens.char(i - 1) == "." and not tokens.gaps[i]:
            free = i == 1 or tokens.gaps[i - 1] or not tokens.flat[i - 2].isalnum()
            if free and tokens.flat[i].isdigit() and tokens.char(i - 2) != ".":
                return i - 1, True
        before = tokens.ends.get(i, -1)
        first = self.chain.atoms[self.chain.starts[i]].kind
        if first in ("big", "fraction") and tokens.runs.get(before) in self.numbers.pack.one:
            return before, False
        if tokens.runs.get(before) in self.numbers.pack.points and not self._pointing(before):
            return before, True
        return i, False

    def _pointing(self, i: int) -> bool:
        """The word of "at this point five people"."""
        return (
            self.tokens.runs.get(self.tokens.ends.get(i, -1)) in self.numbers.pack.numbers.pointing
        )

    def _sign(self, i: int) -> tuple[int, int, int]:
        """Minus or not, where it stands, and doubts: a hyphen after a word is none (rule 3)."""
        tokens = self.tokens
        before = tokens.ends.get(i, -1)
        if tokens.runs.get(before) in self.numbers.pack.minus:
            return -1, before, 0
        if tokens.char(i - 1) == "-" and not tokens.gaps[i]:
            if i == 1 or tokens.gaps[i - 1] or not tokens.flat[i - 2].isalnum():
                return -1, i - 1, 0
            return 1, i, Doubt.NEIGHBOUR
        return 1, i, 0

    # --- digits said one after the other -------------------------------------------------------

    def _strings(self, i: int, e: int) -> set[tuple[str, str]]:
        return strings(self.tokens, self.numbers, i, e)


def strings(tokens: Tokens, numbers: NumberReader, i: int, e: int) -> set[tuple[str, str]]:
    """Digits before and after the point, for every way to read what stands from i to e."""
    done: set[tuple[str, str]] = set()
    todo = [(i, "", "", False)]
    seen = 0
    while todo and seen < _MAX_STRINGS * 8:
        place, whole, tail, point = todo.pop()
        seen += 1
        if place == e:
            if not point or tail:
                done.add((whole, tail))
            continue
        place = _past(tokens, place, i)
        run = tokens.runs.get(place, "")
        options = [(run, place + len(run))] if run[:1].isdigit() else []
        options += numbers.chunks(tokens, place)
        if run in numbers.pack.points and whole and not point:
            todo.append((place + len(run), whole, "", True))
        for digits, end in options:
            if end <= e and not (point and len(digits) > 2 and run[:1] not in FIGURES):
                todo.append(
                    (end, whole, tail + digits, True) if point else (end, whole + digits, "",
                                                                     False)
                )  # fmt: skip
    return done


def _joined(said: set[tuple[str, str]]) -> Iterator[Fraction]:
    """Two fifty, 48 21, one oh one point two (rule 10)."""
    for whole, tail in said:
        if whole[:1] in ("", "0") or not 2 <= len(whole) <= _MAX_FIGURES:
            continue
        yield Fraction(int(whole)) + (Fraction(int(tail), 10 ** len(tail)) if tail else 0)


def _past(tokens: Tokens, place: int, start: int) -> int:
    joins = place > start and tokens.char(place) == "-" and tokens.glued(place)
    return place + 1 if joins and not tokens.gaps[place + 1] else place
