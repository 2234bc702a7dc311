"""
Token boundaries (rules 4 and 38): whether what stands around a match belongs to it.

A check answers 0 (it ends here), doubts (disputable, still present), REFUSED, or REFUSED plus
doubts (absent, but two readers could dispute it).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pytest_asrbench.verifiers.rules import doubts as d
from pytest_asrbench.verifiers.rules.numbers import Numbers
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


@dataclass(frozen=True)
class Quantity:
    """Numbers with their units: nothing may continue the figure on either side."""

    numbers: Numbers
    bare: bool = False
    """No unit belongs to it: a plain number."""

    def __call__(self, tape: Tape, i: int, e: int) -> int:
        if glued(tape, i, e):
            return REFUSED
        return self.opens(tape, i) | self.closes(tape, e)

    def opens(self, tape: Tape, i: int) -> int:
        if not self.numbers.is_number(tape.runs.get(i)) and tape.char(i) != ".":
            return self._signed(tape, i)
        joined = self.numbers.before(tape, i)
        if joined in ("glued", ".", ":", "/", ",", "and", "point", "_"):
            return REFUSED
        if joined == " ":
            return self._spaced(tape, tape.ends[i], i)
        if joined == "-" and self.bare:
            return d.NEIGHBOUR
        return self._signed(tape, i)

    def _spaced(self, tape: Tape, before: int, i: int) -> int:
        """Figures side by side are one number only when short (rule 10)."""
        left, right = tape.runs[before], tape.runs.get(i, "")
        if left.isdigit() and right.isdigit() and max(len(left), len(right)) > 3:
            return d.NEIGHBOUR
        return UNSURE if right.isdigit() != left.isdigit() else REFUSED

    def _signed(self, tape: Tape, i: int) -> int:
        """A minus in front changes the value (rule 3); a hyphen after a word does not."""
        before = tape.runs.get(tape.ends.get(i, -1))
        if before in self.numbers.pack.minus:
            return REFUSED
        if tape.char(i) == "-" and tape.glued(i) and tape.flat[i - 1].isalnum():
            return UNSURE if tape.flat[i - 1].isdigit() else d.NEIGHBOUR  # 10-12 holds no -12
        if tape.char(i - 1) == "-" and tape.glued(i):
            if i == 1 or tape.gaps[i - 1] or not tape.flat[i - 2].isalnum():
                return REFUSED
            return d.NEIGHBOUR
        return 0

    def closes(self, tape: Tape, e: int) -> int:
        joined = self.numbers.after(tape, e)
        figure = self.numbers.is_number(tape.runs.get(tape.ends.get(e, -1)))
        if not figure:
            return 0
        if joined == "-":
            return 0
        if joined == " ":
            return self._followed(tape, e)
        return REFUSED if joined and joined not in (", ", ". ") else 0

    def _followed(self, tape: Tape, e: int) -> int:
        left, right = tape.runs[tape.ends[e]], tape.runs[e]
        if right.isdigit() and (not left.isdigit() or max(len(left), len(right)) > 3):
            return d.NEIGHBOUR if right.isdigit() and left.isdigit() else UNSURE
        return REFUSED


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
