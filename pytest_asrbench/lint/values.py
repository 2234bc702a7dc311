"""Values that no transcript could carry: the dataset contradicts itself."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol, runtime_checkable

from pytest_asrbench.errors import VerifierError
from pytest_asrbench.lint.finding import Finding, error, warning
from pytest_asrbench.model import Clip, Entity, Verdict
from pytest_asrbench.verifiers.base import SyncVerifier

RE_WORD = re.compile(r"[^\W_]+", re.UNICODE)
UNSAID = "zzyzx"
UNINTELLIGIBLE = "<unintelligible>"


def recoverable(clip: Clip, verifier: SyncVerifier) -> Iterator[Finding]:
    """A canonical value must be recoverable from its own spoken form and from the reference."""
    if not clip.entities or clip.reference == UNINTELLIGIBLE:
        return
    try:
        heard = verifier.judge(clip.entities, clip.reference, clip.language)
        for entity, verdict in zip(clip.entities, heard, strict=True):
            yield from _spoken(clip, entity, verifier)
            yield from _found(clip, entity, verdict, "the reference", "reference")
    except VerifierError as failure:
        yield warning("unchecked", f"values not checked: {failure}", clip)


@runtime_checkable
class Doubting(Protocol):
    """A verifier that can tell what no value of a type can be."""

    def doubted(self, entity: Entity, language: str) -> tuple[str | None, str | None]: ...


def possible(clip: Clip, verifier: SyncVerifier) -> Iterator[Finding]:
    """A value must be one of its type, and more than a single letter or digit."""
    if not isinstance(verifier, Doubting):
        return
    for entity in clip.entities:
        try:
            fault, vacuous = verifier.doubted(entity, clip.language)
        except VerifierError:
            continue  # told by `recoverable`
        value = f"{entity.canonical!r}"
        if fault:
            what = f"{value} {fault}; correct the value or its type {entity.type}"
            yield error("impossible", what, clip, entity)
        elif vacuous:
            what = f"{value} is {vacuous}; take a longer value"
            yield warning("vacuous", what, clip, entity)


def _spoken(clip: Clip, entity: Entity, verifier: SyncVerifier) -> Iterator[Finding]:
    if entity.acoustic is None:
        return
    # Word for word the spoken form is always evidence (rule 32). One word more, and it has to
    # stand on its own, while its casing and spelling cues are still known.
    longer = replace(entity, acoustic=f"{entity.acoustic} {UNSAID}")
    (verdict,) = verifier.judge([longer], entity.acoustic, clip.language)
    where = f"its own spoken form {entity.acoustic!r}"
    yield from _found(clip, entity, verdict, where, "acoustic")


def _found(
    clip: Clip, entity: Entity, verdict: Verdict, where: str, rule: str
) -> Iterator[Finding]:
    if verdict.present:
        return
    finding = error if verdict.sure else warning
    what = f"{entity.canonical!r} is not recoverable from {where} ({verdict.reason})"
    yield finding(rule, f"{what}; correct canonical or {rule}", clip, entity)


def spoken_in_reference(clip: Clip) -> Iterator[Finding]:
    """The spoken form should be part of the reference, word for word."""
    words = f" {_words(clip.reference)} "
    for entity in clip.entities:
        if entity.acoustic and f" {_words(entity.acoustic)} " not in words:
            what = f"spoken form {entity.acoustic!r} is not in the reference"
            yield warning("spoken-form", f"{what}; correct one of them", clip, entity)


def unclean(clip: Clip) -> Iterator[Finding]:
    """Characters that nobody typed on purpose."""
    yield from _unclean(clip, None, "reference", clip.reference)
    for entity in clip.entities:
        yield from _unclean(clip, entity, "canonical", entity.canonical)
        if entity.canonical != entity.canonical.strip():
            what = "canonical has space around it"
            yield warning("encoding", f"{what}; remove it", clip, entity)


def _unclean(clip: Clip, entity: Entity | None, field: str, text: str) -> Iterator[Finding]:
    if text.isascii() and text.isprintable():
        return
    if reason := _encoding_fault(text):
        yield warning("encoding", f"{field} has {reason}; write it again", clip, entity)


def _encoding_fault(text: str) -> str | None:
    if "\ufffd" in text or re.search("Ã[\x80-\xbf]|â€", text):
        return "characters from a wrong decoding"
    for character in text:
        if unicodedata.category(character) in ("Cc", "Cf", "Co", "Cn") and character != "\n":
            return f"an invisible character (U+{ord(character):04X})"
    if unicodedata.normalize("NFC", text) != text:
        return "letters and accents apart (not NFC)"
    return None


def _words(text: str) -> str:
    return " ".join(RE_WORD.findall(text.casefold()))
