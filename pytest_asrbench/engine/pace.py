"""
When the next request may be sent: requests a minute, and pauses that a host asked for.

The time of the next free turn lies in the run's shared folder, so that all workers keep to it. It
is monotonic time, which all processes of a machine share and which no change of the clock moves.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path

from pytest_asrbench.clock import monotonic
from pytest_asrbench.engine.retry import LONGEST_RETRY_AFTER_S
from pytest_asrbench.errors import TransientError
from pytest_asrbench.store.folder import replace
from pytest_asrbench.store.locks import lock


class Pace:
    """All methods raise OSError where the folder can't be used."""

    def __init__(
        self,
        folder: Path,
        requests_per_minute: float | None,
        host: str | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._turn = folder / "pace-turn"
        self._pause = folder / f"pace-pause-{sha256((host or '').encode()).hexdigest()[:16]}"
        self._lock = folder / "pace.lock"
        self._gap_s = 60 / requests_per_minute if requests_per_minute else 0.0
        self._clock = clock

    def turn_s(self) -> float:
        """Take the next turn and return how many seconds away it is."""
        if not self._gap_s:
            return self.paused_s()
        with lock(self._lock):
            turn = max(self._clock(), _read(self._turn), _read(self._pause))
            replace(self._turn, repr(turn + self._gap_s))
        return max(0.0, turn - self._clock())

    def pause(self, seconds: float) -> None:
        """Send the host nothing for so long, in no process of the run; a longer pause stays."""
        with lock(self._lock):
            until = self._clock() + seconds
            if until > _read(self._pause):
                replace(self._pause, repr(until))

    def paused_s(self) -> float:
        """How long a pause still lasts; it may have begun after a turn was taken."""
        return max(0.0, _read(self._pause) - self._clock())


class Pacing:
    """What each attempt of a call waits for. `check` raises when none may be made any more; `sleep`
    may end early."""

    def __init__(
        self, pace: Pace, check: Callable[[], None], sleep: Callable[[float], Awaitable[None]]
    ) -> None:
        self._pace = pace
        self._check = check
        self._sleep = sleep

    async def turn(self) -> None:
        """Until a request may be sent; none of this is latency."""
        while wait := self._pace.turn_s():
            await self._sleep(wait)
            if not self._pace.paused_s():
                break
        self._check()

    def heed(self, error: TransientError) -> None:
        """What the server asks for holds for all that call it."""
        if error.retry_after:
            self._pace.pause(min(error.retry_after, LONGEST_RETRY_AFTER_S))


def _read(file: Path) -> float:
    try:
        return float(file.read_text())
    except (FileNotFoundError, ValueError):
        return 0.0
