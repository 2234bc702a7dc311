"""
The run file: JSON, `schema` first, one record a line so that it greps, diffs and streams.

Metrics in it are for readers of the file; on reading they are computed again from the records.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_asrbench import files
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import schema
from pytest_asrbench.metrics.drop import drop
from pytest_asrbench.model import ClipRecord, ErrorRate, Measured, Outcome, Rate
from pytest_asrbench.run import consistency
from pytest_asrbench.run.build import Run
from pytest_asrbench.run.provenance import (
    ConditionInfo,
    Coverage,
    DatasetInfo,
    ProviderInfo,
    VerifierInfo,
)
from pytest_asrbench.run.records import known, listed, record_from_json, record_to_json

SCHEMA = 1
AGAIN = "write it again with --asr-json"
RE_SHARD = re.compile(r"[1-9][0-9]{0,5}/[1-9][0-9]{0,5}")


def write(run: Run, path: Path) -> None:
    """Write the run file, whole or not at all. Raises InputError."""
    files.write_atomic(path, to_chunks(run))


def to_chunks(run: Run) -> Iterator[str]:
    """The file's text piece by piece, for runs too large to hold twice."""
    for name, value in _head_to_json(run).items():
        yield "{\n" if name == "schema" else ",\n"
        yield f'"{name}": {files.dump_json(value, allow_nan=False)}'
    yield ',\n"records": ['
    records = (record for part in run.parts for record in part.records)
    for at, record in enumerate(records):
        yield ",\n" if at else "\n"
        yield files.dump_json(record_to_json(record), allow_nan=False)
    yield "\n]\n}\n"


def _head_to_json(run: Run) -> dict[str, Any]:
    """All of the run file but the records."""
    return {
        "schema": SCHEMA,
        "plugin": run.plugin,
        "started": run.started,
        "git_commit": run.git_commit,
        "selection": run.selection,
        "shard": run.shard,
        "tags": list(run.tags),
        "repeats": run.repeats,
        "cache_mode": run.cache_mode,
        "provider": run.provider.to_json(),
        "dataset": run.dataset.to_json(),
        "verifier": run.verifier.to_json(),
        "environment": dict(run.environment),
        "links": dict(run.links),
        "coverage": run.coverage.to_json(),
        "metrics": run.metrics.to_json(),
        "gates": [outcome_to_json(outcome) for outcome in run.gates],
        **(
            {"conditions": [_part_to_json(run, each) for each in run.conditions]}
            if run.conditions
            else {}
        ),
    }


def _part_to_json(run: Run, part: Run) -> dict[str, Any]:
    """A condition with its figures; its records stand among the others and name it."""
    assert part.condition is not None
    return {
        **part.condition.to_json(),
        "coverage": part.coverage.to_json(),
        "metrics": part.metrics.to_json(),
        "drop": drop(run.records, part.records).to_json(),
    }


def read(path: Path) -> Run:
    """The run of a run file. Raises InputError on another schema or damaged content."""
    data = files.read_json(path)
    if not isinstance(data, dict) or "schema" not in data:
        raise InputError.at(path, None, "no run file: it has no schema; write one with --asr-json")
    if data["schema"] != SCHEMA:
        raise InputError.at(
            path,
            None,
            f"schema {data['schema']!r}, this version reads {SCHEMA}; upgrade pytest-asrbench",
        )
    try:
        return from_json(data)
    except KeyError as error:
        raise InputError.at(path, None, f"damaged run file ({error} is missing); {AGAIN}") from None
    except (TypeError, ValueError, AttributeError) as error:
        raise InputError.at(path, None, f"damaged run file ({error}); {AGAIN}") from None


def from_json(data: Mapping[str, Any]) -> Run:
    """The run again. Raises KeyError, TypeError, ValueError or AttributeError on other data, and on
    records that contradict what the file says of them.

    Fields of other versions are ignored, and those that an older file lacks keep their default.
    """
    head = _head_from_json(data)
    schema.check(head)
    if not RE_SHARD.fullmatch(head.shard):
        raise ValueError(f"shard can't be {head.shard!r}")
    schema.check_time("started", head.started)
    records = tuple(_records(listed(data["records"])))
    run = replace(
        head,
        records=tuple(record for record in records if record.condition is None),
        conditions=tuple(_parts_from_json(head, listed(data.get("conditions", [])), records)),
    )
    _check_conditions(run, records)
    for part in run.parts:
        consistency.check(part)
    return run


