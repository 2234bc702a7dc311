"""
The protocol of a verifier: to say for each target entity whether its canonical value is recoverable
from the transcript alone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

from pytest_asrbench.model import Entity, Verdict, VerifierUsage


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of the verifier that judged. Verdicts of different identities are never compared
    silently.

    `digest` (`sha256:…`) covers version, language packs and options, not source text.
    """

    id: str
    version: str
    digest: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """Verdicts in the order of the entities, and what they took where a model was asked."""

    verdicts: tuple[Verdict, ...]
    judging: VerifierUsage


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


class Billed(Protocol):
    """A reply that says what it took."""

    @property
    def judging(self) -> VerifierUsage: ...


Replied = TypeVar("Replied", bound=Billed)


class Request(Protocol):
    """Makes one request of a service, as often as it takes, and raises what `once` raised last.

    Whoever runs the verifier bounds and counts requests here. `estimate` is what this one will cost
    at most, as far as that can be told before; 0 where no price is known.
    """

    async def __call__(
        self, once: Callable[[], Awaitable[Replied]], *, estimate: float
    ) -> Replied: ...


@runtime_checkable
class Requesting(Protocol):
    """A verifier that hands each of its requests to `request`, so that those that were answered are
    not made again when another fails. `priced`: whether it knows what they cost."""

    @property
    def priced(self) -> bool: ...

    async def judge_through(
        self, entities: Sequence[Entity], transcript: str, language: str, request: Request
    ) -> Judgement: ...


async def directly(once: Callable[[], Awaitable[Replied]], *, estimate: float) -> Replied:
    """A :class:`Request` that nobody bounds or counts."""
    return await once()


@runtime_checkable
class Preparing(Protocol):
    """A verifier with work to do on targets alone: a local one's is done while a call lasts."""

    def prepare(self, entities: Sequence[Entity], language: str) -> None: ...


class SyncVerifier(Protocol):
    """A verifier that answers at once, as the rules do."""

    @property
    def identity(self) -> Identity: ...

    def judge(
        self, entities: Sequence[Entity], transcript: str, language: str
    ) -> Sequence[Verdict]: ...
