"""`--asr-update`: what is stored, what is kept, what is refused."""

from __future__ import annotations

import pytest

from pytest_asrbench import cli
from pytest_asrbench.gates import read

OK, FAILED, USAGE = pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.USAGE_ERROR


def stored(suite):
    return read(suite.folder / "thresholds/recorded.yaml")


def test_the_first_update_writes_thresholds_that_the_next_run_holds(suite, workers):
    suite.many(4, missed=1)

    first = suite.run(*workers, "--asr-update")

    assert first.ret == OK
    first.stdout.fnmatch_lines(["*thresholds written to *thresholds/recorded.yaml*"])
    assert float(stored(suite).gates["ctem"].min) == 0.75
    second = suite.run(*workers)
    assert second.ret == OK
    second.stdout.no_fnmatch_line("*thresholds written*")
    suite.heard["c00"] = "nothing"
    assert suite.run(*workers).ret == FAILED


def test_floors_rise(suite):
    suite.many(4)
    suite.thresholds(ctem={"min": 0.5})

    result = suite.run("--asr-update")

    assert result.ret == OK
    assert float(stored(suite).gates["ctem"].min) == 1.0


def test_a_worse_value_keeps_its_threshold_and_fails(suite):
    suite.many(4, missed=2)
    suite.thresholds(ctem={"min": 0.75})

    result = suite.run("--asr-update")

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["*gate?ctem? 0.50 < 0.75*"])
    assert float(stored(suite).gates["ctem"].min) == 0.75


def test_update_lower_stores_a_worse_value_and_says_so(suite):
    suite.many(4, missed=2)
    suite.thresholds(ctem={"min": 0.75})

    result = suite.run("--asr-update-lower")

    assert result.ret == OK
    result.stdout.fnmatch_lines(["*ctem*0.75 -> 0.50*"])
    assert float(stored(suite).gates["ctem"].min) == 0.5


def test_an_update_renews_dataset_and_verifier(suite):
    suite.many(3)
    suite.thresholds(ctem={"min": 1.0})
    suite.stored = {"verifier": {"id": "rules", "version": "0", "digest": "sha256:0"}}
    suite.write()
    suite.gates = None
    suite.clip("new", heard="so 7 it is", plain_number="7")
    assert suite.run().ret == FAILED

    assert suite.run("--asr-update").ret == OK

    assert set(stored(suite).clips) == {"c00", "c01", "c02", "new"}
    assert suite.run().ret == OK


def test_clips_come_and_go_without_lowering_being_asked_for(suite, workers):
    suite.many(4, missed=1)
    assert suite.run("--asr-update").ret == OK
    suite.clip("new", heard="so nothing it is", plain_number="7")

    added = suite.run(*workers, "--asr-update")
    added.stdout.fnmatch_lines(["1 clip added: new", "ctem min 0.75 -> 0.60, 1 clip added"])
    del suite.clips[0]
    removed = suite.run(*workers, "--asr-update")
    suite.heard["c01"] = "so nothing it is"
    suite.clip("newer", heard="so 8 it is", plain_number="8")
    lost = suite.run(*workers, "--asr-update")

    assert (added.ret, removed.ret, lost.ret) == (OK, OK, FAILED)
    removed.stdout.fnmatch_lines(["ctem min 0.60 -> 0.50, 1 clip removed"])
    lost.stdout.fnmatch_lines(["*gate?ctem? 0.40 < 0.60*"])
    text = (suite.folder / "thresholds/recorded.yaml").read_text()
    assert "schema: 2" in text
    assert "recovered: [0, 1], words: [" in text


def test_one_clip_that_is_new_can_be_taken_in_alone(suite, workers):
    suite.many(4, missed=1)
    assert suite.run("--asr-update").ret == OK
    suite.clip("new", heard="so nothing it is", plain_number="7")
    suite.clip("other", heard="so 8 it is", plain_number="8")

    result = suite.run(*workers, "--asr-update", "-k", "new or c00")

    assert result.ret == OK
    result.stdout.fnmatch_lines(
        [
            "not gated: 2 of 6 clips selected",
            "thresholds written to *",
            "1 clip added: new",
            "ctem min 0.75 -> 0.60, 1 clip added",
        ]
    )
    whole = suite.run(*workers)
    assert whole.ret == OK
    whole.stdout.fnmatch_lines(["*1 new clip: 1 of 1 recovered*"])


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("-k", "c01"), "only 1 of 4 clips selected; run all"),
        (("-k", "c01", "--asr-gate=on"), "only 1 of 4 clips selected; run all"),
        (("--asr-shard=1/2",), "shard 1/2 is a part"),
    ],
)
def test_a_partial_run_stores_nothing_and_fails(suite, options, reason):
    suite.many(4)

    result = suite.run("--asr-update", *options)

    assert result.ret == FAILED
    result.stdout.fnmatch_lines([f"*gate?update? thresholds not written: {reason}*"])
    assert not (suite.folder / "thresholds").exists()


def test_a_run_with_errors_stores_nothing_and_fails(suite):
    suite.many(4)
    suite.heard["c02"] = None

    result = suite.run("--asr-update")

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["*thresholds not written: 1 clip failed*"])
    assert not (suite.folder / "thresholds").exists()


