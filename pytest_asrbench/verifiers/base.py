"""
What a verifier must do: say for each target entity whether its canonical value is recoverable
from the transcript alone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from pytest_asrbench.model import Entity, Judging, Verdict


@dataclass(frozen=True, slots=True)
class Identity:
    """Which verifier judged. Verdicts of different identities are never compared silently.

    `digest` (`sha256:…`) covers version, language packs and knobs, not source text.
    """

    id: str
    version: str
    digest: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """Verdicts in the order of the entities, and what they took where a model was asked."""

    verdicts: tuple[Verdict, ...]
    judging: Judging


Answer = Sequence[Verdict] | Judgement


@runtime_checkable
class Verifier(Protocol):
    """Judges all target entities of a clip at once; sync or async.

    Raises VerifierError where no verdict can be reached (also: a language it does not know), and
    TransientError, AuthError or QuotaError where a service that it asks gave none.
    """

    @property
    def identity(self) -> Identity: ...

    def judge(
        self, entities: Sequence[Entity], transcript: str, language: str
    ) -> Answer | Awaitable[Answer]: ...


@runtime_checkable
class Preparing(Protocol):
    """A local verifier with work to do on targets alone, which is done while a call lasts."""

    def prepare(self, entities: Sequence[Entity], language: str) -> None: ...


class SyncVerifier(Protocol):
    """A verifier that answers at once, as the rules do."""

    @property
    def identity(self) -> Identity: ...

    def judge(
        self, entities: Sequence[Entity], transcript: str, language: str
    ) -> Sequence[Verdict]: ...
