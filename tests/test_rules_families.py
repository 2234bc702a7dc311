"""A type is registered once, and a fault of the rules costs one verdict."""

from __future__ import annotations

import pytest

from pytest_asrbench.datasets.types import ENTITY_TYPES
from pytest_asrbench.errors import VerifierError
from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.verifiers.rules import Rules, alignment
from pytest_asrbench.verifiers.rules.family import Family, FamilyCase, FamilyReading, families


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
    def faulty(case: FamilyCase) -> list[FamilyReading]:
        raise IndexError(f"out of range at {case.text}")

    rules = Rules()
    monkeypatch.setitem(rules.matcher.families, "time", Family(faulty, alignment.CALENDAR))  # type: ignore[arg-type]
    entities = [Entity("e1", "time", "9:30 AM"), Entity("e2", "percentage", "5%")]

    rules.prepare(entities, "en")
    with pytest.raises(VerifierError, match="entity e1, time '9:30 AM': IndexError: out") as caught:
        rules.judge(entities, "at 9:30 AM it was 5%", "en")

    lost, kept = caught.value.verdicts
    assert caught.value.kind == "verifier"
    assert lost is None
    assert isinstance(kept, Verdict)
    assert kept.present


IMPOSSIBLE = [
    ("phone_number", "banana", "has no digits"),
    ("date", "2026-13-45", "is no date, quarter or day of the week"),
    ("date", "February 30, 2026", "is no date, quarter or day of the week"),
    ("email_address", "notanemail", "is no e-mail address (name@host.domain)"),
    ("currency_amount", "fourty", "is no amount with its currency"),
    ("currency_amount", "$", "is no amount with its currency"),
    ("time", "25:00", "is no clock time"),
    ("percentage", "many", "is no percentage"),
    ("measurement", "500", "is no number with its unit"),
    ("plain_number", "several", "is no number"),
    ("ip_address", "10.0.0.300", "is no IP address"),
    ("port_number", "80800", "is no port (1 to 65535)"),
    ("url", "example", "is no web address (a host with a dot)"),
    ("reference_id", "--", "has neither letters nor digits"),
]
POSSIBLE = [
    ("phone_number", "+44 20 7946 0958 ext. 12"), ("phone_number", "four one five five five five"),
    ("date", "Q2 2023"), ("date", "Tuesday"), ("date", "the 21st"), ("date", "2/29"),
    ("date", "March twenty fifth"), ("email_address", "dana dot reyes at example dot com"),
    ("currency_amount", "one hundred twenty dollars"), ("currency_amount", "$10-$20"),
    ("time", "noon"), ("time", "9:00 AM–5:00 PM"), ("percentage", "30-40%"),
    ("measurement", "120/80 mmHg"), ("measurement", "5-7 business days"),
    ("measurement", "3 widgets"),
    ("plain_number", "two hundred and six"), ("ip_address", "10.0.0.7:8080"),
    ("ip_address", "fe80::1"), ("ip_address", "10.0.0.0/8"), ("url", "http://localhost:3000"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "canonical", "why"), IMPOSSIBLE)
def test_a_value_that_no_form_of_its_type_says_is_told(kind: str, canonical: str, why: str) -> None:
    assert Rules().doubted(Entity("x", kind, canonical), "en") == (why, None)


@pytest.mark.parametrize(("kind", "canonical"), POSSIBLE)
def test_a_value_that_can_be_is_not(kind: str, canonical: str) -> None:
    assert Rules().doubted(Entity("x", kind, canonical), "en") == (None, None)


def test_a_single_letter_or_digit_proves_little() -> None:
    _, why = Rules().doubted(Entity("x", "reference_id", "7"), "en")
    assert why == "one digit: it is recovered by chance wherever that is said"
