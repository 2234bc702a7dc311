"""A long transcript takes as much work a character as a short one, whatever the type."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from pytest_asrbench.datasets.types import ENTITY_TYPES
from pytest_asrbench.model import Entity
from pytest_asrbench.verifiers.rules import Rules

VALUES = {
    "currency_amount": "$11.50", "date": "2026-01-11", "email_address": "a1@b.co",
    "ip_address": "10.0.0.1", "measurement": "5 mg", "percentage": "11.1%",
    "phone_number": "415-555-0132", "plain_number": "11.11", "port_number": "8080",
    "postal_address": "11 Oak Street", "time": "11:11", "url": "https://a.co/1",
    "version": "1.1.1",
}  # fmt: skip


def calls(rules: Rules, entity: Entity, transcript: str) -> int:
    """How many functions are called and left: a count, no time."""
    count = 0

    def counted(*_: Any) -> None:
        nonlocal count
        count += 1

    sys.setprofile(counted)
    try:
        rules.judge((entity,), transcript, "en")
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.slow
@pytest.mark.parametrize("type_", sorted(ENTITY_TYPES))
def test_four_times_the_text_is_four_times_the_calls(type_: str) -> None:
    rules, entity = Rules(), Entity("e", type_, VALUES.get(type_, "alpha 1.1"))
    rules.judge((entity,), "1.", "en")  # what is made once

    short, long = (calls(rules, entity, "1." * n) for n in (150, 600))

    assert long <= 5 * short
