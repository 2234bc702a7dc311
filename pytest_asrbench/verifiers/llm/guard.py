"""
A "present" must be borne out by its own evidence, whatever the model was talked into.

The rules judge the quoted span, and nothing else. Where they find the value, or are unsure and the
span shares something of it, the answer stands. Where they are sure that the span does not carry the
value, it does not: the verdict turns to absent and says so. A language that the rules do not know
leaves the second half of the test: something of the value must stand in the span.

An "absent" is never overruled: it can only hold a build back, not let one through.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from pytest_asrbench.errors import VerifierError
from pytest_asrbench.model import Entity, Nearest, Verdict
from pytest_asrbench.verifiers.base import SyncVerifier

RE_ATOM = re.compile(r"[^\W\d_]+|\d")


def guarded(entity: Entity, verdict: Verdict, language: str, rules: SyncVerifier) -> Verdict:
    """The model's verdict, or an absent one where its evidence can't carry the value."""
    if not verdict.present or verdict.evidence is None:
        return verdict
    try:
        (seen,) = rules.judge([entity], verdict.evidence, language)
    except VerifierError:
        return verdict if shares_an_atom(entity, verdict.evidence) else _rejected(verdict, None)
    if seen.present:
        return replace(verdict, sure=seen.sure)
    if seen.sure or not shares_an_atom(entity, verdict.evidence):
        return _rejected(verdict, seen)
    return replace(verdict, sure=False)


def shares_an_atom(entity: Entity, evidence: str) -> bool:
    """Whether any word or digit of the value, written or spoken, stands in the evidence."""
    wanted = set().union(*map(_atoms, (entity.canonical, entity.acoustic or "", *entity.accept)))
    return not wanted.isdisjoint(_atoms(evidence))


def _atoms(text: str) -> set[str]:
    return set(RE_ATOM.findall(unicodedata.normalize("NFKC", text).casefold()))


def _rejected(verdict: Verdict, seen: Verdict | None) -> Verdict:
    why = seen.reason if seen else "nothing of the value stands in it"
    return Verdict(
        present=False,
        sure=False,
        reason=f"the model's evidence {verdict.evidence!r} does not carry the value: {why}",
        nearest=_in_transcript(seen.nearest, verdict.start or 0) if seen else None,
    )


def _in_transcript(nearest: Nearest | None, offset: int) -> Nearest | None:
    """The rules saw only the evidence; the record counts from the transcript's start."""
    if nearest is None:
        return None
    return replace(nearest, start=nearest.start + offset, end=nearest.end + offset)
