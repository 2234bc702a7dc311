"""When a failed call is tried again, and when the next try may come. The one place that retries."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

import tenacity

from pytest_asrbench.errors import CallError, TransientError
from pytest_asrbench.providers.base import Limits

ATTEMPTS = 5
BACKOFF_S = 0.5  # before the second attempt, doubled for each further one
LONGEST_BACKOFF_S = 30.0
LONGEST_RETRY_AFTER_S = 120.0  # a server that asks for more is down for this run

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Tried(Generic[Value]):
    """What came of a call after `attempts`: a value, or the last attempt's error; never both."""

    attempts: int
    value: Value | None = None
    error: CallError | None = None


class Retrying:
    """Tries again on TransientError only. `sleep` may raise to end all trying."""

    def __init__(self, limits: Limits, sleep: Callable[[float], Awaitable[None]]) -> None:
        self._retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type(TransientError),
            stop=tenacity.stop_after_attempt(limits.attempts or ATTEMPTS),
            wait=partial(wait_s, limits.backoff_s or BACKOFF_S),
            sleep=sleep,
            reraise=True,
        )

    async def call(
        self, before: Callable[[], Awaitable[None]], once: Callable[[], Awaitable[Value]]
    ) -> Tried[Value]:
        """`before` may still refuse an attempt, which then does not count."""
        attempts = 0
        try:
            async for attempt in self._retrying.copy():
                with attempt:
                    await before()
                    attempts += 1
                    return Tried(attempts, await once())
        except CallError as error:
            return Tried(attempts, error=error)
        raise AssertionError("unreachable: the last attempt returns or raises")


def wait_s(backoff_s: float, state: tenacity.RetryCallState) -> float:
    """Seconds before the next attempt: doubling, but no less than the server asked for, and a
    jitter, as clients that failed together would come back together."""
    error = state.outcome.exception() if state.outcome else None
    asked = (error.retry_after or 0.0) if isinstance(error, TransientError) else 0.0
    doubled = min(backoff_s * 2.0 ** (state.attempt_number - 1), LONGEST_BACKOFF_S)
    return max(doubled, min(asked, LONGEST_RETRY_AFTER_S)) + random.uniform(0, backoff_s)
