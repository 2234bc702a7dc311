"""A transcript without its hesitations (rule 33): "four hundred, um, twenty dollars"."""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_asrbench.verifiers.rules.tokens import Tokens, tokenise


def without_fillers(tokens: Tokens, fillers: frozenset[str]) -> Tokens | None:
    """The transcript with white space for each filler and its commas, so that all other characters
    keep their places; None where it has none."""
    if fillers.isdisjoint(tokens.index):
        return None
    without_fillers: Tokens | None = tokens.once(
        "without fillers", lambda: _blanked(tokens.text, fillers)
    )
    return without_fillers


def _blanked(text: str, fillers: frozenset[str]) -> Tokens | None:
    blanked = _hesitations(fillers).sub(lambda match: " " * len(match[0]), text)
    return tokenise(blanked) if blanked != text else None


@lru_cache(maxsize=32)
def _hesitations(fillers: frozenset[str]) -> re.Pattern[str]:
    """Only between words: what ends a sentence parts two values, whatever follows it."""
    words = "|".join(sorted(map(re.escape, fillers)))
    start = r"(?:,|(?<!\s))\s+"  # a long run of white space is tried from its start alone
    return re.compile(rf"{start}(?:{words})(?:,|\.\.\.|…)?(?=\s)", re.IGNORECASE)
