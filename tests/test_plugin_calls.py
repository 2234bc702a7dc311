"""A clip is transcribed once a run, however the tests are spread; all see the same."""

from __future__ import annotations

import pytest
from helpers.plugin_suite import PER_ENTITY, TEST_CLIP

OK, FAILED = pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED


@pytest.fixture
def logging(suite, calls):
    """Six clips with two entities each; the provider logs each call and hears half of them."""
    for n in range(6):
        suite.clip(f"c{n}", heard=None, plain_number=str(4100 + n), percentage=f"{n + 3}%")
    suite.tests = TEST_CLIP + PER_ENTITY + "\ndef test_again(asr_transcript): pass\n"
    suite.provider(
        f"""
import pytest_asrbench
@pytest_asrbench.provider("logged")
def logged(audio):
    n = len(audio.samples) - 800
    with open({str(calls)!r}, "a") as log:
        log.write(f"{{n}}\\n")
    return f"so {{4100 + n}} it is" if n < 5 else ""
"""
    )
    return suite


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        (),
        ("-n2",),
        ("-n2", "--dist=worksteal"),
        ("-n2", "--dist=each"),
        ("-p", "shuffled"),
        ("--asr-cache-mode=off",),
        ("-n2", "--asr-cache-mode=off"),
    ],
    ids=" ".join,
)
def test_each_clip_is_called_for_once_and_the_metrics_are_the_same(logging, calls, options):
    logging.file(
        "shuffled.py",
        "import random\n"
        "def pytest_collection_modifyitems(items): random.Random(7).shuffle(items)\n",
    )
    logging.pytester.syspathinsert(logging.folder)

    result = logging.run(*options, "--asr-gate=off", "--asr-json=run.json", provider="logged")

    assert result.ret == OK
    assert sorted(calls.read_text().split()) == list("012345")
    run = logging.run_file()
    assert [record["clip"] for record in run["records"]] == [f"c{n}" for n in range(6)]
    assert run["metrics"]["ctem"]["hits"] == 5
    assert run["metrics"]["ctem"]["total"] == 12
    assert run["metrics"]["empty_rate"]["hits"] == 1


@pytest.mark.slow
def test_repeats_are_called_for_and_recorded_each(logging, calls):
    result = logging.run(
        "-n2", "--asr-repeat=2", "--asr-gate=off", "--asr-json=run.json", provider="logged"
    )

    assert result.ret == OK
    assert len(calls.read_text().split()) == 12
    keys = [(record["clip"], record["repeat"]) for record in logging.run_file()["records"]]
    assert keys == [(f"c{n}", repeat) for n in range(6) for repeat in (1, 2)]


@pytest.mark.slow
def test_a_shard_calls_for_its_own_clips_alone(logging, calls):
    for part in ("1/2", "2/2"):
        assert logging.run(f"--asr-shard={part}", "--asr-gate=off", provider="logged").ret == OK

    assert sorted(calls.read_text().split()) == list("012345")


@pytest.mark.slow
def test_a_spent_budget_fails_completeness(logging, calls):
    logging.gates = {"ctem": {"min": 0.0}}

    result = logging.run("--asr-budget=0.3s", provider="logged")

    assert result.ret == FAILED
    assert len(calls.read_text().split()) < 6
    result.stdout.fnmatch_lines(["*gate?complete?*budget*"])


@pytest.mark.slow
def test_only_selected_clips_are_called_for(logging, calls):
    assert logging.run("-k", "c2", provider="logged").ret == OK

    assert calls.read_text().split() == ["2"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mark", "called"),
    [
        ("skip", "2"),
        ("skip(reason='later')", "2"),
        ("skipif(True, reason='no GPU')", "2"),
        ("xfail(run=False)", "2"),
        ("skipif(False, reason='no GPU')", "012345"),
        ("xfail", "012345"),
    ],
)
def test_clips_whose_tests_are_marked_not_to_run_are_not_called_for(
    logging, calls, workers, mark, called
):
    """Another test asks for one clip, which starts the calls for all that are to come."""
    logging.tests = (
        "import pytest\n"
        f"@pytest.mark.{mark}\ndef test_off(asr_result): pass\n"
        "def test_on(asr_result): pass\n"
    )
    result = logging.run("-k", "test_off or c2", "--asr-gate=off", *workers, provider="logged")

    assert result.ret == OK
    assert sorted(calls.read_text().split()) == list(called)


@pytest.mark.slow
def test_a_skipped_clip_still_fails_completeness(logging, calls):
    logging.gates = {"ctem": {"min": 0.0}}
    logging.tests = "import pytest\n@pytest.mark.skip\ndef test_off(asr_result): pass\n"

    result = logging.run(provider="logged")

    assert result.ret == FAILED
    assert not calls.exists()
    result.stdout.fnmatch_lines(["*gate?complete?*6 clips without a result*"])


def test_a_replay_without_stored_transcripts_names_the_command(logging, calls):
    result = logging.run("--asr-cache-mode=replay", provider="logged")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert not calls.exists()
    result.stderr.fnmatch_lines(["*nothing stored to replay*this run's command and*=fill*"])
