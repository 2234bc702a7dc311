"""The verifier `llm`: asks, checks, asks once more, and lets an odd number of votes decide."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pytest_asrbench.errors import InputError, VerifierError
from pytest_asrbench.model import Entity, Judging, Verdict
from pytest_asrbench.verifiers.base import Identity, Judgement, SyncVerifier
from pytest_asrbench.verifiers.llm import contract
from pytest_asrbench.verifiers.llm.client import KEY_ENV, MODEL, TIMEOUT_S, Client, Reply
from pytest_asrbench.verifiers.llm.guard import guarded

FORMAT = {
    "type": "json_schema",
    "json_schema": {"name": "verdicts", "strict": True, "schema": contract.SCHEMA},
}


@dataclass(frozen=True, slots=True)
class Prices:
    """Money for a million tokens; cached input is part of the input."""

    input: float
    output: float
    cached: float | None = None

    def cost(self, reply: Reply) -> float:
        cached = self.input if self.cached is None else self.cached
        fresh = reply.input_tokens - reply.cached_tokens
        spent = (
            fresh * self.input + reply.cached_tokens * cached + reply.output_tokens * self.output
        )
        return spent / 1_000_000


class Llm:
    """Judges a transcript by one completion a vote.

    `params` go to the model as they are, nothing else does; `price` is money for a million tokens:
    `{input: 0.10, cached: 0.01, output: 0.50}`. `rules` guard each "present" (see `guard`).
    Raises InputError for settings that can't be.
    """

    def __init__(
        self,
        *,
        rules: SyncVerifier,
        model: str = MODEL,
        params: Mapping[str, Any] | None = None,
        base_url: str | None = None,
        api_key_env: str = KEY_ENV,
        timeout_s: float = TIMEOUT_S,
        votes: int = 1,
        price: Mapping[str, float] | None = None,
    ) -> None:
        if votes < 1 or votes % 2 == 0:
            raise InputError(f"votes of the llm verifier must be odd, not {votes}")
        self._rules = rules
        self._votes = votes
        self._prices = Prices(**price) if price else None
        self._client = Client(
            model=model,
            params=params or {},
            base_url=base_url,
            api_key_env=api_key_env,
            timeout_s=timeout_s,
        )
        settings = {
            "model": model,
            "params": dict(params or {}),
            "votes": votes,
            "guard": rules.identity.digest,
        }
        self.identity = Identity("llm", contract.VERSION, contract.digest(settings))

    async def judge(self, entities: Sequence[Entity], transcript: str, language: str) -> Judgement:
        if not entities:
            return Judgement((), Judging())
        votes = await asyncio.gather(
            *(self._vote(entities, transcript) for _ in range(self._votes))
        )
        ballots = list(zip(*(verdicts for verdicts, _ in votes), strict=True))
        tallied = [_tally(each) for each in ballots]
        verdicts = tuple(
            guarded(entity, verdict, language, self._rules)
            for entity, verdict in zip(entities, tallied, strict=True)
        )
        judging = Judging(
            asked=len(entities),
            split=sum(len({ballot.present for ballot in each}) > 1 for each in ballots),
            rejected=sum(v.present for v in tallied) - sum(v.present for v in verdicts),
            dropped=self._client.dropped,
        )
        return Judgement(verdicts, sum((effort for _, effort in votes), judging))

    async def _vote(
        self, entities: Sequence[Entity], transcript: str
    ) -> tuple[list[Verdict], Judging]:
        """One answer that keeps the contract, after at most one repair. Raises VerifierError."""
        chat = contract.messages(entities, transcript)
        reply = await self._client.complete(chat, FORMAT)
        judging = self._judging(reply)
        try:
            return contract.parse(reply.text, entities, transcript), judging
        except contract.ContractError as error:
            chat += contract.repair(reply.text, error.faults)
        reply = await self._client.complete(chat, FORMAT)
        judging += self._judging(reply)
        try:
            return contract.parse(reply.text, entities, transcript), judging
        except contract.ContractError as error:
            raise VerifierError(
                f"the model's answer breaks the contract twice: {error}", host=self._client.host
            ) from None

    def _judging(self, reply: Reply) -> Judging:
        return Judging(
            calls=1,
            input_tokens=reply.input_tokens,
            cached_tokens=reply.cached_tokens,
            output_tokens=reply.output_tokens,
            cost=self._prices.cost(reply) if self._prices else None,
            models=(reply.model,),
        )

    async def aclose(self) -> None:
        await self._client.aclose()


def _tally(ballots: Sequence[Verdict]) -> Verdict:
    """The majority's first ballot; unsure where not all agree."""
    present = sum(ballot.present for ballot in ballots) * 2 > len(ballots)
    side = [ballot for ballot in ballots if ballot.present is present]
    if len(side) == len(ballots):
        return side[0]
    return replace(
        side[0], sure=False, reason=f"{len(side)} of {len(ballots)} votes: {side[0].reason}"
    )
