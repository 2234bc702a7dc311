"""How a transcript comes to its verdicts where that is pure computation."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import Any

from pytest_asrbench.engine.result import Result, failure, one_line
from pytest_asrbench.errors import AsrBenchError, CallError, VerifierError
from pytest_asrbench.model import Clip, Failure, Judging
from pytest_asrbench.verifiers.base import Judgement, Verifier


def is_local(verifier: Verifier) -> bool:
    """Whether judging is pure computation: then whoever asks computes, and nothing is stored.

    A sync verifier is, unless it says `local = False`.
    """
    local: bool = getattr(verifier, "local", not inspect.iscoroutinefunction(verifier.judge))
    return local


def judged_here(verifier: Verifier, clip: Clip, result: Result) -> Result:
    """With the verdicts of a local verifier, or its failure."""
    if result.transcript is None:
        return result
    try:
        # Without targets there is nothing to judge, in whatever language.
        text = result.transcript.text
        answer = verifier.judge(clip.entities, text, clip.language) if clip.entities else ()
        return with_answer(result, clip, answer)
    except AsrBenchError as error:
        return replace(result, failure=failed_judging(error))
    except Exception as error:  # the verifier's code, whatever it is
        return replace(result, failure=failed_judging(VerifierError(one_line(error))))


def with_answer(result: Result, clip: Clip, answer: Any) -> Result:
    """Raises VerifierError unless there is one verdict for each target."""
    judgement = as_judgement(answer)
    if len(judgement.verdicts) != len(clip.entities):
        raise VerifierError(f"{len(judgement.verdicts)} verdicts for {len(clip.entities)} entities")
    judging = None if judgement.judging == Judging() else judgement.judging
    return replace(result, verdicts=judgement.verdicts, judging=judging)


def as_judgement(answer: Any) -> Judgement:
    return answer if isinstance(answer, Judgement) else Judgement(tuple(answer), Judging())


def failed_judging(error: AsrBenchError) -> Failure:
    """An InputError, such as a pack that is missing, is the verifier's failure too."""
    return failure(error) if isinstance(error, CallError) else Failure("verifier", str(error))
