"""
Token boundaries (rules 4 and 38): whether what stands around a match belongs to it.

A check answers 0 (it ends here), doubts (disputable, still present), `Doubt.REFUSED` (absent), or
`REFUSED` with doubts (absent, but two readers could dispute it).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.numbers import NumberReader
from pytest_asrbench.verifiers.rules.pattern import Pattern
from pytest_asrbench.verifiers.rules.readings.clocks import clocks
from pytest_asrbench.verifiers.rules.readings.dates import dates
from pytest_asrbench.verifiers.rules.readings.links import ONE_NUMBER, SAID, Link, chain
from pytest_asrbench.verifiers.rules.readings.names import begins_own
from pytest_asrbench.verifiers.rules.readings.quantities import quantities
from pytest_asrbench.verifiers.rules.readings.runs import letter, letter_before, runs
from pytest_asrbench.verifiers.rules.readings.whole import wholes
from pytest_asrbench.verifiers.rules.saying import spells_the_word_before
from pytest_asrbench.verifiers.rules.tokens import Tokens

Check = Callable[[Tokens, int, int], int]
"""Judges the surroundings of a match from i to e."""


def possessive(tokens: Tokens, e: int) -> bool:
    """'s or a bare apostrophe after a word (rule 17)."""
    if tokens.char(e) != "'" or tokens.gaps[e]:
        return False
    return (
        tokens.runs.get(e + 1) == "s" or not tokens.glued(e + 1) or not tokens.flat[e + 1].isalnum()
    )


def glued(tokens: Tokens, i: int, e: int) -> bool:
    """A letter or digit is joined to the match (rule 4)."""
    flat = tokens.flat
    left = tokens.glued(i) and flat[i - 1].isalnum() and flat[i].isalnum()
    return left or (tokens.glued(e) and flat[e].isalnum() and flat[e - 1].isalnum())


@dataclass(frozen=True)
class WordBoundaries:
    """Names, terms, addresses: words end at white space, signs and possessives."""

    numbers: NumberReader
    plural: bool = False
    joined: int = Doubt.NEIGHBOUR
    """What a word joined by a hyphen makes of it: "Anna Smith-Brown" is another name."""

    def __call__(self, tokens: Tokens, i: int, e: int) -> int:
        if glued(tokens, i, e):
            return Doubt.PLURAL if self.plural and self._plural(tokens, i, e) else Doubt.REFUSED
        doubts = beside(tokens, self.numbers, i, e)
        if self.plural and (letter(tokens, i) or runs(tokens, self.numbers).spells(i, e)):
            doubts |= runs(tokens, self.numbers).number_before(i, tokens.flat[i:e], written=False)
        if (
            tokens.char(e) == "'"
            and tokens.glued(e)
            and tokens.glued(e + 1)
            and not possessive(tokens, e)
        ):
            return Doubt.REFUSED
        if cuts(tokens, self.numbers, i, i, _JOINED):
            return Doubt.REFUSED
        if cuts(tokens, self.numbers, e, e, _JOINED):
            return Doubt.NEIGHBOUR if self._own(tokens, e) else Doubt.REFUSED
        return doubts | self._hyphenated(tokens, i, e)

    def _own(self, tokens: Tokens, e: int) -> bool:
        spaced = chain(tokens, self.numbers).after(e) is Link.SPACE
        return spaced and begins_own(tokens, self.numbers, e)

    def _plural(self, tokens: Tokens, i: int, e: int) -> bool:
        """APIs (rule 31 leaves acronyms open)."""
        left = tokens.glued(i) and tokens.flat[i - 1].isalnum()
        return not left and tokens.char(e) == "s" and tokens.boundary(e + 1)

    def _hyphenated(self, tokens: Tokens, i: int, e: int) -> int:
        left = tokens.glued(i) and tokens.flat[i - 1] in "-_/.@" and tokens.glued(i - 1)
        right = tokens.char(e) in "-_/.@" and tokens.glued(e) and tokens.glued(e + 1)
        return self.joined if left or right else 0


_JOINED = SAID | {Link.POINT, Link.DOT, Link.COMMA}


