"""`asrbench verify` and `asrbench explain`: exit code first, then rows, then what a reader sees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from helpers import report_runs

from pytest_asrbench import run as runs
from pytest_asrbench.cli import main
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import ClipRecord, Entity, JudgedEntity
from pytest_asrbench.verifiers.agreement import Agreement, Scored, count
from pytest_asrbench.verifiers.overrides import (
    decided,
    digest_of,
    overridden,
    read_decisions,
    transcript_hash,
)
from pytest_asrbench.verifiers.rules import Rules

ROWS = (
    {"id": "a", "type": "phone_extension", "canonical": "4021",
     "transcript": "dial forty twenty one"},
    {"id": "b", "type": "time", "canonical": "8:40 AM", "transcript": "at 8:40", "acoustic": None},
    {"id": "c", "type": "percentage", "canonical": "30%", "transcript": "thirty to forty percent"},
)  # fmt: skip


def write(folder: Path, rows: tuple[dict[str, Any], ...]) -> str:
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def labelled(*labels: bool, certain: bool = True) -> tuple[dict[str, Any], ...]:
    pairs = zip(ROWS, labels, strict=True)
    return tuple({**row, "present": label, "certain": certain} for row, label in pairs)


def test_rows_come_out_in_order_with_evidence_and_nearest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", write(tmp_path, ROWS)]) == 0
    out = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["id"] for row in out] == ["a", "b", "c"]
    assert out[0] == {
        "id": "a", "present": True, "sure": True, "evidence": "forty twenty one", "start": 5,
        "end": 21, "reason": "'forty twenty one' carries it", "nearest": None,
    }  # fmt: skip
    half = {"kind": "no_half", "wanted": "am", "heard": "", "behind": ""}
    near = {"text": "8:40", "start": 3, "end": 7, "difference": "no AM/PM", "differences": [half]}
    assert (out[1]["present"], out[1]["nearest"]) == (False, near)
    assert (out[2]["present"], out[2]["sure"]) == (True, False)


def test_labels_are_scored_per_type_and_uncertain_rows_are_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = labelled(True, True, False)
    rows = (*rows[:2], {**rows[2], "certain": False})
    out = tmp_path / "out.jsonl"
    assert main(["verify", write(tmp_path, rows), "--out", str(out)]) == 0
    seen = capsys.readouterr()
    assert seen.out == ""
    assert len(out.read_text().splitlines()) == 3
    assert "3 rows judged, 2 scored" in seen.err
    assert "miss: b" in seen.err
    assert "percentage" not in seen.err


@pytest.mark.parametrize(("least", "code"), [("0.6", 0), ("0.7", 1)])
def test_agreement_under_the_asked_bar_is_exit_1(tmp_path: Path, least: str, code: int) -> None:
    cases = write(tmp_path, labelled(True, True, True))
    assert main(["verify", cases, "--min-agreement", least]) == code


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": "a", "type": "time", "canonical": "8"}, "transcript is missing or no text"),
        ({**ROWS[0], "canonical": 4021}, "canonical is missing or no text"),
        ({**ROWS[0], "present": "yes"}, "present must be true or false"),
        ({**ROWS[0], "accept": "x"}, "accept must be a list of texts"),
        ({**ROWS[0], "language": 3}, "language is no text"),
        ({**ROWS[0], "canonical": ""}, "canonical is empty"),
    ],
)
def test_a_faulty_row_is_exit_2_with_file_and_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], row: dict[str, Any], message: str
) -> None:
    path = write(tmp_path, (ROWS[0], row))
    assert main(["verify", path]) == 2
    assert f"{path}:2: {message}" in capsys.readouterr().err


def test_a_file_without_rows_agrees_on_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, ())
    assert main(["verify", path]) == 2
    assert capsys.readouterr().err.startswith(f"{path}: no rows; write")


@pytest.mark.parametrize(
    ("kind", "canonical", "message"),
    [
        ("dat", "May 1", "asrbench explain: unknown type 'dat'; did you mean date?; known types: "),
        ("date", " ", "asrbench explain: --canonical is empty"),
    ],
)
def test_explaining_no_value_is_exit_2(
    capsys: pytest.CaptureFixture[str], kind: str, canonical: str, message: str
) -> None:
    assert main(["explain", "--type", kind, "--canonical", canonical, "on May 1"]) == 2
    assert capsys.readouterr().err.startswith(message)


def test_nothing_to_score_under_a_bar_is_exit_2(tmp_path: Path) -> None:
    assert main(["verify", write(tmp_path, ROWS), "--min-agreement", "0.9"]) == 2


@pytest.mark.parametrize("change", [{"language": "xx"}, {"type": "nothing"}])
def test_what_the_verifier_does_not_know_is_exit_3_with_its_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, str]
) -> None:
    path = write(tmp_path, ({**ROWS[0], **change},))
    assert main(["verify", path]) == 3
    assert f"{path}:1: " in capsys.readouterr().err


VERIFIERS = """\
from pytest_asrbench import Identity, Verdict, VerifierError
from pytest_asrbench.errors import TransientError


