"""
Token boundaries (rules 4 and 38): whether what stands around a match belongs to it.

A check answers 0 (it ends here), doubts (disputable, still present), REFUSED, or REFUSED plus
doubts (absent, but two readers could dispute it).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from pytest_asrbench.verifiers.rules import doubts as d
from pytest_asrbench.verifiers.rules.numbers import Numbers
from pytest_asrbench.verifiers.rules.readings.clocks import clocks
from pytest_asrbench.verifiers.rules.readings.dates import dates
from pytest_asrbench.verifiers.rules.readings.links import ONE_NUMBER, Link, chain
from pytest_asrbench.verifiers.rules.readings.quantities import quantities
from pytest_asrbench.verifiers.rules.readings.whole import wholes
from pytest_asrbench.verifiers.rules.tape import Tape

REFUSED: Final = d.REFUSED
UNSURE: Final = REFUSED | d.LONGER

Check = Callable[[Tape, int, int], int]
"""Judges the surroundings of atoms i to e."""


def possessive(tape: Tape, e: int) -> bool:
    """'s or a bare apostrophe after a word (rule 17)."""
    if tape.char(e) != "'" or tape.gaps[e]:
        return False
    return tape.runs.get(e + 1) == "s" or not tape.glued(e + 1) or not tape.flat[e + 1].isalnum()


def glued(tape: Tape, i: int, e: int) -> bool:
    """A letter or digit is joined to the match (rule 4)."""
    flat = tape.flat
    left = tape.glued(i) and flat[i - 1].isalnum() and flat[i].isalnum()
    return left or (tape.glued(e) and flat[e].isalnum() and flat[e - 1].isalnum())


def _single(tape: Tape, run: str | None) -> bool:
    return run is not None and len(run) == 1 and run.isalpha()


def spelled_beside(tape: Tape, i: int, e: int, articles: frozenset[str]) -> int:
    """A lone letter beside a spelled end: "h a r g r o v e s" (rule 24)."""
    found = 0
    if _single(tape, tape.runs.get(i)):
        start = tape.ends.get(i, -1)
        before = tape.runs.get(start)
        if _single(tape, before) and tape.char(start - 1) != "'":
            found |= d.NEIGHBOUR if before in articles else REFUSED
    if _single(tape, tape.runs.get(tape.ends.get(e, -1))):
        follower = tape.runs.get(e)
        if _single(tape, follower):
            found |= 0 if follower in articles else REFUSED
    return found


@dataclass(frozen=True)
class Words:
    """Names, terms, addresses: words end at white space, signs and possessives."""

    numbers: Numbers
    plural: bool = False

    def __call__(self, tape: Tape, i: int, e: int) -> int:
        if glued(tape, i, e):
            return d.PLURAL if self.plural and self._plural(tape, i, e) else REFUSED
        found = spelled_beside(tape, i, e, frozenset("ai"))
        if tape.char(e) == "'" and tape.glued(e) and tape.glued(e + 1) and not possessive(tape, e):
            return REFUSED
        if self.numbers.is_number(tape.runs.get(i)) and self.numbers.before(tape, i) in _JOINED:
            return REFUSED
        last = tape.runs.get(tape.ends.get(e, -1))
        if self.numbers.is_number(last) and self.numbers.after(tape, e) in _JOINED:
            return REFUSED
        return found | self._hyphenated(tape, i, e)

    def _plural(self, tape: Tape, i: int, e: int) -> bool:
        """APIs (rule 31 leaves acronyms open)."""
        left = tape.glued(i) and tape.flat[i - 1].isalnum()
        return not left and tape.char(e) == "s" and tape.edge(e + 1)

    def _hyphenated(self, tape: Tape, i: int, e: int) -> int:
        left = tape.glued(i) and tape.flat[i - 1] in "-_/.@" and tape.glued(i - 1)
        right = tape.char(e) in "-_/.@" and tape.glued(e) and tape.glued(e + 1)
        return d.NEIGHBOUR if left or right else 0


_JOINED = frozenset({" ", "glued", "and", "point", "fraction", ".", ","})


Spans = Callable[[Tape, Numbers], Iterable[tuple[int, int]]]


def quantity_spans(tape: Tape, numbers: Numbers) -> Iterable[tuple[int, int]]:
    return quantities(tape, numbers).spans


def clock_spans(tape: Tape, numbers: Numbers) -> Iterable[tuple[int, int]]:
    return ((one.start, one.end) for one in clocks(tape, numbers) if not one.doubts & REFUSED)


def date_spans(tape: Tape, numbers: Numbers) -> Iterable[tuple[int, int]]:
    return ((one.start, one.end) for one in dates(tape, numbers) if not one.doubts & REFUSED)


@dataclass(frozen=True)
class Quantity:
    """A match ends where whole readings end (rule 41); `spans` gives those of its kind."""

    numbers: Numbers
    spans: Spans = quantity_spans

    def __call__(self, tape: Tape, i: int, e: int) -> int:
        if glued(tape, i, e) or cuts(tape, self.numbers, i, e, ONE_NUMBER):
            return REFUSED
        spans = self.spans(tape, self.numbers)
        within = any(s <= i and e <= t and (s, t) != (i, e) for s, t in spans)
        return REFUSED if within else 0

    def opens(self, tape: Tape, i: int) -> int:
        return REFUSED if cuts(tape, self.numbers, i, len(tape), ONE_NUMBER) else 0


def cuts(tape: Tape, numbers: Numbers, i: int, e: int, links: frozenset[Link]) -> bool:
    """A number goes over i or e: its atoms are linked there, or its sign or point is in front."""
    found = chain(tape, numbers)
    if found.before(i) in links or found.after(e) in links:
        return True
    return any(one.start < i <= one.bare for one in wholes(tape, numbers).by_bare.get(i, ()))


