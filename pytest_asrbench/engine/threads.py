"""Code of others, of which anything may come, or nothing: beside the event loop, and on it."""

from __future__ import annotations

import asyncio
import os
import threading
import types
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar

from pytest_asrbench.errors import ProviderError, one_line

USUAL_THREADS = min(32, (os.cpu_count() or 1) + 4)  # as many as asyncio's own executor has

CANCELS = (
    "its code cancelled the task that it runs in, which is not its own; use asyncio.timeout(), or "
    "cancel tasks that it made"
)

Value = TypeVar("Value")


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
    context = copy_context()

    def deliver(value: Any, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(value)
        elif isinstance(error, Exception) and not isinstance(error, StopIteration):
            future.set_exception(error)
        else:  # SystemExit and the like must not end the loop of all the others
            future.set_exception(_as_exception(error))

    def run() -> None:
        value, caught = None, None
        try:
            value = context.run(function, *arguments)
        except BaseException as error:
            caught = error
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(deliver, value, caught)

    thread = threading.Thread(target=run, name="asrbench-call", daemon=True)
    thread.start()
    return future, thread


def _never() -> bool:
    return False


@types.coroutine
def driven(
    coroutine: Coroutine[Any, Any, Value],
    *,
    ended: Callable[[], bool],
    given_up: Callable[[], bool] = _never,
) -> Generator[Any, Any, Value]:
    """Awaits a coroutine of others. What it raises is an Exception, whatever it was: a SystemExit
    would end the loop of all the others, and a CancelledError leave whoever waits for this task.

    `ended` tells that a CancelledError is ours. What arrives here once the code is `given_up` does
    not reach it: the code is closed. In this task, not in one of its own: that would start only
    after all that is ready by now.
    """
    step: Callable[[Any], Any] = coroutine.send
    given: Any = None
    cancelled = False
    while True:
        try:
            asked = step(given)
        except StopIteration as end:
            value: Value = end.value
            return value
        except Exception:
            raise
        except BaseException as error:
            if isinstance(error, GeneratorExit) and error is given:
                raise
            if isinstance(error, asyncio.CancelledError) and ended():
                raise
            if isinstance(error, asyncio.CancelledError) and cancelled:
                raise ProviderError(CANCELS) from None
            raise _as_exception(error) from error
        try:
            step, given = coroutine.send, (yield asked)
        except BaseException as error:
            if given_up():
                with suppress(Exception):  # whatever it makes of being closed
                    coroutine.close()
                raise
            cancelled = cancelled or isinstance(error, asyncio.CancelledError)
            step, given = coroutine.throw, error


async def take_back_cancelling() -> None:
    """Undo what code of others has done to this task, lest the next call meet it."""
    task = asyncio.current_task()
    while task is not None and task.cancelling():
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0)  # what has not arrived yet does so here
        task.uncancel()


def _as_exception(error: BaseException) -> ProviderError:
    exception = ProviderError(one_line(error))
    exception.__cause__ = error
    return exception
