"""
A language model as verifier, under the contract of the benchmark's own: one call a transcript,
strict JSON, one result a target, evidence that is a real span.

contract   what is asked and what an answer must be; pure
evidence   where a quoted span stands in the transcript
guard      an answer that the rules contradict does not stand
client     one chat completion over the openai SDK, its errors mapped
verifier   the parts together: repair round, votes, usage
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_asrbench.verifiers.llm.verifier import Llm
from pytest_asrbench.verifiers.rules import Rules

__all__ = ["Llm", "configured"]


def configured(
    *,
    types: Mapping[str, str],
    policy: Mapping[str, Mapping[str, str]],
    verifiers: Mapping[str, Mapping[str, Any]],
    votes: int | None,
    packs: Mapping[str, str] | None = None,
    languages: Iterable[str] = ("en",),
) -> Llm:
    """The verifier as the settings describe it. Raises InputError, also without a key."""
    settings = {**verifiers.get("llm", {}), **({"votes": votes} if votes else {})}
    return Llm(
        rules=Rules(types=types, policy=policy, packs=packs, languages=languages), **settings
    )