class Says:
    identity = Identity("says", "1", "sha256:0")

    def __init__(self):
        self.asked = set()

    def answers(self, transcript):
        return [Verdict(True, True, "said so")]

    def judge(self, entities, transcript, language):
        return self.answers(transcript) if "thirty" in transcript else [Verdict(True, True, "yes")]


class Nothing(Says):
    def answers(self, transcript):
        return []


class Word(Says):
    def answers(self, transcript):
        return [Verdict("absent", True, "said so")]


class Refused(Says):
    def answers(self, transcript):
        raise VerifierError("out of order")


class Busy(Refused):
    async def judge(self, entities, transcript, language):
        if transcript not in self.asked:
            self.asked.add(transcript)
            raise TransientError("429", retry_after=0)
        return super().judge(entities, transcript, language)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("verifier", "message"),
    [
        ("Nothing", "0 verdicts for 1 entities"),
        ("Word", "a verdict's present is str, not bool"),
        ("Refused", "out of order"),
        ("Busy", "out of order"),
    ],
)
def test_a_row_without_a_verdict_is_told_and_the_others_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], verifier: str, message: str
) -> None:
    (tmp_path / "says.py").write_text(VERIFIERS)
    path, out = write(tmp_path, labelled(True, True, True)), tmp_path / "out.jsonl"
    options = ["--verifier", f"{tmp_path}/says.py:{verifier}", "--min-agreement", "1"]
    assert main(["verify", path, *options, "--out", str(out)]) == 3
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == ["a", "b"]
    told = capsys.readouterr().err
    assert f"{path}:3: {message}" in told
    assert "2 rows judged, 2 scored" in told


@pytest.mark.slow
def test_a_service_that_was_busy_is_asked_again(tmp_path: Path) -> None:
    (tmp_path / "says.py").write_text(VERIFIERS)
    path = write(tmp_path, ROWS[:2])
    assert main(["verify", path, "--verifier", f"{tmp_path}/says.py:Busy"]) == 0


