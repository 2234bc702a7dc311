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

from pytest_asrbench.model import ClipRecord, Failure, JudgedEntity, Nearest, Verdict

if TYPE_CHECKING:
    from pytest_asrbench.run import Run

# What a difference or reason is made of besides the value itself. All else in it is masked, so a
# new wording costs readability and never a value.
_EXPLAINING_WORDS = """
    absent after ahead all am amount an and another any are as at be before between both
    boundary but by capital case casing character characters clip country currency date day
    decimal difference differs digit digits domain dot entity evidence exact exactly extra few
    first flag for form found from glued has have heard host hour in inside instead is it its
    joined just last leading letter letters like longer lowercase many mark match matches minus
    minute minutes misheard missing month more much name near nearest nearly no not nothing
    number of on only or order other part parts path percent place plus pm port present read
    reads repeated rule same scheme second seconds separator separators short shorter shown sign
    space spaces spelled spelling spoken start street such swapped symbol than that the their
    then there this time to token too trailing transcript type unit units uppercase value was
    where which whole with without word words written wrong year zip zone
"""
_EXPLAINING = frozenset(_EXPLAINING_WORDS.split())
# A number word is kept only as a count of digits: "two 5 missing".
_RE_WORD = re.compile(
    r"""\b(?P<count>one|two|three|four|five|six|seven|eight|nine)(?=\ \#\ (?:missing|too\ many))
        | [^\W\d_]+""",
    re.VERBOSE,
)
_QUOTED = re.compile(r"""(?<!\w)(?:'[^']*'(?!\w)|"[^"]*"|\u201c[^\u201d]*\u201d|`[^`]*`)""")


def mask(text: str) -> str:
    """Every digit as `#`, every letter as `x`; the length and the punctuation stay."""
    return "".join(map(_masked, text))


def _masked(char: str) -> str:
    if char.isnumeric():
        return "#"
    # Combining marks too: a bare accent or vowel sign still tells of its letter.
    return "x" if char.isalpha() or unicodedata.category(char).startswith("M") else char


def explanation(text: str) -> str:
    """A difference or reason with every piece of a value masked and the explaining words kept."""
    masked = _QUOTED.sub(lambda quoted: mask(quoted[0]), text)
    masked = re.sub(r"\d", "#", masked)
    return _RE_WORD.sub(_unless_explaining, masked)


def _unless_explaining(word: re.Match[str]) -> str:
    kept = word["count"] or word[0].lower() in _EXPLAINING
    return word[0] if kept else mask(word[0])


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
        judged.verdict and _verdict(judged.verdict),
    )


def _verdict(verdict: Verdict) -> Verdict:
    return replace(
        verdict,
        reason=explanation(verdict.reason),
        evidence=_maybe(mask, verdict.evidence),
        nearest=verdict.nearest and _nearest(verdict.nearest),
    )


def _nearest(nearest: Nearest) -> Nearest:
    return replace(nearest, text=mask(nearest.text), difference=explanation(nearest.difference))


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
