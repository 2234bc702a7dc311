"""The command under a failed gate runs the clip again, and no other."""

from __future__ import annotations

import json
import shlex

import pytest
from helpers.plugin_suite import PER_ENTITY, TEST_CLIP

from pytest_asrbench.reports.rerun import keywords

FAILED = pytest.ExitCode.TESTS_FAILED
IDS = ["a=b", "a,b~#", "x+y@z", "not", "and", "1", "a::b", "en-US/turn-2"]
OTHERS = {"a=b": "a=bc", "1": "11", "x+y@z": "x+y@zz"}
PER_PAIR = """
import pytest
@pytest.mark.parametrize("speed", [1, 2])
def test_pair(asr_transcript, speed):
    assert asr_transcript is not None
"""


@pytest.fixture
def missed(suite):
    """Sets up a clip of an id that is missed, among recovered ones with ids much like it."""

    def set_up(clip):
        others = ["clip", *IDS, *OTHERS.values()]
        for other in [each for each in others if each != clip]:
            suite.clip(other, heard="so 9 it is", plain_number="9")
        suite.clip(clip, heard="so nothing it is", plain_number="41")
        for n, row in enumerate(suite.clips):
            row["audio"] = f"{n}.wav"
        suite.thresholds(ctem={"min": 1.0})
        return suite

    return set_up


def told(result):
    """The command's arguments."""
    (line,) = [each for each in result.outlines if each.startswith("reproduce one clip: ")]
    return shlex.split(line.removeprefix("reproduce one clip: pytest "))


def again(suite, command):
    """The clips that the command measures."""
    chosen = [argument for argument in command if not argument.startswith("--asr-provider")]
    suite.run(*chosen, "--asr-gate=off", "--asr-json=run.json")
    return {record["clip"] for record in suite.run_file()["records"]}


@pytest.mark.parametrize("tests", [TEST_CLIP, PER_ENTITY, PER_PAIR], ids=["clip", "entity", "pair"])
@pytest.mark.parametrize("clip", IDS)
def test_the_command_selects_the_clip_alone(missed, clip, tests):
    suite = missed(clip)
    suite.tests = tests

    result = suite.run()

    assert result.ret == FAILED
    assert again(suite, told(result)) == {clip}


def test_the_command_is_one_for_the_folder_pytest_was_run_in(missed, workers, monkeypatch):
    suite = missed("1")
    suite.tests = ""
    suite.file("deeper/test_it.py", TEST_CLIP)
    suite.file("pytest.ini", "[pytest]\n")
    suite.file("other/empty.txt", "")
    suite.write()
    monkeypatch.chdir(suite.folder / "other")
    suite.folder, folder = suite.folder / "other", suite.folder
    suite.write = lambda options: None

    result = suite.run(*workers, "../deeper", f"--asr-data={folder}/clips.yaml")

    assert result.ret == FAILED
    assert told(result)[0] == "../deeper/test_it.py::test_clip[1]"
    assert again(suite, told(result)) == {"1"}


@pytest.mark.slow
def test_a_test_is_known_by_its_own_id_where_xdist_adds_its_group(missed):
    """On pytest 8; on 9 pytest-xdist can't."""
    suite = missed("1")
    suite.tests = f"import pytest\n\n@pytest.mark.xdist_group('asr'){TEST_CLIP}"
    grouped = "-n2", "--dist=loadgroup"
    last_failed = suite.folder / ".pytest_cache/v/cache/lastfailed"

    result = suite.run(*grouped)

    assert result.ret == FAILED
    assert told(result)[0] == "test_suite.py::test_clip[1]"
    assert json.loads(last_failed.read_text()) == {"test_suite.py::test_clip[1]": True}
    suite.run(*grouped, "--asr-strict")
    assert json.loads(last_failed.read_text()) == {"test_suite.py::test_clip[1]": True}
    suite.heard["1"] = "so 41 it is"
    assert suite.run(*grouped, "--lf").parseoutcomes() == {"passed": 1}
    assert json.loads(last_failed.read_text()) == {}


def test_the_command_measures_as_the_run_did(suite, workers):
    suite.many(2, missed=1)
    suite.provider(
        "import pytest_asrbench\n"
        "@pytest_asrbench.provider('mine')\n"
        "class Mine:\n"
        "    async def stream(self, frames):\n"
        "        async for _ in frames: pass\n"
        "        return 'so 4100 it is'\n"
    )
    suite.thresholds(ctem={"min": 1.0})
    text = (suite.write(), (suite.folder / "thresholds/recorded.yaml").read_text())[1]
    suite.file("thresholds/mine.stream.yaml", text.replace('"recorded"', '"mine"'))
    options = "--asr-mode=stream", "--asr-repeat=2", "--asr-verifier=rules"

    result = suite.run(*workers, *options, provider="mine")

    assert result.ret == FAILED
    assert told(result)[1:] == [
        "--asr-provider=mine",
        "--asr-verifier=rules",
        "--asr-mode=stream",
        "--asr-repeat=2",
        "--asr-strict",
    ]


@pytest.mark.parametrize("clip", IDS)
def test_the_shipped_tests_are_selected_by_module(missed, workers, clip):
    suite = missed(clip)
    suite.tests = ""
    workers = workers if clip == "1" else []

    result = suite.run(*workers, "--pyargs", "pytest_asrbench.suite")

    assert result.ret == FAILED
    command = told(result)
    assert command[0] == "--pyargs"
    assert command[1].startswith("pytest_asrbench.suite.test_clips::test_")
    assert again(suite, command) == {clip}


@pytest.mark.parametrize("tests", [TEST_CLIP, PER_ENTITY], ids=["clip", "entity"])
@pytest.mark.parametrize("clip", [each for each in IDS if each not in {"a=b", "a,b~#", "x+y@z"}])
def test_where_no_test_is_known_keywords_select_the_clip(missed, clip, tests):
    suite = missed(clip)
    suite.tests = tests

    assert again(suite, ["-k", keywords(clip)]) == {clip}


@pytest.mark.parametrize("clip", ["a=b", "a,b~#", "x+y@z", "a#not"])
def test_keywords_of_letters_that_pytest_does_not_take_select_the_clip_among_others(suite, clip):
    for each in (clip, "other"):
        suite.clip(each, heard="so 9 it is", plain_number="9")
    for n, row in enumerate(suite.clips):
        row["audio"] = f"{n}.wav"

    assert again(suite, ["-k", keywords(clip)]) == {clip}
