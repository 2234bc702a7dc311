"""JSON texts in which one value is replaced by any other: what a store or a cassette may hold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

HOLE = "the value that is replaced"

texts = st.text(st.characters(exclude_categories=()), max_size=8)  # half characters too
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | texts
    | st.sampled_from([-1, 10**400, "412 ms", "2026-11-29T21:04:05Z", "0001-01-01T00:00:00+14:00"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
hostile = ("[" * 100_000, "[" * 90 + "]" * 90, '{"a":' * 900 + "1" + "}" * 900, "9" * 5000, "1e400")
written = values.map(json.dumps) | st.sampled_from(hostile)


def with_any_value(*whole: Any) -> st.SearchStrategy[str]:
    """One of these values as JSON, with any one value in it replaced."""
    holed = [text for value in whole for text in _holed(value)]
    return st.builds(
        lambda text, value: text.replace(json.dumps(HOLE), value), st.sampled_from(holed), written
    )


def _holed(value: Any) -> Iterator[str]:
    """The value as JSON, once for each place in it, with a hole there."""
    for inner in _with_holes(json.loads(json.dumps(value))):
        yield json.dumps(inner)


def _with_holes(value: Any) -> Iterator[Any]:
    yield HOLE
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from ({**value, name: holed} for holed in _with_holes(inner))
    if isinstance(value, list):
        for at, inner in enumerate(value):
            yield from ([*value[:at], holed, *value[at + 1 :]] for holed in _with_holes(inner))
