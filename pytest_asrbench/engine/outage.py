"""When a run had better stop calling: the other side is down."""

from __future__ import annotations

from pytest_asrbench.engine.journal import Tally
from pytest_asrbench.model import Failure

SAME_FAILURES = 20


def breaker(tally: Tally) -> Failure | None:
    """Why to stop calling: nothing was ever answered, and all of the first calls failed alike."""
    if tally.answered or tally.failed.total() < SAME_FAILURES or len(tally.failed) > 1:
        return None
    (kind, host), count = tally.failed.most_common(1)[0]
    at = f" at {host}" if host else ""
    return Failure(kind, f"the first {count} calls all failed ({kind}{at}); calling stopped", host)
