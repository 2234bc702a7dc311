"""
How many calls run at once: a bound for each process, and one for the whole run.

The run's bound is a set of locks in the shared folder, so that a worker without work leaves its
share to the others, and the locks of a worker that dies are free again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from pytest_asrbench.store.folder import try_lock

LOOK_AGAIN_S = 0.02
LOOK_AGAIN_BEYOND_SHARE_S = 0.1


class Slots:
    """`total` calls at once in the run, `here` of them at most in this process."""

    def __init__(self, folder: Path, *, total: int, here: int, processes: int) -> None:
        self.here = min(total, here)
        self.share = max(1, total // processes)
        self._folder = folder / "slots"
        self._total = total if processes > 1 else None

    async def take(
        self, number: int, wanted: Callable[[], bool]
    ) -> AbstractContextManager[Any] | None:
        """A slot, held, for this process's runner `number`; None once no slot is `wanted`.

        Runners beyond the fair share wait a little, so that all workers get going.
        """
        if self._total is None:
            return nullcontext()
        pause_s = LOOK_AGAIN_S if number < self.share else LOOK_AGAIN_BEYOND_SHARE_S
        if number >= self.share:
            await asyncio.sleep(pause_s)
        while wanted():
            for slot in range(self._total):
                lock = try_lock(self._folder / f"{slot}.lock")
                if lock is not None:
                    return lock
            await asyncio.sleep(pause_s)
        return None
