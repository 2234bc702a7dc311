"""No value is found in the words of another, and every value in its own (policy rules 1 to 57).

The examples come from makers that know nothing of the rules (`helpers/neighbours`). What CI draws
is the same in every run; `python bench/neighbours.py` tries 200,000 and counts them by type.
"""

from __future__ import annotations

import pytest
from helpers.neighbours import ENGLISH, Example
from helpers.neighbours.strategies import kinds, of_kind
from hypothesis import given, settings

from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.verifiers.rules import Rules

RULES = Rules()
NEAR, OWN = kinds(ENGLISH, own=False), kinds(ENGLISH, own=True)
A_FEW = settings(max_examples=100, derandomize=True)
MANY = settings(max_examples=2000, derandomize=True)


def judged(example: Example) -> Verdict:
    entity = Entity("x", example.type, example.canonical, example.acoustic)
    return RULES.judge([entity], example.transcript, example.language)[0]


def absent(example: Example) -> None:
    verdict = judged(example)
    assert not verdict.present, f"{example}: {verdict.evidence!r}, {verdict.reason}"


def present(example: Example) -> None:
    verdict = judged(example)
    assert verdict.present, f"{example}: {verdict.reason}"


@pytest.mark.slow
@given(of_kind(NEAR))
@A_FEW
def test_a_value_is_absent_where_a_neighbour_of_it_is_said(example: Example) -> None:
    absent(example)


@given(of_kind(OWN))
@A_FEW
def test_a_value_is_present_where_it_is_said_itself(example: Example) -> None:
    present(example)


@pytest.mark.slow
@given(of_kind(NEAR))
@MANY
def test_a_value_is_absent_in_thousands_of_neighbours(example: Example) -> None:
    absent(example)


@pytest.mark.slow
@given(of_kind(OWN))
@MANY
def test_a_value_is_present_in_thousands_of_its_own_forms(example: Example) -> None:
    present(example)


@pytest.mark.slow
@given(of_kind([*NEAR, *OWN]))
@A_FEW
def test_evidence_carries_its_value_when_judged_alone(example: Example) -> None:
    """Policy rule 47."""
    evidence = judged(example).evidence
    if evidence is not None:
        again = Entity("x", example.type, example.canonical, example.acoustic)
        assert RULES.judge([again], evidence, example.language)[0].present, (
            f"{example}: {evidence!r}"
        )
