"""Hypothesis strategies over the kinds. What Hypothesis draws it also shrinks."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import assume
from hypothesis import strategies as st

from . import ENGLISH, KINDS, ByKind, Example, Kind, example

OWN: Sequence[Kind] = [kind for kind in KINDS if kind[1].startswith("own: ")]
NEAR: Sequence[Kind] = [kind for kind in KINDS if not kind[1].startswith("own: ")]


@st.composite
def of_kind(draw: st.DrawFn, kinds: Sequence[Kind], made_by: ByKind = ENGLISH) -> Example:
    """An example of one of `kinds`."""
    type, kind = draw(st.sampled_from(kinds))
    found = example(type, kind, draw(st.randoms(use_true_random=False)), made_by)
    assume(found is not None)
    assert found is not None
    return found
