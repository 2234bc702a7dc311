"""`--lf` runs missed tests again, and knows nothing of gates."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from pytest_asrbench.plugin.gate_reports import is_gate

KEY = "cache/lastfailed"


def remember(config: pytest.Config, missed: Iterable[str]) -> None:
    """Put the missed tests into pytest's list of failed ones, after pytest wrote it."""
    cache = getattr(config, "cache", None)  # none with -p no:cacheprovider
    if cache is None:
        return
    before = cache.get(KEY, {})
    after = {node: True for node in before if not is_gate(node)} | dict.fromkeys(missed, True)
    if after != before:
        cache.set(KEY, after)
