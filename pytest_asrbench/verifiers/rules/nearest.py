"""
The nearest thing heard for a miss, and what is wrong with it at a glance: "one 5 missing",
"mg -> mcg", "no AM/PM", "heard 'cats' for 'caps'".
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from pytest_asrbench.model import Nearest
from pytest_asrbench.verifiers.rules import doubts as d
from pytest_asrbench.verifiers.rules import view as v
from pytest_asrbench.verifiers.rules.family import Case, Match
from pytest_asrbench.verifiers.rules.pattern import Pattern
from pytest_asrbench.verifiers.rules.tape import Tape, tape
from pytest_asrbench.verifiers.rules.view import Token, View, view

LIKE = 50
"""Likeness (0 to 100, RapidFuzz partial ratio) under which nothing counts as heard."""
_LIKE_SHORT = 60
"""The same for values of four atoms or fewer."""
OTHERWISE = "said in another way than the policy counts"
_MAX_DIFFERENCES = 2
_MAX_MOVES = 12
_FORMATTING = re.compile(r"[\W_]")


@dataclass(frozen=True)
class Target:
    """A value as a miss is compared with it."""

    case: Case
    kind: str
    core: Pattern | None = None
    """The value's figure without its unit."""

    @cached_property
    def view(self) -> View:
        return view(tape(self.case.folded), self.case.numbers, self.kind)

    @cached_property
    def spoken(self) -> View:
        return view(tape(self.case.spoken), self.case.numbers, self.kind)


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
    one = _tokens(wanted, target)

    def apart(first: int, last: int) -> float:
        if not 0 <= first < last <= len(heard):
            return math.inf
        return Levenshtein.distance(one, _tokens(heard[first:last], target))

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


def _refused(atoms: Tape, target: Target, match: Match) -> Nearest:
    """The value is there, but what stands around it makes it another."""
    i, e = match.start, match.end
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
    if close.difference in ("no '\"', no '\"'", 'no "\'", no "\'"'):
        return d.QUOTES
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


# --- what is wrong -----------------------------------------------------------------------------


def difference(wanted: Sequence[Token], heard: Sequence[Token], target: Target) -> str:
    """The first differences in a reader's words."""
    one = _tokens(wanted, target)
    two = _tokens(heard, target)
    if one == two:
        return _same(target)
    whole, got = "".join(one), "".join(two)
    if target.kind == v.CHARACTERS and sorted(whole) == sorted(got):
        return digits(whole, got)
    if _figure(whole) and _figure(got):
        return digits(whole, got)
    found = list(_differences(one, two, target))
    more = len(found) - _MAX_DIFFERENCES
    return ", ".join(found[:_MAX_DIFFERENCES]) + (f" and {more} more" if more > 0 else "")


def _same(target: Target) -> str:
    if target.kind == v.CODE:
        return "casing not shown"
    return OTHERWISE


def _tokens(tokens: Sequence[Token], target: Target) -> list[str]:
    texts = [token.text for token in tokens]
    if target.kind == v.CHARACTERS:
        return list(_FORMATTING.sub("", "".join(texts)))
    if target.kind in (v.WORDS, v.ADDRESS):
        return [text for text in texts if text.isalnum()]
    if target.kind == v.CALENDAR:
        return [text for text in _halves(texts) if text not in ",.:-'" and text not in _LINKS]
    return _joined(texts) if target.kind == v.QUANTITY else texts


_LINKS = frozenset({"the", "of", "th", "st", "nd", "rd", "o", "clock", "00"})


def _halves(texts: list[str]) -> Iterator[str]:
    """a m -> am."""
    k = 0
    while k < len(texts):
        pair = texts[k : k + 2]
        dotted = [t for t in texts[k : k + 4] if t != "."][:2]
        if pair in (["a", "m"], ["p", "m"]):
            yield "".join(pair)
            k += 2
        elif dotted in (["a", "m"], ["p", "m"]) and texts[k + 1 : k + 2] == ["."]:
            yield "".join(dotted)
            k += 4
        else:
            yield texts[k]
            k += 1


def _joined(texts: list[str]) -> list[str]:
    """1 . 5 -> 1.5."""
    found: list[str] = []
    for text in texts:
        point = text.isdigit() and len(found) > 1 and found[-1] in (".", "point")
        if point and found[-2].isdigit():
            found[-2:] = [f"{found[-2]}.{text}"]
        else:
            found.append(text)
    return found


def _differences(one: list[str], two: list[str], target: Target) -> Iterator[str]:
    for op in Levenshtein.opcodes(one, two):
        if op.tag == "equal":
            continue
        lost = one[op.src_start : op.src_end]
        got = two[op.dest_start : op.dest_end]
        yield from _one_difference(lost, got, target)


def _one_difference(lost: list[str], got: list[str], target: Target) -> Iterator[str]:
    glue = "" if target.kind in (v.CHARACTERS, v.CODE) else " "
    wanted, heard = glue.join(lost), glue.join(got)
    if not heard:
        yield _missing(wanted, target)
    elif not wanted:
        yield _extra(heard) if heard.isdigit() else f"extra {heard!r}"
    elif _figure(wanted) and _figure(heard):
        yield digits(wanted, heard)
    elif (len(wanted) <= 3 and len(heard) <= 4) or target.kind == v.QUANTITY:
        yield f"{wanted} -> {heard}"
    else:
        yield f"heard {heard!r} for {wanted!r}"


def _figure(text: str) -> bool:
    return text.replace(".", "").replace(",", "").isdigit()


def _missing(wanted: str, target: Target) -> str:
    pack = target.case.pack
    if wanted in ("am", "pm"):
        return "no AM/PM"
    if wanted == "%":
        return "no percent"
    if any(wanted in currency.signs for currency in pack.currencies) and target.kind == v.QUANTITY:
        return "no currency"
    if target.kind == v.CALENDAR and wanted in pack.zones:
        return "no time zone"
    if target.kind == v.CALENDAR and len(wanted) == 4 and wanted.isdigit():
        return "no year"
    if any(wanted in days for days in pack.weekdays) and target.kind == v.CALENDAR:
        return "no weekday"
    if wanted.isdigit():
        return _lacking(wanted)
    if not wanted.isalnum() and target.kind == v.CODE:
        return f"no {wanted!r}"
    return f"{wanted!r} missing"


def digits(wanted: str, heard: str) -> str:
    """What differs between two figures: "one 5 missing", "one 7 too many", "21 -> 12 (swapped)"."""
    head = _shared(wanted, heard)
    one, two = wanted[head:], heard[head:]
    tail = _shared(one[::-1], two[::-1])
    one, two = one[: len(one) - tail], two[: len(two) - tail]
    if not two:
        return "decimal point missing" if one == "." else _lacking(one)
    if not one:
        return "a decimal point too many" if two == "." else _extra(two)
    return f"{one} -> {two}" + (" (swapped)" if sorted(one) == sorted(two) else "")


def _shared(one: str, two: str) -> int:
    """Length of the common beginning."""
    pairs = enumerate(zip(one, two, strict=False))
    return next((k for k, (a, b) in pairs if a != b), min(len(one), len(two)))


_COUNTS = {1: "one", 2: "two", 3: "three", 4: "four"}


def _lacking(lost: str) -> str:
    alike = len(set(lost)) == 1 and len(lost) in _COUNTS
    return f"{_COUNTS[len(lost)]} {lost[0]} missing" if alike else f"{lost} missing"


def _extra(got: str) -> str:
    alike = len(set(got)) == 1 and len(got) in _COUNTS
    return f"{_COUNTS[len(got)]} {got[0]} too many" if alike else f"{got} too many"
