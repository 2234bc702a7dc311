"""`--lf` runs missed tests again, and knows nothing of gates.

The tests whose misses made gates fail are remembered apart: run without the rest, where no gate is
judged, they fail by the same misses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from pytest_asrbench.plugin.gate_reports import is_gate

KEY = "cache/lastfailed"
BROKEN = "asrbench/broken"


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


def broken(cache: Any) -> frozenset[str]:
    """The tests whose misses made the last gated run fail."""
    return frozenset(cache.get(BROKEN, [])) if cache else frozenset()


def remember_broken(
    config: pytest.Config, ran: Mapping[str, str], tests: Iterable[str], *, gated: bool
) -> None:
    """`tests` broke gates, or those of them that ran alone did so again (`gated` False)."""
    cache = getattr(config, "cache", None)
    if cache is None:
        return
    before = broken(cache)
    left: frozenset[str] = frozenset() if gated else before - {*ran.values()}
    after = left | {*tests} if gated else left | (before & {*tests})
    if after != before:
        cache.set(BROKEN, sorted(after))
