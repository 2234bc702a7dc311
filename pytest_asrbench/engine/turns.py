"""Which call comes next, and how many last at once in this process."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from pytest_asrbench.engine.threads import CANCELS, cancelled, went_on
from pytest_asrbench.errors import ProviderError

Called = TypeVar("Called")


class ClosingError(Exception):
    """The run ends; this clip was not called for, and another process may do so."""


class Turns:
    """Calls wait in line for one of `most()` places; `freed` is called when one has ended.

    Tasks go from call to call, so that the next is made before the loop turns to the other answers
    that are in by then. Behind a semaphore it would wait for all of them, while connection after
    connection falls idle.
    """

    def __init__(self, most: Callable[[], int]) -> None:
        self.freed: Callable[[], None] = lambda: None
        self._most = most
        self._line: deque[tuple[Callable[[], Awaitable[Any]], asyncio.Future[Any]]] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self.busy = 0  # not the tasks that are there: one that has found the line empty still is
        self._closed = asyncio.Event()

    @property
    def vacant(self) -> int:
        """Places that no call takes, nor one in line."""
        return self._most() - self.busy - len(self._line)

    async def call(self, once: Callable[[], Awaitable[Called]]) -> Called:
        """What `once` gives or raises. Raises ClosingError if the run ends before its turn."""
        loop = asyncio.get_running_loop()
        called: asyncio.Future[Called] = loop.create_future()
        self._line.append((once, called))
        self._hire(1)
        return await called

    async def sleep(self, seconds: float) -> None:
        """Raises ClosingError as soon as no call comes after it."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closed.wait(), seconds)
            raise ClosingError

    def grown(self) -> None:
        """There may be more places: make calls that wait."""
        self._hire(len(self._line))

    def _hire(self, count: int) -> None:
        for _ in range(min(count, self._most() - self.busy)):
            self.busy += 1
            task = asyncio.get_running_loop().create_task(self._go_on())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Begin no further call."""
        self._closed.set()

    async def cancel(self) -> None:
        """End those that last, as far as they let themselves be ended."""
        await cancelled(self._tasks)

    async def _go_on(self) -> None:
        try:
            while self._line and self.busy <= self._most():
                await self._make(*self._line.popleft())
        finally:
            self.busy -= 1
            self.freed()

    async def _make(self, once: Callable[[], Awaitable[Any]], called: asyncio.Future[Any]) -> None:
        try:
            if self._closed.is_set():
                raise ClosingError
            value = await once()
        except asyncio.CancelledError as error:
            others = await went_on()
            if not called.done():
                called.set_exception(ProviderError(CANCELS) if others else error)
            if not others:
                raise
        except BaseException as error:
            if not called.done():
                called.set_exception(error)
            if not isinstance(error, Exception):
                raise
        else:
            if not called.done():
                called.set_result(value)
