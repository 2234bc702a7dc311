"""Judges values in a transcript without a run, for teams that use the verifier elsewhere."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_asrbench.datasets.types import remedy, type_fault
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.verifiers import registry
from pytest_asrbench.verifiers.base import Judgement, Verifier


def judge(
    values: Sequence[Entity] | Mapping[str, str],
    transcript: str,
    *,
    language: str = "en",
    verifier: str | Verifier = "rules",
    types: Mapping[str, str] | None = None,
) -> list[Verdict]:
    """A verdict for each value, in their order.

    `values` are entities, or exact written values by type: `{"phone_number": "415-555-0132"}`.
    `language` is a BCP 47 tag; `verifier` a name as `--asr-verifier` takes it, or an object;
    `types` maps custom types to the built-in ones that they are like.

    Raises InputError for an unknown type or verifier, VerifierError where no verdict can be reached
    (a language without a pack, say), and what a service that is asked raises. A verifier that is
    async needs a thread without an event loop.
    """
    entities = _entities(values)
    _check(entities, types or {})
    judging = registry.create(verifier, types=types) if isinstance(verifier, str) else verifier
    answer: Any = judging.judge(entities, transcript, language)
    if inspect.isawaitable(answer):
        answer = asyncio.run(_awaited(answer))
    return list(answer.verdicts if isinstance(answer, Judgement) else answer)


def _entities(values: Sequence[Entity] | Mapping[str, str]) -> Sequence[Entity]:
    if isinstance(values, Mapping):
        return [Entity(f"e{n:02}", kind, text) for n, (kind, text) in enumerate(values.items(), 1)]
    return values


def _check(entities: Sequence[Entity], types: Mapping[str, str]) -> None:
    for entity in entities:
        if fault := type_fault(entity.type, types):
            raise InputError(f"{fault}; {remedy(types)}")


async def _awaited(answer: Any) -> Any:
    return await answer
