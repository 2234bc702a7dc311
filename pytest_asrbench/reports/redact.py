"""
Values and transcripts masked (`--asr-redact`): digits become `#`, letters `x`.

Every output but the local run file is made from the masked run. Types, ids, figures and what went
wrong ("heard 'xxxx' for 'xxxx'", "one # missing") stay readable.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_asrbench.model import ClipRecord, Failure, JudgedEntity
from pytest_asrbench.verifiers import reasons

if TYPE_CHECKING:
    from pytest_asrbench.run import Run


def mask(text: str) -> str:
    """Every digit as `#`, every letter as `x`; the length and the punctuation stay."""
    return "".join(map(_masked, text))


def _masked(char: str) -> str:
    if char.isnumeric():
        return "#"
    # Combining marks too: a bare accent or vowel sign still tells of its letter.
    return "x" if char.isalpha() or unicodedata.category(char).startswith("M") else char


def run(run: Run) -> Run:
    """The run as all outputs but the run file see it."""
    values = [value for part in run.parts for each in part.records for value in _values(each)]
    hide = _hider(values)
    settings = {name: _setting(value, hide) for name, value in run.provider.settings.items()}
    provider = replace(run.provider, settings=settings)
    raw, *under = (
        replace(part, records=tuple(map(record, part.records)), provider=provider)
        for part in run.parts
    )
    return replace(raw, conditions=tuple(under))


def _setting(value: Any, hide: Callable[[str], str]) -> Any:
    """Prompts and key terms may hold values; all text in them that does is masked."""
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, Mapping):
        return {name: _setting(part, hide) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_setting(part, hide) for part in value]
    return value


def record(record: ClipRecord) -> ClipRecord:
    """The same record without a readable value; ids, types, counts and times are untouched."""
    return replace(
        record,
        reference=mask(record.reference),
        transcript=_maybe(mask, record.transcript),
        entities=tuple(map(_judged, record.entities)),
        error=record.error and _failure(record.error, record),
    )


def _judged(judged: JudgedEntity) -> JudgedEntity:
    entity = judged.entity
    return JudgedEntity(
        replace(
            entity,
            canonical=mask(entity.canonical),
            acoustic=_maybe(mask, entity.acoustic),
            accept=tuple(map(mask, entity.accept)),
        ),
        judged.verdict and reasons.masked(judged.verdict, mask),
    )


def _failure(failure: Failure, record: ClipRecord) -> Failure:
    """An error's text stays, less any value of its own clip that the other side echoed."""
    return replace(failure, message=_hider(_values(record))(failure.message))


def _values(record: ClipRecord) -> list[str]:
    """Everything of a clip that must not be read."""
    values = [record.reference, record.transcript or ""]
    for judged in record.entities:
        values += [judged.entity.canonical, judged.entity.acoustic or "", *judged.entity.accept]
    return values


def _hider(values: Iterable[str]) -> Callable[[str], str]:
    """Masks each of the values in a text, whatever its case."""
    known = sorted({value.strip() for value in values} - {""}, key=len, reverse=True)
    if not known:
        return lambda text: text
    pattern = re.compile("|".join(map(re.escape, known)), re.IGNORECASE)
    return lambda text: pattern.sub(lambda match: mask(match[0]), text)


def _maybe(change: Callable[[str], str], text: str | None) -> str | None:
    return None if text is None else change(text)
