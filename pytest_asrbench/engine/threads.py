"""Code of others, of which anything may come, or nothing: beside the event loop, and on it."""

from __future__ import annotations

import asyncio
import os
import threading
import types
from collections.abc import Callable, Coroutine, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar
from weakref import WeakSet

from pytest_asrbench.errors import ProviderError, one_line

USUAL_THREADS = min(32, (os.cpu_count() or 1) + 4)  # as many as asyncio's own executor has
TIDYING_S = 2.0  # what was cancelled may close a connection, or end a program

CANCELS = (
    "its code cancelled the task that it runs in, which is not its own; use asyncio.timeout(), or "
    "cancel tasks that it made"
)

Value = TypeVar("Value")
_ended: WeakSet[asyncio.Task[Any]] = WeakSet()  # tasks that we cancelled


class DaemonThreads(ThreadPoolExecutor):
    """An executor that never keeps the process from ending: its base waits for every thread.

    What it shares with its base is the type, which asyncio wants of its default executor.
    """

    def __init__(self, most: int = USUAL_THREADS) -> None:
        super().__init__(most)
        self._most, self._made = most, 0
        self._unemployed = threading.Semaphore(0)
        self._line: SimpleQueue[Callable[[], None] | None] = SimpleQueue()

    def submit(self, fn: Callable[..., Value], /, *args: Any, **kwargs: Any) -> Future[Value]:
        future: Future[Value] = Future()
        self._line.put(partial(_fulfil, future, partial(fn, *args, **kwargs)))
        if not self._unemployed.acquire(blocking=False) and self._made < self._most:
            self._made += 1
            threading.Thread(target=self._work, name="asrbench-beside", daemon=True).start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Waits for nothing, whatever it is told."""
        for _ in range(self._made):
            self._line.put(None)

    def _work(self) -> None:
        while (call := self._line.get()) is not None:
            call()
            del call  # it holds what came of it
            self._unemployed.release()

    async def call(self, function: Callable[..., Value], *arguments: Any) -> Value:
        """What it returns or raises in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self, function, *arguments)


def _fulfil(future: Future[Value], function: Callable[[], Value]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(function())
    except BaseException as error:
        future.set_exception(error)


def run_in_thread(
    function: Callable[..., Any], *arguments: Any
) -> tuple[asyncio.Future[Any], threading.Thread]:
    """A daemon thread's result: unlike an executor's, it never keeps the process from ending."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def deliver(value: Any, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(value)
        elif isinstance(error, Exception) and not isinstance(error, StopIteration):
            future.set_exception(error)
        else:  # SystemExit and the like must not end the loop of all the others
            future.set_exception(ProviderError(one_line(error)))

    def run() -> None:
        value, caught = None, None
        try:
            value = function(*arguments)
        except BaseException as error:
            caught = error
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(deliver, value, caught)

    thread = threading.Thread(target=run, name="asrbench-call", daemon=True)
    thread.start()
    return future, thread


async def awaited(function: Callable[..., Any], *arguments: Any) -> Any:
    """An async function's result. What it raises is an Exception, whatever it was: a SystemExit
    would end the loop of all the others, and a CancelledError leave them waiting."""
    try:
        return await function(*arguments)
    except Exception:
        raise
    except BaseException as error:
        if _meant_for_us(error):
            raise
        raise ProviderError(one_line(error)) from error


class OverdueError(Exception):
    """It took too long; a TimeoutError is one that the code itself has raised."""


async def within(seconds: float, coroutine: Coroutine[Any, Any, Value]) -> Value:
    """Its result, or OverdueError after so long. Code that goes on though it was cancelled gets a
    moment to tidy up, and is then given up for good. Raises ProviderError for code that cancels
    the task it runs in, which is ours."""
    last, first = asyncio.timeout(seconds + TIDYING_S), asyncio.timeout(seconds)
    try:
        async with last, first:
            try:
                return await _driven(coroutine, last.expired)
            except asyncio.CancelledError:
                if first.expired() or last.expired() or not await went_on():
                    raise
                raise ProviderError(CANCELS) from None
            finally:
                if not first.expired() and not last.expired():
                    await went_on()  # or the next call would meet what this one left
    except TimeoutError:
        if first.expired() or last.expired():
            raise OverdueError from None
        raise


async def cancelled(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel them, and give them a moment to end; some never do."""
    tasks = [*tasks]
    _ended.update(tasks)
    if cancelling := [task for task in tasks if task.cancel()]:
        await asyncio.wait(cancelling, timeout=TIDYING_S)


async def went_on() -> bool:
    """Whether this task goes on though it was cancelled, or soon would have been: by code of
    others. What `cancelled()` ends does not."""
    task = asyncio.current_task()
    if task is None or task in _ended:
        return False
    while task.cancelling():
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0)  # what has not arrived yet does so here
        task.uncancel()
    return True


@types.coroutine
def _driven(
    coroutine: Coroutine[Any, Any, Value], given_up: Callable[[], bool]
) -> Generator[Any, Any, Value]:
    """`await coroutine`, but what is raised here once it is given up does not reach it.

    In this task, not in one of its own: that would start only after all that is ready by now.
    """
    step: Callable[[Any], Any] = coroutine.send
    given: Any = None
    while True:
        try:
            asked = step(given)
        except StopIteration as end:
            value: Value = end.value
            return value
        try:
            step, given = coroutine.send, (yield asked)
        except BaseException as error:
            if given_up():
                with suppress(Exception):  # whatever it makes of being closed
                    coroutine.close()
                raise
            step, given = coroutine.throw, error


def _meant_for_us(error: BaseException) -> bool:
    """Whether this task was cancelled, or is being thrown away with its loop."""
    try:
        task = asyncio.current_task()
    except RuntimeError:  # no loop is running
        return True
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0
