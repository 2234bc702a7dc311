"""Verdicts that cost time or money: asked for once, stored for others, tried again."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, TypeVar

from pytest_asrbench.engine.budget import Call, Spending
from pytest_asrbench.engine.judging import as_judgement, failed_judging, with_answer
from pytest_asrbench.engine.pace import Pacing
from pytest_asrbench.engine.paid import LOOK_AGAIN_S, Paid
from pytest_asrbench.engine.result import Result
from pytest_asrbench.engine.retry import Retrying
from pytest_asrbench.engine.threads import OverdueError, awaited, run_in_thread, within
from pytest_asrbench.engine.turns import ClosingError, Turns
from pytest_asrbench.errors import (
    AsrBenchError,
    CallError,
    ReplayError,
    TransientError,
    VerifierError,
    one_line,
)
from pytest_asrbench.model import Clip, Judging
from pytest_asrbench.providers.base import Limits
from pytest_asrbench.store import Store, VerdictKey
from pytest_asrbench.verifiers.base import Judgement, Replied, Requesting, Verifier

Given = TypeVar("Given")

TIMEOUT_S = 300.0  # a verifier has its own time-outs; this one ends what would hang a run


class Verifying:
    """Judges with a verifier that is not local."""

    def __init__(
        self,
        verifier: Verifier,
        store: Store,
        paid: Paid,
        spending: Spending,
        turns: Turns,
        pacing: Pacing,
    ) -> None:
        self._verifier = verifier
        self._store = store
        self._paid = paid
        self._spending = spending
        self._turns = turns
        self._pacing = pacing
        self._retrying = Retrying(Limits(), turns.sleep)
        # Sync code that hangs goes on in its thread: to ask again would be a second question.
        sync = not (isinstance(verifier, Requesting) or inspect.iscoroutinefunction(verifier.judge))
        self._late: type[CallError] = VerifierError if sync else TransientError

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
        found = self._paid.judgement(key) or self._paid.judgement_or_lock(key)
        while found is None:
            await self._turns.sleep(LOOK_AGAIN_S)
            found = self._paid.judgement_or_lock(key)
        if isinstance(found, Judgement):
            return with_answer(result, clip, without_effort(found))
        with found:
            if self._store.mode == "replay":
                return replace(result, failure=failed_judging(self._missing(clip)))
            return await self._asked(name, clip, key, result)

    async def _asked(self, name: str, clip: Clip, key: VerdictKey, result: Result) -> Result:
        asking = Asking(self._spending, self._turns, self._pacing, self._retrying, self._late, name)
        try:
            judgement = as_judgement(await self._answer(clip, key.transcript, asking))
            judged = with_answer(result, clip, judgement)
        except CallError as error:
            asking.end(error)
            effort = replace(asking.effort, asked=len(clip.entities)) if asking.answered else None
            return replace(result, judging=effort, failure=failed_judging(error))
        asking.end(None)
        self._paid.keep_judgement(key, judgement)
        return judged

    async def _answer(self, clip: Clip, text: str, asking: Asking) -> Any:
        """Raises CallError, whatever the verifier's code does."""
        verifier = self._verifier
        if isinstance(verifier, Requesting):
            return await _guarded(
                verifier.judge_through, clip.entities, text, clip.language, asking.request
            )
        return await asking.request(partial(self._at_once, clip, text), estimate=0.0)

    async def _at_once(self, clip: Clip, text: str) -> Judgement:
        """By a verifier that makes its requests itself."""
        judge: Any = self._verifier.judge
        if inspect.iscoroutinefunction(judge):
            value = await _guarded(judge, clip.entities, text, clip.language)
        else:
            value = await _guarded(_in_thread, judge, clip.entities, text, clip.language)
        return as_judgement(value)

    def _missing(self, clip: Clip) -> ReplayError:
        return ReplayError(
            f"replay: no verdicts of {self._verifier.identity.id!r} stored for clip {clip.id!r}; "
            f"record them with {self._store.recorded_by()}"
        )


class Asking:
    """The requests for one judgement, and what those that were answered took. `late` is what one
    fails with that is not answered in time."""

    def __init__(
        self,
        spending: Spending,
        turns: Turns,
        pacing: Pacing,
        retrying: Retrying,
        late: type[CallError],
        name: str,
    ) -> None:
        self.effort = Judging()
        self.answered = 0
        self._failed = False
        self._spending = spending
        self._turns = turns
        self._pacing = pacing
        self._retrying = retrying
        self._late = late
        self._name = name
        self._numbers = count()

    async def request(self, once: Callable[[], Awaitable[Replied]], *, estimate: float) -> Replied:
        """Waits for its turn. Raises CallError, and ClosingError when the run ends first."""
        call = Call(f"{self._name}-{next(self._numbers)}", estimate, judges=True)
        try:
            return await self._turns.call(partial(self._made, call, once))
        except CallError:
            self._failed = True
            raise

    def end(self, error: CallError | None) -> None:
        """Book whether the answers gave verdicts; a request that failed has been booked as such."""
        if self.answered and not self._failed:
            self._spending.judged(self._name, error)

    async def _made(self, call: Call, once: Callable[[], Awaitable[Replied]]) -> Replied:
        self._spending.begin(call)
        try:
            tried = await self._retrying.call(self._pacing.turn, partial(self._in_time, once))
        except ClosingError:
            self._spending.dropped(call)
            raise
        if tried.error is not None:
            self._spending.failed(call, tried.error)
            raise tried.error
        assert tried.value is not None
        took = tried.value.judging
        self.answered += 1
        self.effort += took
        self._spending.answered(call, cost=took.cost or 0.0)
        return tried.value

    async def _in_time(self, once: Callable[[], Awaitable[Replied]]) -> Replied:
        try:
            return await within(TIMEOUT_S, _guarded(once))
        except TransientError as error:
            self._pacing.heed(error)
            raise
        except OverdueError:
            raise self._late(f"no verdict within {TIMEOUT_S:g} s", kind="timeout") from None


async def _guarded(function: Callable[..., Awaitable[Given]], *arguments: Any) -> Given:
    """What foreign code gives. Raises CallError, and what is meant for us."""
    try:
        given: Given = await awaited(function, *arguments)
    except (CallError, ClosingError):
        raise
    except TimeoutError as error:
        raise TransientError(one_line(error), kind="timeout") from error
    except AsrBenchError as error:
        raise VerifierError(str(error)) from error
    except Exception as error:
        raise VerifierError(one_line(error)) from error
    return given


async def _in_thread(judge: Callable[..., Any], *arguments: Any) -> Any:
    value = await run_in_thread(judge, *arguments)[0]
    return await value if inspect.isawaitable(value) else value


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
