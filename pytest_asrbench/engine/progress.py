"""How far a run is, read from the shared folder; the controller under xdist has no engine."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pytest_asrbench.engine.journal import Journal, Tally


@dataclass(frozen=True, slots=True)
class Progress:
    """Counts of clips (times repeats). `cost` is the price table's currency, `eta_s` seconds."""

    total: int
    done: int
    in_flight: int
    errors: int
    cost: float
    eta_s: float | None

    def __str__(self) -> str:
        """`120/300 clips, 8 in flight, 1 error, 0.42 spent, 35 s left`"""
        parts = [f"{self.done}/{self.total} clips", f"{self.in_flight} in flight"]
        if self.errors:
            parts.append(f"{self.errors} error{'s' if self.errors > 1 else ''}")
        if self.cost:
            parts.append(f"{self.cost:.2f} spent")
        if self.eta_s is not None:
            parts.append(f"about {_time(self.eta_s)} left")
        return ", ".join(parts)


class Watch:
    """Reads the progress of all processes of a run that share a folder."""

    def __init__(self, run_store: Path, total: int, clock: Callable[[], float] = time.time) -> None:
        self._journal = Journal(run_store)
        self._total = total
        self._clock = clock

    def progress(self) -> Progress:
        """Raises OSError where the folder can't be read."""
        return progress(self._journal.read(), self._total, self._clock())


def progress(tally: Tally, total: int, now: float) -> Progress:
    """Of a run of `total` clips (times repeats); `now` is in seconds since the epoch."""
    return Progress(
        total=total,
        done=tally.done,
        in_flight=tally.in_flight,
        errors=tally.transcripts.failed.total() + tally.verdicts.failed.total() + tally.refused,
        cost=tally.cost,
        eta_s=_eta_s(tally, total, now),
    )


def _eta_s(tally: Tally, total: int, now: float) -> float | None:
    """At the rate of the calls so far; a clock that was set back gives none."""
    called = tally.transcripts.done
    left = total - tally.done
    if tally.begun_at is None or not called or left <= 0 or now <= tally.begun_at:
        return None
    return (now - tally.begun_at) / called * left


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
