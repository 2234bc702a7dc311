"""A run and its gates: what decides the exit code, and what a reader sees."""

from __future__ import annotations

import re

import pytest
from helpers.plugin_suite import PER_ENTITY, TEST_CLIP

OK, FAILED, USAGE = pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.USAGE_ERROR


@pytest.mark.slow
def test_gates_that_hold_pass_on_a_line_of_their_own_at_100_percent(suite, workers):
    suite.many(4)
    suite.thresholds(ctem={"min": 1.0})

    result = suite.run(*workers)

    assert result.ret == OK
    assert result.parseoutcomes() == {"passed": 7}  # gate[complete], gate[thresholds], gate[ctem]
    result.stdout.fnmatch_lines(["*= asrbench =*"])
    assert [line for line in result.outlines if line.endswith("[100%]")]
    result.stdout.no_re_match_line(r".*\[100%\].+")
    percentages = [int(n) for n in re.findall(r"\[ *([0-9]+)%\]", result.stdout.str())]
    assert max(percentages) == 100

    result = suite.run(*workers, "-q")

    assert result.ret == OK
    assert [line for line in result.outlines if line.endswith("[100%]")]
    result.stdout.no_re_match_line(r".*\[100%\].+")


@pytest.mark.slow
def test_a_miss_fails_the_gate_and_not_its_test(suite, workers):
    suite.clip("refund", heard="call 415 555 0133", phone_number="415-555-0132")
    suite.thresholds(ctem={"min": 1.0})

    result = suite.run(*workers)

    assert result.ret == FAILED
    assert result.parseoutcomes() == {"missed": 1, "failed": 1, "passed": 2}
    result.stdout.fnmatch_lines(["*gate?ctem?*0.00 < 1.00*(0 of 1)*"])
    result.stdout.fnmatch_lines(["*refund/e1*wanted 415-555-0132*"])


