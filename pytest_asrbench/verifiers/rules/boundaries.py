"""
Token boundaries (rules 4 and 38): whether what stands around a match belongs to it.

A check answers 0 (it ends here), doubts (disputable, still present), REFUSED, or REFUSED plus
doubts (absent, but two readers could dispute it).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from pytest_asrbench.verifiers.rules import ambiguity as d
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

REFUSED: Final = d.REFUSED
UNSURE: Final = REFUSED | d.LONGER

Check = Callable[[Tokens, int, int], int]
"""Judges the surroundings of atoms i to e."""


def possessive(tape: Tokens, e: int) -> bool:
    """'s or a bare apostrophe after a word (rule 17)."""
    if tape.char(e) != "'" or tape.gaps[e]:
        return False
    return tape.runs.get(e + 1) == "s" or not tape.glued(e + 1) or not tape.flat[e + 1].isalnum()


def glued(tape: Tokens, i: int, e: int) -> bool:
    """A letter or digit is joined to the match (rule 4)."""
    flat = tape.flat
    left = tape.glued(i) and flat[i - 1].isalnum() and flat[i].isalnum()
    return left or (tape.glued(e) and flat[e].isalnum() and flat[e - 1].isalnum())


@dataclass(frozen=True)
class WordBoundaries:
    """Names, terms, addresses: words end at white space, signs and possessives."""

    numbers: NumberReader
    plural: bool = False
    joined: int = d.NEIGHBOUR
    """What a word joined by a hyphen makes of it: "Anna Smith-Brown" is another name."""

    def __call__(self, tape: Tokens, i: int, e: int) -> int:
        if glued(tape, i, e):
            return d.PLURAL if self.plural and self._plural(tape, i, e) else REFUSED
        doubts = beside(tape, self.numbers, i, e)
        if self.plural and (letter(tape, i) or runs(tape, self.numbers).spells(i, e)):
            doubts |= runs(tape, self.numbers).number_before(i, tape.flat[i:e], written=False)
        if tape.char(e) == "'" and tape.glued(e) and tape.glued(e + 1) and not possessive(tape, e):
            return REFUSED
        if cuts(tape, self.numbers, i, i, _JOINED):
            return REFUSED
        if cuts(tape, self.numbers, e, e, _JOINED):
            return d.NEIGHBOUR if self._own(tape, e) else REFUSED
        return doubts | self._hyphenated(tape, i, e)

    def _own(self, tape: Tokens, e: int) -> bool:
        spaced = chain(tape, self.numbers).after(e) is Link.SPACE
        return spaced and begins_own(tape, self.numbers, e)

    def _plural(self, tape: Tokens, i: int, e: int) -> bool:
        """APIs (rule 31 leaves acronyms open)."""
        left = tape.glued(i) and tape.flat[i - 1].isalnum()
        return not left and tape.char(e) == "s" and tape.edge(e + 1)

    def _hyphenated(self, tape: Tokens, i: int, e: int) -> int:
        left = tape.glued(i) and tape.flat[i - 1] in "-_/.@" and tape.glued(i - 1)
        right = tape.char(e) in "-_/.@" and tape.glued(e) and tape.glued(e + 1)
        return self.joined if left or right else 0


_JOINED = SAID | {Link.POINT, Link.DOT, Link.COMMA}


def beside(tape: Tokens, numbers: NumberReader, i: int, e: int) -> int:
    """A spelled run that goes over either end: "h a r g r o v e s" (rules 24 and 46)."""
    spelled_runs = runs(tape, numbers)
    spelled = spelled_runs.spells(i, e)
    lone = letter(tape, i) or spelled
    left = spelled_runs.before(i, spelled=spelled) if lone else 0
    right = 0
    if letter(tape, tape.ends.get(e, -1)) or spelled:
        right = spelled_runs.after(i, e, spelled=spelled)
    return left | right


Spans = Callable[[Tokens, NumberReader], Iterable[tuple[int, int]]]


def quantity_spans(tape: Tokens, numbers: NumberReader) -> Iterable[tuple[int, int]]:
    return quantities(tape, numbers).spans


def clock_spans(tape: Tokens, numbers: NumberReader) -> Iterable[tuple[int, int]]:
    return ((one.start, one.end) for one in clocks(tape, numbers) if not one.doubts & REFUSED)


def date_spans(tape: Tokens, numbers: NumberReader) -> Iterable[tuple[int, int]]:
    return ((one.start, one.end) for one in dates(tape, numbers) if not one.doubts & REFUSED)


@dataclass(frozen=True)
class QuantityBoundaries:
    """A match ends where whole readings end (rule 41); `spans` gives those of its kind."""

    numbers: NumberReader
    spans: Spans = quantity_spans

    def __call__(self, tape: Tokens, i: int, e: int) -> int:
        if glued(tape, i, e) or cuts(tape, self.numbers, i, e, ONE_NUMBER):
            return REFUSED
        spans = self.spans(tape, self.numbers)
        within = any(s <= i and e <= t and (s, t) != (i, e) for s, t in spans)
        return REFUSED if within else 0

    def opens(self, tape: Tokens, i: int) -> int:
        return REFUSED if cuts(tape, self.numbers, i, len(tape), ONE_NUMBER) else 0


