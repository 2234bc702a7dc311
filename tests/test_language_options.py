"""`policy:` in languages judged by their packs: what is stated wins over the region's own way."""

from __future__ import annotations

import pytest

from pytest_asrbench.model import Entity
from pytest_asrbench.verifiers.rules import Rules

ROWS = [
    # option, tag, type, canonical, transcript, whether it carries the value then, and without
    ("date_order: month-first", "es", "date", "3 de mayo de 2026", "el 5/3/2026", True, False),
    ("date_order: month-first", "es", "date", "5 de marzo de 2026", "el 5/3/2026", False, True),
    ("date_order: day-first", "zh", "date", "2026年3月5日", "5/3/2026", True, False),
    ("date_order: day-first", "zh", "date", "2026年3月5日", "2026-03-05", True, True),
    ("decimal_mark: point", "es-ES", "plain_number", "1,500", "mil quinientos", True, False),
    ("decimal_mark: comma", "es-MX", "plain_number", "1.500", "mil quinientos", True, False),
    ("clock: 24-hour", "es-MX", "time", "9:30 a. m.", "a las 9:30", True, False),
    ("clock: 24-hour", "es-MX", "time", "9:30 p. m.", "a las 9:30", False, False),
    ("separators: exact", "es", "reference_id", "BH-7421", "BH7421", False, True),
    ("separators: exact", "es", "reference_id", "BH-7421", "be hache guion 7421", True, True),
    (
        "separators: free",
        "es",
        "email_address",
        "ana.luz@gmail.com",
        "ana luz gmail com",
        True,
        False,
    ),
    ("case: exact", "es", "reference_id", "BH-7421", "bh7421", False, True),
    ("case: exact", "es", "reference_id", "BH-7421", "BH 7421", True, True),
    ("homophones: accept", "fr", "phone_number", "06 07", "zéro si zéro cette", True, False),
]


def present(policy: dict[str, str], language: str, kind: str, canonical: str, text: str) -> bool:
    rules = Rules(policy={kind: policy} if policy else {})
    (verdict,) = rules.judge([Entity("x", kind, canonical, None)], text, language)
    return verdict.present


@pytest.mark.parametrize(
    ("option", "language", "kind", "canonical", "text", "carried", "otherwise"), ROWS
)
def test_a_stated_option_wins(
    option: str, language: str, kind: str, canonical: str, text: str, carried: bool, otherwise: bool
) -> None:
    name, _, choice = option.partition(": ")

    assert present({name: choice}, language, kind, canonical, text) == carried
    assert present({}, language, kind, canonical, text) == otherwise


def test_options_are_part_of_the_identity_of_sets_in_such_languages() -> None:
    policy = {"date": {"date_order": "month-first"}}  # the default of English

    def digest(language: str, policy: dict[str, dict[str, str]]) -> str:
        return Rules(policy=policy, languages=[language]).identity.digest

    assert digest("es", policy) != digest("es", {})
    assert digest("en", policy) == digest("en", {})
