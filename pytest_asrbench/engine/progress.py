"""
The progress of a run, read from the shared folder; the controller under xdist has no engine.

Each process leaves there which clips its tests ask for: `selected/4711.json`, a list of ids.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pytest_asrbench.clock import now
from pytest_asrbench.counts import plural, results
from pytest_asrbench.engine.journal import Journal, Tally
from pytest_asrbench.store.folder import replace

SELECTED = "selected"


@dataclass(frozen=True, slots=True)
class Progress:
    """Counts of clips times repeats. `cost` is the price table's currency, `eta_s` seconds."""

    total: int
    done: int
    in_flight: int
    errors: int
    cost: float
    eta_s: float | None
    repeats: int = 1

    def __str__(self) -> str:
        """`120 of 300 clips, 8 in flight, 1 error, 0.42 spent, 35 s left`"""
        count = f"{self.done:,} of {results(self.total, self.repeats)}"
        parts = [count, f"{self.in_flight} in flight"]
        if self.errors:
            parts.append(plural(self.errors, "error"))
        if self.cost:
            parts.append(f"{self.cost:.2f} spent")
        if self.eta_s is not None:
            parts.append(f"about {_time(self.eta_s)} left")
        return ", ".join(parts)


class Watch:
    """Reads the progress of all processes of a run that share a folder.

    `clips` is how many there are to do, unless the processes tell which ones they selected.
    """

    def __init__(
        self,
        run_store: Path,
        clips: int,
        repeats: int = 1,
        clock: Callable[[], float] = now,
    ) -> None:
        self._journal = Journal(run_store)
        self._selected = run_store / SELECTED
        self._clips = clips
        self._repeats = repeats
        self._clock = clock

    def progress(self) -> Progress:
        """Raises OSError where the folder can't be read."""
        files = list(self._selected.glob("[!.]*.json"))  # a dot: still being written
        selected = {clip for file in files for clip in json.loads(file.read_bytes())}
        clips = len(selected) if files else self._clips
        return progress(self._journal.read(), clips, self._repeats, self._clock())


def tell_selected(run_store: Path, clips: Sequence[str]) -> None:
    """Leave word of what this process will ask for. Never raises: no run fails for its progress."""
    with suppress(OSError):
        replace(run_store / SELECTED / f"{os.getpid()}.json", json.dumps(list(clips)))


def progress(tally: Tally, clips: int, repeats: int, now: float) -> Progress:
    """Of a run of so many clips, each several times; `now` is in seconds since the epoch."""
    total = clips * repeats
    return Progress(
        repeats=repeats,
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
