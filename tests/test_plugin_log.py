"""What a CI log says, and how often: a fault once, with all that is needed to act on it."""

from __future__ import annotations

import shlex

import pytest

FAILED, OK = pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.OK
DOWN = """
import pytest_asrbench

@pytest_asrbench.provider("down", version="1")
def down(audio):
    raise pytest_asrbench.ProviderError("nobody listens at 127.0.0.1:1")
"""


@pytest.fixture
def red(suite):
    """Four clips of which the last misses a value that it should not."""
    suite.many(4, missed=1)
    suite.thresholds(ctem={"min": 1.0}, recovery={"plain_number": {"min": 1.0}})
    return suite


@pytest.mark.slow
@pytest.mark.parametrize("options", [["-q"], []], ids=["-q", "plain"])
def test_a_failed_gate_and_its_misses_stand_in_every_log(red, options):
    result = red.run(*options)

    assert result.ret == FAILED
    text = result.stdout.str()
    assert "wanted 4103  heard" in text
    assert text.count("FAILED gate[ctem] 0.75 < 1.00 min (3 of 4)") == 1
    assert text.count("(c03/e1)") <= 2  # new misses of a gate are named where it is told in full
    assert "= FAILURES =" not in text
    result.stdout.fnmatch_lines(["FAILED asrbench::gate?ctem? - gate?ctem? 0.75*"])


@pytest.mark.slow  # a dozen runs
def test_the_hint_and_lf_fail_as_long_as_the_misses_are_there(red, workers):
    first = red.run(*workers)
    assert first.ret == FAILED
    (hint,) = [line for line in first.outlines if line.startswith("reproduce one clip: ")]
    command = [part for part in shlex.split(hint)[4:] if not part.startswith("--asr-provider")]
    assert "--asr-strict" in command

    assert red.run(*workers, *command).ret == FAILED
    again = red.run(*workers, "--lf")
    assert again.ret == FAILED
    again.stdout.fnmatch_lines(['*c03/e1 missed: wanted "4103"*', "*not gated: 1 of 4*"])
    assert red.run(*workers, "-k", "c03").ret == FAILED
    assert red.run(*workers, "-k", "c02").ret == OK

    red.heard["c03"] = "so 4103 it is"
    mended = red.run(*workers, "--lf")
    assert mended.ret == OK
    red.heard["c03"] = "so nothing it is"  # the next full run is what tells of it
    assert red.run(*workers, "-k", "c03").ret == OK


@pytest.mark.slow
def test_a_miss_that_no_gate_minds_fails_no_part_of_a_run(suite):
    suite.many(4, missed=1)
    suite.thresholds(ctem={"min": 0.5})

    assert suite.run().ret == OK
    assert suite.run("--lf").ret == OK


@pytest.mark.slow
def test_an_outage_is_told_once_with_its_clips(suite, workers):
    suite.many(12)
    suite.thresholds(ctem={"min": 0.5})
    suite.provider(DOWN)

    result = suite.run(*workers, provider="down")

    assert result.ret == FAILED
    assert result.parseoutcomes()["errors"] == 12
    text = result.stdout.str()
    assert text.count("nobody listens at") == 2  # our section, and the short summary's one line
    result.stdout.fnmatch_lines(
        [
            "12 clips without a result",
            "  *: *nobody listens at 127.0.0.1:1",
            "    c00, c01, c02, c03, c04, c05, c06, c07, c08, c09 and 2 more",
            "ERROR *c0?? - *nobody listens*",
        ]
    )
