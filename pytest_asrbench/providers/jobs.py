"""
Vendors that take a file, name a job, and are asked again until it is done.

The waits between questions are part of the latency: these vendors are slower to answer than they
are to transcribe, and so is a client of theirs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from pytest_asrbench.errors import ProviderError
from pytest_asrbench.providers.http import pick

FIRST_WAIT_S = 0.3  # a clip of seconds is often done within one
LONGEST_WAIT_S = 3.0  # what the vendors recommend for long files
UNDER_WAY = frozenset({"created", "in_progress", "queued", "processing", "running"})


async def finished(
    look: Callable[[], Awaitable[Any]],
    status: str,
    done: str,
    failure: Callable[[Any], ProviderError],
) -> Any:
    """The reply whose field `status` says `done`. Raises what `failure` makes of any other end."""
    wait_s = FIRST_WAIT_S
    while (now := pick(reply := await look(), status)) != done:
        if now not in UNDER_WAY:
            raise failure(reply)
        await asyncio.sleep(wait_s)
        wait_s = min(1.5 * wait_s, LONGEST_WAIT_S)
    return reply


class Later:
    """Work that is no part of a call's latency, such as deleting what a vendor would keep."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def finish(self) -> None:
        await asyncio.gather(*self._tasks)
