"""Verdicts that cost time or money: shared within a run, stored for others, tried again."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

from pytest_asrbench.engine.journal import Journal
from pytest_asrbench.engine.judging import as_judgement, failed_judging, with_answer
from pytest_asrbench.engine.result import Result, failure
from pytest_asrbench.engine.retry import Retrying
from pytest_asrbench.engine.share import Share
from pytest_asrbench.engine.threads import awaited, run_in_thread, within
from pytest_asrbench.engine.turns import Turns
from pytest_asrbench.errors import (
    AsrBenchError,
    AuthError,
    CallError,
    QuotaError,
    ReplayError,
    TransientError,
    VerifierError,
    one_line,
)
from pytest_asrbench.model import Clip
from pytest_asrbench.providers.base import Limits
from pytest_asrbench.store import Store, VerdictKey
from pytest_asrbench.verifiers.base import Judgement, Verifier

TIMEOUT_S = 300.0  # a verifier has its own time-outs; this one ends what would hang a run


class Verifying:
    """Judges with a verifier that is not local."""

    def __init__(
        self,
        verifier: Verifier,
        store: Store,
        share: Share,
        journal: Journal,
        turns: Turns,
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._verifier = verifier
        self._store = store
        self._share = share
        self._journal = journal
        self._turns = turns
        self._retrying = Retrying(Limits(), sleep)
        self._asking: dict[str, asyncio.Future[Judgement | CallError]] = {}

    async def judged(self, clip: Clip, result: Result) -> Result:
        """With verdicts that another run may have paid for, or with the failure."""
        if result.transcript is None:
            return result
        if not clip.entities:  # nothing to judge, so nothing to ask or to pay for
            return with_answer(result, clip, ())
        text = result.transcript.text
        key = VerdictKey(text, clip.language, clip.entities, self._verifier.identity)
        if (stored := self._store.judgement(key)) is not None:
            return with_answer(result, clip, without_effort(stored))
        if self._store.mode == "replay":
            return replace(result, failure=failure(self._missing(clip)))
        while (asking := self._asking.get(key.digest)) is not None:  # for another clip or repeat
            came = await asking
            if isinstance(came, Judgement):
                return _judged(result, clip, without_effort(came))
            self._forget(key, asking)  # no verdict: this clip asks for itself
        asking = asyncio.ensure_future(self._turns.call(partial(self._asked, clip, text)))
        self._asking[key.digest] = asking
        came = await asking
        judged = _judged(result, clip, came)
        if judged.verdicts is not None and isinstance(came, Judgement):
            self._store.keep_judgement(key, came)
            self._journal.spend(came.judging.cost or 0.0)
        else:
            self._forget(key, asking)
        return judged

    def _forget(self, key: VerdictKey, asking: asyncio.Future[Judgement | CallError]) -> None:
        """Let the next clip with these words ask anew, unless one does so already."""
        if self._asking.get(key.digest) is asking:
            del self._asking[key.digest]

    async def _asked(self, clip: Clip, text: str) -> Judgement | CallError:
        tried = await self._retrying.call(self._check, partial(self._once, clip, text))
        if tried.value is not None:
            return tried.value
        assert tried.error is not None
        if isinstance(tried.error, AuthError | QuotaError):
            self._share.stop(failed_judging(tried.error))
        return tried.error

    async def _check(self) -> None:
        """Raises NotCalledError once the run has stopped calling."""
        self._share.check()

    async def _once(self, clip: Clip, text: str) -> Judgement:
        try:
            return as_judgement(await within(TIMEOUT_S, self._answer(clip, text)))
        except CallError:
            raise
        except AsrBenchError as error:
            raise VerifierError(str(error)) from error
        except TimeoutError:
            why = f"no verdict within {TIMEOUT_S:g} s"
            raise TransientError(why, kind="timeout") from None
        except Exception as error:  # the verifier's code, whatever it is
            raise VerifierError(one_line(error)) from error

    async def _answer(self, clip: Clip, text: str) -> Any:
        judge: Any = self._verifier.judge
        if inspect.iscoroutinefunction(judge):
            return await awaited(judge, clip.entities, text, clip.language)
        value = await run_in_thread(judge, clip.entities, text, clip.language)[0]
        return await awaited(lambda: value) if inspect.isawaitable(value) else value

    def _missing(self, clip: Clip) -> ReplayError:
        return ReplayError(
            f"replay: no verdicts of {self._verifier.identity.id!r} stored for clip {clip.id!r}; "
            "record them in a run with --asr-cache-mode=fill"
        )


def _judged(result: Result, clip: Clip, came: Judgement | CallError) -> Result:
    try:
        if isinstance(came, CallError):
            raise came
        return with_answer(result, clip, came)
    except CallError as error:
        return replace(result, failure=failed_judging(error))


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
