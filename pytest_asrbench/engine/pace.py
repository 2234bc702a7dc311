"""
When the next request may be sent: requests a minute, and pauses that a server asked for.

The time of the next free turn lies in the run's shared folder, so that all workers keep to it. It
is monotonic time, which all processes of a machine share and which no change of the clock moves.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

from pytest_asrbench.store.folder import replace


class Pace:
    """All methods raise OSError where the folder can't be used."""

    def __init__(
        self,
        folder: Path,
        requests_per_minute: float | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._file = folder / "pace"
        self._lock = folder / "pace.lock"
        self._gap_s = 60 / requests_per_minute if requests_per_minute else 0.0
        self._clock = clock

    def turn_s(self) -> float:
        """Take the next turn and return how many seconds away it is."""
        if not self._gap_s:
            return max(0.0, self._next() - self._clock())
        with FileLock(self._lock):
            turn = max(self._clock(), self._next())
            replace(self._file, repr(turn + self._gap_s))
        return max(0.0, turn - self._clock())

    def pause(self, seconds: float) -> None:
        """Give no turn for so long, in no process of the run."""
        with FileLock(self._lock):
            until = self._clock() + seconds
            if until > self._next():
                replace(self._file, repr(until))

    def _next(self) -> float:
        try:
            return float(self._file.read_text())
        except (FileNotFoundError, ValueError):
            return 0.0
