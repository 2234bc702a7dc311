"""Questions about all readings of a line are answered in their order, as if each asked them all."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pytest_asrbench.verifiers.languages.readings import Reach, Reading, uncut

SPANS = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 5)), max_size=12)


@given(SPANS, st.integers(0, 9), st.integers(1, 5))
def test_they_are_those_of_every_pair(spans: list[tuple[int, int]], start: int, size: int) -> None:
    readings = [Reading(k, i, i + n) for k, (i, n) in enumerate(spans)]
    end = start + size

    assert uncut(readings) == [
        one
        for one in readings
        if not any(one.start < other.start < one.end < other.end for other in readings)
    ]
    assert Reach(readings).holds(start, end) == any(
        r.start <= start and end <= r.end and r.end - r.start > size for r in readings
    )