@pytest.mark.slow
def test_a_failed_gate_is_told_in_our_section_and_in_the_short_summary(suite):
    suite.many(2, missed=1)
    suite.thresholds(ctem={"min": 0.9})

    result = suite.run()

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(
        [
            "FAILED gate?ctem? 0.50 < 0.90*(1 of 2)*",
            "FAILED asrbench::gate?ctem? - gate?ctem? 0.50 < 0.90*",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*= FAILURES =*")


@pytest.mark.slow
def test_only_pytests_own_lines_count_successes_once_a_gate_failed(suite):
    suite.many(3, missed=1)
    suite.thresholds(ctem={"min": 0.9}, recovery={"plain_number": {"min": 0.1}})

    result = suite.run("-v")

    assert result.ret == FAILED
    outside = [
        line
        for line in result.outlines
        if "passed" in line.lower() and "PASSED" not in line and not line.startswith("=")
    ]
    assert outside == []


@pytest.mark.slow
def test_the_section_ends_with_the_failed_gates_and_the_command_for_one_clip(suite):
    suite.many(3, missed=1)
    suite.thresholds(ctem={"min": 0.9})

    result = suite.run()

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(
        [
            "FAILED gate?ctem?*",
            "*pytest 'test_suite.py::test_clip[[]c02]' --asr-provider=recorded --asr-strict",
            "*short test summary*",
        ]
    )


@pytest.mark.slow
def test_an_entity_test_is_missed_when_its_own_entity_is(suite, workers):
    suite.clip("both", heard="so 4100 it is", plain_number="4100", percentage="7%")
    suite.tests = PER_ENTITY + TEST_CLIP
    suite.thresholds(ctem={"min": 0.5})

    result = suite.run(*workers, "-v")

    assert result.ret == OK
    lines = "\n".join(result.outlines)
    assert result.parseoutcomes() == {"passed": 4, "missed": 2}
    for node, status in {
        "test_value[both/e1]": "PASSED",
        "test_value[both/e2]": "MISSED",
        "test_clip[both]": "MISSED",
    }.items():
        shown = [line for line in lines.splitlines() if node in line and status in line]
        assert shown, (node, status)
    if not workers:
        suite.run().stdout.fnmatch_lines(["test_suite.py .mm*"])


@pytest.mark.slow
def test_strict_makes_misses_fail_in_words_that_no_terminal_obeys(suite, workers):
    suite.clip("refund", heard="call \x1b[31m415 555 \u202e0133", phone_number="415-555-0132")
    suite.thresholds(ctem={"min": 0.0})

    result = suite.run(*workers, "--asr-strict")

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(['refund/e1 missed: wanted "415-555-0132"*'])
    result.stdout.no_fnmatch_line("*Traceback*")
    assert not {"\x1b", "\u202e"} & set(result.stdout.str())


@pytest.mark.slow
def test_nothing_that_a_terminal_obeys_reaches_the_log_of_a_failed_call(suite, workers):
    suite.clip("refund", heard=None, phone_number="415-555-0132")
    suite.provider(
        """
import pytest_asrbench
@pytest_asrbench.provider("broken")
def broken(audio):
    raise RuntimeError("no\\x1b[31m \\u202eroute")
"""
    )

    result = suite.run(*workers, provider="broken")

    assert result.ret == FAILED
    assert "route" in result.stdout.str()
    assert not {"\x1b", "\u202e"} & set(result.stdout.str())


# What is gated


@pytest.mark.slow
def test_auto_only_reports_a_partial_selection(suite, workers):
    suite.many(4, missed=4)
    suite.thresholds(ctem={"min": 1.0})

    result = suite.run(*workers, "-k", "c01 or c02")

    assert result.ret == OK
    assert result.parseoutcomes()["missed"] == 2
    result.stdout.fnmatch_lines(["not gated: 2 of 4 clips selected"])
    result.stdout.no_fnmatch_line("*gate[[]*")


@pytest.mark.slow
def test_on_fails_a_partial_selection(suite):
    suite.many(4)
    suite.thresholds(ctem={"min": 1.0})

    result = suite.run("-k", "c01", "--asr-gate=on")

    assert result.ret == FAILED
    result.stdout.fnmatch_lines(["*gate?complete? only 1 of 4 clips selected*"])


@pytest.mark.slow
def test_off_only_reports(suite):
    suite.many(4, missed=4)

    result = suite.run("--asr-gate=off")

    assert result.ret == OK
    assert result.parseoutcomes() == {"missed": 4}
    result.stdout.fnmatch_lines(["not gated: --asr-gate off"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("gate", "ret", "line"),
    [
        ("auto", OK, "no asr test selected, nothing gated"),
        ("on", USAGE, "*ERROR: --asr-gate on, but no selected test asks for a transcript*"),
        ("off", OK, "not gated: --asr-gate off"),
    ],
)
def test_without_a_selected_asr_test(suite, gate, ret, line):
    suite.many(2)
    suite.tests = TEST_CLIP + "\ndef test_other(): pass\n"

    result = suite.run("-k", "other", f"--asr-gate={gate}")

    assert result.ret == ret
    (result.stderr if ret == USAGE else result.stdout).fnmatch_lines([line])


@pytest.mark.slow
def test_without_a_selected_asr_test_under_xdist(suite):
    suite.many(2)
    suite.tests = "def test_other(): pass\n"

    assert suite.run("-n2", "--asr-gate=on").ret == USAGE
    assert suite.run("-n2").ret == OK


@pytest.mark.slow
def test_tests_on_data_alone_call_and_gate_nothing(suite):
    suite.clip("a", heard=None, plain_number="4100")
    suite.tests = "def test_data(asr_clip, asr_entity): assert asr_entity in asr_clip.entities\n"

    result = suite.run()

    assert result.ret == OK
    assert result.parseoutcomes() == {"passed": 1}
    result.stdout.fnmatch_lines(["no asr test selected, nothing gated"])


@pytest.mark.slow
def test_tags_are_a_subset_with_thresholds_of_its_own(suite):
    suite.clip("a", heard="so 4100 it is", plain_number="4100", tags=("smoke",))
    suite.clip("b", heard="so nothing it is", plain_number="4101")
    suite.thresholds(ctem={"min": 1.0})

    result = suite.run("--asr-tags=smoke")

    assert result.ret == OK
    assert result.parseoutcomes() == {"passed": 4}


@pytest.mark.slow
def test_a_shard_gates_completeness_alone(suite, workers):
    suite.many(6, missed=6)
    suite.thresholds(ctem={"min": 1.0})

    result = suite.run(*workers, "--asr-shard=1/2", "--asr-json=run.json")

    assert result.ret == OK
    run = suite.run_file()
    assert run["shard"] == "1/2"
    statuses = {gate["name"]: gate["outcome"] for gate in run["gates"]}
    assert statuses["ctem"] == "not_evaluated"
    assert statuses["complete"] == statuses["thresholds"] == "passed"
    assert 0 < len(run["records"]) < 6


# Thresholds


@pytest.mark.slow
def test_without_thresholds_the_run_fails_and_names_the_remedy(suite):
    suite.many(2)

    result = suite.run()

    assert result.ret == FAILED
    assert result.parseoutcomes() == {"passed": 3, "failed": 1}
    result.stdout.fnmatch_lines(["*gate?thresholds? no thresholds at *--asr-update*"])


@pytest.mark.slow
def test_an_added_clip_is_reported_beside_the_gates_and_a_removed_one_fails(suite):
    suite.many(3)
    suite.thresholds(ctem={"min": 1.0})
    suite.write()
    suite.gates = None  # what is stored stays
    suite.clip("new", heard="so nothing it is", plain_number="7")

    more = suite.run()
    del suite.clips[0]
    fewer = suite.run()

    assert more.ret == OK
    assert more.parseoutcomes() == {"passed": 6, "missed": 1}
    more.stdout.fnmatch_lines(["*1 new clip: 0 of 1 recovered*"])
    assert fewer.ret == FAILED
    assert fewer.parseoutcomes() == {"passed": 4, "missed": 1, "failed": 1}
    fewer.stdout.fnmatch_lines(["*gate?thresholds?*1 added (new), 1 removed (c00)*--asr-update*"])


@pytest.mark.slow
def test_another_verifier_leaves_the_gates_undecided(suite):
    suite.many(2)
    suite.thresholds(ctem={"min": 1.0})
    suite.stored = {"verifier": {"id": "rules", "version": "0", "digest": "sha256:0"}}

    result = suite.run()

    assert result.ret == FAILED
    assert result.parseoutcomes() == {"passed": 3, "failed": 1, "skipped": 1}
    result.stdout.fnmatch_lines(["*gate?thresholds? verifier rules 0 -> *"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stored", "message"),
    [
        ({"schema": 99}, "*thresholds/recorded.yaml:1: *"),
        ({"provider": {"name": "other"}}, "*recorded.yaml:1: written for configuration 'other'*"),
        ({"gates": {"ctm": {"min": 1}}}, "*thresholds/recorded.yaml:1: *ctm*"),
        ({"gates": {"ctem": {"paired": False}}}, "*recorded.yaml:1: gates.ctem: no condition*"),
    ],
)
@pytest.mark.parametrize("option", ["--asr-gate=auto", "--asr-update", "-n2"])
def test_unusable_thresholds_are_a_usage_error(suite, stored, message, option):
    suite.many(1)
    suite.thresholds(ctem={"min": 1.0})
    suite.stored = stored

    result = suite.run(option)

    assert result.ret == USAGE
    result.stderr.fnmatch_lines([f"ERROR: {message}"])
    assert len(result.errlines) == 2  # the line, and pytest's empty one


@pytest.mark.slow
def test_another_model_of_the_same_name_is_gated_and_said(suite):
    suite.many(2)
    suite.recording = "nova-4.jsonl"  # a recording's file names its model
    suite.thresholds(ctem={"min": 1.0})
    suite.stored = {"provider": {"name": "recorded", "model": "nova-3"}}

    result = suite.run()

    assert result.ret == OK
    result.stdout.fnmatch_lines(
        ["asrbench: model nova-3 -> nova-4*", "*= asrbench =*", "model nova-3 -> nova-4*"]
    )


@pytest.mark.slow
@pytest.mark.parametrize("verbose", ["-v", "-vv"])
def test_progress_never_falls_back_at_the_gates(suite, workers, verbose):
    suite.many(4)
    suite.thresholds(ctem={"min": 0.9}, tsr={"min": 0.9})

    result = suite.run(*workers, verbose)

    assert result.ret == OK
    gates = [line for line in result.outlines if line.startswith("asrbench::gate[")]
    assert len(gates) == 4
    assert all(line.endswith("[100%]") for line in gates)


EMPTY = ["gates: {}", "gates: ", "gates: {recovery: {}}", "gates: {slices: {domain=x: {}}}"]


@pytest.mark.slow
@pytest.mark.parametrize("gates", [*EMPTY, "gates: {empty_rate: {max: 1}}"])
def test_a_gate_that_is_asked_for_has_to_be_one_that_can_fail(suite, gates):
    suite.many(2, missed=2)
    suite.thresholds(ctem={"min": 0.5})
    suite.write()
    suite.gates = None
    path = suite.folder / "thresholds/recorded.yaml"
    before, _, after = path.read_text().partition('"gates": {"ctem": {"min": 0.5}}')
    key, _, value = gates.partition(": ")
    path.write_text(f'{before}"{key}": {value}{after}')

    on = suite.run("--asr-gate=on")
    auto = suite.run()

    assert on.ret == FAILED
    said = " ".join(on.stdout.str().split())
    assert re.search(r"FAILED gate\[thresholds\] .* (with|new ones with) --asr-update", said)
    assert auto.ret == OK
    told = " ".join(auto.stdout.str().split())
    assert "no gate at all" in told or "none of its gates can fail" in told
