"""What each clip of a recorded run costs, in counts that are the same on every machine."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def bench():
    sys.path.insert(0, str(BENCH))
    try:
        import counts
    finally:
        sys.path.remove(str(BENCH))
    return counts


def test_no_count_has_grown_and_one_that_grows_is_named(bench):
    """The second half plants a regression: values compiled and texts normalised one by one."""
    fewer, more = bench.USUAL
    short = bench.counts(fewer)

    assert bench.grown(bench.between(short, bench.counts(more), more - fewer)) == []

    planted = bench.counts(more, "-p", "helpers.costly")
    told = bench.grown(bench.between(short, planted, more - fewer))

    assert {line.partition(":")[0] for line in told} >= {"values compiled", "normaliser calls"}