def _parts_from_json(
    head: Run, listed_conditions: Iterable[Mapping[str, Any]], records: Iterable[ClipRecord]
) -> Iterator[Run]:
    for data in listed_conditions:
        steps = tuple(dict(step) for step in listed(data["steps"]))
        condition = ConditionInfo(**{**known(ConditionInfo, data), "steps": steps})
        schema.check(condition)
        yield replace(
            head,
            condition=condition,
            coverage=_coverage_from_json(data["coverage"], head.dataset.clips),
            gates=(),
            records=tuple(record for record in records if record.condition == condition.name),
        )


def _check_conditions(run: Run, records: Iterable[ClipRecord]) -> None:
    """Raises ValueError for a condition that is named twice, or by records alone."""
    names = [part.condition.name for part in run.conditions if part.condition]
    if len({*names}) < len(names):
        raise ValueError(f"a condition stands twice in {', '.join(names)}")
    for record in records:
        if record.condition is not None and record.condition not in names:
            raise ValueError(f"{record.key} is under a condition that the file does not list")


def _records(rows: Iterable[Any]) -> Iterator[ClipRecord]:
    for number, row in enumerate(rows, start=1):
        try:
            record = record_from_json(row)
            schema.check(record)
            if record.recorded_at is not None:
                schema.check_time("recorded_at", record.recorded_at)
            _check_judged(record)
        except KeyError as error:
            raise ValueError(f"record {number}: {error} is missing") from None
        except (TypeError, ValueError, AttributeError) as error:
            raise ValueError(f"record {number}: {error}") from None
        yield record


def _check_judged(record: ClipRecord) -> None:
    """Raises ValueError where values were left unjudged, and nothing says why."""
    unjudged = [judged.entity.id for judged in record.entities if judged.verdict is None]
    if record.measured and unjudged:
        raise ValueError(
            f"clip {record.clip} has neither an error nor a verdict on {', '.join(unjudged)}"
        )


def _head_from_json(data: Mapping[str, Any]) -> Run:
    dataset = known(DatasetInfo, data["dataset"])
    return Run(
        plugin=data["plugin"],
        started=data["started"],
        git_commit=data.get("git_commit"),
        shard=data["shard"],
        tags=listed(data.get("tags", [])),
        repeats=data.get("repeats", 1),
        cache_mode=data.get("cache_mode", "fill"),
        environment=dict(data.get("environment", {})),
        links=dict(data.get("links", {})),
        provider=ProviderInfo(**known(ProviderInfo, data["provider"])),
        dataset=DatasetInfo(**{**dataset, "notes": listed(dataset.get("notes", []))}),
        verifier=VerifierInfo(**known(VerifierInfo, data["verifier"])),
        coverage=_coverage_from_json(data.get("coverage", {}), dataset["clips"]),
        normaliser=data["metrics"]["wer"]["normaliser"],
        gates=tuple(outcome_from_json(each) for each in listed(data.get("gates", []))),
        records=(),
    )


def _coverage_from_json(coverage: Mapping[str, Any], clips: int) -> Coverage:
    return Coverage(
        expected=coverage.get("expected", clips),
        unselected=coverage.get("unselected", 0),
        missing=listed(coverage.get("missing", [])),
        problems=listed(coverage.get("problems", [])),
    )


def outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    """A gate as the run file holds it."""
    return {
        "name": outcome.name,
        "outcome": outcome.status,
        "kind": outcome.kind,
        "limit": outcome.limit,
        "measured": _measured_to_json(outcome.measured),
        "baseline": _measured_to_json(outcome.baseline),
        "detail": outcome.detail,
    }


def outcome_from_json(data: Mapping[str, Any]) -> Outcome:
    """The gate again. Raises KeyError, TypeError or ValueError on other data."""
    return Outcome(
        name=data["name"],
        status=data["outcome"],
        detail=data["detail"],
        kind=data.get("kind"),
        limit=data.get("limit"),
        measured=_measured_from_json(data.get("measured")),
        baseline=_measured_from_json(data.get("baseline")),
    )


def _measured_to_json(measured: Measured) -> dict[str, Any] | None:
    if measured is None:
        return None
    if isinstance(measured, Rate | ErrorRate):
        return measured.to_json()
    return {"value": measured}


def _measured_from_json(data: Mapping[str, Any] | None) -> Measured:
    if data is None:
        return None
    if "hits" in data:
        return Rate(data["hits"], data["total"])
    if "edits" in data:
        return ErrorRate.from_json(data)
    return float(data["value"])
