"""Callbacks of the event loop that come later, each once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Timers:
    """One for each function; it runs in the loop that was running when it was asked for."""

    def __init__(self) -> None:
        self._handles: dict[Callable[[], None], asyncio.TimerHandle] = {}

    def later(self, seconds: float, do: Callable[[], None]) -> None:
        """Once, however often it is asked for; the sooner moment counts."""
        loop = asyncio.get_running_loop()
        due = loop.time() + seconds
        if (handle := self._handles.get(do)) is not None:
            if handle.when() <= due:
                return
            handle.cancel()

        def ring() -> None:
            self._handles.pop(do, None)
            do()

        self._handles[do] = loop.call_at(due, ring)

    def cancel(self) -> None:
        """Let none of them come."""
        for handle in self._handles.values():
            handle.cancel()