def beside(tokens: Tokens, numbers: NumberReader, i: int, e: int) -> int:
    """A spelled run that goes over either end: "h a r g r o v e s" (rules 24 and 46)."""
    spelled_runs = runs(tokens, numbers)
    spelled = spelled_runs.spells(i, e)
    lone = letter(tokens, i) or spelled
    left = spelled_runs.before(i, spelled=spelled) if lone else 0
    right = 0
    if letter(tokens, tokens.ends.get(e, -1)) or spelled:
        right = spelled_runs.after(i, e, spelled=spelled)
    return left | right


Spans = Callable[[Tokens, NumberReader], Iterable[tuple[int, int]]]


def quantity_spans(tokens: Tokens, numbers: NumberReader) -> Iterable[tuple[int, int]]:
    return quantities(tokens, numbers).spans


def clock_spans(tokens: Tokens, numbers: NumberReader) -> Iterable[tuple[int, int]]:
    return (
        (one.start, one.end) for one in clocks(tokens, numbers) if not one.doubts & Doubt.REFUSED
    )


def date_spans(tokens: Tokens, numbers: NumberReader) -> Iterable[tuple[int, int]]:
    return (
        (one.start, one.end) for one in dates(tokens, numbers) if not one.doubts & Doubt.REFUSED
    )


@dataclass(frozen=True)
class QuantityBoundaries:
    """A match ends where whole readings end (rule 41); `spans` gives those of its kind."""

    numbers: NumberReader
    spans: Spans = quantity_spans

    def __call__(self, tokens: Tokens, i: int, e: int) -> int:
        if glued(tokens, i, e) or cuts(tokens, self.numbers, i, e, ONE_NUMBER):
            return Doubt.REFUSED
        spans = self.spans(tokens, self.numbers)
        within = any(s <= i and e <= t and (s, t) != (i, e) for s, t in spans)
        return Doubt.REFUSED if within else 0

    def opens(self, tokens: Tokens, i: int) -> int:
        return Doubt.REFUSED if cuts(tokens, self.numbers, i, len(tokens), ONE_NUMBER) else 0


def cuts(tokens: Tokens, numbers: NumberReader, i: int, e: int, links: frozenset[Link]) -> bool:
    """A number goes over i or e: its parts are linked there, or its sign or point is in front."""
    atoms = chain(tokens, numbers)
    if atoms.before(i) in links or atoms.after(e) in links:
        return True
    return any(one.start < i <= one.bare for one in wholes(tokens, numbers).by_bare.get(i, ()))


def pointed(tokens: Tokens, numbers: NumberReader, i: int) -> bool:
    """A decimal point stands in front: ".5", "point five"."""
    figures = wholes(tokens, numbers).by_bare.get(i, ())
    points = numbers.pack.points
    return any(
        one.start < i
        and (tokens.flat[i - 1] == "." or tokens.runs.get(tokens.ends.get(i, -1)) in points)
        for one in figures
    )


_PAUSES = frozenset(",.;")
_MONEY = frozenset("$€£¥₹")


