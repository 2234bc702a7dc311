"""
The time as it is, whatever a test makes of it.

Tests mock the clock while the engine works beside them. By theirs, a time-out might never come, and
a transcript would be stored under another date. Mocks replace the functions of `time` in every
module that holds one, so the real one is kept where they do not look: as a default argument.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime


def monotonic(read: Callable[[], float] = time.perf_counter) -> float:
    """Seconds since some moment, the same for all processes of the machine."""
    return read()


# The wall clock is read once: some mocks reach into the functions themselves.
_BEFORE_S = time.time() - monotonic()


def now() -> float:
    """Seconds since the epoch; a clock that is set while the process runs does not matter."""
    return _BEFORE_S + monotonic()


def utc_now() -> str:
    """UTC, ISO 8601, whole seconds: `2026-11-29T21:04:05Z`."""
    return datetime.fromtimestamp(now(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
