"""`asrbench cache` and `asrbench transcribe`, and cassettes that replay without a key."""

from __future__ import annotations

import io
import json
import os
import re
import sys
import tempfile
from contextlib import redirect_stdout
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from helpers.engine_clips import Judge, clip, engine
from helpers.hostile_json import with_any_value
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrbench.cli import main
from pytest_asrbench.datasets.hypotheses import read_hypotheses
from pytest_asrbench.engine import run_all
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Entity, Nearest, Transcript, Verdict, VerifierUsage
from pytest_asrbench.providers.base import Description
from pytest_asrbench.store import Entry, Store, TranscriptKey, VerdictKey
from pytest_asrbench.store.cassette import Cassette, read_cassette, write_cassette
from pytest_asrbench.store.entries import entry_to_json, judgement_to_json
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


def test_ls_tells_the_descriptions_of_a_configuration_apart(suite, tmp_path, capsys):
    store = Store(tmp_path / ".asrbench")
    for _, entry in [*store.entries()]:
        for settings in ({"language": "en"}, {"language": "en", "smart": True}):
            provider = replace(entry.key.provider, version="2", settings=settings)
            store.keep(replace(entry, key=replace(entry.key, provider=provider)))

    assert main(["cache", "ls"]) == 0
    rows = capsys.readouterr().out.splitlines()[1:4]
    assert {" ".join(row.split()) for row in rows} == {
        "mine fixed m1, batch 3 clips 0 min old",
        "mine fixed m1, version 2, batch 3 clips 0 min old",
        "mine fixed m1, version 2, batch, smart=True 3 clips 0 min old",
    }


@pytest.mark.parametrize(
    ("ages", "says"),
    [
        (({"hours": 10}, {"days": 3}), "10 h to 3 d old"),
        (({"hours": 9}, {"hours": 10}), "9 h to 10 h old"),
        (({"minutes": 100}, {"hours": 3}), "100 min to 3 h old"),
    ],
)
def test_ls_gives_the_least_age_first(suite, tmp_path, capsys, ages, says):
    store = Store(tmp_path / ".asrbench")
    ages = (*ages, ages[0])
    for (_, entry), age in zip([*store.entries()], ages, strict=True):
        store.keep(replace(entry, recorded_at=ago(**age)))

    assert main(["cache", "ls"]) == 0
    assert says in capsys.readouterr().out


