"""
Links between the number words and figures of a transcript (rule 41).

An atom is one number word or run of figures. Atoms that belong to one number are linked; a chain
of them is a region, and a number is read from its first atom to its last.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from pytest_asrbench.verifiers.rules.cardinals import FIGURES, VULGAR
from pytest_asrbench.verifiers.rules.numbers import NumberReader
from pytest_asrbench.verifiers.rules.tokens import Tokens


class Link(Enum):
    """The joint between two atoms side by side."""

    SPACE = " "
    GLUED = ""
    HYPHEN = "hyphen"
    """Joins two words of one number: "twenty-five"."""
    DASH = "dash"
    """Between figures: a range, a date, a phone."""
    DOT = "."
    COMMA = ","
    COLON = ":"
    SLASH = "/"
    POINT = "point"
    AND = "and"
    LIST = ", "
    STOP = ". "


ONE_NUMBER = frozenset(
    {Link.SPACE, Link.GLUED, Link.HYPHEN, Link.DOT, Link.COMMA, Link.COLON, Link.SLASH,
     Link.POINT, Link.AND}
)  # fmt: skip
"""Links within one number; others part two."""
SAID = frozenset({Link.SPACE, Link.GLUED, Link.HYPHEN, Link.AND})
"""Links within one cardinal or one run of digits."""


class Atom(NamedTuple):
    """One number word, run of figures or fraction sign."""

    start: int
    end: int
    kind: str
    """figure, digit, tens, big (hundred and scales), zero, repeat, ordinal, fraction, sign"""
    text: str

    @property
    def written(self) -> bool:
        return self.kind in ("figure", "sign") or self.text[:1] in FIGURES


@dataclass(frozen=True, slots=True)
class Chain:
    """Atoms in order, and for each how it hangs together with the one before; None: not at all."""

    atoms: tuple[Atom, ...]
    links: tuple[Link | None, ...]
    starts: dict[int, int]
    """Where an atom starts -> its place in the chain."""
    ends: dict[int, int]

    def before(self, i: int) -> Link | None:
        """The link between the number that would start at i and another in front of it."""
        k = self.starts.get(i)
        return None if k is None else self.links[k]

    def after(self, e: int) -> Link | None:
        """The link between the number that would end at e and what goes on behind it."""
        k = self.ends.get(e)
        return None if k is None or k + 1 == len(self.atoms) else self.links[k + 1]


def chain(tokens: Tokens, numbers: NumberReader) -> Chain:
    """All atoms of a transcript; made once."""
    atom_chain: Chain = tokens.once(("chain", numbers.key), lambda: _chain(tokens, numbers))
    return atom_chain


def _chain(tokens: Tokens, numbers: NumberReader) -> Chain:
    atoms = _atoms(tokens, numbers)
    links: list[Link | None] = []
    for k, atom in enumerate(atoms):
        links.append(_link(tokens, numbers, atoms[k - 1], atom) if k else None)
    return Chain(
        tuple(atoms),
        tuple(links),
        {atom.start: k for k, atom in enumerate(atoms)},
        {atom.end: k for k, atom in enumerate(atoms)},
    )


def _atoms(tokens: Tokens, numbers: NumberReader) -> list[Atom]:
    kinds = numbers.kinds
    atoms = [
        Atom(i, i + len(word), kinds[word], word)
        for word in kinds.keys() & tokens.index.keys()
        for i in tokens.index[word]
        if kinds[word] != "zero" or not _of_the_clock(tokens, numbers, i, word)
    ]
    tails = numbers.pack.ordinal_tails
    for piece, places in tokens.index.items():
        if piece[0] not in FIGURES:
            continue
        for i in places:
            end = i + len(piece)
            tail = tokens.runs.get(end, "")
            if tail in tails and not tokens.gaps[end]:
                atoms.append(Atom(i, end + len(tail), "ordinal", piece))
            else:
                atoms.append(Atom(i, end, "figure", piece))
    if not tokens.flat.isascii():
        atoms += [
            Atom(i, i + 1, "sign", c) for c in VULGAR if c in tokens.index for i in tokens.index[c]
        ]
    atoms.sort(key=_start)
    return atoms


def _of_the_clock(tokens: Tokens, numbers: NumberReader, i: int, word: str) -> bool:
    """The o of "o'clock" is no zero."""
    if word not in numbers.pack.zero_letters:
        return False
    return any(
        tokens.flat.startswith(form.replace(" ", ""), i) for form in numbers.pack.clock.exact
    )


def _start(atom: Atom) -> int:
    return atom.start


def _link(tokens: Tokens, numbers: NumberReader, a: Atom, b: Atom) -> Link | None:
    e, s = a.end, b.start
    if s - e > 8 or a.kind == "ordinal":
        return None
    if e == s:
        return _beside(tokens, numbers, a, b) if tokens.gaps[s] else Link.GLUED
    between = tokens.flat[e:s]
    if len(between) == 1:
        return _signed(tokens, a, b, between)
    return _worded(tokens, numbers, a, b)


def _beside(tokens: Tokens, numbers: NumberReader, a: Atom, b: Atom) -> Link | None:
    """Only white space stands between."""
    if b.kind == "ordinal" and not _ordinal_goes_on(numbers, a, b):
        return None
    if b.kind == "fraction" and not _counts_parts(numbers, a, b):
        return None
    if a.kind == "fraction" and b.kind != "big":
        return None
    return Link.SPACE


def _ordinal_goes_on(numbers: NumberReader, a: Atom, b: Atom) -> bool:
    """Twenty first, hundred and first, one fifth; "one eleventh street" has two numbers."""
    value = numbers.pack.ordinals.get(b.text) or (int(b.text) if b.text.isdigit() else 0)
    if a.kind == "tens" or (a.kind == "figure" and len(a.text) == 2 and a.text[1] == "0"):
        return 0 < value < 10
    return a.kind == "big" or _counts_parts(numbers, a, b)


def _counts_parts(numbers: NumberReader, a: Atom, b: Atom) -> bool:
    """Three quarters, one third, two fifths."""
    if b.text not in numbers.pack.fractions:
        return False
    if b.text.endswith("s") and b.text != "halves":
        return True
    return a.text in ("one", "1") or b.text == "halves"


def _signed(tokens: Tokens, a: Atom, b: Atom, sign: str) -> Link | None:
    e, s = a.end, b.start
    open_left, open_right = bool(tokens.gaps[e]), bool(tokens.gaps[s])
    if sign == ":" and not open_left:
        return Link.COLON
    if open_left:
        return None
    if open_right:
        return {",": Link.LIST, ".": Link.STOP}.get(sign)
    if sign == "-":
        return Link.DASH if a.kind == b.kind == "figure" else Link.HYPHEN
    return {".": Link.DOT, ",": Link.COMMA, "/": Link.SLASH}.get(sign)


def _worded(tokens: Tokens, numbers: NumberReader, a: Atom, b: Atom) -> Link | None:
    """Point, "and", "and a": one word or two between, hyphens or not."""
    pack, s = numbers.pack, b.start
    e = _past_hyphen(tokens, a.end)
    run = tokens.runs.get(e)
    if run is None:
        return None
    stop = _past_hyphen(tokens, e + len(run))
    if run in pack.points and stop == s:
        return Link.POINT
    if stop == s and run in pack.one and a.kind == "fraction" and b.kind == "big":
        return Link.AND  # "half a million"
    if run not in pack.ands:
        return None
    if stop < s:
        article = tokens.runs.get(stop, "")
        counted = article in pack.one and b.text in pack.fractions
        return Link.AND if counted and _past_hyphen(tokens, stop + len(article)) == s else None
    if b.kind in ("fraction", "sign"):
        return Link.AND if b.text != "quarters" else None
    if a.kind == "big":
        return None if b.kind == "figure" else Link.AND
    parts = tokens.runs.get(b.end, "")
    counted = parts in pack.fractions and (parts.endswith("s") or b.text in ("one", "1"))
    return Link.AND if counted else None


def _past_hyphen(tokens: Tokens, e: int) -> int:
    return e + 1 if tokens.char(e) == "-" and tokens.glued(e) and tokens.glued(e + 1) else e
