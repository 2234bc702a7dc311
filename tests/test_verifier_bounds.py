"""A long transcript takes as much work a character as a short one, whatever the type."""

from __future__ import annotations

import sys
import time
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


def calls(rules: Rules, entity: Entity, transcript: str, language: str = "en") -> int:
    """How many functions are called and left: a count, no time."""
    count = 0

    def counted(*_: Any) -> None:
        nonlocal count
        count += 1

    sys.setprofile(counted)
    try:
        rules.judge((entity,), transcript, language)
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


@pytest.mark.parametrize("language", ["de", "hi", "ja"])
def test_so_it_is_in_a_language_that_reads_whole_lines(language: str) -> None:
    rules, text = Rules(), "1 000 "
    for type_ in ("command", "currency_amount", "date", "phone_number", "time"):
        entity = Entity("e", type_, VALUES.get(type_, "ls"), acoustic="eins eins")
        rules.judge((entity,), text, language)

        short, long = (calls(rules, entity, text * (n // len(text)), language) for n in (100, 400))

        assert long <= 5 * short, type_


@pytest.mark.slow
def test_figures_side_by_side_are_joined_once() -> None:
    """To join them one by one copies what is joined so far each time, which no call shows."""
    rules, entity = Rules(), Entity("e", "time", "11:11")
    rules.judge((entity,), "1:", "en")

    short, long = (least_s(rules, entity, "1:" * n) for n in (1_000, 16_000))

    assert long <= 40 * short  # the square would be 256


def least_s(rules: Rules, entity: Entity, transcript: str) -> float:
    """Seconds of CPU, the least of three: another process can only add to them."""
    seconds = []
    for _ in range(3):
        before = time.process_time()
        rules.judge((entity,), transcript, "en")
        seconds.append(time.process_time() - before)
    return min(seconds)
