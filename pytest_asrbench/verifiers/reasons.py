"""
The words of a verdict, made of fields: whoever masks values masks these, and the words stay.

A verdict whose words were written by others, a language model say, has no such fields.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from pytest_asrbench.model import Difference, Nearest, Verdict

NOTHING: Final = "nothing like it was heard"
OTHERWISE: Final = "otherwise"
_SHOWN = 2

WORDINGS: Final = {
    "added": "extra {heard!r}",
    "added_digits": "{heard} too many",
    "added_point": "a decimal point too many",
    "belongs": "{heard!r} goes on or belongs to something longer",
    "casing": "casing not shown",
    "changed": "{wanted} -> {heard}",
    "goes_on": "goes on with {heard!r}",
    "in_front": "{heard!r} stands in front",
    "inside": "part of a longer value: {heard!r} before, {behind!r} after",
    "joined": "no space between the words",
    "misheard": "heard {heard!r} for {wanted!r}",
    "missing": "{wanted!r} missing",
    "missing_digits": "{wanted} missing",
    "missing_point": "decimal point missing",
    "no_currency": "no currency",
    "no_half": "no AM/PM",
    "no_percent": "no percent",
    "no_quotes": "no quotes",
    "no_sign": "no {wanted!r}",
    "no_weekday": "no weekday",
    "no_year": "no year",
    "no_zone": "no time zone",
    OTHERWISE: "said in another way than the policy counts",
    "parted": "other words stand between its parts",
    "repeated_missing": "{count} {digit} missing",
    "repeated_added": "{count} {digit} too many",
    "split": "written as several words",
    "swapped": "{wanted} -> {heard} (swapped)",
    "together": "written together",
}
"""The kinds of differences, and how each is told."""

_COUNTS: Final = {1: "one", 2: "two", 3: "three", 4: "four"}


def missing_digits(wanted: str) -> Difference:
    """`one 5 missing`, `532 missing`."""
    return Difference("repeated_missing" if _repeated(wanted) else "missing_digits", wanted)


def added_digits(heard: str) -> Difference:
    """`one 5 too many`, `532 too many`."""
    return Difference("repeated_added" if _repeated(heard) else "added_digits", heard=heard)


def _repeated(digits: str) -> bool:
    return len(set(digits)) == 1 and len(digits) in _COUNTS


def told(differences: Sequence[Difference]) -> str:
    """The first differences in a reader's words, and how many there are beside."""
    more = len(differences) - _SHOWN
    shown = ", ".join(map(_one, differences[:_SHOWN]))
    return shown + (f" and {more} more" if more > 0 else "")


def _one(each: Difference) -> str:
    """A run file may hold kinds of another version."""
    digits = each.wanted or each.heard
    return WORDINGS.get(each.kind, each.kind).format(
        wanted=each.wanted,
        heard=each.heard,
        behind=each.behind,
        count=_COUNTS.get(len(digits), ""),
        digit=digits[:1],
    )


def nearest(text: str, start: int, end: int, *differences: Difference) -> Nearest:
    """The nearest span with what differs in it."""
    return Nearest(text, start, end, told(differences), differences)


def present(text: str, start: int, end: int, doubts: Sequence[str]) -> Verdict:
    """The span of the transcript carries the value; `doubts` say why that may be disputed."""
    evidence = text[start:end]
    verdict = Verdict(True, not doubts, "", evidence, start, end, doubts=tuple(doubts))
    return replace(verdict, reason=_reason(verdict))


def absent(near: Nearest | None, doubts: Sequence[str] = ()) -> Verdict:
    """No span carries it; `near` is the most like it."""
    verdict = Verdict(False, not doubts, "", nearest=near, doubts=tuple(doubts))
    return replace(verdict, reason=_reason(verdict))


def _reason(verdict: Verdict) -> str:
    if verdict.present:
        evidence = verdict.evidence or ""
        carried = f"{evidence!r} carries it" if evidence.isprintable() else "carried"
        return carried + (f", though {'; '.join(verdict.doubts)}" if verdict.doubts else "")
    near = verdict.nearest
    return "; ".join([NOTHING if near is None else near.difference, *verdict.doubts])


def masked(verdict: Verdict, mask: Callable[[str], str]) -> Verdict:
    """The verdict with every piece of a value masked; words that others wrote are masked whole."""
    near = verdict.nearest and _masked_nearest(verdict.nearest, mask)
    evidence = None if verdict.evidence is None else mask(verdict.evidence)
    fields = replace(verdict, evidence=evidence, nearest=near)
    ours = verdict.reason == _reason(verdict)
    return replace(fields, reason=_reason(fields) if ours else mask(verdict.reason))


def _masked_nearest(near: Nearest, mask: Callable[[str], str]) -> Nearest:
    differences = tuple(
        replace(each, wanted=mask(each.wanted), heard=mask(each.heard), behind=mask(each.behind))
        for each in near.differences
    )
    ours = near.difference == told(near.differences)
    words = told(differences) if ours else mask(near.difference)
    return replace(near, text=mask(near.text), difference=words, differences=differences)
