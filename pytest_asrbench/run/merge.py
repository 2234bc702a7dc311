"""
Joining the parts of a sharded run.

The parts must be of one dataset, provider, verifier and commit, and together hold every clip: the
clips' digests have to give the dataset's digest again. Parts are taken one by one, so that only
the records stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_asrbench.errors import InputError
from pytest_asrbench.model import ClipRecord, Dataset
from pytest_asrbench.run.build import Run
from pytest_asrbench.run.file import read
from pytest_asrbench.run.provenance import ConditionInfo, Coverage, ProviderInfo, short
from pytest_asrbench.run.records import clip_of
from pytest_asrbench.verifiers.overrides import overridden

Key = tuple[str, str | None, int]


def merge(paths: Iterable[Path]) -> Run:
    """One run of all parts. Raises InputError where they do not fit or clips are missing."""
    merger = Merger()
    for path in paths:
        merger.add(read(path), path)
    return merger.finish()


class Merger:
    """Takes parts one by one."""

    def __init__(self) -> None:
        self._first: tuple[Run, Path] | None = None
        self._records: dict[Key, ClipRecord] = {}
        self._source: dict[Key, Path] = {}
        self._shards: dict[str, Path] = {}
        self._problems: dict[str, None] = {}
        self._models: dict[str, None] = {}
        self._started: list[str] = []

    def add(self, part: Run, path: Path) -> None:
        """Take a part in. Raises InputError where it does not fit to those before."""
        if self._first is None:
            under = tuple(replace(each, records=()) for each in part.conditions)
            self._first = replace(part, records=(), conditions=under), path
        self._check_fits(part, path)
        self._check_whole(part, path)
        self._shards.setdefault(part.shard, path)
        self._problems.update(dict.fromkeys(part.coverage.problems))
        self._models.update(dict.fromkeys((part.provider.reported_model or "").split(", ")))
        self._started.append(part.started)
        for each in part.parts:
            for record in each.records:
                self._add_record(record, path)

    def _add_record(self, record: ClipRecord, path: Path) -> None:
        key = record.clip, record.condition, record.repeat
        known = self._records.setdefault(key, record)
        if known is not record and known != record:
            raise InputError.at(
                path, None, f"{record.key} is in {self._source[key]} too, and differs; drop one"
            )
        self._source.setdefault(key, path)

    def _check_fits(self, part: Run, path: Path) -> None:
        assert self._first is not None
        first, where = self._first
        for (what, mine), (_, theirs) in zip(_identity(part), _identity(first), strict=True):
            if mine != theirs:
                raise InputError.at(
                    path, None, f"{what} {_short(mine)} is not {_short(theirs)} as in {where}"
                )

    def _check_whole(self, part: Run, path: Path) -> None:
        for each in part.parts:
            self._check_measured(each, path)

    def _check_measured(self, part: Run, path: Path) -> None:
        coverage = part.coverage
        if coverage.unselected:
            chosen = coverage.expected - coverage.unselected
            what = f"only {chosen} of {coverage.expected} clips were selected"
            raise InputError.at(path, None, f"{what}; run shard {part.shard} in full")
        if coverage.missing:
            listed = ", ".join(coverage.missing[:5])
            raise InputError.at(path, None, f"no result for {listed}; run shard {part.shard} again")

    def finish(self) -> Run:
        """The merged run. Raises InputError where clips are missing."""
        if self._first is None:
            raise InputError("nothing to merge; give the run files of all shards")
        first, _ = self._first
        records = sorted(
            self._records.values(), key=lambda r: (r.row is None, r.row or 0, r.clip, r.repeat)
        )
        for each in first.parts:
            self._check_all_there(each, _of_condition(records, each.condition))
        models = ", ".join(sorted(filter(None, self._models))) or None
        verdicts = (judged.verdict for record in records for judged in record.entities)
        decided = sum(overridden(verdict) for verdict in verdicts if verdict)
        whole = replace(
            first,
            started=min(self._started),
            shard="1/1",
            gates=(),
            provider=replace(first.provider, reported_model=models),
            coverage=Coverage(first.dataset.clips),
            verifier=replace(first.verifier, overridden=decided),
            conditions=(),
        )
        under = tuple(
            replace(
                whole,
                condition=each.condition,
                records=_of_condition(records, each.condition),
            )
            for each in first.conditions
        )
        return replace(
            whole,
            records=_of_condition(records, None),
            coverage=replace(whole.coverage, problems=tuple(self._problems)),
            conditions=under,
        )

    def _check_all_there(self, first: Run, records: Sequence[ClipRecord]) -> None:
        total = int(first.shard.partition("/")[2])
        absent = [f"{k}/{total}" for k in range(1, total + 1) if f"{k}/{total}" not in self._shards]
        if absent:
            listed = ", ".join(absent)
            raise InputError(f"shard {listed} missing of {first.dataset.name}; give its run file")
        clips = {record.clip: clip_of(record) for record in records}
        if Dataset("", Path(), tuple(clips.values())).digest != first.dataset.digest:
            raise InputError(
                f"the parts hold {len(clips)} clips, {first.dataset.name} has "
                f"{first.dataset.clips} or other ones; run all shards again on one state of it"
            )


def _of_condition(
    records: Iterable[ClipRecord], condition: ConditionInfo | None
) -> tuple[ClipRecord, ...]:
    name = condition.name if condition else None
    return tuple(record for record in records if record.condition == name)


def _identity(run: Run) -> Iterator[tuple[str, Any]]:
    """The properties that parts must have in common, by what to call them."""
    yield "dataset", run.dataset.digest
    yield "provider", replace(run.provider, reported_model=None)
    yield "verifier", run.verifier.key
    yield "verdicts.yaml", run.verifier.overrides_digest
    yield "commit", run.git_commit
    yield "number of shards", run.shard.partition("/")[2]
    yield "number of repeats", run.repeats
    yield "tags", run.tags
    yield "normaliser", run.normaliser
    conditions = (part.condition for part in run.conditions)
    yield "conditions", tuple(f"{each.name} ({short(each.digest)})" for each in conditions if each)
    yield "cache mode", run.cache_mode
    yield "plugin version", run.plugin


def _short(value: Any) -> str:
    """The differing values, on one line."""
    if isinstance(value, ProviderInfo):
        return " ".join(filter(None, [value.name, value.use, value.model, str(value.settings)]))
    return "/".join(map(str, value)) if isinstance(value, tuple) else str(value)
