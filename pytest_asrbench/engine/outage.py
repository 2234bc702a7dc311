"""A vendor's outage told apart from bad transcripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pytest_asrbench.engine.journal import Tally
from pytest_asrbench.model import ClipRecord, Failure

SAME_FAILURES = 20


def breaker(tally: Tally) -> Failure | None:
    """Why to stop calling: nothing was ever answered, and all of the first calls failed alike."""
    if tally.answered or tally.failed.total() < SAME_FAILURES or len(tally.failed) > 1:
        return None
    (kind, host), count = tally.failed.most_common(1)[0]
    at = f" at {host}" if host else ""
    return Failure(kind, f"the first {count} calls all failed ({kind}{at}); calling stopped", host)


def failures(records: Iterable[ClipRecord]) -> Counter[tuple[str, str | None]]:
    """How many clips ended in an error, by (kind, host)."""
    return Counter((r.error.kind, r.error.host) for r in records if r.error)


def outage_line(records: Iterable[ClipRecord]) -> str | None:
    """`12 calls failed: 10 timeout at api.example.com, 2 network`; None where none did."""
    counts = failures(records)
    if not counts:
        return None
    parts = [
        f"{count} {kind}{f' at {host}' if host else ''}"
        for (kind, host), count in counts.most_common()
    ]
    total = counts.total()
    return f"{total} {'call' if total == 1 else 'calls'} failed: {', '.join(parts)}"
