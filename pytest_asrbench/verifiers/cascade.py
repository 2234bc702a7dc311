"""The verifier `cascade`: the rules where they are sure, a language model where they are not."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Entity, VerifierUsage
from pytest_asrbench.verifiers.base import (
    Identity,
    Judgement,
    Preparing,
    Request,
    SyncVerifier,
    directly,
)
from pytest_asrbench.verifiers.llm import Llm
from pytest_asrbench.verifiers.llm.client import MissingKeyError
from pytest_asrbench.verifiers.rules import Rules

VERSION = "1"


class Cascade:
    """Sends the unsure entities of a clip to `llm`, all in one call; the rest stay the rules'.

    With `fallback` (no key, and told to go on) the rules' unsure verdicts stand.
    """

    def __init__(self, *, rules: SyncVerifier, llm: Llm | None) -> None:
        self._rules = rules
        self._llm = llm
        parts = [VERSION, rules.identity.digest, llm.identity.digest if llm else "none"]
        digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
        self.identity = Identity("cascade", VERSION, f"sha256:{digest}")

    @property
    def priced(self) -> bool:
        """True if the model's requests are priced; without a model there are none."""
        return self._llm is None or self._llm.priced

    def prepare(self, entities: Sequence[Entity], language: str) -> None:
        """Compiles what the rules will need."""
        if isinstance(self._rules, Preparing):
            self._rules.prepare(entities, language)

    @property
    def host(self) -> str | None:
        """Whom the model's requests go to."""
        return self._llm.host if self._llm else None

    async def judge(self, entities: Sequence[Entity], transcript: str, language: str) -> Judgement:
        return await self.judge_through(entities, transcript, language, directly)

    async def judge_through(
        self, entities: Sequence[Entity], transcript: str, language: str, request: Request
    ) -> Judgement:
        verdicts = list(self._rules.judge(entities, transcript, language))
        unsure = [i for i, verdict in enumerate(verdicts) if not verdict.sure]
        if not unsure or self._llm is None:
            return Judgement(tuple(verdicts), VerifierUsage())
        judged = await self._llm.judge_through(
            [entities[i] for i in unsure], transcript, language, request
        )
        for i, verdict in zip(unsure, judged.verdicts, strict=True):
            verdicts[i] = verdict
        return Judgement(tuple(verdicts), judged.judging)

    async def aclose(self) -> None:
        if self._llm is not None:
            await self._llm.aclose()


def configured(
    *,
    types: Mapping[str, str],
    policy: Mapping[str, Mapping[str, str]],
    verifiers: Mapping[str, Mapping[str, Any]],
    votes: int | None,
    packs: Mapping[str, str] | None = None,
    languages: Iterable[str] = ("en",),
) -> Cascade:
    """The verifier as the settings describe it; what `cascade` leaves out is as for `llm`.

    Raises InputError where the model needs a key, unless `fallback: true` lets the rules stand. A
    replay needs none, so what a run with the key stored is found.
    """
    settings = {**verifiers.get("llm", {}), **verifiers.get("cascade", {})}
    settings |= {"votes": votes} if votes else {}
    fallback = settings.pop("fallback", False)
    rules = Rules(types=types, policy=policy, packs=packs, languages=languages)
    try:
        return Cascade(rules=rules, llm=Llm(rules=rules, **settings))
    except MissingKeyError as error:
        if not fallback:
            raise InputError(f"{error}, or let the rules stand: fallback: true") from None
        return Cascade(rules=rules, llm=None)
