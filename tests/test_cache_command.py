"""`asrbench cache` and `asrbench transcribe`, and cassettes that replay without a key."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from suite_of_clips import Judge, clip, engine

from pytest_asrbench.cli import main
from pytest_asrbench.engine import run_all
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Entity, Judging, Transcript, Verdict
from pytest_asrbench.providers.base import Description
from pytest_asrbench.store import Entry, Store, TranscriptKey, VerdictKey
from pytest_asrbench.store.cassette import Cassette, read_cassette, write_cassette
from pytest_asrbench.verifiers.base import Identity, Judgement

COMMAND_ASR = """
import sys, pathlib
print("heard", len(pathlib.Path(sys.argv[1]).read_bytes()))
"""


def ago(**time):
    return (datetime.now(UTC) - timedelta(**time)).strftime("%Y-%m-%dT%H:%M:%SZ")


class Fixed:
    def __init__(self, text="hello", model="m1"):
        self.text, self.model = text, model

    def describe(self):
        return Description("fixed", self.model, {"language": "en"})

    async def transcribe(self, audio):
        return Transcript(self.text, "m1-2026", "r1", 1.5)


@pytest.fixture
def suite(tmp_path, monkeypatch):
    """A dataset of three clips, and a store that holds what was made of them."""
    monkeypatch.chdir(tmp_path)
    work = [clip(tmp_path, name) for name in ("b", "a", "c")]
    rows = [{"id": c.id, "audio": c.path.name, "reference": "hello", "entities": []} for c in work]
    manifest = {"schema": 1, "name": "three", "language": "en"}
    lines = [json.dumps(row) for row in [manifest, *rows]]
    (tmp_path / "clips.jsonl").write_text("\n".join(lines))
    run_all(engine(work, Fixed(), cache=tmp_path / ".asrbench", verifier=Judge()))
    return work


def test_ls_says_what_is_stored(suite, capsys):
    assert main(["cache", "ls"]) == 0

    out = capsys.readouterr().out
    assert out.splitlines()[0].startswith(".asrbench: 3 transcripts, 1 verdict, 0.0 MB")
    assert re.search(r"^mine +fixed m1, batch +3 clips +0 min old$", out, re.MULTILINE)
    assert "verifier judge 1: verdicts on 1 transcript" in out


def test_a_store_is_found_from_a_folder_below(suite, tmp_path, monkeypatch, capsys):
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")

    assert main(["cache", "ls"]) == 0
    assert "3 transcripts" in capsys.readouterr().out


def test_no_store_is_a_usage_error(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    assert main(["cache", "ls", "--cache", "nowhere"]) == 2
    assert "nowhere: no store here" in capsys.readouterr().err


def test_a_cassette_replays_in_another_place_without_call_or_verdict_paid_for(
    suite, tmp_path, capsys
):
    assert main(["cache", "export", "three.jsonl", "--data", "clips.jsonl"]) == 0
    assert capsys.readouterr().out == "three.jsonl: 3 transcripts, verdicts on 1\n"

    judge = Judge()
    for store in (
        Store(tmp_path / "three.jsonl", mode="replay"),
        imported(tmp_path, "three.jsonl"),
    ):
        records = run_all(engine(suite, Fixed("live"), cache=store, verifier=judge))

        assert [r.transcript for r in records] == ["hello"] * 3
        assert {r.source for r in records} == {"cache"}
        assert {(r.reported_model, r.request_id, r.billed_s) for r in records} == {
            ("m1-2026", "r1", 1.5)
        }
    assert judge.calls == 0


def imported(tmp_path, cassette):
    assert main(["cache", "import", cassette, "--cache", "elsewhere"]) == 0
    return Store(tmp_path / "elsewhere", mode="replay")


def test_a_cassette_is_in_the_dataset_s_order_and_readable(suite, tmp_path):
    main(["cache", "export", "three.jsonl", "--data", "clips.jsonl"])

    header, *lines = map(json.loads, (tmp_path / "three.jsonl").read_text().splitlines())
    assert (header["schema"], header["cassette"]) == (1, "three")
    assert header["providers"]["mine"]["model"] == "m1"
    assert [line.get("clip") for line in lines] == ["b", "a", "c", None]
    assert lines[0]["text"] == "hello"
    assert lines[3]["judged"] == "hello"


def test_a_clip_without_a_transcript_is_told_and_nothing_is_written(suite, tmp_path, capsys):
    clip(tmp_path, "new")
    row = {"id": "new", "audio": "new.wav", "reference": "hello", "entities": []}
    with (tmp_path / "clips.jsonl").open("a") as file:
        file.write("\n" + json.dumps(row))

    assert main(["cache", "export", "x.jsonl", "--data", "clips.jsonl"]) == 1
    assert "1 of 4 clips have no transcript stored (new)" in capsys.readouterr().out
    assert not (tmp_path / "x.jsonl").exists()

    assert main(["cache", "export", "x.jsonl", "--data", "clips.jsonl", "--partial"]) == 0


def test_a_cassette_never_mixes_what_two_models_said(suite, tmp_path):
    run_all(engine(suite[:1], Fixed("newer", model="m2"), cache=tmp_path / ".asrbench"))
    later = Store(tmp_path / ".asrbench")
    for _, entry in [*later.entries()]:
        if entry.key.provider.model == "m2":
            later.keep(replace(entry, recorded_at=ago(minutes=-1)))

    main(["cache", "export", "x.jsonl"])

    cassette = read_cassette(tmp_path / "x.jsonl")
    assert [entry.transcript.text for entry in cassette.entries] == ["newer"]


def test_import_leaves_what_is_newer(suite, tmp_path, capsys):
    main(["cache", "export", "x.jsonl"])
    store = Store(tmp_path / ".asrbench")
    _, entry = next(iter(store.entries()))
    store.keep(replace(entry, recorded_at=ago(minutes=-1), transcript=Transcript("newer")))

    assert main(["cache", "import", "x.jsonl"]) == 0
    assert "left as the store has them newer" in capsys.readouterr().out
    assert "newer" in {e.transcript.text for _, e in store.entries()}


def test_prune_removes_what_is_old_and_only_that(suite, tmp_path, capsys):
    store = Store(tmp_path / ".asrbench")
    (_, entry), *_ = store.entries()
    store.keep(replace(entry, recorded_at=ago(days=40)))

    assert main(["cache", "prune", "--dry-run"]) == 0
    assert "would remove 1 transcripts" in capsys.readouterr().out
    assert len([*store.entries()]) == 3

    assert main(["cache", "prune", "--provider", "other"]) == 0
    assert len([*store.entries()]) == 3

    assert main(["cache", "prune"]) == 0
    assert len([*store.entries()]) == 2
    assert len([*store.judgements()]) == 1


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["{}"], "x.jsonl:1: no cassette"),
        (['{"schema": 9, "cassette": "x"}'], "x.jsonl:1: schema 9, not 1"),
        (
            ['{"schema": 1, "cassette": "x", "providers": {}, "verifiers": {}}', '{"clip": "a"}'],
            "x.jsonl:2: provider None is not in the header; export",
        ),
        (["nonsense"], "x.jsonl:1: not JSON"),
    ],
)
def test_a_faulty_cassette_is_one_line_with_its_row(tmp_path, monkeypatch, capsys, lines, says):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.jsonl").write_text("\n".join(lines))

    assert main(["cache", "import", "x.jsonl"]) == 2
    assert says in capsys.readouterr().err


def test_a_cassette_is_not_written_to_by_a_run(tmp_path):
    with pytest.raises(InputError, match="a cassette is only read; give --asr-cache-mode=replay"):
        Store(tmp_path / "x.jsonl")


words = st.text(max_size=12)
entries = st.builds(
    Entry,
    key=st.builds(
        TranscriptKey,
        words,
        st.builds(
            Description,
            use=st.sampled_from(["a", "b"]),
            model=st.sampled_from(["m1", "m2", None]),
            settings=st.dictionaries(words, words, max_size=2),
        ),
        st.sampled_from(["batch", "stream"]),
        words,
        st.integers(1, 3),
    ),
    transcript=st.builds(Transcript, st.text(), st.none() | words, st.none() | words),
    recorded_at=words,
    name=st.sampled_from(["nova", "other"]),
    clip=words,
)
judgements = st.tuples(
    st.builds(
        VerdictKey,
        words,
        words,
        st.just((Entity("", "date", "2026-01-01"),)),
        st.builds(Identity, st.just("llm"), words, words),
    ),
    st.builds(
        Judgement,
        st.tuples(st.builds(Verdict, st.booleans(), st.booleans(), words)),
        st.just(Judging(asked=1)),
    ),
)


@given(
    st.lists(entries, max_size=5, unique_by=lambda entry: entry.key.digest),
    st.lists(judgements, max_size=3, unique_by=lambda judged: judged[0].digest),
)
def test_a_cassette_comes_back_as_it_was_written(tmp_path_factory, entries, judgements):
    path = tmp_path_factory.mktemp("cassette") / "x.jsonl"
    cassette = Cassette("x", entries, judgements)

    write_cassette(cassette, path)

    assert read_cassette(path) == cassette


class TestTranscribe:
    @pytest.fixture(autouse=True)
    def project(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "asr.py").write_text(COMMAND_ASR)
        (tmp_path / "asrbench.yaml").write_text(
            "providers:\n  mine:\n    use: command\n    version: 1\n"
            f"    argv: ['{sys.executable}', asr.py, '{{audio}}']\n"
        )

    def test_it_prints_what_was_heard(self, tmp_path, capsys):
        for name in ("x", "y"):
            clip(tmp_path, name)

        assert main(["transcribe", "x.wav", "y.wav", "--provider", "mine"]) == 0
        size = (tmp_path / "x.wav").stat().st_size
        assert capsys.readouterr().out == f"x.wav\theard {size}\ny.wav\theard {size}\n"

    def test_own_prices_bound_what_it_spends(self, tmp_path, capsys):
        for name in ("x", "y"):
            clip(tmp_path, name)
        (tmp_path / "ours.yaml").write_text("prices: [{use: command, per_minute: 60, least_s: 1}]")
        command = ["transcribe", "x.wav", "y.wav", "--provider", "mine", "--prices", "ours.yaml"]

        assert main([*command, "--budget", "1.5"]) == 3
        told = capsys.readouterr()
        assert told.out.count("\theard ") == 1
        assert ".wav: budget of 1.50 USD reached" in told.err

    def test_a_dataset_s_transcripts_become_a_recording(self, tmp_path, capsys):
        clip(tmp_path, "x")
        entity = {"type": "date", "canonical": "2026-01-01"}
        row = {"id": "x", "audio": "x.wav", "reference": "hello", "entities": [entity]}
        header = {"schema": 1, "name": "one", "language": "en"}
        (tmp_path / "clips.jsonl").write_text("\n".join(map(json.dumps, [header, row])))
        command = ["transcribe", "--data", "clips.jsonl", "--provider", "mine"]

        assert main([*command, "--out", "heard.jsonl"]) == 0
        [written] = map(json.loads, (tmp_path / "heard.jsonl").read_text().splitlines())
        assert written["audio_id"] == "x"
        assert written["pred_text"].startswith("heard ")

    def test_a_failed_call_leaves_the_others_and_exits_3(self, tmp_path, capsys):
        clip(tmp_path, "x")
        (tmp_path / "broken.wav").write_bytes(b"no audio")

        assert main(["transcribe", "broken.wav", "x.wav", "--provider", "mine"]) == 3
        told = capsys.readouterr()
        assert told.err.startswith("broken.wav: ")
        assert "not readable as audio" in told.err
        assert "x.wav\theard" in told.out

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (["nowhere.wav", "--provider", "mine"], "nowhere.wav: no such file"),
            (["--provider", "mine"], "give either recordings or --data"),
            (["asr.py", "--provider", "unheard-of"], "unknown provider 'unheard-of'"),
            (["asr.py", "--provider", "mine", "--prices", "no.yaml"], "no.yaml: no such file"),
        ],
    )
    def test_what_cannot_work_is_a_usage_error(self, capsys, arguments, says):
        assert main(["transcribe", *arguments]) == 2
        assert says in capsys.readouterr().err
