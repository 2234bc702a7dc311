"""Puts together what a run with calls needs. Imported only by such runs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_asrbench.engine.budget import Spending
from pytest_asrbench.engine.calls import Caller
from pytest_asrbench.engine.journal import Journal
from pytest_asrbench.engine.judging import Judging
from pytest_asrbench.engine.outcome import Outcome
from pytest_asrbench.engine.pace import Pace
from pytest_asrbench.engine.pool import Pool
from pytest_asrbench.engine.prices import Price, read_prices
from pytest_asrbench.engine.share import Share
from pytest_asrbench.engine.slots import Slots
from pytest_asrbench.engine.work import Transcribing
from pytest_asrbench.model import Clip
from pytest_asrbench.parsing import Budget
from pytest_asrbench.providers.base import AnyProvider, Configuration, Description
from pytest_asrbench.store import Store

CONCURRENCY = 8


@dataclass(frozen=True)
class Live:
    """One process's part in a run that makes calls."""

    provider: AnyProvider
    lookup: Callable[[Clip], Outcome] | None
    description: Description
    configuration: Configuration
    judging: Judging
    store: Store
    folder: Path
    concurrency: int | None
    processes: int
    budget: Budget | None

    def pool(self, work: Mapping[str, tuple[Clip, int]]) -> Pool:
        """The pool that does this work, not yet started. Raises InputError."""
        share, journal = Share(self.folder), Journal(self.folder)
        spending = self._spending(journal)
        transcribing: Transcribing | None = None

        async def job(name: str) -> Outcome:
            clip, repeat = work[name]
            if self.lookup is not None:
                outcome = self.lookup(clip)
            else:
                assert transcribing is not None
                outcome = await transcribing.outcome(name, clip, repeat)
            if not self.judging.local:
                outcome = await self.judging.shared(clip, outcome)
            share.put(name, outcome)
            return outcome

        async def aclose() -> None:
            journal.close()
            for part in (self.provider, self.judging.verifier):
                if (closing := getattr(part, "aclose", None)) is not None:
                    await closing()

        pool = Pool(work, job, share, self._slots(), aclose)
        if self.lookup is None:
            transcribing = Transcribing(
                self.configuration,
                self.description,
                self.store,
                share,
                journal,
                spending,
                lambda check: self._caller(check, pool),
                pool.sleep,
            )
        return pool

    def _caller(self, check: Callable[[], None], pool: Pool) -> Caller:
        limits = self.configuration.limits
        return Caller(
            self.provider,
            limits,
            self.configuration.mode,
            Pace(self.folder, limits.requests_per_minute),
            check=check,
            sleep=pool.sleep,
        )

    def _spending(self, journal: Journal) -> Spending:
        table = read_prices()
        own = self.configuration.limits.price_per_minute
        price = table.price(self.description, self.configuration.mode) if own is None else None
        return Spending(
            self.folder,
            journal,
            self.budget,
            price if own is None else Price(own),
            table.currency,
            self.configuration.name,
        )

    def _slots(self) -> Slots:
        own = self.configuration.limits.concurrency
        asked = [n for n in (own, self.concurrency) if n is not None]
        here = own or self._in_one_process() or min(asked, default=CONCURRENCY)
        total = min(asked, default=max(CONCURRENCY, here * self.processes if here == 1 else 0))
        return Slots(self.folder, total=total, here=here, processes=self.processes)

    def _in_one_process(self) -> int | None:
        """What the provider can bear; sync code that says nothing, one call at a time."""
        declared: int | None = getattr(self.provider, "concurrency", None)
        if declared is not None or self.lookup is not None:
            return declared
        provider: Any = self.provider
        streams = self.configuration.mode == "stream"
        send = provider.stream if streams else provider.transcribe
        return None if inspect.iscoroutinefunction(send) else 1