def test_the_spoken_form_can_be_withheld(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {"id": "a", "type": "command", "canonical": "helmctl", "acoustic": "helm control",
           "transcript": "run helm control"}  # fmt: skip
    path = write(tmp_path, (row,))
    assert main(["verify", path]) == main(["verify", path, "--no-acoustic"]) == 0
    with_it, without = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (with_it["present"], without["present"]) == (True, False)


def test_a_lone_surrogate_survives_both_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {**ROWS[0], "transcript": "\ud800 4021 \ud800"}
    assert main(["verify", write(tmp_path, (row,))]) == 0
    assert main(["explain", "--type", "time", "--canonical", "9 AM", "\ud800 9"]) == 0
    assert capsys.readouterr().out


def test_settings_beside_the_cases_apply(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "asrbench.yaml").write_text("types: {booking: {like: reference_id}}\n")
    row = {"id": "a", "type": "booking", "canonical": "QX-7", "transcript": "q x seven"}
    assert main(["verify", write(tmp_path, (row,))]) == 0
    assert json.loads(capsys.readouterr().out)["present"]


def test_explain_takes_a_value_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "run.json"
    runs.write(report_runs.run(), path)

    assert main(["explain", "--run", str(path), "refund_03/email"]) == 0
    told = capsys.readouterr().out
    assert "value       email_address  ramirez@example.com" in told
    assert "verdict     absent" in told
    assert main(["explain", "--run", str(path), "refund_3/email"]) == 2
    assert "did you mean refund_03/email?" in capsys.readouterr().err
    assert main(["explain", "refund_03/email"]) == 2
    assert "asrbench explain --run RUN.json CLIP/ENTITY" in capsys.readouterr().err


def test_explain_shows_what_is_found_past_fillers(capsys: pytest.CaptureFixture[str]) -> None:
    text = "that is four hundred,  um, uh, twenty dollars"
    assert main(["explain", "-v", "--type", "currency_amount", "--canonical", "$420", text]) == 0
    out = capsys.readouterr().out
    assert "evidence    'four hundred,  um, uh, twenty dollars', characters 8 to 45" in out
    assert "without fillers: 'four hundred,  um, uh, twenty dollars' matches" in out
    assert "rule 33 " in out


def test_explain_shows_verdict_readings_rules_and_how_to_overrule(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = "reach me at 646-555-01719 today"
    wanted = ["--type", "phone_number", "--canonical", "646-555-0171", text]
    assert main(["explain", "-v", *wanted]) == 0
    assert "'646-555-0171' refused" in capsys.readouterr().out

    assert main(["explain", *wanted]) == 0
    out = capsys.readouterr().out
    assert "absent, sure: goes on with '9'" in out
    assert "decided by  digits" in out
    assert [line.split()[1] for line in out.splitlines() if line.startswith("rule")] == [
        "46", "19", "4",
    ]  # fmt: skip
    assert transcript_hash(text) in out
    assert max(map(len, out.splitlines())) <= 92  # the hash is one word


# --- human decisions ---------------------------------------------------------------------------

TEXT = "ask zoe about it"
ENTITY = Entity("x", "person_or_team_name", "Zoë", None)


def decisions(folder: Path, **change: str) -> Path:
    row = {"type": ENTITY.type, "canonical": "Zoë", "transcript": transcript_hash(TEXT),
           "present": "false", "reason": "another person", **change}  # fmt: skip
    lines = "".join(f"    {key}: '{value}'\n" for key, value in row.items())
    path = folder / "verdicts.yaml"
    path.write_text(f"schema: 1\nverdicts:\n  -\n{lines}", encoding="utf-8")
    return path


def judged(text: str) -> ClipRecord:
    [verdict] = Rules().judge([ENTITY], text, "en")
    return ClipRecord("c", "ask Zoë", "en", (JudgedEntity(ENTITY, verdict),), transcript=text)


def test_a_human_decision_wins_in_this_transcript_alone(tmp_path: Path) -> None:
    decisions_ = read_decisions(decisions(tmp_path))
    one, other = (decided(judged(text), decisions_).entities[0] for text in (TEXT, TEXT + "!"))
    assert one.verdict is not None
    assert other.verdict is not None
    assert (one.verdict.present, one.verdict.sure, overridden(one.verdict)) == (False, True, True)
    assert "another person" in one.verdict.reason
    assert (other.verdict.present, overridden(other.verdict)) == (True, False)


def test_the_digest_of_decisions_is_that_of_what_they_say(tmp_path: Path) -> None:
    one = read_decisions(decisions(tmp_path))
    other = read_decisions(decisions(tmp_path, reason="nobody by that name"))
    assert digest_of(one) != digest_of(other)
    assert digest_of(read_decisions(tmp_path / "none.yaml")) is None


def test_a_decision_for_present_keeps_the_evidence(tmp_path: Path) -> None:
    record = decided(judged(TEXT), read_decisions(decisions(tmp_path, present="true")))
    verdict = record.entities[0].verdict
    assert verdict is not None
    assert (verdict.present, verdict.evidence) == (True, "zoe")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"present": "maybe"}, "present must be true or false"),
        ({"transcript": "5f3a"}, "transcript must be sha256:"),
        ({"reason": ""}, "reason is empty"),
        ({"extra": "x"}, "unknown key"),
    ],
)
def test_a_faulty_decision_names_its_row(
    tmp_path: Path, change: dict[str, str], message: str
) -> None:
    with pytest.raises(InputError, match=rf"verdicts.yaml:\d+: .*{message}"):
        read_decisions(decisions(tmp_path, **change))


def test_no_file_is_no_decision(tmp_path: Path) -> None:
    assert read_decisions(tmp_path / "verdicts.yaml") == {}


# --- agreement ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "hits", "kappa"),
    [
        (Agreement(50, 0, 50, 0), 100, 1.0),
        (Agreement(25, 5, 25, 10), 35, 0.4),  # Cohen's textbook table: 20, 5, 10, 15
        (Agreement(0, 0, 0, 0), 0, None),
        (Agreement(10, 0, 0, 0), 10, None),
    ],
)
def test_agreement_and_kappa(counts: Agreement, hits: int, kappa: float | None) -> None:
    assert counts.rate.hits == hits
    assert counts.kappa == (pytest.approx(kappa) if kappa is not None else None)


def test_counting_tells_false_accepts_from_misses() -> None:
    rows = [Scored(str(k), "time", *pair, sure=True)
            for k, pair in enumerate([(True, True), (True, False), (False, True)])]  # fmt: skip
    assert count(rows) == Agreement(present=2, misses=1, absent=1, false_accepts=1)
