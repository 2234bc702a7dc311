"""In every language a value passes in its own forms, and never on the words of a neighbour."""

from __future__ import annotations

from random import Random

import pytest
from helpers.neighbours import by_kind, examples
from helpers.neighbours.tongues import FAMILIES as TONGUES

from pytest_asrbench.model import Entity
from pytest_asrbench.verifiers.packs import PACKS, subtags
from pytest_asrbench.verifiers.rules import Rules

RULES = Rules()
COUNT, MANY = 250, 1_500  # bench/neighbours.py --language makes as many as one likes


def wrong(language: str, seed: int, count: int) -> list[str]:
    """Examples whose verdict is not their label, disputable ones (not sure) aside."""
    found = []
    for case in examples(Random(seed), count, made_by=by_kind(TONGUES[language])):
        entity = Entity("x", case.type, case.canonical, case.acoustic)
        (verdict,) = RULES.judge([entity], case.transcript, language)
        if verdict.present != case.present and verdict.sure:
            found.append(f"{case.type} [{case.kind}] {case.canonical!r} in {case.transcript!r}")
    return found


def test_every_pack_has_its_neighbours() -> None:
    assert {subtags(language)[0] for language in TONGUES} == set(PACKS) - {"en"}


@pytest.mark.slow
@pytest.mark.parametrize("language", sorted(TONGUES))
def test_no_value_passes_on_the_words_of_a_neighbour(language: str) -> None:
    assert wrong(language, seed=20, count=COUNT) == []


@pytest.mark.slow
@pytest.mark.parametrize("language", sorted(TONGUES))
def test_no_value_passes_on_the_words_of_many_neighbours(language: str) -> None:
    assert wrong(language, seed=21, count=MANY) == []
