"""The difference between a value and the nearest thing heard, in a reader's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from rapidfuzz.distance import Levenshtein

from pytest_asrbench.model import Difference
from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.reasons import OTHERWISE, added_digits, missing_digits
from pytest_asrbench.verifiers.rules import alignment
from pytest_asrbench.verifiers.rules import view as v
from pytest_asrbench.verifiers.rules.family import FamilyCase, Figure
from pytest_asrbench.verifiers.rules.tokens import tokenise
from pytest_asrbench.verifiers.rules.view import View, view

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


def differences(wanted: Sequence[str], heard: Sequence[str], target: Target) -> list[Difference]:
    """All differences, in order."""
    one = plain_tokens(wanted, target)
    two = plain_tokens(heard, target)
    if target.kind == alignment.CHARACTERS:
        two = _zeros(one, two)
    whole, got = "".join(one), "".join(two)
    if target.kind == alignment.CODE and whole == got and len(two) < len(one):
        return [Difference("together")]
    if one == two or (target.kind == alignment.CODE and whole == got):
        return [Difference("casing" if target.kind == alignment.CODE else OTHERWISE)]
    if target.kind == alignment.CHARACTERS and sorted(whole) == sorted(got):
        return [digits(whole, got)]
    if _figure(whole) and _figure(got):
        return [digits(whole, got)]
    changes = _changes(one, two, together=target.kind not in _APART)
    return [_one_difference(lost, got, target) for lost, got in changes]


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
    for figures, run in groupby(texts, str.isdigit):
        side_by_side = list(run)
        merged.extend(["".join(side_by_side)] if figures else side_by_side)
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


def _one_difference(lost: list[str], got: list[str], target: Target) -> Difference:
    glue = "" if target.kind in (alignment.CHARACTERS, alignment.CODE) else " "
    wanted, heard = glue.join(lost), glue.join(got)
    if not heard:
        return _missing(wanted, target)
    if not wanted:
        return added_digits(heard) if heard.isdigit() else _added(heard, target)
    if _figure(wanted) and _figure(heard):
        return digits(wanted, heard)
    short = len(wanted) <= 3 and len(heard) <= 4
    arrow = short or target.kind in (alignment.QUANTITY, alignment.MONEY)
    return Difference("changed" if arrow else "misheard", wanted, heard)


def _added(heard: str, target: Target) -> Difference:
    if heard == "." and target.kind == alignment.CHARACTERS:
        return Difference("added_point")
    return Difference("added", heard=heard)


def _figure(text: str) -> bool:
    return text.translate(_NO_MARKS).isdigit()


_NO_MARKS = str.maketrans("", "", ".,:")


def _missing(wanted: str, target: Target) -> Difference:
    if wanted.isdigit() and not _year(wanted, target):
        return missing_digits(wanted)
    return Difference(_kind_of_missing(wanted, target), wanted)


def _year(wanted: str, target: Target) -> bool:
    return target.kind == alignment.CALENDAR and len(wanted) == 4


def _kind_of_missing(wanted: str, target: Target) -> str:
    pack = target.case.pack
    if wanted in ("am", "pm"):
        return "no_half"
    if wanted == "." and target.kind == alignment.CHARACTERS:
        return "missing_point"
    if wanted == "%":
        return "no_percent"
    if (
        any(wanted in currency.signs for currency in pack.currencies)
        and target.kind == alignment.MONEY
    ):
        return "no_currency"
    if target.kind == alignment.CALENDAR and wanted in pack.zones:
        return "no_zone"
    if _year(wanted, target) and wanted.isdigit():
        return "no_year"
    if any(wanted in days for days in pack.weekdays) and target.kind == alignment.CALENDAR:
        return "no_weekday"
    if target.kind == alignment.CODE and wanted.startswith(_cues(pack)):
        return "casing"
    return "no_sign" if not wanted.isalnum() and target.kind == alignment.CODE else "missing"


def digits(wanted: str, heard: str) -> Difference:
    """The difference between two figures: "one 5 missing", "one 7 too many", "21 -> 12
    (swapped)"."""
    head = shared(wanted, heard)
    one, two = wanted[head:], heard[head:]
    tail = shared(one[::-1], two[::-1])
    one, two = one[: len(one) - tail], two[: len(two) - tail]
    if not two:
        return Difference("missing_point") if one == "." else missing_digits(one)
    if not one:
        return Difference("added_point") if two == "." else added_digits(two)
    return Difference("swapped" if sorted(one) == sorted(two) else "changed", one, two)


def shared(one: str, two: str) -> int:
    """Length of the common beginning."""
    pairs = enumerate(zip(one, two, strict=False))
    return next((k for k, (a, b) in pairs if a != b), min(len(one), len(two)))


def _cues(pack: Pack) -> tuple[str, ...]:
    """Words that say how a name is cased, as tokens: "camelcase"."""
    styles = (*pack.case_styles["camel"], *pack.case_styles["pascal"])
    return tuple(name.replace(" ", "") for name in (*styles, *pack.capital))
