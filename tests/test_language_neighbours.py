"""In every language a value passes in its own forms, and never on the words of a neighbour."""

from __future__ import annotations

from random import Random

import pytest
from helpers.language_neighbours import TONGUES, example

from pytest_asrbench.model import Entity
from pytest_asrbench.verifiers.packs import PACKS
from pytest_asrbench.verifiers.rules import Rules

RULES = Rules()
COUNT = 300


def test_every_pack_but_english_has_neighbours_here():
    assert set(TONGUES) == set(PACKS) - {"en"}


def wrong(language, seed, count):
    """Examples whose verdict is not their label."""
    random = Random(seed)
    for _ in range(count):
        case = example(language, random)
        entity = Entity("x", case.type, case.canonical)
        verdict = RULES.judge([entity], case.transcript, language)[0]
        if verdict.present != case.present:
            yield f"{case.type} [{case.kind}] {case.canonical!r} in {case.transcript!r}"


@pytest.mark.parametrize("language", sorted(TONGUES))
def test_no_value_passes_on_the_words_of_a_neighbour(language):
    assert list(wrong(language, seed=20, count=COUNT)) == []


@pytest.mark.slow
@pytest.mark.parametrize("language", sorted(TONGUES))
def test_no_value_passes_on_the_words_of_many_neighbours(language):
    assert list(wrong(language, seed=21, count=5_000)) == []