def test_ls_counts_what_is_there(suite, tmp_path, capsys):
    """A repeat that lacks, the same audio in another language, and a text judged twice."""
    store = Store(tmp_path / ".asrbench")
    entries = [entry for _, entry in store.entries()]
    for entry in entries[:2]:
        store.keep(replace(entry, key=replace(entry.key, repeat=2)))
    store.keep(replace(entries[0], key=replace(entries[0].key, language="es")))
    [(_, (key, judgement))] = store.judgements()
    store.keep_judgement(replace(key, targets=(Entity("", "word", "yellow"),)), judgement)

    assert main(["cache", "ls"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(".asrbench: 6 transcripts, 2 verdicts, ")
    assert " 6 transcripts of 4 clips " in out
    assert "verifier judge 1: verdicts on 1 transcript\n" in out

    assert main(["cache", "export", "x.jsonl"]) == 0
    assert capsys.readouterr().out == "x.jsonl: 6 transcripts, verdicts on 1\n"


def test_a_store_is_found_from_a_folder_below(suite, tmp_path, monkeypatch, capsys):
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")

    assert main(["cache", "ls"]) == 0
    assert "3 transcripts" in capsys.readouterr().out


def test_a_store_is_found_above_several_settings_files(suite, tmp_path, monkeypatch, capsys):
    """None of them is meant, and no first argument could say which."""
    for name in ("web", "phone"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "asrbench.yaml").write_text("data: clips.yaml\n")

    for command in (["ls"], ["export", "x.jsonl"], ["import", "x.jsonl"], ["prune"]):
        assert main(["cache", *command]) == 0

    monkeypatch.setenv("ASRBENCH_CACHE", "elsewhere")
    assert main(["cache", "import", "x.jsonl"]) == 0
    assert "elsewhere: 3 transcripts" in capsys.readouterr().out


@pytest.mark.parametrize("command", [["ls"], ["import", "x.jsonl"]])
def test_a_cassette_in_place_of_a_store_is_a_usage_error(suite, capsys, command):
    main(["cache", "export", "x.jsonl"])

    assert main(["cache", *command, "--cache", "x.jsonl"]) == 2
    says = "x.jsonl: a cassette, not a store; give a folder, as --cache .asrbench\n"
    assert capsys.readouterr().err == says


def test_an_import_that_cannot_write_says_so(suite, tmp_path, capsys):
    """A file where a folder should be: it fails for root too."""
    main(["cache", "export", "x.jsonl"])
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "transcripts").write_text("")
    capsys.readouterr()

    assert main(["cache", "import", "x.jsonl", "--cache", "full"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert re.fullmatch(
        r"full: can't be written \(.+\), 0 transcripts imported; make room or give another "
        r"--cache\n",
        told.err,
    )


@pytest.mark.slow
@pytest.mark.parametrize("make", [Path.mkdir, lambda path: path.symlink_to(path)])
def test_an_entry_that_cannot_be_read_is_told_and_the_others_are_used(
    suite, tmp_path, capsys, make
):
    file, _ = next(Store(tmp_path / ".asrbench").entries())
    file.unlink()
    make(file)

    for command, says in (
        (["ls"], ".asrbench: 2 transcripts, "),
        (["export", "x.jsonl"], "x.jsonl: 2 transcripts, "),
        (["prune"], ".asrbench: removed 0 transcripts, "),
    ):
        assert main(["cache", *command]) == 0
        out = capsys.readouterr().out
        assert out.startswith(says)
        assert re.search(r"\.json: can't be read \(.+\); treated as not stored\n$", out)


@pytest.mark.parametrize("command", [["ls"], ["export", "x.jsonl"], ["prune"]])
def test_a_folder_that_cannot_be_read_is_not_empty(suite, tmp_path, capsys, command):
    (tmp_path / ".asrbench" / "transcripts").rename(tmp_path / "moved")
    (tmp_path / ".asrbench" / "transcripts").symlink_to(tmp_path / ".asrbench" / "transcripts")

    assert main(["cache", *command]) == 2
    err = capsys.readouterr().err
    assert re.match(r"\.asrbench/transcripts: can't be read: .+; make it readable, or give", err)


def test_prune_tells_of_verdicts_that_it_cannot_list(suite, tmp_path, capsys):
    (tmp_path / ".asrbench" / "verdicts").rename(tmp_path / "moved")
    (tmp_path / ".asrbench" / "verdicts").write_text("")

    assert main(["cache", "prune"]) == 2
    assert ".asrbench/verdicts: can't be read: " in capsys.readouterr().err


def test_no_store_is_a_usage_error(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    assert main(["cache", "ls", "--cache", "nowhere"]) == 2
    assert "nowhere: no store here" in capsys.readouterr().err


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_clip_without_a_transcript_is_told_and_nothing_is_written(suite, tmp_path, capsys):
    clip(tmp_path, "new")
    row = {"id": "new", "audio": "new.wav", "reference": "hello", "entities": []}
    with (tmp_path / "clips.jsonl").open("a") as file:
        file.write("\n" + json.dumps(row))

    assert main(["cache", "export", "x.jsonl", "--data", "clips.jsonl"]) == 1
    assert capsys.readouterr().out == (
        "nothing written: 1 of 4 transcripts by mine not stored (new); record with pytest "
        "--asr-provider=mine --asr-data=clips.jsonl --asr-cache=.asrbench --asr-cache-mode=fill, "
        "or export with --partial\n"
    )
    assert not (tmp_path / "x.jsonl").exists()

    assert main(["cache", "export", "x.jsonl", "--data", "clips.jsonl", "--partial"]) == 0


@pytest.mark.slow
def test_a_repeat_that_lacks_is_told_and_nothing_is_written(suite, tmp_path, capsys):
    store = Store(tmp_path / ".asrbench")
    for repeat in (2, 3):
        for _, entry in [*store.entries()]:
            if (entry.clip, repeat) != ("a", 3):
                store.keep(replace(entry, key=replace(entry.key, repeat=repeat)))

    assert main(["cache", "export", "x.jsonl", "--data", "clips.jsonl"]) == 1
    assert capsys.readouterr().out == (
        "nothing written: 1 of 9 transcripts by mine not stored (a#3); record with pytest "
        "--asr-provider=mine --asr-data=clips.jsonl --asr-repeat=3 --asr-cache=.asrbench "
        "--asr-cache-mode=fill, or export with --partial\n"
    )
    assert not (tmp_path / "x.jsonl").exists()

    assert main(["cache", "export", "x.jsonl", "--data", "clips.jsonl", "--partial"]) == 0
    assert capsys.readouterr().out == "x.jsonl: 8 transcripts, verdicts on 1\n"


def test_each_system_must_have_transcribed_all(suite, tmp_path, capsys):
    store = Store(tmp_path / ".asrbench")
    for _, entry in [*store.entries()][:2]:
        streamed = replace(entry.key, mode="stream")
        store.keep(replace(entry, key=streamed))

    assert main(["cache", "export", "x.jsonl", "--data", "clips.jsonl"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("nothing written: 1 of 3 transcripts by mine not stored (")
    assert "--asr-provider=mine --asr-data=clips.jsonl --asr-mode=stream --asr-cache=" in out


@pytest.mark.slow
def test_configurations_that_are_one_system_share_its_transcripts(suite, tmp_path):
    store = Store(tmp_path / ".asrbench")
    (_, entry), *_ = store.entries()
    store.keep(replace(entry, name="other"))

    assert main(["cache", "export", "x.jsonl", "--data", "clips.jsonl"]) == 0
    assert len(read_cassette(tmp_path / "x.jsonl").entries) == 3


def replayed(work, provider, cassette):
    store = Store(cassette, mode="replay")
    return [r.transcript for r in run_all(engine(work, provider, cache=store))]


def test_a_cassette_never_mixes_what_two_models_said(suite, tmp_path, capsys):
    """Which one is configured can't be told here, and the later is not always the one."""
    run_all(engine(suite, Fixed("newer", model="m2"), cache=tmp_path / ".asrbench"))

    assert main(["cache", "export", "x.jsonl", "--data", "clips.jsonl"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told == [
        "mine, batch: transcripts by 2 descriptions of it, each replayed where it is configured; "
        "asrbench cache ls tells them apart",
        "x.jsonl: 6 transcripts, verdicts on 1",
    ]

    cassette = tmp_path / "x.jsonl"
    assert replayed(suite, Fixed(), cassette) == ["hello"] * 3
    assert replayed(suite, Fixed(model="m2"), cassette) == ["newer"] * 3


def test_a_model_that_heard_only_some_clips_is_left_out_and_told(suite, tmp_path, capsys):
    run_all(engine(suite[:1], Fixed("newer", model="m2"), cache=tmp_path / ".asrbench"))

    assert main(["cache", "export", "x.jsonl", "--data", "clips.jsonl"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("left out: mine (fixed m2, batch), as 2 transcripts of 3 lack\n")
    assert len(read_cassette(tmp_path / "x.jsonl").entries) == 3


def configured(tmp_path, **providers):
    """Command providers by name -> version."""
    entry = {"use": "command", "argv": [sys.executable, "asr.py", "{audio}"]}
    made = {name: {**entry, "version": version} for name, version in providers.items()}
    (tmp_path / "asrbench.yaml").write_text(json.dumps({"providers": made}))
    (tmp_path / "asr.py").write_text(COMMAND_ASR)


@pytest.mark.slow
def test_a_configuration_that_was_set_back_is_exported_as_it_is_now(suite, tmp_path, capsys):
    for version in ("1", "2", "1"):
        configured(tmp_path, mine=version)
        assert main(["transcribe", "--data", "clips.jsonl", "--provider", "mine"]) == 0
    store = Store(tmp_path / ".asrbench")
    for _, entry in [*store.entries()]:
        if entry.key.provider.version == "2":
            store.keep(replace(entry, recorded_at=ago(minutes=-1)))

    export = ["cache", "export", "x.jsonl", "--data", "clips.jsonl", "--provider", "mine"]
    assert main(export) == 0
    cassette = read_cassette(tmp_path / "x.jsonl")
    assert [entry.key.provider.version for entry in cassette.entries] == ["1"] * 3


@pytest.mark.slow
def test_another_name_of_a_system_exports_what_it_would_reuse(suite, tmp_path, capsys):
    configured(tmp_path, a="1", b="1", c="2")
    assert main(["transcribe", "--data", "clips.jsonl", "--provider", "a"]) == 0

    assert main(["cache", "export", "x.jsonl", "--data", "clips.jsonl", "--provider", "b"]) == 0
    cassette = read_cassette(tmp_path / "x.jsonl")
    assert [entry.name for entry in cassette.entries] == ["b"] * 3

    assert main(["cache", "export", "y.jsonl", "--provider", "c"]) == 2
    assert capsys.readouterr().err == (
        ".asrbench: no transcripts of provider 'c' to export; stored are a (command, version 1, "
        "batch); mine (fixed m1, batch); export one of these, or run 'c' first (code "
        "without version= is never stored)\n"
    )


def test_another_name_of_what_only_a_conftest_registers_is_known_by_its_use(suite, tmp_path):
    (tmp_path / "asrbench.yaml").write_text("providers: {other: {use: fixed}}\n")

    assert main(["cache", "export", "x.jsonl", "--data", "clips.jsonl", "--provider", "other"]) == 0
    cassette = read_cassette(tmp_path / "x.jsonl")
    assert [entry.name for entry in cassette.entries] == ["other"] * 3


def test_a_provider_that_cannot_describe_itself_is_known_by_its_name(suite, tmp_path):
    code = "class P:\n def transcribe(self, audio): ...\n def describe(self): raise OSError('x')\n"
    (tmp_path / "faulty.py").write_text(code)
    (tmp_path / "asrbench.yaml").write_text('providers: {mine: {use: "faulty:P"}}\n')

    assert main(["cache", "export", "x.jsonl", "--provider", "mine"]) == 0


def test_an_export_leaves_what_the_cassette_holds_of_others(suite, tmp_path, capsys):
    """Of other configurations and modes, and of clips that it has no transcript of."""
    heard = [entry for _, entry in Store(tmp_path / ".asrbench").entries()]
    web = Description("web", "w1")
    others = [
        *(replace(e, name="web", key=replace(e.key, provider=web, repeat=n))
          for e in heard for n in (1, 2)),
        *(replace(e, key=replace(e.key, mode="stream")) for e in heard),
    ]  # fmt: skip
    write_cassette(Cassette("ours", [*others, *heard]), tmp_path / "x.jsonl")
    changed = clip(tmp_path / "..", f"{tmp_path.name}-a")
    (tmp_path / "a.wav").write_bytes(changed.path.read_bytes())
    for file, entry in [*Store(tmp_path / ".asrbench").entries()]:
        if entry.clip != "c":
            file.unlink()
    again = Fixed("again")
    run_all(engine([c for c in suite if c.id == "a"], again, cache=tmp_path / ".asrbench"))

    assert main(["cache", "export", "x.jsonl", "--provider", "mine"]) == 0

    assert capsys.readouterr().out == (
        "replaced: 1 transcript of other audio under the same ids (a); if that is another "
        "dataset's, export each to a file of its own\n"
        "x.jsonl: 2 transcripts, verdicts on 1, 10 of others kept\n"
    )
    cassette = read_cassette(tmp_path / "x.jsonl")
    assert cassette.name == "ours"
    assert {e.key.digest for e in others} < {e.key.digest for e in cassette.entries}
    assert len(cassette.entries) == 12
    assert [e.name for e in cassette.entries] == ["web"] * 6 + ["mine"] * 6
    assert replayed(suite, Fixed(), tmp_path / "x.jsonl") == ["hello", "again", "hello"]


@pytest.mark.slow
def test_datasets_with_the_same_ids_do_not_replace_each_other_silently(suite, tmp_path, capsys):
    other = tmp_path / "other"
    other.mkdir()
    named = dict(zip((c.id for c in suite), "xyz", strict=True))
    for file in ("clips.jsonl", *(f"{name}.wav" for name in named)):
        noise = clip(tmp_path, named[file[0]]).path if file.endswith("wav") else tmp_path / file
        (other / file).write_bytes(noise.read_bytes())
    work = [replace(c, path=other / c.path.name) for c in suite]
    run_all(engine(work, Fixed(), cache=tmp_path / ".asrbench"))
    assert main(["cache", "export", "x.jsonl", "--data", str(tmp_path)]) == 0
    assert "replaced" not in capsys.readouterr().out

    assert main(["cache", "export", "x.jsonl", "--data", str(other)]) == 0

    assert "replaced: 3 transcripts of other audio under the same ids (b, a, c); if" in (
        capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"audio_id": "a", "pred_text": "hello"}', "x.jsonl:1: no cassette"),
        ('{"schema": 1, "cassette": "x"}', "x.jsonl:1: verifiers is missing; correct it"),
    ],
)
def test_an_export_never_replaces_what_it_cannot_read(suite, tmp_path, capsys, content, says):
    (tmp_path / "x.jsonl").write_text(content)

    assert main(["cache", "export", "x.jsonl"]) == 2
    assert capsys.readouterr().err.startswith(says)
    assert (tmp_path / "x.jsonl").read_text() == content


def test_import_leaves_what_is_newer(suite, tmp_path, capsys):
    main(["cache", "export", "x.jsonl"])
    store = Store(tmp_path / ".asrbench")
    _, entry = next(iter(store.entries()))
    store.keep(replace(entry, recorded_at=ago(minutes=-1), transcript=Transcript("newer")))

    assert main(["cache", "import", "x.jsonl"]) == 0
    assert (
        "imported, 2 there already, 1 left as the store has them newer" in capsys.readouterr().out
    )
    assert "newer" in {e.transcript.text for _, e in store.entries()}


def test_import_puts_right_what_is_damaged_and_tells_of_it(suite, tmp_path, capsys):
    main(["cache", "export", "x.jsonl"])
    file, _ = next(Store(tmp_path / ".asrbench").entries())
    file.write_text("{")
    capsys.readouterr()

    assert main(["cache", "import", "x.jsonl"]) == 0
    counted, told = capsys.readouterr().out.splitlines()
    assert counted.startswith(".asrbench: 1 transcript, verdicts on 1 imported, 2 there already")
    assert "damaged (not JSON" in told
    again = Store(tmp_path / ".asrbench")
    assert (len([*again.entries()]), again.notes) == (3, [])


def test_what_is_there_already_is_not_called_newer(suite, capsys):
    main(["cache", "export", "x.jsonl"])
    capsys.readouterr()

    assert main(["cache", "import", "x.jsonl"]) == 0
    says = ".asrbench: 0 transcripts, verdicts on 1 imported, 3 there already\n"
    assert capsys.readouterr().out == says


def test_prune_removes_what_is_old_and_only_that(suite, tmp_path, capsys):
    store = Store(tmp_path / ".asrbench")
    (_, entry), *_ = store.entries()
    store.keep(replace(entry, recorded_at=ago(days=40)))

    assert main(["cache", "prune", "--dry-run"]) == 0
    assert "would remove 1 transcript, 0 verdicts" in capsys.readouterr().out
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
            "x.jsonl:2: provider None is not in the header; correct",
        ),
        (["nonsense"], "x.jsonl:1: not JSON"),
        (["<<<<<<< HEAD"], "x.jsonl:1: looks like an unresolved merge; keep what is right"),
        (["======="], "x.jsonl:1: looks like an unresolved merge"),
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
hashes = st.binary(min_size=32, max_size=32).map(bytes.hex)
times = st.datetimes().map(lambda when: f"{when.isoformat(timespec='seconds')}Z")
entries = st.builds(
    Entry,
    key=st.builds(
        TranscriptKey,
        hashes,
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
    recorded_at=times,
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
        st.just(VerifierUsage(asked=1)),
    ),
)


@pytest.mark.slow
@given(
    st.lists(entries, max_size=5, unique_by=lambda entry: entry.key.digest),
    st.lists(judgements, max_size=3, unique_by=lambda judged: judged[0].digest),
)
def test_a_cassette_comes_back_as_it_was_written(tmp_path_factory, entries, judgements):
    path = tmp_path_factory.mktemp("cassette") / "x.jsonl"
    cassette = Cassette("x", entries, judgements)

    write_cassette(cassette, path)

    assert read_cassette(path) == cassette


def whole_cassette():
    """A transcript and a verdict, with every field filled."""
    key = TranscriptKey("a" * 64, Description("srv", "m1", {"language": "en"}), "batch", "en")
    heard = Transcript("hello", "m1", "r1", 1.5, 41.5, 12.5)
    target = Entity("", "date", "2026-01-01", "january first", ("1 Jan",))
    judged = VerdictKey("hello", "en", (target,), Identity("llm", "1", "sha256:1"))
    verdict = Verdict(False, True, "not said", nearest=Nearest("hello", 0, 5, "no digits"))
    judgement = Judgement((verdict,), VerifierUsage(calls=1, cost=0.1, models=("m",)))
    return Cassette("x", [Entry(key, heard, ago(), 1, "srv", "c1", 2.0)], [(judged, judgement)])


def lines_of(cassette):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.jsonl")
        write_cassette(cassette, path)
        return path.read_text().splitlines()


CASSETTE = whole_cassette()
LINES = lines_of(CASSETTE)
HEADER, HEARD, JUDGED = map(json.loads, LINES)
STORED = {
    "transcripts": entry_to_json(CASSETTE.entries[0]),
    "verdicts": judgement_to_json(*CASSETTE.judgements[0]),
}


@pytest.mark.slow
@given(
    st.one_of(
        with_any_value(HEADER).map(lambda text: [text, LINES[1], LINES[2]]),
        with_any_value(HEARD).map(lambda text: [LINES[0], text, LINES[2]]),
        with_any_value(JUDGED).map(lambda text: [LINES[0], LINES[1], text]),
    )
)
def test_a_cassette_with_any_value_is_valid_or_named_by_its_row(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("cassette") / "x.jsonl"
    path.write_text("\n".join(lines))

    if (fault := fault_of(path)) is not None:
        assert re.fullmatch(rf"{re.escape(str(path))}:[1-3]: .+", fault)
        return
    cassette = read_cassette(path)
    write_cassette(cassette, path)
    assert read_cassette(path) == cassette


def fault_of(path):
    try:
        Store(path, mode="replay")
    except InputError as error:
        return str(error)
    return None


@pytest.mark.slow
@given(
    st.sampled_from(["ls", "export", "import", "prune"]),
    st.sampled_from(["transcripts", "verdicts"]).flatmap(
        lambda kind: st.tuples(st.just(kind), with_any_value(STORED[kind]))
    ),
)
def test_commands_go_on_whatever_an_entry_holds(tmp_path_factory, action, replaced):
    folder = tmp_path_factory.mktemp("commands")
    cassette, store = folder / "x.jsonl", Store(folder / "store")
    cassette.write_text("\n".join(LINES))
    assert spoken("import", cassette, store)[0] == 0
    kind, content = replaced
    [(file, _)] = store.entries() if kind == "transcripts" else store.judgements()
    [(_, entry)] = store.entries()
    store.keep(replace(entry, key=replace(entry.key, repeat=2)))
    file.write_text(content)

    code, out = spoken(action, *[cassette] * (action in ("export", "import")), store)

    damaged = f"{file}: damaged" in out
    assert code == 0
    assert damaged is (store.path / "damaged").exists()


def spoken(action, *arguments):
    """Exit code and output of a command; the last argument is the store."""
    *files, store = arguments
    with redirect_stdout(io.StringIO()) as out:
        code = main(["cache", action, *map(str, files), "--cache", str(store.path)])
    return code, out.getvalue()


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([{**HEADER, "providers": {"srv": "x"}}], "x.jsonl:1: providers can't be {'srv': 'x'}"),
        (
            [{**HEADER, "providers": {"srv": {"use": "srv", "mode": "batch", "settings": "abc"}}}],
            "x.jsonl:1: settings can't be 'abc'",
        ),
        ([{**HEADER, "verifiers": []}], "x.jsonl:1: verifiers can't be []"),
        ([HEADER, {**HEARD, "latency_ms": "412 ms"}], "x.jsonl:2: latency_ms can't be '412 ms'"),
        (
            [{**HEADER, "providers": {"srv": {"use": "srv", "mode": "btach"}}}],
            "x.jsonl:1: mode can't be 'btach'",
        ),
        ([HEADER, {**HEARD, "audio_sha256": "aa11"}], "x.jsonl:2: audio_sha256 can't be 'aa11'"),
        (
            [HEADER, {**HEARD, "recorded_at": "yesterday"}],
            "x.jsonl:2: recorded_at can't be 'yesterday'",
        ),
        (
            [HEADER, {**HEARD, "recorded_at": "2026-11-29T12:00:00"}],
            "x.jsonl:2: recorded_at can't be '2026-11-29T12:00:00'",
        ),
        (
            [HEADER, {**HEARD, "recorded_at": "2026-11-29T12:00:00+02:00"}],
            "x.jsonl:2: recorded_at can't be '2026-11-29T12:00:00+02:00', but as 2026-11-29T21:0",
        ),
        ([HEADER, {**HEARD, "recorded_at": 5}], "x.jsonl:2: recorded_at can't be 5"),
        ([HEADER, {**HEARD, "repeat": -1}], "x.jsonl:2: repeat can't be -1"),
        ([HEADER, {**HEARD, "provider": ["srv"]}], "x.jsonl:2: provider ['srv'] is not in the"),
        ([HEADER, HEARD, {**JUDGED, "verdicts": ["x"]}], "x.jsonl:3: verdicts can't be ('x',)"),
    ],
)
def test_a_value_of_a_wrong_type_is_named_by_its_row(tmp_path, monkeypatch, capsys, lines, says):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.jsonl").write_text("\n".join(map(json.dumps, lines)))

    assert main(["cache", "import", "x.jsonl"]) == 2
    err = capsys.readouterr().err
    assert err.startswith(says)
    assert err.endswith("; correct it, or remove the file and export anew\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "other", "says"),
    [
        (HEARD, {**HEARD, "text": "yellow"}, "the same clip, provider and repeat as row 2"),
        (
            JUDGED,
            {**JUDGED, "verdicts": [{**JUDGED["verdicts"][0], "present": True}]},
            "the same transcript, values and verifier as row 2",
        ),
    ],
)
def test_two_answers_to_one_question_are_an_error(tmp_path, monkeypatch, capsys, line, other, says):
    """As a merge of two branches leaves them."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.jsonl").write_text("\n".join(map(json.dumps, [HEADER, line, other])))

    assert main(["cache", "import", "x.jsonl"]) == 2
    assert capsys.readouterr().err == f"x.jsonl:3: {says}; keep one\n"


def test_equal_lines_count_once(tmp_path, monkeypatch, capsys):
    """One recording under two ids, and lines that a merge has doubled."""
    monkeypatch.chdir(tmp_path)
    lines = [HEADER, HEARD, JUDGED, {**HEARD, "clip": "c2"}, JUDGED]
    (tmp_path / "x.jsonl").write_text("\n".join(map(json.dumps, lines)))

    assert main(["cache", "import", "x.jsonl"]) == 0
    assert ".asrbench: 1 transcript, verdicts on 1 imported\n" in capsys.readouterr().out


def test_a_recording_under_two_ids_is_exported_and_read_again(suite, tmp_path, capsys):
    row = {"id": "again", "audio": "a.wav", "reference": "hello", "entities": []}
    with (tmp_path / "clips.jsonl").open("a") as file:
        file.write("\n" + json.dumps(row))

    assert main(["cache", "export", "x.jsonl", "--data", "clips.jsonl"]) == 0
    assert len((tmp_path / "x.jsonl").read_text().splitlines()) == 6
    assert main(["cache", "import", "x.jsonl", "--cache", "elsewhere"]) == 0


class TestTranscribe:
    @pytest.fixture(autouse=True)
    def project(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "asr.py").write_text(COMMAND_ASR)
        (tmp_path / "asrbench.yaml").write_text(
            "providers:\n  mine:\n    use: command\n    version: 1\n"
            f"    argv: ['{sys.executable}', asr.py, '{{audio}}']\n"
        )

    @pytest.mark.slow
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
        _, written = map(json.loads, (tmp_path / "heard.jsonl").read_text().splitlines())
        assert written["clip"] == "x"
        assert written["text"].startswith("heard ")
        [entry] = read_cassette(tmp_path / "heard.jsonl").entries
        assert (entry.clip, entry.transcript.text) == ("x", written["text"])
        [transcript] = read_hypotheses(tmp_path / "heard.jsonl", clips=["x"]).values()
        assert transcript.text == written["text"]

        other = (tmp_path / "asrbench.yaml").read_text().replace("version: 1", "version: 2")
        (tmp_path / "asrbench.yaml").write_text(other.replace("mine:", "second:"))
        command[-1] = "second"
        assert main([*command, "--out", "heard.jsonl"]) == 0
        kept, added = read_cassette(tmp_path / "heard.jsonl").entries
        assert (kept.name, added.name) == ("mine", "second")

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
            (["--provider", "mine"], "give recordings, or --data for those"),
            (["asr.py", "--provider", "unheard-of"], "unknown provider 'unheard-of'"),
            (["asr.py", "--provider", "mine", "--prices", "no.yaml"], "no.yaml: no such file"),
        ],
    )
    def test_what_cannot_work_is_a_usage_error(self, capsys, arguments, says):
        assert main(["transcribe", *arguments]) == 2
        assert says in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize("kind", ["verdicts", "damaged", "locks"])
def test_nothing_behind_a_link_is_pruned(tmp_path, kind):
    elsewhere = tmp_path / "home"
    elsewhere.mkdir()
    (elsewhere / "thesis.txt").write_text("years of work")
    os.utime(elsewhere / "thesis.txt", (0, 0))
    store = tmp_path / ".asrbench"
    store.mkdir()
    (store / kind).symlink_to(elsewhere)

    code = main(["cache", "prune", "--older-than", "30d", "--cache", str(store)])

    assert code == 2
    assert (elsewhere / "thesis.txt").exists()
