"""Verdicts on a transcript where judging is pure computation."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from operator import attrgetter
from types import NoneType
from typing import Any, Final

from pytest_asrbench.engine.result import Result, failure
from pytest_asrbench.errors import AsrBenchError, CallError, VerifierError, one_line
from pytest_asrbench.model import Clip, Failure, Nearest, Verdict, VerifierUsage
from pytest_asrbench.verifiers.base import Judgement, Preparing, Verifier

_VALUES: Final = attrgetter("present", "sure", "reason", "evidence", "start", "end", "nearest")
_USUAL: Final = frozenset(
    {
        (bool, bool, str, str, int, int, NoneType),  # present
        (bool, bool, str, NoneType, NoneType, NoneType, Nearest),  # absent
        (bool, bool, str, NoneType, NoneType, NoneType, NoneType),  # nothing like it was heard
    }
)
_FIELDS: Final[Mapping[str, tuple[type, ...]]] = {
    "present": (bool,),
    "sure": (bool,),
    "reason": (str,),
    "evidence": (str, NoneType),
    "start": (int, NoneType),
    "end": (int, NoneType),
    "nearest": (Nearest, NoneType),
    "doubts": (tuple,),
}

UNASKED = VerifierUsage()  # of a verifier that asks no model


def is_local(verifier: Verifier) -> bool:
    """True where judging is pure computation: then whoever asks computes, and nothing is stored.

    A sync verifier is, unless it says `local = False`.
    """
    local: bool = getattr(verifier, "local", not inspect.iscoroutinefunction(verifier.judge))
    return local


def prepare(verifier: Verifier, clip: Clip) -> None:
    """Give the verifier a start while the transcript is awaited; faults show when it judges."""
    if isinstance(verifier, Preparing):
        with suppress(Exception, SystemExit):
            verifier.prepare(clip.entities, clip.language)


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
        return replace(result, verdicts=_reached(error, clip), failure=failed_judging(error))
    except (Exception, SystemExit) as error:  # the verifier's code, whatever it is
        return replace(result, failure=failed_judging(VerifierError(one_line(error))))


def _reached(error: AsrBenchError, clip: Clip) -> tuple[Verdict | None, ...] | None:
    """The verdicts that were reached before one was lost; None where the error tells of none."""
    told = error.verdicts if isinstance(error, VerifierError) else ()
    reached = tuple(verdict if isinstance(verdict, Verdict) else None for verdict in told)
    return reached if len(reached) == len(clip.entities) else None


def with_answer(result: Result, clip: Clip, answer: Any) -> Result:
    """Raises VerifierError unless there is one verdict for each target."""
    judgement = as_judgement(answer)
    if len(judgement.verdicts) != len(clip.entities):
        raise VerifierError(f"{len(judgement.verdicts)} verdicts for {len(clip.entities)} entities")
    for verdict in judgement.verdicts:
        _check(verdict)
    judging = None if judgement.judging == UNASKED else judgement.judging
    return replace(result, verdicts=judgement.verdicts, judging=judging)


def as_judgement(answer: Any) -> Judgement:
    """Raises VerifierError for what is no list of verdicts."""
    if isinstance(answer, Judgement):
        return answer
    if not isinstance(answer, Iterable):
        raise VerifierError(f"returned {type(answer).__name__}, not a list of verdicts")
    return Judgement(tuple(answer), UNASKED)


def _check(verdict: Any) -> None:
    """Raises VerifierError: NaN and "absent" are true to Python, and would count as present."""
    usual = type(verdict) is Verdict and type(verdict.doubts) is tuple
    if usual and tuple(map(type, _VALUES(verdict))) in _USUAL:
        return
    if not isinstance(verdict, Verdict):
        raise VerifierError(f"returned {type(verdict).__name__}, not a Verdict")
    for name, kinds in _FIELDS.items():
        value = getattr(verdict, name)
        if not isinstance(value, kinds):
            wanted = kinds[0].__name__
            raise VerifierError(f"a verdict's {name} is {type(value).__name__}, not {wanted}")


def failed_judging(error: AsrBenchError) -> Failure:
    """An InputError, such as a pack that is missing, is the verifier's failure too."""
    return failure(error) if isinstance(error, CallError) else Failure("verifier", str(error))
