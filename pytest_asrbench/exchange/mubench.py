"""
mu-bench: a run as a submission, the folder that the benchmark's repository takes.

    <folder>/<locale>/<id>.txt, latency.json, metadata.yaml     (see datasets.submission)

The contract is that of its validator (scoring/validate.py): every utterance of an included locale
with a transcript and a latency, six configuration keys that are `default` or disclosed with an
`override:` note, a region of its list.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from pytest_asrbench.datasets import load
from pytest_asrbench.errors import InputError
from pytest_asrbench.exchange import coverage
from pytest_asrbench.model import ClipRecord
from pytest_asrbench.run import Run

LAYOUT = "mu-bench"
CONFIG = (
    "beamSize",
    "languageHint",
    "customVocabulary",
    "noiseSuppression",
    "domainAdaptation",
    "keywordBoosting",
)
REGIONS = (
    "us-east-1", "us-east-2", "us-west-1", "us-west-2", "eu-west-1", "eu-central-1",
    "ap-southeast-1", "ap-northeast-1", "us", "eu",
)  # fmt: skip
MAX_BYTES = 10_000  # of one transcript


@dataclass(frozen=True, slots=True)
class About:
    """Facts that the run can't know of itself. `config` discloses what is not the vendor's
    default."""

    organization: str
    region: str
    client_location: str | None = None
    concurrency: int | None = None
    contact: str | None = None
    notes: str = ""
    config: Mapping[str, str] = field(default_factory=dict)


def submission(run: Run, about: About, *, partial: bool) -> dict[str, str]:
    """File name -> content of the submission. Raises InputError with one line a fault.

    `partial` leaves out the locales that were not measured as a whole.
    """
    records = coverage.measured(run, LAYOUT, partial=partial)
    if partial:
        records = _whole_locales(run, records)
    faults = [*_about_faults(run, about), *_record_faults(run, records)]
    if faults:
        raise InputError("\n".join(faults))
    return {
        **{f"{record.clip}.txt": record.transcript or "" for record in records},
        "latency.json": json.dumps(_latency(run, records, about), indent=1) + "\n",
        "metadata.yaml": yaml.safe_dump(_metadata(run, about), sort_keys=False, allow_unicode=True),
    }


def _whole_locales(run: Run, records: Sequence[ClipRecord]) -> list[ClipRecord]:
    """The records of locales in which every utterance of the benchmark has one."""
    have = {record.clip for record in records}
    dataset = load(f"{LAYOUT}:{run.dataset.path}", Path())
    broken = {clip.language for clip in dataset.clips if clip.id not in have}
    whole = [record for record in records if record.language not in broken]
    if not whole:
        raise InputError("no locale was measured as a whole; the benchmark takes whole locales")
    return whole


def _about_faults(run: Run, about: About) -> list[str]:
    faults = []
    if about.region not in REGIONS:
        faults.append(f"region {about.region!r} is not known; one of {', '.join(REGIONS)}")
    for key in about.config:
        if key not in CONFIG:
            faults.append(f"config {key!r} is not known; one of {', '.join(CONFIG)}")
    if run.provider.protocol == "custom" and not about.config:
        faults.append(
            "the run is protocol: custom (vendor parameters are set): disclose each as "
            f"--config KEY=VALUE, with KEY one of {', '.join(CONFIG)}"
        )
    return faults


def _record_faults(run: Run, records: Sequence[ClipRecord]) -> list[str]:
    faults = [
        f"{record.clip}: no latency; the benchmark wants one for each transcript"
        for record in records
        if record.latency_ms is None or (_streams(run) and record.first_text_ms is None)
    ]
    faults += [
        f"{record.clip}: {len((record.transcript or '').encode('utf-8', 'replace')):,} bytes of "
        f"text; the benchmark takes {MAX_BYTES:,}"
        for record in records
        if len((record.transcript or "").encode("utf-8", "replace")) > MAX_BYTES
    ]
    return faults


def _latency(run: Run, records: Sequence[ClipRecord], about: About) -> dict[str, Any]:
    meta = {
        "protocol": "streaming" if _streams(run) else "batch",
        "region": about.region,
        "clientLocation": about.client_location,
        "measuredAt": run.started,
        "concurrency": about.concurrency,
    }
    return {
        "meta": {key: value for key, value in meta.items() if value is not None},
        "measurements": {record.clip: _times(run, record) for record in records},
    }


def _times(run: Run, record: ClipRecord) -> dict[str, float | None]:
    if _streams(run):
        return {"ttftMs": record.first_text_ms, "completeMs": record.latency_ms}
    return {"roundTripMs": record.latency_ms}


def _streams(run: Run) -> bool:
    return run.provider.mode == "stream"


def _metadata(run: Run, about: About) -> dict[str, Any]:
    overrides = [f"override: {key} because it is {value}" for key, value in about.config.items()]
    date = run.started[:10]
    data = {
        "model": run.provider.model or run.provider.reported_model or run.provider.name,
        "organization": about.organization,
        "version": run.provider.reported_model or date,
        "date": date,
        "contact": about.contact,
        "notes": "\n".join(filter(None, [about.notes, *overrides])),
        "config": {key: about.config.get(key, "default") for key in CONFIG},
    }
    return {key: value for key, value in data.items() if value}
