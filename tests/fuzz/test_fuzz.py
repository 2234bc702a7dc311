"""No file and no answer, however spoilt, ends in anything but lines of our own.

Some thousands of texts here, a million in bench/fuzz.py; the readers are in helpers.fuzzing.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from helpers.fuzzing import NAMES, SNIPPETS, Target, at_random, spoilt, targets
from hypothesis import given, settings
from hypothesis import strategies as st

EDITS = st.lists(
    st.tuples(
        st.floats(0, 1), st.floats(0, 1), st.integers(0, int(1.2 * len(SNIPPETS)))
    ),
    max_size=4,
)  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Target]:
    return {each.name: each for each in targets(tmp_path_factory.mktemp("examples"))}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("spoilt")


def test_every_reader_takes_its_examples(found: dict[str, Target], folder: Path) -> None:
    assert list(found) == NAMES
    for target in found.values():
        for seed in target.seeds:
            path = folder / target.file
            path.write_text(seed, encoding="utf-8")
            assert target.read(seed, path) is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_spoilt_text_is_taken_or_refused_in_lines(
    name: str, found: dict[str, Target], folder: Path
) -> None:
    target = found[name]

    @settings(max_examples=100)
    @given(st.sampled_from(target.seeds), EDITS)
    def spoil(seed: str, edits: list[tuple[float, float, int]]) -> None:
        assert target.fault(spoilt(seed, edits), folder) is None

    spoil()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_texts_of_the_bench_too(name: str, found: dict[str, Target], folder: Path) -> None:
    target = found[name]
    for number in range(150):
        text = at_random(target, Random(f"ci/{name}/{number}"))

        assert target.fault(text, folder) is None, f"python bench/fuzz.py --target {name}: {number}"


def test_a_fault_would_be_seen(folder: Path) -> None:
    def crash(text: str, path: Path) -> None:
        raise KeyError(text)

    assert Target("x", "x", ["a"], crash).fault("a", folder) == "KeyError: 'a'"
