"""
The time at which the next request may be sent: requests a minute, and pauses that a host asked for.

The time of the next free turn lies in the run's shared folder, so that all workers keep to it. It
is monotonic time, which all processes of a machine share and which no change of the clock moves.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path

from pytest_asrbench.clock import monotonic
from pytest_asrbench.errors import TransientError
from pytest_asrbench.store.folder import replace
from pytest_asrbench.store.locks import lock

LONGEST_PAUSE_S = 120.0  # a server that asks for more is down for this run


class RateLimiter:
    """Of one host: provider and verifier keep to each other's pauses where they call the same one.

    All methods raise OSError where the folder can't be used.
    """

    def __init__(
        self,
        folder: Path,
        requests_per_minute: float | None = None,
        host: str | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._turn = folder / "pace-turn"
        self._pause = folder / f"pace-pause-{sha256((host or '').encode()).hexdigest()[:16]}"
        self._lock = folder / "pace.lock"
        self._gap_s = 60 / requests_per_minute if requests_per_minute else 0.0
        self._clock = clock

    async def turn(self, sleep: Callable[[float], Awaitable[None]]) -> None:
        """Until a request may be sent; none of this is latency. `sleep` may raise to end it."""
        while wait := self.turn_s():
            await sleep(wait)
            if not self.paused_s():
                break

    def turn_s(self) -> float:
        """Take the next turn and return how many seconds away it is."""
        if not self._gap_s:
            return self.paused_s()
        with lock(self._lock):
            turn = max(self._clock(), _read(self._turn), _read(self._pause))
            replace(self._turn, repr(turn + self._gap_s))
        return max(0.0, turn - self._clock())

    def heed(self, error: TransientError) -> None:
        """Keep all calls to the pause that the server asked for."""
        if error.retry_after:
            self.pause(min(error.retry_after, LONGEST_PAUSE_S))

    def pause(self, seconds: float) -> None:
        """Send the host nothing for so long, in no process of the run; a longer pause stays."""
        with lock(self._lock):
            until = self._clock() + seconds
            if until > _read(self._pause):
                replace(self._pause, repr(until))

    def paused_s(self) -> float:
        """Seconds that a pause still lasts; it may have begun after a turn was taken."""
        return max(0.0, _read(self._pause) - self._clock())


def _read(file: Path) -> float:
    try:
        return float(file.read_text())
    except (FileNotFoundError, ValueError):
        return 0.0
