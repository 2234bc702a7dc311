"""Reports of real pytest runs: every file that was asked for, and nothing that was masked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.plugin_suite import Suite

FILES = ("--asr-html=out/report.html", "--asr-md=out/report.md", "--junitxml=out/junit.xml")
SECRETS = ("415-555-0132", "0133", "ramirez", "remirsat", "call me at", "mail me")


def broken(suite: Suite) -> None:
    suite.clip("phone", "call me at 415 555 0133", phone_number="415-555-0132")
    suite.clip("email", "mail me at remirsat example", email_address="ramirez@example.com")
    suite.thresholds(ctem={"min": 0.5})


def artefacts(suite: Suite, printed: str) -> dict[str, str]:
    files = {path.name: path.read_text("utf-8") for path in (suite.folder / "out").iterdir()}
    return {"terminal": printed, **files}


@pytest.fixture
def on_github(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> Suite:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(suite.folder))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(suite.folder / "out" / "summary.md"))
    (suite.folder / "out").mkdir()
    broken(suite)
    return suite


@pytest.mark.slow
def test_a_red_run_writes_every_report(on_github: Suite, workers: list[str]) -> None:
    result = on_github.run(*FILES, "--asr-json=run.json", "--asr-junit-properties", *workers)

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    written = artefacts(on_github, result.stdout.str())
    assert set(written) == {"terminal", "report.html", "report.md", "junit.xml", "summary.md"}
    for name, text in written.items():
        assert "gate" in text, name
        assert "0133" in text, name
        assert "415-555-0132" in text, name
    result.stdout.fnmatch_lines(["::error file=clips.yaml,line=*,title=ASR gate ctem::0.00 < *"])


@pytest.mark.slow
@pytest.mark.parametrize("verbosity", ["-q", "-v", "-vv"])
def test_a_redacted_run_leaves_no_value_anywhere_but_in_the_run_file(
    on_github: Suite, verbosity: str
) -> None:
    result = on_github.run(
        *FILES,
        "--asr-json=run.json",
        "--asr-junit-properties",
        "--asr-html-audio",
        "--asr-redact",
        verbosity,
    )

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    found = [
        (name, secret)
        for name, text in artefacts(on_github, result.stdout.str() + result.stderr.str()).items()
        for secret in SECRETS
        if secret.lower() in text.lower()
    ]
    assert found == []
    kept = (on_github.folder / "run.json").read_text(encoding="utf-8")
    assert [secret for secret in SECRETS if secret not in kept] == []


@pytest.mark.slow
def test_a_redacted_strict_run_masks_what_fails_its_tests(suite: Suite) -> None:
    broken(suite)

    result = suite.run("--asr-strict", "--asr-redact", "-vv", "--junitxml=junit.xml")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    printed = result.stdout.str() + Path(suite.folder, "junit.xml").read_text(encoding="utf-8")
    assert [secret for secret in SECRETS if secret in printed] == []
    assert "phone_number" in printed


@pytest.mark.slow
def test_annotations_are_for_failed_gates_and_not_for_misses(on_github: Suite) -> None:
    on_github.thresholds(empty_rate={"max": 0.5})

    result = on_github.run()

    assert result.ret == pytest.ExitCode.OK
    assert "::error" not in result.stdout.str()
    summary = (on_github.folder / "out" / "summary.md").read_text(encoding="utf-8")
    assert summary.startswith("## ✅ ASR gate: 3 gates held")


@pytest.mark.slow
def test_the_run_file_holds_what_the_reports_show(suite: Suite) -> None:
    broken(suite)
    suite.run("--asr-json=run.json")

    data = json.loads((suite.folder / "run.json").read_text(encoding="utf-8"))

    assert data["metrics"]["ctem"] == {
        "hits": 0,
        "total": 2,
        "value": 0.0,
        "interval": data["metrics"]["ctem"]["interval"],
    }
    assert {gate["name"]: gate["outcome"] for gate in data["gates"]} == {
        "complete": "passed",
        "thresholds": "passed",
        "ctem": "failed",
        "recovery:email_address": "ungated",
        "recovery:phone_number": "ungated",
    }


@pytest.mark.slow
def test_a_report_is_printed_whole_where_the_locale_lacks_a_character(suite: Suite) -> None:
    for n in range(4):
        suite.clip(f"clip{n}", "nothing", person_or_team_name="Zoë Łuk")
    suite.write()

    score = "-m pytest_asrbench.cli score --data clips.yaml --hypotheses heard.jsonl"
    done = subprocess.run(
        [sys.executable, *score.split()],
        cwd=suite.folder,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert b"wanted Zo\\xeb \\u0141uk" in done.stdout
    assert b"processing used" in done.stdout
