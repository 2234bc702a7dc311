"""
Checks that a run file says of itself what its records say.

Gates count what is there, so a record that was dropped, doubled, emptied or renamed would let a run
pass. Clips and repeats are counted again, and the dataset's digest is made again of its clips.
"""

from __future__ import annotations

from collections.abc import Mapping

from pytest_asrbench.counts import plural, some
from pytest_asrbench.model import ClipRecord, dataset_digest
from pytest_asrbench.run.build import Run, record_key
from pytest_asrbench.run.records import clip_digest

Clips = Mapping[str, Mapping[int, ClipRecord]]
"""Records by clip and repeat."""


def check(run: Run) -> None:
    """Raises ValueError where records, coverage and dataset contradict each other."""
    clips = _by_clip(run)
    without = _without_record(run, clips)
    coverage = run.coverage
    asked = coverage.expected - coverage.unselected
    if len(clips) + without < asked or len(clips) > coverage.expected:
        told = f"{plural(len(clips), 'clip')} with a record and {without} named missing"
        raise ValueError(f"coverage expects {asked}, there are {told}")
    if not run.sharded:
        _check_dataset(run, clips, whole=not coverage.unselected and not without)


def _by_clip(run: Run) -> Clips:
    clips: dict[str, dict[int, ClipRecord]] = {}
    for record in run.records:
        repeats = clips.setdefault(record.clip, {})
        if record.repeat in repeats:
            raise ValueError(f"{record_key(record.clip, record.repeat)} has two records")
        if not 1 <= record.repeat <= run.repeats:
            raise ValueError(f"clip {record.clip}: repeat {record.repeat} of {run.repeats}")
        ids = [judged.entity.id for judged in record.entities]
        if len({*ids}) < len(ids):
            raise ValueError(f"clip {record.clip}: two values have one id")
        first = next(iter(repeats.values()), record)
        if _targets(first) != _targets(record):
            raise ValueError(f"clip {record.clip}: its repeats have unlike target values")
        repeats[record.repeat] = record
    return clips


def _targets(record: ClipRecord) -> tuple[object, ...]:
    return record.reference, record.language, tuple(j.entity for j in record.entities)


def _without_record(run: Run, clips: Clips) -> int:
    """The number of clips that are named missing in every repeat."""
    named = set(run.coverage.missing)
    for clip, repeats in clips.items():
        for repeat in range(1, run.repeats + 1):
            key = record_key(clip, repeat)
            if (key in named) is (repeat in repeats):
                told = "has a record and is named missing" if key in named else "has no record"
                raise ValueError(f"{key} {told}")
            named.discard(key)
    return len(named) // run.repeats


def _check_dataset(run: Run, clips: Clips, *, whole: bool) -> None:
    dataset = run.dataset
    if run.coverage.expected != dataset.clips:
        raise ValueError(f"coverage expects {run.coverage.expected} of {dataset.clips} clips")
    if not whole:
        return
    firsts = [next(iter(repeats.values())) for repeats in clips.values()]
    entities = sum(len(record.entities) for record in firsts)
    if entities != dataset.entities:
        raise ValueError(f"its records have {entities} values, its dataset {dataset.entities}")
    if dataset_digest({r.clip: clip_digest(r) for r in firsts}) != dataset.digest:
        raise ValueError(
            f"its clips ({some(clips)}) do not give the dataset's digest: an id, a reference or "
            "target values were changed"
        )
