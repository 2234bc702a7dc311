"""The difference between a value and the nearest thing heard, in a reader's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz.distance import Levenshtein

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.rules import alignment
from pytest_asrbench.verifiers.rules import view as v
from pytest_asrbench.verifiers.rules.family import FamilyCase, Figure
from pytest_asrbench.verifiers.rules.tokens import tokenise
from pytest_asrbench.verifiers.rules.view import View, view

OTHERWISE = "said in another way than the policy counts"
_MAX_DIFFERENCES = 2
_SIGN = re.compile(r"[\W_]")
_FORMATTING = re.compile(r"[^\w.]|_|\.(?!\d)|(?<!\d)\.")
"""Signs of a code other than a decimal point."""
_POINT = re.compile(r"(?<=\d)\.(?=\d)")


@dataclass(frozen=True)
class Target:
    """A value as a miss is compared with it."""

    case: FamilyCase
    kind: str
    core: Figure | None = None
    """The value's figure without its unit."""

    @cached_property
    def view(self) -> View:
        return view(tokenise(self.case.folded), self.case.numbers, self.kind)

    @cached_property
    def spoken(self) -> View:
        return view(tokenise(self.case.spoken), self.case.numbers, self.kind)


def difference(wanted: Sequence[str], heard: Sequence[str], target: Target) -> str:
    """The first differences in a reader's words."""
    one = plain_tokens(wanted, target)
    two = plain_tokens(heard, target)
    if target.kind == alignment.CHARACTERS:
        two = _zeros(one, two)
    whole, got = "".join(one), "".join(two)
    if target.kind == alignment.CODE and whole == got and len(two) < len(one):
        return "written together"
    if one == two or (target.kind == alignment.CODE and whole == got):
        return _same(target)
    if target.kind == alignment.CHARACTERS and sorted(whole) == sorted(got):
        return digits(whole, got)
    if _figure(whole) and _figure(got):
        return digits(whole, got)
    differences = list(_differences(one, two, target))
    more = len(differences) - _MAX_DIFFERENCES
    return ", ".join(differences[:_MAX_DIFFERENCES]) + (f" and {more} more" if more > 0 else "")


def _zeros(one: list[str], two: list[str]) -> list[str]:
    """The letter o where a 0 is wanted: it may be read as one (rule 10)."""
    zeros = list(two)
    for op in Levenshtein.opcodes(one, two):
        if op.tag == "replace" and op.src_end - op.src_start == op.dest_end - op.dest_start:
            for wanted, k in zip(
                one[op.src_start : op.src_end], range(op.dest_start, op.dest_end), strict=True
            ):
                if wanted == "0" and two[k] == "o":
                    zeros[k] = "0"
    return zeros


def _same(target: Target) -> str:
    if target.kind == alignment.CODE:
        return "casing not shown"
    return OTHERWISE


def plain_tokens(texts: Sequence[str], target: Target) -> list[str]:
    """Tokens without what is formatting for this kind of value."""
    if target.kind == alignment.CHARACTERS:
        whole = "".join(texts)
        pattern = _FORMATTING if len(_POINT.findall(whole)) == 1 else _SIGN
        return list(pattern.sub("", whole))
    if target.kind == alignment.WORDS:
        return [text for text in texts if text.isalnum()]
    if target.kind == alignment.ADDRESS:
        return _merged(text for text in texts if text.isalnum())
    if target.kind == alignment.CALENDAR:
        plain_tokens = [t for t in _halves(texts) if t not in ",.:-'" and t not in _LINKS]
        return _merged(plain_tokens) if ":" in target.case.folded else plain_tokens
    if target.kind == alignment.MONEY:
        return _signs_first(texts, target)
    return _merged(texts) if target.kind == alignment.CODE else _degrees(texts)


_FIGURED = frozenset({alignment.QUANTITY, alignment.MONEY})
_LINKS = frozenset({"the", "of", "th", "st", "nd", "rd", "o", "clock", "00"})


def _merged(texts: Iterable[str]) -> list[str]:
    """Figures side by side are one: 9 7 3 -> 973."""
    merged: list[str] = []
    for text in texts:
        if text.isdigit() and merged and merged[-1].isdigit():
            merged[-1] += text
        else:
            merged.append(text)
    return merged


def _degrees(texts: Iterable[str]) -> list[str]:
    """° C -> °C."""
    degrees: list[str] = []
    for text in texts:
        if text in ("c", "f") and degrees[-1:] == ["°"]:
            degrees[-1] += text.upper()
        else:
            degrees.append(text)
    return degrees


def _halves(texts: Sequence[str]) -> Iterator[str]:
    """a m -> am."""
    k = 0
    while k < len(texts):
        pair = list(texts[k : k + 2])
        dotted = [t for t in texts[k : k + 4] if t != "."][:2]
        if pair in (["a", "m"], ["p", "m"]):
            yield "".join(pair)
            k += 2
        elif dotted in (["a", "m"], ["p", "m"]) and list(texts[k + 1 : k + 2]) == ["."]:
            yield "".join(dotted)
            k += 4
        else:
            yield texts[k]
            k += 1


