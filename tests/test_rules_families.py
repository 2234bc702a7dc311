"""A type is registered once, and a fault of the rules costs one verdict."""

from __future__ import annotations

import pytest

from pytest_asrbench.datasets.types import ENTITY_TYPES
from pytest_asrbench.errors import VerifierError
from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.verifiers.rules import Rules, alignment
from pytest_asrbench.verifiers.rules.family import Case, Family, Reading, families


def test_every_type_has_its_family_and_every_family_its_type() -> None:
    assert set(ENTITY_TYPES) == set(families())


def test_a_family_says_itself_how_its_misses_are_aligned() -> None:
    known = {value for name, value in vars(alignment).items() if name.isupper()}
    assert {family.aligned for family in families().values()} == known


HOSTILE = [
    ("measurement", "5 mg", "point five mg"),
    ("plain_number", "12", "dot one two"),
    ("measurement", "5 mg", "room 1\u27762"),
    ("plain_number", "12", "room 1\u27762"),
    ("time", "5:00", "\u2460\u2461:\u2462"),
    ("currency_amount", "$5", "$\u00b2\u00b9 $5\u00bd\u00bd"),
    ("phone_number", "415-555-0132", "point"),
    ("reference_id", "BH-7421", "as in"),
]


@pytest.mark.parametrize(("kind", "canonical", "transcript"), HOSTILE)
def test_odd_figures_and_lone_points_are_judged(kind: str, canonical: str, transcript: str) -> None:
    verdict = Rules().judge([Entity("x", kind, canonical)], transcript, "en")[0]
    assert not verdict.present


def test_a_fault_of_the_rules_costs_that_verdict_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(case: Case) -> list[Reading]:
        raise IndexError(f"out of range at {case.text}")

    rules = Rules()
    monkeypatch.setitem(rules.judging.families, "time", Family(faulty, alignment.CALENDAR))  # type: ignore[arg-type]
    entities = [Entity("e1", "time", "9:30 AM"), Entity("e2", "percentage", "5%")]

    rules.prepare(entities, "en")
    with pytest.raises(VerifierError, match="entity e1, time '9:30 AM': IndexError: out") as caught:
        rules.judge(entities, "at 9:30 AM it was 5%", "en")

    lost, kept = caught.value.verdicts
    assert caught.value.kind == "verifier"
    assert lost is None
    assert isinstance(kept, Verdict)
    assert kept.present
