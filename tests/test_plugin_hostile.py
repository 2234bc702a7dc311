"""Code around the plugin that does its worst: a run still passes only on what it measured."""

from __future__ import annotations

import pytest

OK, FAILED = pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED
INTERRUPTED = pytest.ExitCode.INTERRUPTED

LEAVES = 'pytest.exit("no GPU", returncode=0)'


@pytest.fixture
def four(suite):
    """Four clips, all recovered: a run that is complete holds its gates."""
    suite.many(4)
    suite.thresholds(ctem={"min": 1.0})
    return suite


@pytest.mark.slow
def test_pytest_exit_with_code_0_is_no_pass(four):
    four.tests = (
        f"import pytest\ndef test_clip(asr_result):\n    if asr_result.clip == 'c03': {LEAVES}\n"
    )

    result = four.run()

    assert result.ret == INTERRUPTED
    result.stdout.fnmatch_lines(["*gates not evaluated: the run stopped early, 3 of 4 clips*"])


@pytest.mark.slow
def test_pytest_exit_with_code_0_in_a_worker_is_no_pass(four):
    four.tests = (
        f"import pytest\ndef test_clip(asr_result):\n    if asr_result.clip == 'c03': {LEAVES}\n"
    )

    assert four.run("-n2").ret not in (OK, FAILED)


@pytest.mark.slow
def test_pytest_exit_with_code_0_while_collecting_is_no_pass(four):
    four.file("conftest.py", f"import pytest\ndef pytest_collection_modifyitems(): {LEAVES}\n")

    result = four.run()

    assert result.ret == INTERRUPTED
    result.stdout.fnmatch_lines(["*gates not evaluated: the run stopped early, 0 of 4 clips*"])


@pytest.mark.slow
def test_pytest_exit_in_an_ungated_run_keeps_its_code(four):
    four.tests = f"import pytest\ndef test_clip(asr_result): {LEAVES}\n"

    assert four.run("--asr-gate=off").ret == OK
    assert four.run("-k", "c01").ret == OK


VERIFIER = """
from pytest_asrbench.model import Verdict
from pytest_asrbench.verifiers.base import Identity

class Mine:
    identity = Identity("mine", "1", "sha256:0")
    local = {local}

    def judge(self, entities, transcript, language):
        return {answer}
"""
ANSWERS = [
    ("None", "returned NoneType, not a list of verdicts"),
    ("[True]", "returned bool, not a Verdict"),
    ("[0.9]", "returned float, not a Verdict"),
    ('[{"present": True}]', "returned dict, not a Verdict"),
    ('[Verdict(float("nan"), True, "")]', "a verdict's present is float, not bool"),
    ('[Verdict("absent", True, "")]', "a verdict's present is str, not bool"),
    ('[Verdict(None, True, "")]', "a verdict's present is NoneType, not bool"),
    ("[Verdict(True, True, None)]", "a verdict's reason is NoneType, not str"),
    ('[Verdict(True, True, "", 5)]', "a verdict's evidence is int, not str"),
    ("[]", "0 verdicts for 1 entities"),
]


@pytest.mark.slow
@pytest.mark.parametrize("local", [True, False])
@pytest.mark.parametrize(("answer", "fault"), ANSWERS)
def test_an_answer_that_is_no_verdict_is_an_error(four, local, answer, fault):
    # A name of its own for each: modules that were imported once stay.
    name = f"mine_{ANSWERS.index((answer, fault))}_{local}"
    four.file(f"{name}.py", VERIFIER.format(answer=answer, local=local))

    result = four.run(f"--asr-verifier={name}.py:Mine", "--asr-json=run.json")

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["*gate?complete?*4 of 4 clips failed*"])
    assert all(fault in record["error"]["message"] for record in four.run_file()["records"])
    assert four.run_file()["metrics"]["ctem"]["total"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("becomes", ["heard of no such clip: [", "null"])
def test_a_dataset_that_changes_after_the_start_changes_no_worker(four, becomes):
    four.file(
        "conftest.py",
        "import os, pathlib\n"
        "def pytest_sessionstart():\n"
        f"    pathlib.Path('clips.yaml').write_text({becomes!r})\n",
    )

    result = four.run("-n2", "--asr-json=run.json")

    assert result.ret == OK
    assert [record["reference"] for record in four.run_file()["records"]] == [
        f"so {4100 + n} it is" for n in range(4)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("fixture", ["asr_provider", "asr_verifier"])
@pytest.mark.parametrize("value", ["None", "5"])
def test_a_fixture_that_gives_no_such_thing_is_told_in_one_line(four, fixture, value):
    four.file(
        "conftest.py",
        f'import pytest\n@pytest.fixture(scope="session")\ndef {fixture}(): return {value}\n',
    )

    result = four.run()

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert len([line for line in result.errlines if line]) == 1
    result.stderr.fnmatch_lines(["ERROR: *; give *"])
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*AttributeError*")


PROVIDER = """
import pytest_asrbench

@pytest_asrbench.provider("mine")
def mine(audio):
    return pytest_asrbench.Transcript("so 4100 it is", {fields})
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ("billed_s=float('nan')", "billed_s is nan"),
        ("billed_s=-5", "billed_s is -5"),
        ("billed_s='much'", "billed_s is 'much'"),
        ("first_text_ms=float('inf')", "first_text_ms is inf"),
    ],
)
def test_a_transcript_with_no_such_number_is_an_error(four, fields, fault):
    four.provider(PROVIDER.format(fields=fields))

    result = four.run("--asr-json=run.json", "--asr-budget=1min", provider="mine")

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["*gate?complete?*4 of 4 clips failed: 4 provider*"])
    assert all(fault in record["error"]["message"] for record in four.run_file()["records"])


@pytest.mark.slow
def test_a_model_and_an_id_of_any_type_are_reported_as_text(four):
    four.provider(PROVIDER.format(fields="reported_model=5, request_id=b'x', billed_s=1"))

    four.run("--asr-json=run.json", provider="mine")

    assert four.run_file()["provider"]["reported_model"] == "5"
    assert four.run_file()["records"][0]["request_id"] == "b'x'"
