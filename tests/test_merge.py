"""Parts of a sharded run become the run that was never split, or are refused."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from helpers.small_runs import NOISY, VERIFIER, build, dataset_of, gates, record_of, stored

from pytest_asrbench import run as runs
from pytest_asrbench.errors import InputError
from pytest_asrbench.gates import evaluate

LINES = ["time+ date-", "time- url+", "", "date+ date+ url-", "time+"]


def whole(count=23, repeats=1):
    chance = random.Random(4)
    return [
        record_of(
            f"c{n:02}",
            LINES[n % 5] if repeat == 1 else LINES[n % 5].replace("+", chance.choice("+-")),
            repeat,
            row=n + 2,
            latency_ms=chance.random() * 1000,
            duration_s=chance.random() * 7,
            cost=chance.random(),
            slices={"domain": chance.choice("xyz")},
        )
        for n in range(count)
        for repeat in range(1, repeats + 1)
    ]


def parts_of(records, tmp_path, **changes):
    """Run files of a run in three shards."""
    count = 3
    dataset = dataset_of(records)
    paths = []
    for k in range(1, count + 1):
        own = [clip.id for n, clip in enumerate(dataset.clips) if n % count == k - 1]
        chosen = [record for record in records if record.clip in own]
        part = build(chosen, dataset=dataset, expected=own, shard=f"{k}/{count}", **changes)
        paths.append(tmp_path / f"part{k}.json")
        runs.write(part, paths[-1])
    return paths


def changed(path, **changes):
    runs.write(replace(runs.read(path), **changes), path)


@pytest.mark.parametrize("repeats", [1, 3])
def test_merged_shards_equal_the_unsharded_run_to_the_last_digit(tmp_path, repeats):
    records = whole(repeats=repeats)
    unsharded = build(records)
    paths = parts_of(records, tmp_path)

    for order in (paths, paths[::-1]):
        merged = runs.merge(order)

        assert merged == unsharded
        assert merged.metrics.to_json() == unsharded.metrics.to_json()


def test_gates_over_merged_shards_are_those_of_the_unsharded_run(tmp_path):
    records = whole()
    thresholds = stored(build(whole()), gates=gates(ctem={"min": "0.9"}, tsr={"paired": True}))
    paths = parts_of(records, tmp_path)

    assert evaluate(runs.merge(paths), thresholds) == evaluate(build(records), thresholds)


def test_a_part_given_twice_counts_once(tmp_path):
    records = whole()
    paths = parts_of(records, tmp_path)

    assert runs.merge([*paths, paths[1]]) == build(records)


OTHERS = [
    ({"dataset": replace(runs.DatasetInfo.of(dataset_of(whole(5))), digest="sha256:0")}, "dataset"),
    ({"provider": replace(NOISY, model="m2")}, "provider p nova m2"),
    ({"verifier": replace(VERIFIER, version="2")}, "verifier rules/2/sha256:aa is not rules/1"),
    ({"git_commit": "abc"}, "commit abc is not None"),
    ({"normaliser": "plain"}, "normaliser plain is not whisper-en"),
    ({"shard": "2/4"}, "number of shards 4 is not 3"),
    ({"tags": ("smoke",)}, "tags"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("other", "message"), OTHERS, ids=[next(iter(o)) for o, _ in OTHERS])
def test_parts_that_do_not_belong_together_are_refused(tmp_path, other, message):
    paths = parts_of(whole(), tmp_path)
    changed(paths[1], **other)

    with pytest.raises(InputError, match=message) as error:
        runs.merge(paths)
    assert str(paths[1]) in str(error.value)
    assert str(paths[0]) in str(error.value)


def test_duplicates_that_differ_are_refused(tmp_path):
    paths = parts_of(whole(), tmp_path)
    part = runs.read(paths[0])
    other = tmp_path / "again.json"
    first, *rest = part.records
    runs.write(replace(part, records=(replace(first, transcript="other"), *rest)), other)

    with pytest.raises(InputError, match=r"again.json: c00 is in .*part1.json too, and differs"):
        runs.merge([*paths, other])


def test_a_missing_shard_is_named(tmp_path):
    paths = parts_of(whole(), tmp_path)

    with pytest.raises(InputError, match="shard 2/3 missing of small; give its run file"):
        runs.merge([paths[0], paths[2]])


def test_a_clip_that_a_crashed_shard_lost_is_named(tmp_path):
    records = whole()
    paths = parts_of(records, tmp_path)
    part = runs.read(paths[2])
    changed(paths[2], records=part.records[1:], coverage=replace(part.coverage, missing=("c02",)))

    with pytest.raises(InputError, match=r"part3.json: no result for c02; run shard 3/3 again"):
        runs.merge(paths)


def test_clips_that_no_part_knows_of_are_missed_by_digest(tmp_path):
    paths = parts_of(whole(), tmp_path)
    part = runs.read(paths[2])
    fewer = replace(part.coverage, expected=part.coverage.expected - 1)
    changed(paths[2], records=part.records[1:], coverage=fewer)

    with pytest.raises(InputError, match="the parts hold 22 clips, small has 23"):
        runs.merge(paths)


def test_a_partial_selection_is_refused(tmp_path):
    paths = parts_of(whole(), tmp_path)
    part = runs.read(paths[0])
    changed(paths[0], coverage=replace(part.coverage, unselected=2))

    with pytest.raises(InputError, match="only 6 of 8 clips were selected; run shard 1/3 in full"):
        runs.merge(paths)


def test_errors_of_a_shard_reach_the_merged_run(tmp_path):
    records = [*whole(5), record_of("z", "error", row=99)]
    merged = runs.merge(parts_of(records, tmp_path))

    assert [record.clip for record in merged.errors] == ["z"]
    assert evaluate(merged, None)[0].failed


def test_nothing_to_merge_is_an_error():
    with pytest.raises(InputError, match="nothing to merge"):
        runs.merge([])
