"""Reading a thresholds file strictly: a typing error must not switch a gate off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from pytest_asrbench.errors import InputError
from pytest_asrbench.files.fields import Fields
from pytest_asrbench.gates import contradictions
from pytest_asrbench.gates.measures import MEASURES, GateName, Measure
from pytest_asrbench.gates.remedies import PYTEST, Remedies
from pytest_asrbench.gates.thresholds import (
    ALPHA,
    READABLE,
    SCHEMA,
    Baseline,
    Exemption,
    Policy,
    Thresholds,
)
from pytest_asrbench.model import ErrorRate, Rate
from pytest_asrbench.settings.parsing import RE_COUNT
from pytest_asrbench.verifiers.base import Identity

_KEYS = (
    "schema", "provider", "dataset", "verifier", "recorded", "normaliser", "alpha", "gates",
    "left_out", "baseline", "quarantine", "expected_misses", "conditions",
)  # fmt: skip
_UNDER = (
    "condition", "dataset", "verifier", "recorded", "normaliser", "gates", "left_out", "baseline",
    "drop", "quarantine", "expected_misses",
)  # fmt: skip
_BASELINE = ("repeats", "ctem", "tsr", "recovery", "wer", "cer", "misses", "unstable")


def read(path: Path, name: str | None = None, remedies: Remedies = PYTEST) -> Thresholds:
    """The thresholds in this file.

    Raises InputError, one line a fault, where it can't be read, is of another schema, holds
    something unknown, contradicts itself, or was written for another provider configuration than
    `name`.
    """
    fields = Fields.of_yaml(path)
    if (schema := fields.data.get("schema")) not in READABLE:
        reads = f"this version reads 1 to {SCHEMA}; upgrade pytest-asrbench or correct the file"
        raise InputError.at(path, fields.row("schema"), f"schema {schema!r}, {reads}")
    fields.only(*_KEYS)
    thresholds = replace(_thresholds(fields, path), conditions=dict(_conditions(fields, path)))
    fields.faults.check()
    _check_baseline(fields, thresholds, remedies)
    for condition, under in thresholds.conditions.items():
        _check_baseline(fields.inner("conditions").inner(condition), under, remedies)
    if name is not None and thresholds.name not in (None, name):
        fields.faults.add(
            fields.inner("provider").row("name"),
            f"written for configuration {thresholds.name!r}, this run is {name!r}; "
            f"give the right file with {remedies.thresholds}",
        )
    fields.faults.check()
    return thresholds


def _conditions(fields: Fields, path: Path) -> Iterator[tuple[str, Thresholds]]:
    for name, under in fields.named("conditions"):
        under.only(*_UNDER)
        drop = _policy(under, "drop", allowed(MEASURES["ctem"])[1:]) if "drop" in under else None
        yield (
            name,
            replace(_thresholds(under, path), condition=under.optional("condition"), drop=drop),
        )


def _thresholds(fields: Fields, path: Path) -> Thresholds:
    dataset = fields.inner("dataset")
    dataset.only("name", "digest", "clips")
    provider = fields.inner("provider")
    provider.only("name", "use", "model")
    clips = {clip: _clip(dataset.inner("clips"), clip) for clip in dataset.mapping("clips")}
    return Thresholds(
        gates=dict(_gates(fields.inner("gates"), None)),
        provider={key: text for key in provider.data if (text := provider.optional(key))},
        dataset=dataset.optional("name"),
        digest=dataset.optional("digest"),
        clips={clip: digest for clip, (digest, _, _) in clips.items()},
        verifier=_verifier(fields.inner("verifier")),
        recorded=fields.day("recorded"),
        normaliser=fields.optional("normaliser"),
        alpha=_alpha(fields) or ALPHA,
        baseline=_baseline(fields.inner("baseline"), clips),
        left_out=fields.texts("left_out"),
        quarantine=tuple(_exemptions(fields, "quarantine")),
        expected_misses=tuple(_exemptions(fields, "expected_misses")),
        path=path,
    )


def _check_baseline(fields: Fields, thresholds: Thresholds, remedies: Remedies) -> None:
    """The first contradiction: what one line has wrong, others have too."""
    if thresholds.baseline is None:
        return
    for at, what in contradictions.of_baseline(thresholds.baseline, thresholds.clips):
        place = fields
        for key in at[:-1]:
            place = place.inner(key)
        remedy = f"restore the file, or take its baseline out and run {remedies.update}"
        told = f"the baseline contradicts itself: {what}; {remedy}"
        fields.faults.add(place.row(at[-1]), told)
        break


def _alpha(fields: Fields) -> Decimal | None:
    value = fields.number("alpha", above=0)
    if value is not None and value >= 1:
        fields.wrong("alpha", "a number between 0 and 1", fields.data["alpha"])
    return value


def _verifier(fields: Fields) -> Identity | None:
    known = ("id", "version", "digest")
    fields.only(*known)
    return Identity(*map(fields.text, known)) if fields.data else None


def _gates(fields: Fields, slice_: str | None) -> Iterator[tuple[str, Policy]]:
    """(gate name, policy) for each gate, those of slices with their slice in the name."""
    fields.only(*MEASURES, *(() if slice_ else ("slices",)))
    for key in fields.data:
        if key == "slices" and not slice_:
            for name, gates in fields.named(key):
                if not all(name.partition("=")):
                    fields.inner(key).fault(name, f"slice {name!r}; write it like domain=finance")
                yield from _gates(gates, name)
        elif key == "recovery":
            types = fields.inner(key)
            for type_ in types.data:
                policy = _policy(types, type_, allowed(MEASURES[key]))
                yield str(GateName(key, type_, slice_)), policy
        elif key in MEASURES:
            yield str(GateName(key, None, slice_)), _policy(fields, key, allowed(MEASURES[key]))


def _policy(gates: Fields, name: str, known: Sequence[str]) -> Policy:
    before = len(gates.faults.entries)
    fields = gates.inner(name)
    fields.only(*known)
    conditions = [key for key in known if key not in ("alpha", "min_n")]
    given: dict[str, Any] = {"paired": bool("paired" in known and fields.flag("paired"))}
    for key in known:
        if key in ("max_new_misses", "min_n"):
            given[key] = fields.whole(key)
        elif key == "alpha":
            given[key] = _alpha(fields)
        elif key != "paired":
            given[key] = fields.number(key)
    if (least := given.get("min")) is not None and least > 1:
        fields.wrong("min", "1 or less, 80% is 0.80", fields.data["min"])
    policy = Policy(**given)
    if not policy.conditions and len(fields.faults.entries) == before:
        fields.fault(None, f"no condition; give one of {', '.join(conditions)}")
    return policy


_Clip = tuple[str, Rate | None, ErrorRate | None]
"""Digest, what was recovered of its values, word edits."""


def _clip(clips: Fields, clip: str) -> _Clip:
    """A line of the list of clips; schema 1 has the digest alone."""
    if not isinstance(clips.data[clip], dict):
        return clips.text(clip), None, None
    fields = clips.inner(clip)
    fields.only("digest", "recovered", "words")
    return fields.text("digest"), _rate(fields, "recovered"), _errors(fields, "words")


def _baseline(fields: Fields, clips: dict[str, _Clip]) -> Baseline | None:
    fields.only(*_BASELINE)
    if "misses" not in fields:
        return None
    unstable = fields.inner("unstable")
    repeats = fields.whole("repeats", least=1)
    return Baseline(
        misses=frozenset(fields.texts("misses")),
        unstable={key: _wholes(unstable, key) for key in unstable.data},
        repeats=1 if repeats is None else repeats,
        rates=dict(_rates(fields)),
        errors={key: rate for key in ("wer", "cer") if (rate := _errors(fields, key))},
        recovered={clip: rate for clip, (_, rate, _) in clips.items() if rate},
        words={clip: words for clip, (_, _, words) in clips.items() if words},
    )


def _rates(fields: Fields) -> Iterator[tuple[str, Rate]]:
    for key in ("ctem", "tsr"):
        if rate := _rate(fields, key):
            yield key, rate
    types = fields.inner("recovery")
    for type_ in types.data:
        if rate := _rate(types, type_):
            yield f"recovery:{type_}", rate


def _rate(fields: Fields, key: str) -> Rate | None:
    counts = _counts(fields, key)
    if counts and counts[0] > counts[1]:
        fields.wrong(key, "hits and total", fields.data[key])
        return None
    return Rate(*counts) if counts else None


def _errors(fields: Fields, key: str) -> ErrorRate | None:
    counts = _counts(fields, key)
    return ErrorRate(*counts) if counts else None


def _counts(fields: Fields, key: str) -> tuple[int, int] | None:
    if key not in fields:
        return None
    counts = _wholes(fields, key)
    if len(counts) == 2:
        return counts[0], counts[1]
    fields.wrong(key, "two counts, like [60, 96]", fields.data[key])
    return None


def _wholes(fields: Fields, key: str) -> tuple[int, ...]:
    given = fields.data[key]
    listed = given if isinstance(given, list) else [given]
    if all(isinstance(each, str) and RE_COUNT.fullmatch(each) for each in listed):
        return tuple(map(int, listed))
    fields.wrong(key, "whole numbers", given)
    return ()


def _exemptions(fields: Fields, key: str) -> Iterator[Exemption]:
    for entry in fields.objects(key, f"{key}, entry"):
        entry.only("clip", "entity", "reason", "until")
        which = [name for name in ("clip", "entity") if name in entry]
        if len(which) != 1:
            entry.fault(None, "give either clip: ID or entity: CLIP/ENTITY")
        entry.need("reason", "until", hint="; nothing is exempt without reason and last day")
        day = entry.day("until")
        text = entry.optional(which[0]) if which else None
        if text and day:
            yield Exemption(text, entry.optional("reason") or "", day)


def allowed(measure: Measure) -> tuple[str, ...]:
    """The conditions that fit a measure, and what may stand beside them."""
    if measure.outcomes:
        return "min", "max_drop", "paired", "max_new_misses", "alpha", "min_n"
    if measure.unit == "rate":
        return "max", "max_rise", "min_n"
    return ("max",)
