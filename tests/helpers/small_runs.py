"""
Runs written in a line: `run_of(a="time+ date-", b="")` has clip `a` with a recovered time and a
missed date, and clip `b` without entities. A list is a line a repeat; `error` is a failed call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from pytest_asrbench import run as runs
from pytest_asrbench.gates import Thresholds, baselines
from pytest_asrbench.gates.thresholds import Policy
from pytest_asrbench.model import (
    ClipRecord,
    Dataset,
    Entity,
    Failure,
    JudgedEntity,
    Verdict,
)
from pytest_asrbench.verifiers.base import Identity

VERIFIER = runs.VerifierInfo("rules", "1", "sha256:aa")
STEADY = runs.ProviderInfo("p", "recorded", "m1", deterministic=True)
NOISY = runs.ProviderInfo("p", "nova", "m1")


def record_of(clip: str, line: str, repeat: int = 1, **fields: Any) -> ClipRecord:
    """A record of the clip with the entities of the line."""
    if line == "error":
        failure = Failure("timeout", "no answer", "api.example.com")
        return ClipRecord(clip, "some words", "en", repeat=repeat, error=failure)
    entities = tuple(
        JudgedEntity(
            Entity(f"e{n}", word[:-1], f"{clip} {n}"), Verdict(word[-1] == "+", True, "why")
        )
        for n, word in enumerate(line.split(), start=1)
    )
    given = {"transcript": f"{clip} said", "source": "live", "latency_ms": 100.0, **fields}
    return ClipRecord(clip, "some words", "en", entities, repeat, **given)


def failed(record: ClipRecord, kind: str = "timeout") -> ClipRecord:
    """The record as it had been if the call had failed: no transcript and no verdict."""
    unjudged = tuple(JudgedEntity(judged.entity, None) for judged in record.entities)
    failure = Failure(kind, "no answer", "api.example.com")
    return replace(
        record, entities=unjudged, transcript=None, source=None, latency_ms=None, error=failure
    )


def dataset_of(records: Sequence[ClipRecord]) -> Dataset:
    clips = {record.clip: runs.records.clip_of(record) for record in records}
    return Dataset("small", Path("clips.yaml"), tuple(clips.values()))


def build(records: Sequence[ClipRecord], **changes: Any) -> runs.Run:
    """A run of these records; `changes` are arguments of `run.build`."""
    arguments: dict[str, Any] = {
        "dataset": dataset_of(records),
        "providers": [NOISY],
        "verifiers": [VERIFIER],
        "started": "2026-11-29T00:00:00Z",
        "plugin": "0.1.0",
        "repeats": max((record.repeat for record in records), default=1),
    }
    return runs.build(records, **{**arguments, **changes})


def run_of(
    clips: Mapping[str, str | list[str]] | None = None, *, build: Any = build, **more: Any
) -> runs.Run:
    """A run of clips by name; keyword arguments that are no lines go to `run.build`."""
    lines = {**(clips or {}), **{k: v for k, v in more.items() if _is_line(v)}}
    options = {k: v for k, v in more.items() if not _is_line(v)}
    records = [
        record_of(clip, line, repeat)
        for clip, given in lines.items()
        for repeat, line in enumerate([given] if isinstance(given, str) else given, start=1)
    ]
    return build(records, **options)


def _is_line(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(each, str) for each in value)
    return isinstance(value, str) and (value in ("", "error") or value[-1] in "+-")


def stored(run: runs.Run, **changes: Any) -> Thresholds:
    """Thresholds of the run's dataset and verifier, its outcomes as baseline, without gates."""
    clips = {record.clip: runs.clip_digest(record)[:8] for record in run.records}
    made = Thresholds(
        provider={"name": run.provider.name},
        dataset=run.dataset.name,
        digest=run.dataset.digest,
        clips=clips,
        verifier=Identity(*run.verifier.key),
        normaliser=run.normaliser,
        baseline=baselines.of_run(run),
    )
    return replace(made, **changes)


def gates(**policies: Mapping[str, Any]) -> dict[str, Policy]:
    """Policies by gate name; `recovery__time` stands for `recovery:time`, numbers are decimals."""
    return {
        name.replace("__", ":"): Policy(**{k: _decimal(v) for k, v in policy.items()})
        for name, policy in policies.items()
    }


def _decimal(value: Any) -> Any:
    return Decimal(value) if isinstance(value, str) else value
