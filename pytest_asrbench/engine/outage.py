"""When a run had better stop calling: the other side is down."""

from __future__ import annotations

from pytest_asrbench.engine.journal import Calls
from pytest_asrbench.model import Failure

SAME_FAILURES = 20


def breaker(calls: Calls, of: str = "") -> Failure | None:
    """Why to stop calling: no answer was ever of use, and all of the first calls failed alike.

    `of` says whose calls they are, where they are not the provider's.
    """
    if calls.useful or calls.failed.total() < SAME_FAILURES or len(calls.failed) > 1:
        return None
    (kind, host), count = calls.failed.most_common(1)[0]
    at = f" at {host}" if host else ""
    why = f"the first {count} calls{of} all failed ({kind}{at}); calling stopped"
    return Failure(kind, why, host)