_MONEY = frozenset("$€£¥₹")


_WRITTEN_OUT = 7
"""Figures in one run after which a number word belongs to something else."""


@dataclass(frozen=True)
class Identifier:
    """Codes, phones, ports: letters and digits in order; separators are formatting (rule 8)."""

    numbers: Numbers
    opens_after: str = ""
    """Signs that may stand glued in front: "#" and, for ports, ":"."""
    words_before: bool = False
    """A word may be hyphened in front: "ext-4821"."""

    def __call__(self, tape: Tape, i: int, e: int) -> int:
        if glued(tape, i, e):
            plural = tape.char(e) == "s" and tape.edge(e + 1) and not tape.glued(i)
            return UNSURE if plural else REFUSED
        inside = tape.spaced(i, e)
        found = self._left(tape, i, inside) | self._right(tape, i, e, inside)
        if ", " in inside and e - i < 12 and sum(c.isdigit() for c in inside) < 4:
            found |= self._listed(tape, i, e)
        return found | spelled_beside(tape, i, e, frozenset("ai"))

    def _listed(self, tape: Tape, i: int, e: int) -> int:
        """Two or three figures with commas may be a list: "five, six"."""
        runs = [run for k, run in tape.runs.items() if i <= k < e]
        return d.NEIGHBOUR if all(self.numbers.is_number(run) for run in runs) else 0

    def _left(self, tape: Tape, i: int, inside: str) -> int:
        if tape.flat[i].isdigit() or tape.runs.get(i) in self.numbers.words:
            joined = self.numbers.before(tape, i)
            if joined and joined[0] in self.opens_after:
                return 0
            if joined in (", ", ". "):
                return REFUSED if joined[0] + " " in inside else 0
            if joined == " " and self._sentence(tape, tape.ends[i]):
                return 0
            if joined:
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

    def _sentence(self, tape: Tape, start: int) -> bool:
        """The number before belongs to something else: it is an "o" or ends a longer word."""
        run = tape.runs[start]
        return run in self.numbers.pack.zero_letters and not self.numbers.before(tape, start)

    def _word_before(self, tape: Tape, i: int) -> bool:
        run = tape.runs.get(tape.ends.get(i - 1, -1), "")
        return len(run) > 2 and run.isalpha()

    def _right(self, tape: Tape, i: int, e: int, inside: str) -> int:
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
            if joined == " " and len(last) >= _WRITTEN_OUT and tape.runs[e].isalpha():
                return d.NEIGHBOUR  # "+15035550172 three times": no engine writes so and goes on
            if joined:
                return UNSURE if tape.runs.get(e) == "one" and tape.gaps[e] else REFUSED
        if tape.char(e) in "-/_\\@" and tape.glued(e) and tape.glued(e + 1):
            run = tape.runs.get(e + 1, "")
            return d.NEIGHBOUR if len(run) > 3 and run.isalpha() else UNSURE
        if tape.char(e) == "." and tape.glued(e) and tape.glued(e + 1):
            return UNSURE if tape.flat[e + 1].isalnum() else 0
        return 0

    def _ranged(self, tape: Tape, i: int, e: int) -> bool:
        """4830-4835: both ends of a range of equal length."""
        return tape.flat[i:e].isdigit() and len(tape.runs.get(e + 1, "")) == e - i


@dataclass(frozen=True)
class Code:
    """Addresses, paths, commands: a separator with more behind it continues the value (rule 38)."""

    numbers: Numbers
    signs: str
    """Signs that continue it when glued on both sides."""
    spoken: frozenset[str]
    """Spoken separators that continue it."""
    open_left: frozenset[str] = frozenset()
    """Signs and words that may stand in front."""
    doubtful: str = ""
    """Signs after which a longer value is disputable (a port after a host)."""

    def __call__(self, tape: Tape, i: int, e: int) -> int:
        if glued(tape, i, e):
            return REFUSED
        inside = tape.spaced(i, e)
        found = self._left(tape, i, inside) | self._right(tape, e, inside)
        return found | spelled_beside(tape, i, e, frozenset("ai"))

    def _left(self, tape: Tape, i: int, inside: str) -> int:
        sign = tape.char(i - 1)
        if tape.glued(i) and sign in self.signs and sign not in self.open_left:
            if sign == "/" and tape.flat[max(0, i - 3) : i] == "://":
                return d.LONGER
            attached = i > 1 and not tape.gaps[i - 1] and tape.flat[i - 2].isalnum()
            return REFUSED if attached or sign in "-_.\\/@$" else 0
        before = tape.runs.get(tape.ends.get(i, -1), "")
        if before in self.spoken and before not in self.open_left:
            earlier = tape.ends.get(i - len(before), -1)
            signed = not tape.flat[i].isalnum() or tape.runs.get(i) in self.spoken
            named = earlier >= 0 or signed
            return REFUSED if named else 0
        if not (tape.flat[i].isdigit() or before in self.numbers.words):
            return 0
        if self.numbers.is_number(tape.runs.get(i)):
            joined = self.numbers.before(tape, i)
            spread = joined in (", ", ". ") and joined in inside
            return REFUSED if joined in (" ", "point", "and", ".") or spread else 0
        return 0

    def _right(self, tape: Tape, e: int, inside: str) -> int:
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
        last = tape.runs.get(tape.ends.get(e, -1))
        if self.numbers.is_number(last):
            joined = self.numbers.after(tape, e)
            spread = joined in (", ", ". ") and joined in inside
            return REFUSED if joined in (" ", "point", "and") or spread else 0
        return 0

    def _goes_on(self, tape: Tape, e: int) -> bool:
        return e in tape.runs