def _signs_first(texts: Sequence[str], target: Target) -> list[str]:
    """50 $ -> $ 50."""
    signs = v.currency_signs(target.case.pack.language)
    ordered: list[str] = []
    for text in texts:
        if text in signs and ordered and _figure(ordered[-1]) and ordered[-2:-1] != [text]:
            ordered.insert(-1, text)
        else:
            ordered.append(text)
    return ordered


_APART = frozenset({alignment.QUANTITY, alignment.MONEY, alignment.CALENDAR})
"""Kinds whose parts are told one by one: a figure, a unit, a half of the day."""


def _differences(one: list[str], two: list[str], target: Target) -> Iterator[str]:
    for lost, got in _changes(one, two, together=target.kind not in _APART):
        yield from _one_difference(lost, got, target)


def _changes(
    one: list[str], two: list[str], *, together: bool
) -> list[tuple[list[str], list[str]]]:
    """Pieces lost and what was heard for each; changes side by side are one if `together`.

    A word heard in front of another for which it stands is always one change with it.
    """
    changes: list[tuple[list[str], list[str]]] = []
    stop = -1
    for op in Levenshtein.opcodes(one, two):
        if op.tag == "equal":
            continue
        lost, got = one[op.src_start : op.src_end], two[op.dest_start : op.dest_end]
        added = bool(changes) and not changes[-1][0] and "".join(got).isalpha()
        if stop == op.src_start and (together or added):
            changes[-1] = (changes[-1][0] + lost, changes[-1][1] + got)
        else:
            changes.append((lost, got))
        stop = op.src_end
    return changes


def _one_difference(lost: list[str], got: list[str], target: Target) -> Iterator[str]:
    glue = "" if target.kind in (alignment.CHARACTERS, alignment.CODE) else " "
    wanted, heard = glue.join(lost), glue.join(got)
    if not heard:
        yield _missing(wanted, target)
    elif not wanted:
        yield _extra(heard) if heard.isdigit() else _added(heard, target)
    elif _figure(wanted) and _figure(heard):
        yield digits(wanted, heard)
    elif (len(wanted) <= 3 and len(heard) <= 4) or target.kind in (
        alignment.QUANTITY,
        alignment.MONEY,
    ):
        yield f"{wanted} -> {heard}"
    else:
        yield f"heard {heard!r} for {wanted!r}"


def _added(heard: str, target: Target) -> str:
    point = heard == "." and target.kind == alignment.CHARACTERS
    return "a decimal point too many" if point else f"extra {heard!r}"


def _figure(text: str) -> bool:
    return text.translate(_NO_MARKS).isdigit()


_NO_MARKS = str.maketrans("", "", ".,:")


def _missing(wanted: str, target: Target) -> str:
    pack = target.case.pack
    if wanted in ("am", "pm"):
        return "no AM/PM"
    if wanted == "." and target.kind == alignment.CHARACTERS:
        return "decimal point missing"
    if wanted == "%":
        return "no percent"
    if (
        any(wanted in currency.signs for currency in pack.currencies)
        and target.kind == alignment.MONEY
    ):
        return "no currency"
    if target.kind == alignment.CALENDAR and wanted in pack.zones:
        return "no time zone"
    if target.kind == alignment.CALENDAR and len(wanted) == 4 and wanted.isdigit():
        return "no year"
    if any(wanted in days for days in pack.weekdays) and target.kind == alignment.CALENDAR:
        return "no weekday"
    if wanted.isdigit():
        return _lacking(wanted)
    if target.kind == alignment.CODE and wanted.startswith(_cues(pack)):
        return "casing not shown"
    if not wanted.isalnum() and target.kind == alignment.CODE:
        return f"no {wanted!r}"
    return f"{wanted!r} missing"


def digits(wanted: str, heard: str) -> str:
    """The difference between two figures: "one 5 missing", "one 7 too many", "21 -> 12
    (swapped)"."""
    head = shared(wanted, heard)
    one, two = wanted[head:], heard[head:]
    tail = shared(one[::-1], two[::-1])
    one, two = one[: len(one) - tail], two[: len(two) - tail]
    if not two:
        return "decimal point missing" if one == "." else _lacking(one)
    if not one:
        return "a decimal point too many" if two == "." else _extra(two)
    return f"{one} -> {two}" + (" (swapped)" if sorted(one) == sorted(two) else "")


def shared(one: str, two: str) -> int:
    """Length of the common beginning."""
    pairs = enumerate(zip(one, two, strict=False))
    return next((k for k, (a, b) in pairs if a != b), min(len(one), len(two)))


def _cues(pack: Pack) -> tuple[str, ...]:
    """Words that say how a name is cased, as tokens: "camelcase"."""
    styles = (*pack.case_styles["camel"], *pack.case_styles["pascal"])
    return tuple(name.replace(" ", "") for name in (*styles, *pack.capital))


_COUNTS = {1: "one", 2: "two", 3: "three", 4: "four"}


def _lacking(lost: str) -> str:
    alike = len(set(lost)) == 1 and len(lost) in _COUNTS
    return f"{_COUNTS[len(lost)]} {lost[0]} missing" if alike else f"{lost} missing"


def _extra(got: str) -> str:
    alike = len(set(got)) == 1 and len(got) in _COUNTS
    return f"{_COUNTS[len(got)]} {got[0]} too many" if alike else f"{got} too many"
