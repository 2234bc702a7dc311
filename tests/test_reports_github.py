"""GitHub annotations and the step summary."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import report_runs as sample

from pytest_asrbench.model import Outcome
from pytest_asrbench.reports import github
from pytest_asrbench.reports.view_model import ViewModel, gather


def test_each_failed_gate_is_annotated_on_the_row_of_its_worst_clip(tmp_path: Path) -> None:
    folder = tmp_path / "tests" / "asr"
    measured = sample.run(folder)
    facts = sample.facts(measured, sample.thresholds(measured, recovery__email_address="0.95"))

    assert list(github.lines(facts, {"GITHUB_WORKSPACE": str(tmp_path)})) == [
        "::error file=tests/asr/clips.yaml,line=4,title=ASR gate recovery%3Aemail_address"
        "::0.50 < 0.95 min (1 of 2)"
        '%0Arefund_03/email wanted ramirez@example.com, heard "remirsat example"'
        "%0Apytest --asr-provider=nova3 --asr-strict -k '[refund_03] or [refund_03/'"
    ]


def test_a_green_run_with_misses_is_not_annotated() -> None:
    facts = sample.green()

    assert facts.misses
    assert list(github.lines(facts, {})) == []


@pytest.mark.parametrize(("failed", "shown"), [(1, 1), (10, 10), (11, 10), (30, 10)])
def test_no_more_annotations_than_a_step_shows(failed: int, shown: int) -> None:
    gates = [Outcome(f"recovery:type_{n}", "failed", "0.1 < 0.2") for n in range(failed)]

    lines = list(github.lines(gather(sample.run(), gates), {}))

    assert len(lines) == shown
    assert (f"{failed - 9} more ASR gates failed" in lines[-1]) == (failed > 10)
    assert f"type_{failed - 1}" in lines[-1]  # none goes unnamed


def test_an_outage_is_one_annotation_that_blames_the_provider() -> None:
    (line,) = github.lines(sample.outage(), {})

    assert line.startswith("::error title=ASR provider failure::provider failure, not a regression")


def test_a_hostile_transcript_stays_inside_its_annotation() -> None:
    lines = list(github.lines(sample.hostile(), {}))

    assert lines
    for line in lines:
        assert line.startswith("::error ")
        assert "\n" not in line
        assert "\r" not in line
        assert "%250A::warning" in line
        assert "##[" not in line


def test_percent_colon_and_comma_are_escaped_in_properties() -> None:
    run = sample.run(Path("50%, a:b"))
    gate = Outcome("recovery:email_address", "failed", "100% wrong")

    (line,) = github.lines(gather(run, [gate]), {})

    assert line.startswith("::error file=50%25%2C a%3Ab/clips.yaml,line=4,")
    assert "::100%25 wrong%0A" in line


def test_the_step_summary_is_appended_where_the_runner_wants_it(tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    path.write_text("before\n")

    github.write_summary(sample.red(), {"GITHUB_STEP_SUMMARY": str(path)})
    github.write_summary(sample.red(), {})

    text = path.read_text(encoding="utf-8")
    assert text.startswith("before\n## ❌ ASR gate: 2 of 7 gates failed")
    assert text.count("## ❌") == 1


def test_a_summary_that_can_not_be_written_is_one_line(tmp_path: Path) -> None:
    line = github.write_summary(sample.red(), {"GITHUB_STEP_SUMMARY": str(tmp_path)})

    assert line == f"{tmp_path}: no step summary, it can't be written: Is a directory"


@pytest.fixture(scope="module")
def large() -> ViewModel:
    """More misses than a summary has room for."""
    return gather(sample.many(12_000), [])


@pytest.mark.slow
def test_a_summary_stays_below_a_mebibyte(large: ViewModel, tmp_path: Path) -> None:
    path = tmp_path / "summary.md"

    github.write_summary(large, {"GITHUB_STEP_SUMMARY": str(path)})

    assert 10_000 < path.stat().st_size < 1024 * 1024


@pytest.mark.slow
def test_two_runs_in_a_step_share_its_summary(large: ViewModel, tmp_path: Path) -> None:
    path = tmp_path / "summary.md"

    for _ in range(3):
        github.write_summary(large, {"GITHUB_STEP_SUMMARY": str(path)})

    assert path.stat().st_size < 1024 * 1024
    assert path.read_text(encoding="utf-8").count("ASR gate:") == 3


@pytest.mark.slow
@pytest.mark.parametrize("held", [1 << 20, (1 << 20) - 100, 1_048_000, 1_044_500, 2 << 20])
def test_a_full_summary_is_not_made_too_large(large: ViewModel, tmp_path: Path, held: int) -> None:
    """GitHub drops the whole of a larger one, with what other tools wrote."""
    path = tmp_path / "summary.md"
    path.write_bytes(b"x" * held)

    for _ in range(3):
        told = github.write_summary(large, {"GITHUB_STEP_SUMMARY": str(path)})

    assert path.stat().st_size <= max(held, 1 << 20)
    assert (path.stat().st_size > held) == (held < 1_048_000)
    assert told is None or ("1 MiB" in told and len(told.splitlines()) == 1)


@pytest.mark.parametrize(
    ("environment", "active"),
    [({"GITHUB_ACTIONS": "true"}, True), ({"GITHUB_ACTIONS": "false"}, False), ({}, False)],
)
def test_annotations_are_for_github_alone(environment: dict[str, str], active: bool) -> None:
    assert github.active(environment) is active


def test_an_outage_is_annotated_with_its_causes() -> None:
    (line,) = github.lines(sample.outage(), {})

    for error in {record.error.message for record in sample.outage().errors if record.error}:
        assert line.count(error) == 1
