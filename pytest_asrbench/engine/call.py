"""
One call of a provider or a verifier: within budget and rate, timed, and tried again.

The one place that retries: on a TransientError only, and no sooner than the server asked for. Who
waits for its turn, or for another try, is told when the run ends.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar

import tenacity

from pytest_asrbench.clock import monotonic
from pytest_asrbench.engine.budget import Charge, Spending
from pytest_asrbench.engine.rate_limit import LONGEST_PAUSE_S, RateLimiter
from pytest_asrbench.engine.threads import driven, take_back_cancelling
from pytest_asrbench.errors import (
    CallError,
    ProviderError,
    TransientError,
    one_line,
)
from pytest_asrbench.providers.base import Limits

ATTEMPTS = 5
BACKOFF_S = 0.5  # before the second attempt, doubled for each further one
LONGEST_BACKOFF_S = 30.0
TIDYING_S = 2.0  # what was cancelled may close a connection, or end a program

Check = Callable[[], bool]
Value = TypeVar("Value")


class ClosingError(Exception):
    """The run ends; this clip was not called for, and another process may do so."""


class Closing:
    """The end of calling in this process. `cancelling` once it ends those that last."""

    def __init__(self) -> None:
        self.cancelling = False
        self._begun = asyncio.Event()

    def begin(self) -> None:
        self._begun.set()

    def check(self) -> None:
        """Raises ClosingError."""
        if self._begun.is_set():
            raise ClosingError

    async def sleep(self, seconds: float) -> None:
        """Raises ClosingError as soon as no call comes after it."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._begun.wait(), seconds)
            raise ClosingError


@dataclass(frozen=True, slots=True)
class Tried(Generic[Value]):
    """The end of a call after `attempts`: a value, or the last attempt's error; never both.

    `latency_ms` is the last attempt's, `cost` what a useless answer was charged.
    """

    attempts: int
    value: Value | None = None
    error: CallError | None = None
    latency_ms: float | None = None
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Service:
    """A provider or verifier, as calls see it. `late` is what a call fails with that is not
    answered in time; `failure` is what else its code raised means; `accept` checks an answer;
    `answer` is a word for messages."""

    late: type[CallError]
    failure: Callable[[Exception], CallError]
    accept: Callable[[Any], Any] = lambda value: value
    answer: str = "answer"
    host: str | None = None
    limits: Limits = field(default_factory=Limits)


class Caller:
    """Calls one service."""

    def __init__(
        self, service: Service, spending: Spending, rate: RateLimiter, closing: Closing
    ) -> None:
        self._service = service
        self._spending = spending
        self._rate = rate
        self._closing = closing
        limits = service.limits
        self._retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type(TransientError),
            stop=tenacity.stop_after_attempt(limits.attempts or ATTEMPTS),
            wait=partial(wait_s, limits.backoff_s or BACKOFF_S),
            sleep=closing.sleep,
            reraise=True,
        )

    async def call(
        self,
        charge: Charge,
        send: Callable[[], Coroutine[Any, Any, Value]],
        patience_s: float,
    ) -> Tried[Value]:
        """Raises BudgetError or NotCalledError where the call may not be made, ClosingError when
        the run ends first, OSError where its folder can't be used."""
        self._spending.begin(charge)
        attempts = 0
        try:
            async for attempt in self._retrying.copy():
                with attempt:
                    await self._rate.turn(self._closing.sleep)
                    self._spending.check()  # may still refuse an attempt, which then is none
                    attempts += 1
                    started = monotonic()
                    async with self._in_time(patience_s) as (ended, given_up):
                        answer = await driven(send(), ended=ended, given_up=given_up)
                        value: Value = self._service.accept(answer)
                    return Tried(attempts, value, latency_ms=1000 * (monotonic() - started))
        except (ClosingError, asyncio.CancelledError):
            self._spending.dropped(charge)
            raise
        except CallError as error:
            error.host = error.host or self._service.host
            cost = self._spending.failed(charge, error)
            return Tried(attempts, error=error, cost=cost)
        raise AssertionError("unreachable: the last attempt returns or raises")

    @asynccontextmanager
    async def _in_time(self, patience_s: float) -> AsyncIterator[tuple[Check, Check]]:
        """Makes a CallError of whatever is raised. Code that goes on though it was cancelled gets a
        moment to tidy up, and is then given up for good."""
        last, first = asyncio.timeout(patience_s + TIDYING_S), asyncio.timeout(patience_s)

        def ended() -> bool:
            """True where this process cancelled the attempt, and not code of others."""
            return first.expired() or last.expired() or self._closing.cancelling

        try:
            async with last, first:
                try:
                    yield ended, last.expired
                finally:
                    if not ended():
                        await take_back_cancelling()
        except TransientError as error:
            self._rate.heed(error)
            raise
        except (CallError, ClosingError):
            raise
        except TimeoutError as error:
            if ended():
                says = f"no {self._service.answer} within {patience_s:g} s"
                raise self._service.late(says, kind="timeout") from None
            raise TransientError(one_line(error), kind="timeout") from error
        except Exception as error:  # the service's code, whatever it does
            raise self._service.failure(error) from error


async def guarded(
    coroutine: Coroutine[Any, Any, Value],
    failure: Callable[[Exception], CallError],
    closing: Closing,
) -> Value:
    """The value of a coroutine of others, or the CallError that its failure means."""
    try:
        return await driven(coroutine, ended=lambda: closing.cancelling)
    except (CallError, ClosingError):
        raise
    except Exception as error:
        raise failure(error) from error
    finally:
        if not closing.cancelling:
            await take_back_cancelling()


def provider_failure(error: Exception) -> CallError:
    """The CallError for what a provider's code raised."""
    if isinstance(error, ConnectionError):
        return TransientError(one_line(error), kind="network")
    return ProviderError(one_line(error))


def wait_s(backoff_s: float, state: tenacity.RetryCallState) -> float:
    """Seconds before the next attempt: doubling, but no less than the server asked for, and a
    jitter, as clients that failed together would come back together."""
    error = state.outcome.exception() if state.outcome else None
    asked = (error.retry_after or 0.0) if isinstance(error, TransientError) else 0.0
    doubled = min(backoff_s * 2.0 ** (state.attempt_number - 1), LONGEST_BACKOFF_S)
    return max(doubled, min(asked, LONGEST_PAUSE_S)) + random.uniform(0, backoff_s)


async def cancel(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Give them a moment to end; some never do."""
    if cancelling := [task for task in tasks if task.cancel()]:
        await asyncio.wait(cancelling, timeout=TIDYING_S)
