"""With --asr-repeat a miss counts for its test in whichever repeat it happens."""

from __future__ import annotations

import pytest
from helpers.plugin_suite import PER_ENTITY, TEST_CLIP

OK, FAILED = pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED

ONCE_RIGHT = """
from pathlib import Path
import pytest_asrbench
@pytest_asrbench.provider('once')
def once(audio):
    calls = Path('calls', str(len(audio.samples)))
    calls.parent.mkdir(exist_ok=True)
    n = len(calls.read_text()) if calls.exists() else 0
    calls.write_text('x' * (n + 1))
    right = n == 0 or len(audio.samples) == 800  # the first clip's are always right
    return 'so 4100 it is' if right else 'so nothing it is'
"""


@pytest.fixture
def wavering(suite):
    """Two clips; the second one's value is recovered in the first repeat alone."""
    for name in ("steady", "wavers"):
        suite.clip(name, None, plain_number="4100")
    suite.provider(ONCE_RIGHT)
    suite.tests = TEST_CLIP + PER_ENTITY
    return suite


def run(suite, *options):
    return suite.run("--asr-repeat=3", "--asr-gate=off", *options, provider="once")


def test_a_miss_in_a_later_repeat_is_a_miss_of_its_tests(wavering, workers):
    result = run(wavering, *workers, "--junitxml=j.xml", "--asr-junit-properties")

    assert result.ret == OK
    assert result.parseoutcomes() == {"passed": 2, "missed": 2}
    missed = wavering.junit().findall(".//property[@name='asr_missed']")
    assert [each.get("value") for each in missed] == ["wavers/e1"] * 2


def test_strict_fails_the_tests_of_a_later_repeat(wavering, workers):
    result = run(wavering, *workers, "--asr-strict")

    assert result.ret == FAILED
    assert result.parseoutcomes() == {"passed": 2, "failed": 2}
    result.stdout.fnmatch_lines(['wavers/e1 missed: wanted "4100", nothing like it heard in "*'])


def test_last_failed_has_the_clip_of_a_later_repeat(wavering, workers):
    assert run(wavering, *workers).ret == OK

    again = run(wavering, *workers, "--lf", "--asr-json=run.json")

    assert again.ret == OK
    assert {record["clip"] for record in wavering.run_file()["records"]} == {"wavers"}


def test_counts_of_repeats_say_so(wavering):
    result = run(wavering, "--asr-md=run.md")

    assert result.ret == OK
    result.stdout.fnmatch_lines(
        [
            "counts n of m are over all 3 repeats",
            "plain_number * 4 of 6 *",
            "1 miss by type",
            "a value missed in any of 3 repeats is one",
            "plain_number: 1 missed",
            "  wavers/e1 (2 of 3 repeats) *",
        ]
    )
    text = (wavering.folder / "run.md").read_text("utf-8")
    assert "counts n of m are over all 3 repeats; a value missed in any of 3 repeats is one" in text