def cuts(tape: Tokens, numbers: NumberReader, i: int, e: int, links: frozenset[Link]) -> bool:
    """A number goes over i or e: its atoms are linked there, or its sign or point is in front."""
    atoms = chain(tape, numbers)
    if atoms.before(i) in links or atoms.after(e) in links:
        return True
    return any(one.start < i <= one.bare for one in wholes(tape, numbers).by_bare.get(i, ()))


def pointed(tape: Tokens, numbers: NumberReader, i: int) -> bool:
    """A decimal point stands in front: ".5", "point five"."""
    figures = wholes(tape, numbers).by_bare.get(i, ())
    points = numbers.pack.points
    return any(
        one.start < i and (tape.flat[i - 1] == "." or tape.runs.get(tape.ends.get(i, -1)) in points)
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

    def __call__(self, tape: Tokens, i: int, e: int) -> int:
        if glued(tape, i, e):
            plural = tape.char(e) == "s" and tape.edge(e + 1) and not tape.glued(i)
            return UNSURE if plural else REFUSED
        inside = " ".join(tape.spaced(i, e).split())
        doubts = self._left(tape, i, inside) | self._right(tape, i, e, inside)
        if ", " in inside and e - i < 12 and sum(c.isdigit() for c in inside) < 4:
            doubts |= self._listed(tape, i, e)
        doubts |= self._run(tape, i, e)
        return d.AGAIN if doubts & REFUSED and self._again(tape, i, e) else doubts

    def _again(self, tape: Tokens, i: int, e: int) -> bool:
        """The whole value stands on the other side of a comma or stop, and ends there."""
        if self.value is None:
            return False
        if tape.char(e) in _PAUSES and tape.gaps[e + 1]:
            beside = runs(tape, self.numbers)
            return any(
                not beside.after(e + 1, end, spelled=beside.spells(e + 1, end), written=True)
                & REFUSED
                and not glued(tape, e + 1, end)
                for end in self.value.ends(tape, e + 1)
            )
        if i and tape.char(i - 1) in _PAUSES and tape.gaps[i]:
            ends = (self.value.ends(tape, start) for start in self.value.starts(tape) if start < i)
            return any(i - 1 in stops for stops in ends) and not (
                runs(tape, self.numbers).after(i, e, spelled=False, written=True) & REFUSED
            )
        return False

    def _run(self, tape: Tokens, i: int, e: int) -> int:
        """A spelled run that goes over either end (rule 46)."""
        spelled_runs = runs(tape, self.numbers)
        spelled = spelled_runs.spells(i, e)
        beside = spelled_runs.after(i, e, spelled=spelled, written=True)
        beside |= spelled_runs.number_before(i, tape.flat[i:e], written=True)
        if self._labelled(tape, i):
            return beside
        return beside | spelled_runs.before(i, spelled=spelled, written=True)

    def _labelled(self, tape: Tokens, i: int) -> bool:
        """An "x" in front of an extension is its label."""
        return self.words_before and letter_before(tape, i) == "x" and i in tape.runs

    def _listed(self, tape: Tokens, i: int, e: int) -> int:
        """Two or three figures with commas may be a list: "five, six"."""
        runs = [run for k, run in tape.runs.items() if i <= k < e]
        return d.NEIGHBOUR if all(self.numbers.is_number(run) for run in runs) else 0

    def _left(self, tape: Tokens, i: int, inside: str) -> int:
        if tape.flat[i].isdigit() or tape.runs.get(i) in self.numbers.words:
            if pointed(tape, self.numbers, i):
                return REFUSED
            joined = self.numbers.before(tape, i)
            if joined and joined[0] in self.opens_after:
                return 0
            if joined in (", ", ". "):
                return REFUSED if joined[0] + " " in inside else 0
            if joined and joined != " ":
                return REFUSED
        before = tape.ends.get(i, -1)
        if tape.runs.get(before) == "in" and tape.runs.get(tape.ends.get(before, -1)) == "as":
            return REFUSED  # "M as in November" spells no N
        sign = tape.char(i - 1)
        if sign in _MONEY and tape.glued(i):
            return d.KIND
        if tape.glued(i) and tape.glued(i - 1) and sign in "-/._:@\\":
            labelled = sign == ":" or self.words_before  # "tel:443", "ext-4821"
            if sign in self.opens_after or (labelled and self._word_before(tape, i)):
                return 0
            return UNSURE
        return 0

    def _word_before(self, tape: Tokens, i: int) -> bool:
        run = tape.runs.get(tape.ends.get(i - 1, -1), "")
        return len(run) > 2 and run.isalpha()

    def _right(self, tape: Tokens, i: int, e: int, inside: str) -> int:
        last = tape.runs.get(tape.ends.get(e, -1), "")
        if last in self.numbers.pack.zero_letters and possessive(tape, e):
            return UNSURE  # "606 O's" is no 6060
        joined = self.numbers.after(tape, e)
        if last[-1:].isdigit() or last in self.numbers.words:
            if joined in (", ", ". "):
                return REFUSED if joined in inside else 0
            if joined == "-" and self._ranged(tape, i, e):
                return d.NEIGHBOUR
            if joined == ":" and self.opens_after:
                return d.NEIGHBOUR
            if joined and joined != " ":
                return REFUSED
        if tape.char(e) in "-/_\\@" and tape.glued(e) and tape.glued(e + 1):
            run = tape.runs.get(e + 1, "")
            return d.NEIGHBOUR if len(run) > 3 and run.isalpha() else UNSURE
        if tape.char(e) == "." and tape.glued(e) and tape.glued(e + 1):
            return UNSURE if tape.flat[e + 1].isalnum() else 0
        return 0

    def _ranged(self, tape: Tokens, i: int, e: int) -> bool:
        """4830-4835: both ends of a range of equal length."""
        return tape.flat[i:e].isdigit() and len(tape.runs.get(e + 1, "")) == e - i


_SAID = SAID | {Link.POINT}


@dataclass(frozen=True)
class Code:
    """Addresses, paths, commands: a separator with more behind it continues the value (rule 38)."""

    numbers: NumberReader
    signs: str
    """Signs that continue it when glued on both sides."""
    spoken: frozenset[str]
    """Spoken separators that continue it."""
    open_left: frozenset[str] = frozenset()
    """Signs and words that may stand in front."""
    doubtful: str = ""
    """Signs after which a longer value is disputable (a port after a host)."""

    def __call__(self, tape: Tokens, i: int, e: int) -> int:
        if glued(tape, i, e):
            return REFUSED
        if letter(tape, i) and spells_the_word_before(tape, i, self.numbers):
            return REFUSED
        inside = " ".join(tape.spaced(i, e).split())
        doubts = self._left(tape, i, inside) | self._right(tape, e, inside)
        return doubts | beside(tape, self.numbers, i, e)

    def _left(self, tape: Tokens, i: int, inside: str) -> int:
        sign = tape.char(i - 1)
        if tape.glued(i) and tape.flat[i] in "/\\" and sign.isalnum():
            return REFUSED  # "/opt/var" holds no "/var"
        if tape.glued(i) and sign in self.signs and sign not in self.open_left:
            if sign == "/" and tape.flat[max(0, i - 3) : i] == "://":
                return d.LONGER
            attached = i > 1 and not tape.gaps[i - 1] and tape.flat[i - 2].isalnum()
            return REFUSED if attached or sign in "-_.\\/@$" else 0
        before = tape.runs.get(tape.ends.get(i, -1), "")
        if pointed(tape, self.numbers, i):
            return REFUSED
        if before in self.spoken and before not in self.open_left:
            parted = tape.char(i - len(before) - 1) == "," and i > len(before)
            earlier = tape.ends.get(i - len(before) - parted, -1)
            signed = not tape.flat[i].isalnum() or tape.runs.get(i) in self.spoken
            named = earlier >= 0 or signed
            return REFUSED if named else 0
        if tape.runs.get(i) in ("slash", "backslash") and before:
            start = i - len(before)
            while letter(tape, start) and letter_before(tape, start):
                start -= 1
            if tape.runs.get(tape.ends.get(start, -1)) == tape.runs[i]:
                return REFUSED  # "slash opt slash var"
        if cuts(tape, self.numbers, i, i, _SAID):
            return REFUSED
        joined = self.numbers.before(tape, i) if i in chain(tape, self.numbers).starts else ""
        spread = joined in (", ", ". ") and joined in inside
        return REFUSED if joined == "." or spread else 0

    def _right(self, tape: Tokens, e: int, inside: str) -> int:
        sign = tape.char(e)
        if sign and sign in self.signs and tape.glued(e) and tape.glued(e + 1):
            follower = tape.char(e + 1)
            if follower.isalnum() or follower in self.signs:
                if sign in self.doubtful and follower.isalnum():
                    return d.LONGER
                return UNSURE if sign == "/" else REFUSED
        run = tape.runs.get(e, "")
        if run in self.spoken and e + len(run) < len(tape) and self._goes_on(tape, e + len(run)):
            return d.LONGER if run == "colon" and ":" in self.doubtful else REFUSED
        if cuts(tape, self.numbers, e, e, _SAID):
            own = chain(tape, self.numbers).after(e) is Link.SPACE
            return d.NEIGHBOUR if own and begins_own(tape, self.numbers, e) else REFUSED
        last = tape.runs.get(tape.ends.get(e, -1))
        joined = self.numbers.after(tape, e) if self.numbers.is_number(last) else ""
        return REFUSED if joined in (", ", ". ") and joined in inside else 0

    def _goes_on(self, tape: Tokens, e: int) -> bool:
        return e in tape.runs
