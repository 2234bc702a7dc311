"""How a transcript comes to its verdicts."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import Any

from pytest_asrbench.engine.outcome import Outcome, failure, one_line
from pytest_asrbench.errors import AsrBenchError, CallError, ReplayError, VerifierError
from pytest_asrbench.model import Clip, Failure, Transcript, Verdict
from pytest_asrbench.store import Store, VerdictKey
from pytest_asrbench.verifiers.base import Verifier


class Judging:
    """Gets one clip's verdicts.

    A sync verifier is pure computation unless it says `local = False`: whoever asks computes. The
    others cost time or money, so their verdicts are shared within the run and stored.
    """

    def __init__(self, verifier: Verifier, store: Store) -> None:
        self.verifier = verifier
        self._store = store
        self._async = inspect.iscoroutinefunction(verifier.judge)
        self.local = getattr(verifier, "local", not self._async)

    def here(self, clip: Clip, outcome: Outcome) -> Outcome:
        """With the verdicts of a local verifier."""
        if outcome.transcript is None:
            return outcome
        try:
            verdicts = self.verifier.judge(clip.entities, outcome.transcript.text, clip.language)
            return replace(outcome, verdicts=checked(verdicts, clip))
        except AsrBenchError as error:
            return replace(outcome, failure=failed_judging(error))
        except Exception as error:  # the verifier's code, whatever it is
            return replace(outcome, failure=failed_judging(VerifierError(one_line(error))))

    async def shared(self, clip: Clip, outcome: Outcome) -> Outcome:
        """With verdicts that another run may have paid for."""
        if outcome.transcript is None:
            return outcome
        key = VerdictKey(
            outcome.transcript.text, clip.language, clip.entities, self.verifier.identity
        )
        if (stored := self._store.verdicts(key)) is not None:
            return replace(outcome, verdicts=stored)
        try:
            if self._store.mode == "replay":
                raise ReplayError(f"replay: no verdicts stored for clip {clip.id!r}")
            verdicts = checked(await self._judge(clip, outcome.transcript), clip)
        except AsrBenchError as error:
            return replace(outcome, failure=failed_judging(error))
        except Exception as error:  # the verifier's code, whatever it is
            return replace(outcome, failure=failed_judging(VerifierError(one_line(error))))
        self._store.keep_verdicts(key, verdicts)
        return replace(outcome, verdicts=verdicts)

    async def _judge(self, clip: Clip, transcript: Transcript) -> Any:
        from pytest_asrbench.engine.threads import run_in_thread

        judge: Any = self.verifier.judge
        arguments = (clip.entities, transcript.text, clip.language)
        if self._async:
            return await judge(*arguments)
        value = await run_in_thread(judge, *arguments)[0]
        return await value if inspect.isawaitable(value) else value


def checked(verdicts: Any, clip: Clip) -> tuple[Verdict, ...]:
    """Raises VerifierError unless there is one verdict for each target."""
    found = tuple(verdicts)
    if len(found) != len(clip.entities) or not all(isinstance(v, Verdict) for v in found):
        raise VerifierError(f"{len(found)} verdicts for {len(clip.entities)} entities")
    return found


def failed_judging(error: AsrBenchError) -> Failure:
    return failure(error) if isinstance(error, CallError) else Failure("verifier", str(error))
