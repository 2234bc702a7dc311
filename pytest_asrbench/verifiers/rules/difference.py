"""What is wrong with the nearest thing heard, in a reader's words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz.distance import Levenshtein

from pytest_asrbench.verifiers.rules import view as v
from pytest_asrbench.verifiers.rules.family import Case
from pytest_asrbench.verifiers.rules.pattern import Pattern
from pytest_asrbench.verifiers.rules.tape import tape
from pytest_asrbench.verifiers.rules.view import Token, View, view

OTHERWISE = "said in another way than the policy counts"
_MAX_DIFFERENCES = 2
_SIGN = re.compile(r"[\W_]")
_FORMATTING = re.compile(r"[^\w.]|_|\.(?!\d)|(?<!\d)\.")
"""Signs of a code other than a decimal point."""
_POINT = re.compile(r"(?<=\d)\.(?=\d)")


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


def difference(wanted: Sequence[Token], heard: Sequence[Token], target: Target) -> str:
    """The first differences in a reader's words."""
    one = plain_tokens(wanted, target)
    two = plain_tokens(heard, target)
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


def plain_tokens(tokens: Sequence[Token], target: Target) -> list[str]:
    texts = [token.text for token in tokens]
    if target.kind == v.CHARACTERS:
        whole = "".join(texts)
        pattern = _FORMATTING if len(_POINT.findall(whole)) == 1 else _SIGN
        return list(pattern.sub("", whole))
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
        yield _extra(heard) if heard.isdigit() else _added(heard, target)
    elif _figure(wanted) and _figure(heard):
        yield digits(wanted, heard)
    elif (len(wanted) <= 3 and len(heard) <= 4) or target.kind == v.QUANTITY:
        yield f"{wanted} -> {heard}"
    else:
        yield f"heard {heard!r} for {wanted!r}"


def _added(heard: str, target: Target) -> str:
    point = heard == "." and target.kind == v.CHARACTERS
    return "a decimal point too many" if point else f"extra {heard!r}"


def _figure(text: str) -> bool:
    return text.replace(".", "").replace(",", "").isdigit()


def _missing(wanted: str, target: Target) -> str:
    pack = target.case.pack
    if wanted in ("am", "pm"):
        return "no AM/PM"
    if wanted == "." and target.kind == v.CHARACTERS:
        return "decimal point missing"
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
