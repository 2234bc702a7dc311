"""The run file keeps everything, and refuses what it does not know."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from helpers.small_runs import NOISY, VERIFIER, build, dataset_of, record_of, run_of
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_asrbench import run as runs
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import (
    ClipRecord,
    Entity,
    ErrorRate,
    Failure,
    JudgedEntity,
    Nearest,
    Outcome,
    Rate,
    Verdict,
)
from pytest_asrbench.reports import markdown, terminal, view_model
from pytest_asrbench.run import surroundings

TEXT = st.text(max_size=12)
MAYBE = st.none() | TEXT
VERDICTS = st.builds(
    Verdict,
    present=st.booleans(),
    sure=st.booleans(),
    reason=TEXT,
    evidence=MAYBE,
    start=st.none() | st.integers(0, 99),
    end=st.none() | st.integers(0, 99),
    nearest=st.none() | st.builds(Nearest, TEXT, st.integers(0, 9), st.integers(0, 9), TEXT),
)
ENTITIES = st.builds(
    Entity,
    id=TEXT,
    type=st.text(min_size=1, max_size=12),
    canonical=TEXT,
    acoustic=MAYBE,
    accept=st.lists(TEXT, max_size=2).map(tuple),
    attributes=st.dictionaries(TEXT, TEXT, max_size=2),
)
RECORDS = st.builds(
    ClipRecord,
    clip=TEXT,
    reference=TEXT,
    language=st.just("en"),
    entities=st.lists(st.builds(JudgedEntity, ENTITIES, st.none() | VERDICTS), max_size=3).map(
        tuple
    ),
    repeat=st.integers(1, 3),
    row=st.none() | st.integers(1, 9),
    slices=st.dictionaries(TEXT, TEXT, max_size=2),
    tags=st.lists(TEXT, max_size=2).map(tuple),
    transcript=MAYBE,
    source=st.sampled_from(["live", "cache", "recorded", None]),
    latency_ms=st.none() | st.floats(0, 1e6),
    cost=st.none() | st.floats(0, 10),
    error=st.none() | st.builds(Failure, TEXT, TEXT, MAYBE),
    words=st.none() | st.builds(ErrorRate, st.integers(0, 9), st.integers(0, 9)),
)


@pytest.mark.slow
@given(RECORDS)
def test_a_record_survives_its_way_from_worker_to_controller(record):
    text = json.dumps(runs.record_to_json(record), ensure_ascii=True)

    assert runs.record_from_json(json.loads(text)) == record


@pytest.mark.slow
@given(st.lists(st.sampled_from(["time+ date-", "", "error", "url-"]), min_size=1, max_size=5))
@settings(max_examples=20)
def test_a_run_survives_writing_and_reading(tmp_path_factory, lines):
    run = run_of({f"c{n}": line for n, line in enumerate(lines)}, git_commit="abc", tags=["smoke"])
    run = replace(
        run,
        gates=(
            Outcome("ctem", "passed", "fine", "min", 0.5, Rate(1, 2), Rate(1, 2)),
            Outcome("wer", "failed", "bad", "max", 0.2, ErrorRate(3, 4)),
            Outcome("latency_p95_ms", "ungated", "", measured=12.5),
        ),
    )
    path = tmp_path_factory.mktemp("run") / "run.json"

    runs.write(run, path)
    again = runs.read(path)

    assert again == run
    assert again.metrics == run.metrics


def test_the_file_has_schema_first_and_one_record_a_line(tmp_path):
    path = tmp_path / "run.json"
    runs.write(run_of(a="time+", b="date-"), path)
    lines = path.read_text().splitlines()

    assert lines[1].startswith('"schema": 1')
    assert sum(line.startswith('{"clip"') for line in lines) == 2


def test_a_lone_surrogate_in_a_transcript_is_kept(tmp_path):
    run = build([record_of("a", "time-", transcript="broken \ud800 text é")])
    runs.write(run, tmp_path / "run.json")

    assert runs.read(tmp_path / "run.json").records[0].transcript == "broken \ud800 text é"


def test_secrets_of_the_environment_are_not_in_a_run(tmp_path, monkeypatch):
    monkeypatch.setenv("DEEPGRAM_API_KEY", "key-that-must-not-leak")
    path = tmp_path / "run.json"
    runs.write(run_of(a="time+", environment=surroundings.environment()), path)

    assert "key-that-must-not-leak" not in path.read_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"schema": 2}', "schema 2, this version reads 1; upgrade pytest-asrbench"),
        ("{}", "no run file: it has no schema"),
        ("[]", "no run file"),
        ('{"schema": 1}', r"damaged run file \('dataset' is missing\); write it again"),
        ("{", "run.json:1: not JSON"),
    ],
)
def test_what_is_no_run_file_is_refused_with_its_name(tmp_path, text, message):
    path = tmp_path / "run.json"
    path.write_text(text)

    with pytest.raises(InputError, match=message) as error:
        runs.read(path)
    assert str(error.value).startswith(str(path))


WRONG = (None, True, 1e400, 10**400, "x", [1], {"a": 1})


def places(value, path=()):
    """The path of every value in JSON data; of a list its first item stands for all."""
    firsts = enumerate(value[:1]) if isinstance(value, list) else ()
    for key, item in value.items() if isinstance(value, dict) else firsts:
        yield (*path, key)
        yield from places(item, (*path, key))


def replaced(value, path, new):
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


@pytest.mark.slow
def test_a_value_of_a_wrong_kind_is_refused_or_harmless_in_every_place(tmp_path):
    path = tmp_path / "run.json"
    runs.write(run_of(a="time+ date-"), path)
    data = json.loads(path.read_text())
    refused = 0

    for place in places(data):
        for wrong in WRONG:
            path.write_text(json.dumps(replaced(data, place, wrong)))
            try:
                run = runs.read(path)
            except InputError:
                refused += 1
                continue
            found = view_model.gather(run, run.gates, thresholds=None)
            markdown.report(found)
            list(terminal.lines(found, width=80, verbosity=2))
            runs.write(run, path)
    assert refused > 300


@pytest.mark.parametrize(
    ("field", "wrong"), [("latency_ms", "fast"), ("recorded_at", "2026-11-29T12:00:00.5")]
)
def test_a_damaged_record_is_named(tmp_path, field, wrong):
    path = tmp_path / "run.json"
    runs.write(run_of(a="time+", b="date-"), path)
    data = json.loads(path.read_text())
    data["records"][1][field] = wrong
    path.write_text(json.dumps(data))

    with pytest.raises(InputError, match=f"record 2: {field} can't be '{wrong}"):
        runs.read(path)


def test_a_start_that_could_not_be_compared_is_refused(tmp_path):
    path = tmp_path / "run.json"
    runs.write(run_of(a="time+"), path)
    path.write_text(path.read_text().replace("T00:00:00Z", "T00:00:00"))

    with pytest.raises(InputError, match=r"started can't be .*, but as 2026-11-29T21:04:05Z"):
        runs.read(path)


def test_a_value_without_a_verdict_is_refused_where_no_error_says_why(tmp_path):
    path = tmp_path / "run.json"
    runs.write(run_of({"long/call": "time+ date-"}), path)
    data = json.loads(path.read_text())
    data["records"][0]["entities"][1]["present"] = None
    path.write_text(json.dumps(data))

    with pytest.raises(InputError) as error:
        runs.read(path)
    assert str(error.value) == (
        f"{path}: damaged run file (record 1: clip long/call has neither an error nor a verdict on "
        "e2); write it again with --asr-json"
    )


def test_fields_of_other_versions_are_ignored_and_missing_ones_take_their_default(tmp_path):
    path = tmp_path / "run.json"
    runs.write(run_of(a="time+ date-"), path)
    data = json.loads(path.read_text())
    data["new"] = data["provider"]["new"] = data["records"][0]["new"] = {"of": "later"}
    data["dataset"]["new"] = data["verifier"]["new"] = 1
    del data["tags"], data["repeats"], data["records"][0]["cost"], data["records"][0]["tags"]
    del data["records"][0]["entities"][0]["accept"], data["provider"]["protocol"]
    path.write_text(json.dumps(data))

    assert runs.read(path) == run_of(a="time+ date-")


def test_a_missing_clip_is_named_and_an_unselected_one_is_counted():
    records = [record_of(clip, "time+") for clip in "abcd"]
    run = build(records[:2], dataset=dataset_of(records), selected=["a", "b", "c"])

    assert run.coverage.missing == ("c",)
    assert run.coverage.unselected == 1
    assert run.selection == "partial"


def test_each_repeat_is_expected():
    records = [record_of("a", "time+", 1), record_of("a", "time+", 2), record_of("b", "time+", 1)]
    run = build(records, repeats=3)

    assert run.coverage.missing == ("a#3", "b#2", "b#3")


def test_two_providers_in_one_run_are_a_problem():
    run = run_of(a="time+", providers=[NOISY, replace(NOISY, model="m2")])

    assert run.coverage.problems == (
        "2 providers answered in one run: nova m1 and nova m2; measure one at a time",
    )


def test_two_verifiers_in_one_run_are_a_problem():
    run = run_of(a="time+", verifiers=[VERIFIER, replace(VERIFIER, version="2")])

    assert run.verifier == VERIFIER
    assert run.coverage.problems == (
        "2 verifiers judged in one run: rules 1 and rules 2; use one at a time",
    )


def test_records_stand_in_the_order_of_the_dataset():
    records = [record_of(clip, "time+") for clip in "cab"]
    run = build([records[2], records[0], records[1]], dataset=dataset_of(records))

    assert [record.clip for record in run.records] == ["c", "a", "b"]


def test_what_the_replies_call_the_model_is_told():
    records = [
        record_of("a", "", reported_model="m1-2026"),
        record_of("b", "", reported_model="m1-2027"),
        record_of("c", ""),
    ]

    assert build(records).provider.reported_model == "m1-2026, m1-2027"


def test_the_digest_of_a_record_is_that_of_its_clip():
    record = record_of("a", "time+ date-")
    clip = dataset_of([record]).clips[0]

    assert runs.clip_digest(record) == clip.digest


def test_a_value_without_a_type_is_a_damaged_file(tmp_path):
    path = tmp_path / "run.json"
    runs.write(run_of(a="time+"), path)
    path.write_text(path.read_text().replace('"type": "time"', '"type": ""'))

    with pytest.raises(InputError, match=r"\(record 1: value e1 has no type\); write it again"):
        runs.read(path)
