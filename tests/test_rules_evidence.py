"""Evidence carries the value when it is judged alone (rule 47)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_asrbench.model import Entity
from pytest_asrbench.verifiers.rules import Rules

RULES = Rules()
GOLDEN = Path(__file__).parent / "golden" / "rules.jsonl"


def rows() -> list[dict[str, str]]:
    found = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    return [row for row in found if row.get("present")]


@pytest.mark.slow
def test_the_evidence_of_every_golden_case_stands_alone() -> None:
    judged = rows()
    assert len(judged) > 400
    for row in judged:
        entity = Entity("x", row["type"], row["canonical"], row["acoustic"])
        (alone,) = RULES.judge([entity], row["evidence"], "en")
        assert alone.present, row


@pytest.mark.parametrize(
    ("kind", "canonical", "transcript", "evidence"),
    [
        ("time", "5:00", "we close at five", "at five"),
        ("time", "9:30", "come by 930 please", "by 930"),
        ("time", "5:00", "so it's 5, ok", "it's 5"),
        ("date", "March 5", "due on 3-5", "on 3-5"),
        ("percentage", "23%", "between 23 and 25 percent", "between 23 and 25 percent"),
    ],
)
def test_a_word_that_makes_a_figure_what_it_is_belongs_to_the_evidence(
    kind: str, canonical: str, transcript: str, evidence: str
) -> None:
    (verdict,) = RULES.judge([Entity("x", kind, canonical)], transcript, "en")
    assert verdict.evidence == evidence


@pytest.mark.parametrize("space", [" ", "\n", "\t", "\u00a0", "  \r\n ", "\u2003"])
@pytest.mark.parametrize("tail", ["", ". 9"])
def test_white_space_of_any_kind_is_one_space(space: str, tail: str) -> None:
    entity = Entity("x", "phone_number", "646-555-0171")
    text = f"646. 555. 0171{tail}".replace(" ", space)
    (verdict,) = RULES.judge([entity], text, "en")
    assert verdict.present == (not tail)
