"""
Hypothesis strategies over the kinds.

Hypothesis draws a kind and a seed, and no more: an example is one sentence, small enough as it is,
and to shrink every choice behind it would take minutes.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st

from . import ENGLISH, ByKind, Example, Kind, example


def kinds(made_by: ByKind, *, own: bool) -> Sequence[Kind]:
    """Those that carry the value, or those that do not."""
    return [kind for kind in made_by if kind[1].startswith("own: ") == own]


def of_kind(kinds: Sequence[Kind], made_by: ByKind = ENGLISH) -> st.SearchStrategy[Example]:
    """An example of one of `kinds`."""

    def made(kind: Kind, seed: int) -> Example:
        found = example(*kind, Random(seed), made_by)
        assert found, f"no example of {kind}"
        return found

    return st.builds(made, st.sampled_from(kinds), st.integers(0, 2**32))
