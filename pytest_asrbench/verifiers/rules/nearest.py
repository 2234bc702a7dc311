"""
The nearest thing heard for a miss, and what is wrong with it at a glance: "one 5 missing",
"mg -> mcg", "no AM/PM", "heard 'cats' for 'caps'".
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from pytest_asrbench.model import Nearest
from pytest_asrbench.verifiers.rules import doubts as d
from pytest_asrbench.verifiers.rules import view as v
from pytest_asrbench.verifiers.rules.difference import OTHERWISE, Target, difference, plain_tokens
from pytest_asrbench.verifiers.rules.family import Match
from pytest_asrbench.verifiers.rules.tape import Tape, tape
from pytest_asrbench.verifiers.rules.view import Token, View, view

LIKE = 50
"""Likeness (0 to 100, RapidFuzz partial ratio) under which nothing counts as heard."""
_LIKE_SHORT = 60
"""The same for values of four atoms or fewer."""
_MAX_MOVES = 12


def nearest(atoms: Tape, target: Target, refused: Match | None) -> Nearest | None:
    """The span most like the value, None where nothing is."""
    if refused is not None:
        return _refused(atoms, target, refused)
    cored = _cored(atoms, target)
    if cored is not None:
        return cored
    heard = view(atoms, target.case.numbers, target.kind)
    found = _aligned(target.view.text, heard)
    spoken = _aligned(target.spoken.text, heard) if target.case.acoustic else None
    wanted = target.view
    if spoken is not None and (found is None or spoken[0] > found[0] + 10):
        found, wanted = spoken, target.spoken
    if found is None:
        return None
    first, last = _fitted(wanted.tokens, heard.tokens, heard.window(found[1], found[2]), target)
    while 0 < last < len(heard.tokens) and _same_word(atoms, heard.tokens[last]):
        last += 1
    tokens = heard.tokens[first:last]
    if not tokens:
        return None
    return _nearest(atoms, tokens, difference(wanted.tokens, tokens, target))


def _same_word(atoms: Tape, token: Token) -> bool:
    """The token goes on what stands before it: the "th" of "9th"."""
    i = token.start
    return atoms.glued(i) and atoms.flat[i].isalpha() and atoms.flat[i - 1].isalnum()


def _fitted(
    wanted: Sequence[Token], heard: Sequence[Token], window: tuple[int, int], target: Target
) -> tuple[int, int]:
    """The window moved token by token to where it differs least."""
    one = plain_tokens(wanted, target)

    def apart(first: int, last: int) -> float:
        if not 0 <= first < last <= len(heard):
            return math.inf
        return Levenshtein.distance(one, plain_tokens(heard[first:last], target))

    first, last = window
    best = apart(first, last)
    for _ in range(_MAX_MOVES):
        moves = [(first + 1, last), (first, last - 1), (first - 1, last), (first, last + 1)]
        options = [(apart(*move), k) for k, move in enumerate(moves)]
        least, k = min(options)
        if least >= best:
            break
        best, (first, last) = least, moves[k]
    return first, last


def _cored(atoms: Tape, target: Target) -> Nearest | None:
    """The figure itself was heard: what misses is its unit or sign."""
    if target.core is None:
        return None
    names = v.plain_names(target.case.pack.language, target.kind)
    heard = view(atoms, target.case.numbers, target.kind)
    for i in sorted(set(target.core.starts(atoms))):
        for e in sorted(target.core.ends(atoms, i)):
            follower = atoms.runs.get(e) or atoms.char(e)
            if not atoms.edge(e) or target.case.numbers.after(atoms, e) in _GOES_ON:
                continue
            stop = e + len(follower) if follower in names else e
            tokens = [token for token in heard.tokens if i <= token.start < stop]
            if tokens and i > 0 and atoms.char(i - 1) in names and atoms.glued(i):
                i -= 1
                tokens = [token for token in heard.tokens if i <= token.start < stop]
            if tokens:
                return _nearest(atoms, tokens, difference(target.view.tokens, tokens, target))
    return None


_GOES_ON = frozenset({" ", ".", "point", "glued", "and", ",", ":", "/", "fraction"})


def _aligned(wanted: str, heard: View) -> tuple[float, int, int] | None:
    if not wanted or not heard.text:
        return None
    cutoff = LIKE if len(wanted) > 4 else _LIKE_SHORT
    found = fuzz.partial_ratio_alignment(wanted, heard.text, score_cutoff=cutoff)
    if found is None:
        return None
    if len(wanted) > len(heard.text):
        return found.score, 0, len(heard.text)
    return found.score, found.dest_start, found.dest_end


def _nearest(atoms: Tape, tokens: Sequence[Token], what: str) -> Nearest:
    start, stop = atoms.span(tokens[0].start, tokens[-1].end)
    return Nearest(atoms.text[start:stop], start, stop, what)


_INNER = {
    d.CASE: "casing not shown",
    d.GLUED: "no space between the words",
    d.SPACED: "written as several words",
    d.QUOTES: "no quotes",
}


def _refused(atoms: Tape, target: Target, match: Match) -> Nearest:
    """The value is there, but what stands in or around it makes it another."""
    i, e = match.start, match.end
    inner = next((text for doubt, text in _INNER.items() if match.doubts & doubt), None)
    if inner is not None:
        start, stop = atoms.span(i, e)
        return Nearest(atoms.text[start:stop], start, stop, inner)
    while i > 0 and (not atoms.gaps[i] or (atoms.gaps[i] and not atoms.edge(i))):
        i -= 1
    while e < len(atoms) and (not atoms.gaps[e]):
        e += 1
    if (i, e) == (match.start, match.end):
        i, e = _neighbour(atoms, target, i, e)
    start, stop = atoms.span(i, e)
    left = atoms.spaced(i, match.start)
    right = atoms.spaced(match.end, e)
    return Nearest(atoms.text[start:stop], start, stop, _continued(left.strip(), right.strip()))


def _neighbour(atoms: Tape, target: Target, i: int, e: int) -> tuple[int, int]:
    """One run more on the side where a number, letter or separator goes on."""
    after = atoms.runs.get(e)
    before = atoms.ends.get(i)
    numbers = target.case.numbers
    if after is not None and (numbers.after(atoms, e) or len(after) == 1 or before is None):
        return i, e + len(after)
    if before is not None:
        return before, e
    if e < len(atoms):
        return i, min(len(atoms), e + 1 + len(atoms.runs.get(e + 1, "")))
    return max(0, i - 1), e


def _continued(left: str, right: str) -> str:
    if left and right:
        return f"part of a longer value: {left!r} before, {right!r} after"
    if right:
        return f"goes on with {right!r}"
    return f"{left!r} stands in front" if left else "casing not shown"


# --- how sure a miss is ---------------------------------------------------------------------------

_VARIANTS = (("ise", "ize"), ("isa", "iza"), ("isi", "izi"), ("our", "or"), ("yse", "yze"),
             ("tre", "ter"), ("ogue", "og"), ("ae", "e"), ("ence", "ense"), ("ll", "l"),
             ("isl", "izl"), ("mme", "m"), ("gre", "gra"))  # fmt: skip
"""British and American spellings (rule 29)."""


def doubtful(close: Nearest, target: Target) -> int:
    """Why two careful readers could dispute that this miss is one."""
    if close.difference == OTHERWISE:
        return d.OTHERWISE
    if target.kind != v.WORDS:
        return 0
    wanted, heard = target.case.folded.split(), tape(close.text)
    words = [heard.runs[i] for i in sorted(heard.runs)]
    if len(words) != len(wanted):
        return 0
    pairs = [(one, two) for one, two in zip(wanted, words, strict=True) if one != two]
    if len(pairs) != 1:
        return 0
    one, two = pairs[0]
    if one + "s" == two or two + "s" == one:
        return d.PLURAL
    return d.VARIANT if any(_respelled(one, two, *pair) for pair in _VARIANTS) else 0


def _respelled(one: str, two: str, british: str, american: str) -> bool:
    return one.replace(british, american) == two.replace(british, american)
