"""`--lf` runs missed tests again, and knows nothing of gates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from pytest_asrbench.plugin.gate_reports import is_gate

KEY = "cache/lastfailed"


def remember(config: pytest.Config, ran: Mapping[str, str], missed: Iterable[str]) -> None:
    """Put the missed tests into pytest's list of failed ones, after pytest wrote it. `ran` holds
    the own ids of tests by the ids in their reports, which pytest has noted."""
    cache = getattr(config, "cache", None)  # none with -p no:cacheprovider
    if cache is None:
        return
    before, own = cache.get(KEY, {}), {*ran.values()}
    failed = [node for node in before if not is_gate(node) and (node in ran or node not in own)]
    after = dict.fromkeys([*(ran.get(node, node) for node in failed), *missed], True)
    if after != before:
        cache.set(KEY, after)