@dataclass(frozen=True)
class Identifier:
    """Codes, phones, ports: letters and digits in order; separators are formatting (rule 8)."""

    numbers: NumberReader
    opens_after: str = ""
    """Signs that may stand glued in front: "#" and, for ports, ":"."""
    words_before: bool = False
    """A word may be hyphened in front: "ext-4821"."""
    value: Pattern | None = None
    """The value itself, which may be said again behind a comma (rule 55)."""

    def __call__(self, tokens: Tokens, i: int, e: int) -> int:
        if glued(tokens, i, e):
            plural = tokens.char(e) == "s" and tokens.boundary(e + 1) and not tokens.glued(i)
            return Doubt.DISPUTED if plural else Doubt.REFUSED
        inside = " ".join(tokens.spaced(i, e).split())
        doubts = self._left(tokens, i, inside) | self._right(tokens, i, e, inside)
        if ", " in inside and e - i < 12 and sum(c.isdigit() for c in inside) < 4:
            doubts |= self._listed(tokens, i, e)
        doubts |= self._run(tokens, i, e)
        return Doubt.AGAIN if doubts & Doubt.REFUSED and self._again(tokens, i, e) else doubts

    def _again(self, tokens: Tokens, i: int, e: int) -> bool:
        """The whole value stands on the other side of a comma or stop, and ends there."""
        if self.value is None:
            return False
        if tokens.char(e) in _PAUSES and tokens.gaps[e + 1]:
            beside = runs(tokens, self.numbers)
            return any(
                not beside.after(e + 1, end, spelled=beside.spells(e + 1, end), written=True)
                & Doubt.REFUSED
                and not glued(tokens, e + 1, end)
                for end in self.value.ends(tokens, e + 1)
            )
        if i and tokens.char(i - 1) in _PAUSES and tokens.gaps[i]:
            ends = (
                self.value.ends(tokens, start) for start in self.value.starts(tokens) if start < i
            )
            return any(i - 1 in stops for stops in ends) and not (
                runs(tokens, self.numbers).after(i, e, spelled=False, written=True) & Doubt.REFUSED
            )
        return False

    def _run(self, tokens: Tokens, i: int, e: int) -> int:
        """A spelled run that goes over either end (rule 46)."""
        spelled_runs = runs(tokens, self.numbers)
        spelled = spelled_runs.spells(i, e)
        beside = spelled_runs.after(i, e, spelled=spelled, written=True)
        beside |= spelled_runs.number_before(i, tokens.flat[i:e], written=True)
        if self._labelled(tokens, i):
            return beside
        return beside | spelled_runs.before(i, spelled=spelled, written=True)

    def _labelled(self, tokens: Tokens, i: int) -> bool:
        """An "x" in front of an extension is its label."""
        return self.words_before and letter_before(tokens, i) == "x" and i in tokens.runs

    def _listed(self, tokens: Tokens, i: int, e: int) -> int:
        """Two or three figures with commas may be a list: "five, six"."""
        runs = [run for k, run in tokens.runs.items() if i <= k < e]
        return Doubt.NEIGHBOUR if all(self.numbers.is_number(run) for run in runs) else 0

    def _left(self, tokens: Tokens, i: int, inside: str) -> int:
        if tokens.flat[i].isdigit() or tokens.runs.get(i) in self.numbers.words:
            if pointed(tokens, self.numbers, i):
                return Doubt.REFUSED
            joined = self.numbers.before(tokens, i)
            if joined and joined[0] in self.opens_after:
                return 0
            if joined in (", ", ". "):
                return Doubt.REFUSED if joined[0] + " " in inside else 0
            if joined and joined != " ":
                return Doubt.REFUSED
        before = tokens.ends.get(i, -1)
        if tokens.runs.get(before) == "in" and tokens.runs.get(tokens.ends.get(before, -1)) == "as":
            return Doubt.REFUSED  # "M as in November" spells no N
        sign = tokens.char(i - 1)
        if sign in _MONEY and tokens.glued(i):
            return Doubt.KIND
        if tokens.glued(i) and tokens.glued(i - 1) and sign in "-/._:@\\":
            labelled = sign == ":" or self.words_before  # "tel:443", "ext-4821"
            if sign in self.opens_after or (labelled and self._word_before(tokens, i)):
                return 0
            return Doubt.DISPUTED
        return 0

    def _word_before(self, tokens: Tokens, i: int) -> bool:
        run = tokens.runs.get(tokens.ends.get(i - 1, -1), "")
        return len(run) > 2 and run.isalpha()

    def _right(self, tokens: Tokens, i: int, e: int, inside: str) -> int:
        last = tokens.runs.get(tokens.ends.get(e, -1), "")
        if last in self.numbers.pack.zero_letters and possessive(tokens, e):
            return Doubt.DISPUTED  # "606 O's" is no 6060
        joined = self.numbers.after(tokens, e)
        if last[-1:].isdigit() or last in self.numbers.words:
            if joined in (", ", ". "):
                return Doubt.REFUSED if joined in inside else 0
            if joined == "-" and self._ranged(tokens, i, e):
                return Doubt.NEIGHBOUR
            if joined == ":" and self.opens_after:
                return Doubt.NEIGHBOUR
            if joined and joined != " ":
                return Doubt.REFUSED
        if tokens.char(e) in "-/_\\@" and tokens.glued(e) and tokens.glued(e + 1):
            run = tokens.runs.get(e + 1, "")
            return Doubt.NEIGHBOUR if len(run) > 3 and run.isalpha() else Doubt.DISPUTED
        if tokens.char(e) == "." and tokens.glued(e) and tokens.glued(e + 1):
            return Doubt.DISPUTED if tokens.flat[e + 1].isalnum() else 0
        return 0

    def _ranged(self, tokens: Tokens, i: int, e: int) -> bool:
        """4830-4835: both ends of a range of equal length."""
        return tokens.flat[i:e].isdigit() and len(tokens.runs.get(e + 1, "")) == e - i


