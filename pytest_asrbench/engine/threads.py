"""Code of others, of which anything may come: beside the event loop, and on it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from pytest_asrbench.errors import ProviderError, one_line


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


def _meant_for_us(error: BaseException) -> bool:
    """Whether this task was cancelled, or is being thrown away with its loop."""
    try:
        task = asyncio.current_task()
    except RuntimeError:  # no loop is running
        return True
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0
