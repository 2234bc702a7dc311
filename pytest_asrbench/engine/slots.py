"""
Bounds on the calls that run at once: one bound for each process, and one for the whole run.

The run's bound is a table of how many each process has, in the shared folder. A worker without
work leaves its share to the others, and what a dead one had is free again: a process holds the
lock `slots/<its name>.lock` for as long as it lives.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from pytest_asrbench.clock import monotonic
from pytest_asrbench.store.folder import replace
from pytest_asrbench.store.locks import lock, try_lock

SETTLED_S = 0.25  # after so long, all workers that have something to do have begun
LOOK_FOR_DEAD_S = 1.0


class ConcurrencySlots:
    """`total` calls at once in the run, `here` of them at most in this process.

    Methods raise OSError where the folder can't be used.
    """

    def __init__(self, folder: Path, *, total: int, here: int, processes: int) -> None:
        self.held = 0
        self.here = min(total, here)
        self._total = total
        self._shared = processes > 1
        self._fair = max(1, total // processes)
        self._folder = folder / "slots"
        self._name = f"{os.getpid()}-{time.time_ns()}"
        self._alive: AbstractContextManager[Any] | None = None
        self._began: float | None = None
        self._reaped = 0.0

    def take(self, wanted: int) -> None:
        """Have up to `wanted` slots in all, as far as they are free. At first no process takes
        more than its fair share, so that all get going."""
        now = monotonic()
        self._began = now if self._began is None else self._began
        settled = now - self._began >= SETTLED_S
        wanted = min(wanted, self.here, self.here if settled else self._fair)
        if wanted <= self.held:
            return
        self.held = self._granted(wanted) if self._shared else min(wanted, self._total)

    def give_back(self, kept: int) -> None:
        """Keep only so many."""
        if kept >= self.held:
            return
        self.held = kept
        if self._shared:
            with self._table() as table:
                table[self._name] = kept

    def _granted(self, wanted: int) -> int:
        if self._alive is None:
            self._alive = try_lock(self._folder / f"{self._name}.lock")
        with self._table() as table:
            if self._free(table) < wanted - self.held:
                self._reap(table)
            granted = self.held + min(self._free(table), wanted - self.held)
            table[self._name] = granted
        return granted

    def _free(self, table: dict[str, int]) -> int:
        return max(0, self._total - sum(table.values()))

    def _reap(self, table: dict[str, int]) -> None:
        """Strike out processes that no longer hold their lock; not at every look, as it costs."""
        if monotonic() - self._reaped < LOOK_FOR_DEAD_S:
            return
        self._reaped = monotonic()
        for name in [name for name in table if name != self._name and table[name]]:
            if (lock := try_lock(self._folder / f"{name}.lock")) is not None:
                with lock:
                    del table[name]

    @contextmanager
    def _table(self) -> Iterator[dict[str, int]]:
        """Slots by process name, read and written under the table's lock."""
        self._folder.mkdir(parents=True, exist_ok=True)
        file = self._folder / "table.json"
        with lock(self._folder / "table.lock"):
            before = json.loads(file.read_bytes()) if file.exists() else {}
            table = dict(before)
            yield table
            if table != before:
                replace(file, json.dumps(table))