_SAID = SAID | {Link.POINT}


@dataclass(frozen=True)
class Code:
    """Addresses, paths, commands: a separator with more behind it continues the value (rule 38)."""

    numbers: NumberReader
    separators: str
    """Signs that continue it when glued on both sides."""
    spoken: frozenset[str]
    """Spoken separators that continue it."""
    open_left: frozenset[str] = frozenset()
    """Signs and words that may stand in front."""
    doubtful: str = ""
    """Signs after which a longer value is disputable (a port after a host)."""

    def __call__(self, tokens: Tokens, i: int, e: int) -> int:
        if glued(tokens, i, e):
            return Doubt.REFUSED
        if letter(tokens, i) and spells_the_word_before(tokens, i, self.numbers):
            return Doubt.REFUSED
        inside = " ".join(tokens.spaced(i, e).split())
        doubts = self._left(tokens, i, inside) | self._right(tokens, e, inside)
        return doubts | beside(tokens, self.numbers, i, e)

    def _left(self, tokens: Tokens, i: int, inside: str) -> int:
        sign = tokens.char(i - 1)
        if tokens.glued(i) and tokens.flat[i] in "/\\" and sign.isalnum():
            return Doubt.REFUSED  # "/opt/var" holds no "/var"
        if tokens.glued(i) and sign in self.separators and sign not in self.open_left:
            if sign == "/" and tokens.flat[max(0, i - 3) : i] == "://":
                return Doubt.LONGER
            attached = i > 1 and not tokens.gaps[i - 1] and tokens.flat[i - 2].isalnum()
            return Doubt.REFUSED if attached or sign in "-_.\\/@$" else 0
        before = tokens.runs.get(tokens.ends.get(i, -1), "")
        if pointed(tokens, self.numbers, i):
            return Doubt.REFUSED
        if before in self.spoken and before not in self.open_left:
            parted = tokens.char(i - len(before) - 1) == "," and i > len(before)
            earlier = tokens.ends.get(i - len(before) - parted, -1)
            signed = not tokens.flat[i].isalnum() or tokens.runs.get(i) in self.spoken
            named = earlier >= 0 or signed
            return Doubt.REFUSED if named else 0
        if tokens.runs.get(i) in ("slash", "backslash") and before:
            start = i - len(before)
            while letter(tokens, start) and letter_before(tokens, start):
                start -= 1
            if tokens.runs.get(tokens.ends.get(start, -1)) == tokens.runs[i]:
                return Doubt.REFUSED  # "slash opt slash var"
        if cuts(tokens, self.numbers, i, i, _SAID):
            return Doubt.REFUSED
        joined = self.numbers.before(tokens, i) if i in chain(tokens, self.numbers).starts else ""
        spread = joined in (", ", ". ") and joined in inside
        return Doubt.REFUSED if joined == "." or spread else 0

    def _right(self, tokens: Tokens, e: int, inside: str) -> int:
        sign = tokens.char(e)
        if sign and sign in self.separators and tokens.glued(e) and tokens.glued(e + 1):
            follower = tokens.char(e + 1)
            if follower.isalnum() or follower in self.separators:
                if sign in self.doubtful and follower.isalnum():
                    return Doubt.LONGER
                return Doubt.DISPUTED if sign == "/" else Doubt.REFUSED
        run = tokens.runs.get(e, "")
        if (
            run in self.spoken
            and e + len(run) < len(tokens)
            and self._goes_on(tokens, e + len(run))
        ):
            return Doubt.LONGER if run == "colon" and ":" in self.doubtful else Doubt.REFUSED
        if cuts(tokens, self.numbers, e, e, _SAID):
            own = chain(tokens, self.numbers).after(e) is Link.SPACE
            return Doubt.NEIGHBOUR if own and begins_own(tokens, self.numbers, e) else Doubt.REFUSED
        last = tokens.runs.get(tokens.ends.get(e, -1))
        joined = self.numbers.after(tokens, e) if self.numbers.is_number(last) else ""
        return Doubt.REFUSED if joined in (", ", ". ") and joined in inside else 0

    def _goes_on(self, tokens: Tokens, e: int) -> bool:
        return e in tokens.runs
