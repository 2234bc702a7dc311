"""The makers of neighbours: what they promise to the property that leans on them."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest
from helpers.neighbours import KINDS, by_kind, example, examples
from helpers.neighbours.tongues import FAMILIES as TONGUES

from pytest_asrbench.datasets.types import ENTITY_TYPES

EACH = 2


def test_every_type_has_own_forms_and_neighbours() -> None:
    own = {type for type, kind in KINDS if kind.startswith("own: ")}
    near = {type for type, kind in KINDS if not kind.startswith("own: ")}
    assert own == near == set(ENTITY_TYPES)


def test_every_kind_can_be_made_and_says_what_it_is() -> None:
    for type, kind in KINDS:
        made = example(type, kind, Random(7))
        assert made, (type, kind)
        assert (made.type, made.kind) == (type, kind)
        assert made.present == kind.startswith("own: ")


@pytest.mark.slow
def test_no_transcript_both_carries_a_value_and_does_not() -> None:
    """Two makers that disagree would make the property fail whatever the verifier says."""
    labels: dict[tuple[str, str, str, str | None], set[bool]] = defaultdict(set)
    for made in examples(Random(11), EACH * len(KINDS)):
        words = " ".join(made.transcript.casefold().split())
        labels[made.type, made.canonical, words, made.acoustic].add(made.present)
    assert [key for key, found in labels.items() if len(found) > 1] == []


def test_the_same_seed_makes_the_same_examples() -> None:
    assert list(examples(Random(3), 500)) == list(examples(Random(3), 500))


@pytest.mark.parametrize("language", TONGUES)
def test_every_kind_of_every_other_language_can_be_made(language: str) -> None:
    made_by = by_kind(TONGUES[language])
    for type, kind in made_by:
        made = example(type, kind, Random(7), made_by)
        assert made, (type, kind)
        assert made.language == language
