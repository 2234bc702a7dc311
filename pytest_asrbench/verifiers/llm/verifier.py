"""The verifier `llm`: asks, checks, asks once more, and lets an odd number of votes decide."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from pytest_asrbench.errors import InputError, VerifierError
from pytest_asrbench.model import Entity, Verdict, VerifierUsage
from pytest_asrbench.providers.http import configured, short
from pytest_asrbench.providers.secrets import masked
from pytest_asrbench.verifiers.base import (
    Identity,
    Judgement,
    Preparing,
    Request,
    SyncVerifier,
    directly,
)
from pytest_asrbench.verifiers.llm import contract
from pytest_asrbench.verifiers.llm.client import KEY_ENV, MODEL, TIMEOUT_S, ChatClient, Reply
from pytest_asrbench.verifiers.llm.guard import guarded

CHARACTERS_A_TOKEN = 3.0  # in English about four, in JSON less
ANSWER_TOKENS = 100  # a target's result, of which the reason is the most

Chat = Sequence[Mapping[str, str]]
Vote = tuple[list[Verdict], VerifierUsage]

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

    def estimate(self, chat: Chat, entities: Sequence[Entity]) -> float:
        """Of a request before it is made, rather too much; reasoning can't be foreseen."""
        asked = sum(len(message["content"]) for message in chat) / CHARACTERS_A_TOKEN
        tokens = Reply("", "", int(asked), 0, ANSWER_TOKENS * (1 + len(entities)))
        return self.cost(tokens)


@dataclass(frozen=True, slots=True)
class Answered:
    """A model's reply, and what it took."""

    reply: Reply
    judging: VerifierUsage


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
        self._client = ChatClient(
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
            **configured(base_url=self._client.server),
        }
        self.identity = Identity("llm", contract.VERSION, contract.digest(masked(settings)))

    @property
    def priced(self) -> bool:
        """True if `price` was given."""
        return self._prices is not None

    def prepare(self, entities: Sequence[Entity], language: str) -> None:
        """Prepares what the guard will need."""
        if isinstance(self._rules, Preparing):
            self._rules.prepare(entities, language)

    @property
    def host(self) -> str:
        """Whom the requests go to."""
        return self._client.host

    async def judge(self, entities: Sequence[Entity], transcript: str, language: str) -> Judgement:
        return await self.judge_through(entities, transcript, language, directly)

    async def judge_through(
        self, entities: Sequence[Entity], transcript: str, language: str, request: Request
    ) -> Judgement:
        if not entities:
            return Judgement((), VerifierUsage())
        votes = await _all_ended(
            self._vote(entities, transcript, request) for _ in range(self._votes)
        )
        ballots = list(zip(*(verdicts for verdicts, _ in votes), strict=True))
        tallied = [_tally(each) for each in ballots]
        verdicts = tuple(
            guarded(entity, verdict, transcript, language, self._rules)
            for entity, verdict in zip(entities, tallied, strict=True)
        )
        judging = VerifierUsage(
            asked=len(entities),
            split=sum(len({ballot.present for ballot in each}) > 1 for each in ballots),
            rejected=sum(v.present for v in tallied) - sum(v.present for v in verdicts),
            dropped=self._client.dropped,
        )
        return Judgement(verdicts, sum((effort for _, effort in votes), judging))

    async def _vote(self, entities: Sequence[Entity], transcript: str, request: Request) -> Vote:
        """One answer that keeps the contract, after at most one repair. Raises VerifierError."""
        chat = contract.messages(entities, transcript)
        first = await self._ask(chat, entities, request)
        try:
            return contract.parse(first.reply.text, entities, transcript), first.judging
        except contract.ContractError as error:
            chat += contract.repair(first.reply.text, error.faults)
        second = await self._ask(chat, entities, request)
        judging = first.judging + second.judging
        try:
            return contract.parse(second.reply.text, entities, transcript), judging
        except contract.ContractError as error:
            raise VerifierError(
                f"the model's answer breaks the contract twice: {short(str(error))}",
                host=self._client.host,
            ) from None

    async def _ask(self, chat: Chat, entities: Sequence[Entity], request: Request) -> Answered:
        """A usable reply. Raises VerifierError for one that was cut off or refused."""
        estimate = self._prices.estimate(chat, entities) if self._prices else 0.0
        answered = await request(partial(self._once, chat), estimate=estimate)
        if answered.reply.fault:  # after the request: it was answered, and is paid for
            raise VerifierError(answered.reply.fault, host=self._client.host)
        return answered

    async def _once(self, chat: Chat) -> Answered:
        reply = await self._client.complete(chat, FORMAT)
        cost = self._prices.cost(reply) if self._prices else None
        return Answered(
            reply,
            VerifierUsage(
                calls=1,
                input_tokens=reply.input_tokens,
                cached_tokens=reply.cached_tokens,
                output_tokens=reply.output_tokens,
                cost=cost,
                models=(reply.model,),
            ),
        )

    async def aclose(self) -> None:
        await self._client.aclose()


async def _all_ended(votes: Iterable[Coroutine[Any, Any, Vote]]) -> list[Vote]:
    """Raises what one raised only when all have ended: none goes on that nobody waits for."""
    ended = await asyncio.gather(*votes, return_exceptions=True)
    for vote in ended:
        if isinstance(vote, BaseException):
            raise vote
    return [vote for vote in ended if not isinstance(vote, BaseException)]


def _tally(ballots: Sequence[Verdict]) -> Verdict:
    """The majority's first ballot; unsure where not all agree."""
    present = sum(ballot.present for ballot in ballots) * 2 > len(ballots)
    side = [ballot for ballot in ballots if ballot.present is present]
    if len(side) == len(ballots):
        return side[0]
    return replace(
        side[0], sure=False, reason=f"{len(side)} of {len(ballots)} votes: {side[0].reason}"
    )
