"""
A "present" must be borne out by its own evidence, whatever the model was talked into.

The rules judge the quoted text in every place where it stands in the transcript, with the words
around it: "720 555 0148" is the value in "call 720 555 0148", and a piece of another one in
"720 555 01487" (policy rules 4, 38 and 41). One place that the rules do not surely reject is
enough. Where they are sure that no place carries the value, the verdict turns to absent and says
so. A language that the rules do not know leaves half of the test: something of the value must stand
in the quoted text, and that must not cut a figure in two.

An "absent" is never overruled: it can only hold a build back, not let one through.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from pytest_asrbench.errors import VerifierError
from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.verifiers.base import SyncVerifier
from pytest_asrbench.verifiers.llm.evidence import occurrences

AROUND = 30
"""Words on each side that are judged with the quoted text; no value is that long."""
RE_ATOM = re.compile(r"[^\W\d_]+|\d")
RE_WORD = re.compile(r"\S+")
RE_DIGIT_BEFORE = re.compile(r"\d[.,]?\Z")
RE_DIGIT_BEHIND = re.compile(r"[.,]?\d")


def guarded(
    entity: Entity, verdict: Verdict, transcript: str, language: str, rules: SyncVerifier
) -> Verdict:
    """The model's verdict, or an absent one where its evidence can't carry the value."""
    if not verdict.present or verdict.evidence is None:
        return verdict
    quote = _Quote(entity, verdict.evidence, transcript, language, rules)
    carried: Verdict | None = None
    refused: Verdict | None = None
    for start, end in occurrences(verdict.evidence, transcript):
        seen = quote.judged(start, end)
        if not seen.present:
            refused = refused or seen
        elif carried is None or seen.sure:
            evidence = transcript[start:end]
            carried = replace(verdict, sure=seen.sure, evidence=evidence, start=start, end=end)
            if seen.sure:
                break
    return carried or _rejected(verdict, refused)


@dataclass(frozen=True)
class _Quote:
    """The text that the model quoted for a value, to be judged wherever it stands."""

    entity: Entity
    evidence: str
    transcript: str
    language: str
    rules: SyncVerifier

    @cached_property
    def alone(self) -> Verdict | None:
        """The rules' verdict on the quoted text by itself; None where they lack the language."""
        try:
            return self._seen(self.evidence)
        except VerifierError:
            return None

    @cached_property
    def shares(self) -> bool:
        return shares_an_atom(self.entity, self.evidence)

    def _seen(self, text: str) -> Verdict:
        return self.rules.judge([self.entity], text, self.language)[0]

    def judged(self, start: int, end: int) -> Verdict:
        """Whether the text that stands there may carry the value, with the words around it."""
        if self.alone is None or not self.shares:
            return self._unruled(start, end)
        first, last = _window(start, end, self.transcript)
        seen = self._seen(self.transcript[first:last])
        if seen.present and _overlap((start, end), seen, first):
            return seen
        if self.alone.present and seen.sure and not seen.present:
            return _moved(seen, first)  # what stands around it makes it another value
        if not self.alone.present and self.alone.sure:
            return _moved(self.alone, start)
        return Verdict(True, False, "the rules are not sure of it")

    def _unruled(self, start: int, end: int) -> Verdict:
        if not self.shares:
            return Verdict(False, True, "nothing of the value stands in it")
        if _cuts_a_figure(self.transcript, start, end):
            return Verdict(False, True, "it is a piece of a longer figure")
        return Verdict(True, True, "something of the value stands in it")


def _window(start: int, end: int, transcript: str) -> tuple[int, int]:
    """Start and end of the text with the words around it, cut between words."""
    before = [m.start() for m in RE_WORD.finditer(transcript, 0, start)][-AROUND:]
    behind = [m.end() for m in islice(RE_WORD.finditer(transcript, end), AROUND)]
    return min(before, default=start), max(behind, default=end)


def _overlap(at: tuple[int, int], seen: Verdict, offset: int) -> bool:
    """True if what the rules found has a character in common with the quoted text."""
    if seen.start is None or seen.end is None:
        return True
    return seen.start + offset < at[1] and at[0] < seen.end + offset


def _cuts_a_figure(transcript: str, start: int, end: int) -> bool:
    before = transcript[start].isdigit() and RE_DIGIT_BEFORE.search(transcript, 0, start)
    behind = transcript[end - 1].isdigit() and RE_DIGIT_BEHIND.match(transcript, end)
    return bool(before or behind)


def shares_an_atom(entity: Entity, evidence: str) -> bool:
    """True if any word or digit of the value, written or spoken, stands in the evidence."""
    wanted = set().union(*map(_atoms, (entity.canonical, entity.acoustic or "", *entity.accept)))
    return not wanted.isdisjoint(_atoms(evidence))


def _atoms(text: str) -> set[str]:
    return set(RE_ATOM.findall(unicodedata.normalize("NFKC", text).casefold()))


def _rejected(verdict: Verdict, seen: Verdict | None) -> Verdict:
    why = seen.reason if seen else "it is not in the transcript"
    return Verdict(
        present=False,
        sure=False,
        reason=f"the model's evidence {verdict.evidence!r} does not carry the value: {why}",
        nearest=seen.nearest if seen else None,
    )


def _moved(seen: Verdict, offset: int) -> Verdict:
    """The rules saw a part of the transcript; the record counts from its start."""
    near = seen.nearest
    if near is None:
        return seen
    moved = replace(near, start=near.start + offset, end=near.end + offset)
    return replace(seen, nearest=moved)
