"""`asrbench audit` from run file to decisions, as a user types it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from pytest_asrbench.cli import main

CLIPS = {
    "one": ("415-555-0132", "call 415 555 0132"),
    "two": ("415-555-0133", "call 415 555 0137"),
}


@pytest.fixture
def run_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    clips = [
        {
            "id": name,
            "audio": f"{name}.wav",
            "reference": heard,
            "entities": [{"type": "phone_number", "canonical": value}],
        }
        for name, (value, heard) in CLIPS.items()
    ]
    Path("clips.yaml").write_text(
        json.dumps({"schema": 1, "name": "n", "language": "en", "clips": clips})
    )
    rows = [{"audio_id": name, "pred_text": heard} for name, (_, heard) in CLIPS.items()]
    Path("heard.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    main(["score", "--data", "clips.yaml", "--hypotheses", "heard.jsonl", "--json", "run.json"])
    return "run.json"


def answer(path: str, **answers: str) -> None:
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["human"] = answers[row["id"].partition("|")[2].partition("/")[0]]
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def test_a_sheet_goes_out_and_comes_back(run_file, capsys):
    assert main(["audit", "draw", run_file, "--out", "sheet.csv", "--html", "sheet.html"]) == 0
    assert "<title>Audit of 2 verdicts</title>" in Path("sheet.html").read_text()
    answer("sheet.csv", one="present", two="present")
    capsys.readouterr()

    assert main(["audit", "read", "sheet.csv", "--decide", "verdicts.yaml"]) == 0

    printed = capsys.readouterr().out
    assert "phone_number" in printed
    assert "too few to say" in printed
    assert "verdicts.yaml: 1 decision added" in printed
    assert "canonical: 415-555-0133" in Path("verdicts.yaml").read_text()


def test_agreement_below_the_bar_fails(run_file, capsys):
    main(["audit", "draw", run_file, "--out", "sheet.csv"])
    answer("sheet.csv", one="absent", two="absent")

    assert main(["audit", "read", "sheet.csv", "--min-agreement", "0.9"]) == 1
    assert "agreement 0.5000 < 0.9000" in capsys.readouterr().err


def beside_rules(run_file: str, matcher: str, *options: str, **answers: str) -> int:
    """Rules and a matcher of that code judge an answered sheet again."""
    Path("own.py").write_text(f"def judge(entity, transcript):\n    {matcher}\n")
    main(["audit", "draw", run_file, "--out", "sheet.csv"])
    answer("sheet.csv", **answers)
    again = ["--verifier", "rules", "--verifier", "own.py:judge"]
    return main(["audit", "read", "sheet.csv", *again, *options])


def test_two_verifiers_judge_the_same_rows(run_file, capsys):
    lenient = "return '555' in transcript"
    assert beside_rules(run_file, lenient, one="present", two="absent") == 0
    printed = capsys.readouterr().out
    assert "rules: agrees in 2/2" in printed
    assert "own.py:judge: agrees in 1/2" in printed


def test_a_row_that_a_verifier_fails_on_is_told_and_compared_with_none(run_file, capsys):
    fails = "assert '0137' not in transcript; return True"
    decide = ["--decide", "verdicts.yaml"]
    assert beside_rules(run_file, fails, *decide, one="present", two="present") == 3
    printed = capsys.readouterr()
    assert printed.err.startswith("sheet.csv:")
    assert "own.py:judge raised AssertionError" in printed.err
    assert "rules: agrees in 1/1" in printed.out
    assert "own.py:judge: agrees in 1/1" in printed.out
    assert "verdicts.yaml: 1 decision added" in printed.out


def test_a_filled_sheet_is_never_overwritten(run_file, capsys):
    main(["audit", "draw", run_file, "--out", "sheet.csv"])

    assert main(["audit", "draw", run_file, "--out", "sheet.csv"]) == 2
    assert "may be filled in" in capsys.readouterr().err


def test_an_empty_sheet_can_not_pass_a_bar(run_file, capsys):
    main(["audit", "draw", run_file, "--out", "sheet.csv"])

    assert main(["audit", "read", "sheet.csv", "--min-agreement", "0.9"]) == 2
    assert "no row is decided" in capsys.readouterr().err