CALLED = """
import pytest_asrbench
@pytest_asrbench.provider("mine", version="1")
def mine(audio):
    with open({calls!r}, "a") as log:
        log.write("call ")
    if audio.duration_s > 0.1 and {fails}:
        raise RuntimeError("not now")
    return "so 4100 4101 it is"
"""


def test_looking_first_costs_nothing_at_the_update(suite, workers, calls):
    suite.many(2)
    suite.provider(CALLED.format(calls=str(calls), fails=False))
    assert suite.run("--asr-gate=off", provider="mine").ret == OK

    result = suite.run(*workers, "--asr-update", provider="mine")

    assert result.ret == OK
    result.stdout.fnmatch_lines(["*thresholds written to *mine.yaml*"])
    assert calls.read_text().split() == ["call"] * 2


def test_one_failed_clip_has_no_other_paid_for_again(suite, calls):
    suite.many(2)
    suite.provider(CALLED.format(calls=str(calls), fails=True))
    assert suite.run("--asr-update", provider="mine").ret == FAILED
    suite.provider(CALLED.format(calls=str(calls), fails=False))

    result = suite.run("--asr-update", provider="mine")

    assert result.ret == OK
    assert calls.read_text().split() == ["call"] * 3


def test_what_a_cassette_brought_is_refused_before_any_call(suite, workers, calls, monkeypatch):
    monkeypatch.chdir(suite.folder)
    suite.many(3)
    suite.provider(CALLED.format(calls=str(calls), fails=False))
    assert suite.run("--asr-gate=off", "-k", "c00 or c01", provider="mine").ret == OK
    assert cli.main(["cache", "export", "cassette.jsonl"]) == 0
    assert cli.main(["cache", "prune", "--older-than", "0s"]) == 0
    assert cli.main(["cache", "import", "cassette.jsonl"]) == 0
    calls.write_text("")

    result = suite.run(*workers, "--asr-update", provider="mine")

    assert result.ret == USAGE
    said = [line for line in result.errlines if line.startswith("ERROR: ")]
    assert len(said) == 1
    assert "a cassette brought 2 transcripts (c00, c01); remove these with asrbench" in said[0]
    assert calls.read_text() == ""
    assert suite.run("--asr-gate=off", "--asr-json=run.json", provider="mine").ret == OK
    assert [record["imported"] for record in suite.run_file()["records"]] == [True, True, False]
    assert cli.main(["thresholds", "update", "run.json"]) == 1
    assert cli.main(["cache", "prune", "--imported"]) == 0
    assert suite.run("--asr-update", provider="mine").ret == OK
    assert calls.read_text().split() == ["call"] * 3


def test_clips_with_equal_audio_are_no_cached_ones(suite, workers):
    suite.many(3)
    suite.provider("""
import pytest_asrbench

@pytest_asrbench.provider("mine", version="1")
async def mine(audio):
    return "so 4100 it is"
""")
    for name in ("c01", "c02"):
        suite.file(f"{name}.wav", "").write_bytes((suite.folder / "c00.wav").read_bytes())

    result = suite.run(*workers, "--asr-update", "--asr-cache-mode=refresh", provider="mine")

    assert result.ret == OK
    result.stdout.fnmatch_lines(["*thresholds written to*mine.yaml*"])


def test_an_interrupted_run_stores_nothing(suite, workers):
    suite.many(4)
    suite.tests = "def test_clip(asr_result): assert asr_result.clip != 'c03'\n"

    result = suite.run(*workers, "--asr-update", "-x")

    assert result.ret != OK
    assert not (suite.folder / "thresholds").exists()


def test_a_folder_that_cannot_be_written_is_told_before_any_call(suite, workers):
    suite.many(2)
    suite.file("thresholds", "a file where the folder should be")

    result = suite.run(*workers, "--asr-update")

    assert result.ret == USAGE
    result.stderr.fnmatch_lines(["ERROR: *thresholds/recorded.yaml: can't be written*"])


def test_a_folder_that_can_no_longer_be_written_fails_the_run(suite):
    suite.many(2)
    suite.tests += "\ndef test_z_takes_its_place(): open('thresholds', 'w')\n"

    result = suite.run("--asr-update")

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["FAILED gate?update?*", "*can't be written*"])


def test_update_without_gates_is_a_usage_error(suite):
    suite.many(1)

    result = suite.run("--asr-update", "--asr-gate=off")

    assert result.ret == USAGE
    result.stderr.fnmatch_lines(["ERROR: --asr-update stores what gates judge*"])


def test_thresholds_of_tags_are_files_of_their_own(suite):
    suite.clip("a", heard="so 4100 it is", plain_number="4100", tags=("smoke",))
    suite.clip("b", heard="so nothing it is", plain_number="4101")

    assert suite.run("--asr-update", "--asr-tags=smoke").ret == OK

    assert (suite.folder / "thresholds/recorded.smoke.yaml").exists()
    assert suite.run("--asr-tags=smoke").ret == OK


@pytest.mark.parametrize("options", [(), ("--asr-gate=on",)])
def test_a_run_that_recovered_nothing_becomes_no_thresholds(suite, options):
    suite.many(3)
    suite.heard = dict.fromkeys(suite.heard, "")

    result = suite.run("--asr-update", *options)

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["*gate?update? *none of 3 values was recovered, so no gate*"])
    assert not (suite.folder / "thresholds").exists()
