"""Verdicts that cost time or money: asked for once, stored for others, tried again."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any

from pytest_asrbench.engine.budget import Charge, Spending
from pytest_asrbench.engine.call import Caller, Closing, Service, guarded
from pytest_asrbench.engine.local_verdicts import as_judgement, failed_judging, with_answer
from pytest_asrbench.engine.rate_limit import RateLimiter
from pytest_asrbench.engine.result import Result
from pytest_asrbench.engine.run_cache import LOOK_AGAIN_S, RunCache
from pytest_asrbench.engine.threads import run_in_thread
from pytest_asrbench.errors import (
    AsrBenchError,
    CallError,
    ReplayError,
    TransientError,
    VerifierError,
    one_line,
)
from pytest_asrbench.model import Clip, VerifierUsage
from pytest_asrbench.store import Store, VerdictKey
from pytest_asrbench.verifiers.base import Judgement, Replied, Requesting, Verifier

TIMEOUT_S = 300.0  # a verifier has its own time-outs; this one ends what would hang a run


class RemoteVerdicts:
    """Judges with a verifier that is not local."""

    def __init__(
        self,
        verifier: Verifier,
        store: Store,
        cache: RunCache,
        spending: Spending,
        rate: RateLimiter,
        closing: Closing,
    ) -> None:
        self.spending = spending
        self._verifier = verifier
        self._store = store
        self._cache = cache
        self.closing = closing
        # Sync code that hangs goes on in its thread: to ask again would be a second question.
        sync = not (isinstance(verifier, Requesting) or inspect.iscoroutinefunction(verifier.judge))
        service = Service(
            late=VerifierError if sync else TransientError,
            failure=verifier_failure,
            answer="verdict",
        )
        self.caller = Caller(service, spending, rate, closing)

    async def judged(self, name: str, clip: Clip, result: Result) -> Result:
        """With verdicts that another clip or run may have paid for, or with the failure.

        Raises ClosingError when the run ends first, OSError where its folder can't be used.
        """
        if result.transcript is None:
            return result
        if not clip.entities:  # nothing to judge, so nothing to ask or to pay for
            return with_answer(result, clip, ())
        key = VerdictKey(
            result.transcript.text, clip.language, clip.entities, self._verifier.identity
        )
        stored = self._cache.judgement(key) or self._cache.judgement_or_lock(key)
        while stored is None:
            await self.closing.sleep(LOOK_AGAIN_S)
            stored = self._cache.judgement_or_lock(key)
        if isinstance(stored, Judgement):
            return with_answer(result, clip, without_effort(stored))
        with stored:
            if self._store.mode == "replay":
                return replace(result, failure=failed_judging(self._missing(clip)))
            return await self._asked(name, clip, key, result)

    async def _asked(self, name: str, clip: Clip, key: VerdictKey, result: Result) -> Result:
        asking = Asking(self, name)
        try:
            judgement = as_judgement(await self._answer(clip, key.transcript, asking))
            judged = with_answer(result, clip, judgement)
        except CallError as error:
            asking.end(error)
            effort = replace(asking.effort, asked=len(clip.entities)) if asking.answered else None
            return replace(result, judging=effort, failure=failed_judging(error))
        asking.end(None)
        self._cache.keep_judgement(key, judgement)
        return judged

    async def _answer(self, clip: Clip, text: str, asking: Asking) -> Any:
        """Raises CallError, whatever the verifier's code does."""
        verifier = self._verifier
        if isinstance(verifier, Requesting):
            asked = verifier.judge_through(clip.entities, text, clip.language, asking.request)
            return await guarded(asked, verifier_failure, self.closing)
        return await asking.request(partial(self._at_once, clip, text), estimate=0.0)

    async def _at_once(self, clip: Clip, text: str) -> Judgement:
        """By a verifier that makes its requests itself."""
        judge: Any = self._verifier.judge
        if inspect.iscoroutinefunction(judge):
            value = await judge(clip.entities, text, clip.language)
        else:
            value = await run_in_thread(judge, clip.entities, text, clip.language)[0]
        return as_judgement(await value if inspect.isawaitable(value) else value)

    def _missing(self, clip: Clip) -> ReplayError:
        return ReplayError(
            f"replay: no verdicts of {self._verifier.identity.id!r} stored for clip {clip.key!r}; "
            f"record them with {self._store.recorded_by()}"
        )


class Asking:
    """The requests for one judgement, one at a time in the clip's place, and what those that were
    answered took."""

    def __init__(self, verdicts: RemoteVerdicts, name: str) -> None:
        self.effort = VerifierUsage()
        self.answered = 0
        self._failed = False
        self._verdicts = verdicts
        self._name = name
        self._numbers = count()
        self._place = asyncio.Lock()  # the clip's own, of those that bound the calls at once

    async def request(self, once: Callable[[], Awaitable[Replied]], *, estimate: float) -> Replied:
        """Waits for a place. Raises CallError, and ClosingError when the run ends first."""
        charge = Charge(f"{self._name}-{next(self._numbers)}", estimate, judges=True)
        send: Any = once
        try:
            async with self._place:
                self._verdicts.closing.check()
                tried = await self._verdicts.caller.call(charge, send, TIMEOUT_S)
            if tried.error is not None:
                raise tried.error
        except CallError:
            self._failed = True
            raise
        assert tried.value is not None
        reply: Replied = tried.value
        took = reply.judging
        self.answered += 1
        self.effort += took
        self._verdicts.spending.answered(charge, cost=took.cost or 0.0)
        return reply

    def end(self, error: CallError | None) -> None:
        """Book whether the answers gave verdicts; a request that failed has been booked as such."""
        if self.answered and not self._failed:
            self._verdicts.spending.judged(self._name, error)


def verifier_failure(error: Exception) -> CallError:
    """The CallError for what a verifier's code raised."""
    if isinstance(error, TimeoutError):
        return TransientError(one_line(error), kind="timeout")
    return VerifierError(str(error) if isinstance(error, AsrBenchError) else one_line(error))


def without_effort(judgement: Judgement) -> Judgement:
    """A stored judgement took nothing now; what it says of the entities stays."""
    judging = judgement.judging
    free = None if judging.cost is None else 0.0
    return replace(
        judgement,
        judging=replace(
            judging, calls=0, input_tokens=0, cached_tokens=0, output_tokens=0, cost=free
        ),
    )
