"""Puts together what a run with calls needs. Imported only by such runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pytest_asrbench.engine.budget import Bounds, Spending
from pytest_asrbench.engine.call import Caller, Closing, Service, cancel, provider_failure
from pytest_asrbench.engine.hearing import Hear
from pytest_asrbench.engine.journal import Journal
from pytest_asrbench.engine.loop_thread import NOTED_S
from pytest_asrbench.engine.provider_code import TIMEOUT_S, ProviderCode, as_transcript
from pytest_asrbench.engine.rate_limit import RateLimiter
from pytest_asrbench.engine.remote_verdicts import RemoteVerdicts
from pytest_asrbench.engine.result import Result
from pytest_asrbench.engine.run_cache import Memory, RunCache
from pytest_asrbench.engine.shared_folder import SharedFolder
from pytest_asrbench.engine.slots import ConcurrencySlots
from pytest_asrbench.engine.threads import driven
from pytest_asrbench.engine.user_code import Printed
from pytest_asrbench.errors import ProviderError, TransientError, one_line
from pytest_asrbench.model import Clip
from pytest_asrbench.providers.base import AnyProvider, Configuration, Description
from pytest_asrbench.providers.methods import is_async
from pytest_asrbench.providers.secrets import scrub
from pytest_asrbench.store import Store
from pytest_asrbench.store.folder import StoreFolder
from pytest_asrbench.verifiers.base import Verifier

CONCURRENCY = 8
# Of two clips, one is called for while the other's file is read. Not where processes share the
# work: what one has taken up, another that is idle could not call for. Nor where one call is made
# at a time: whose file is read first would be called for first, and the tests' order is promised.
CLIPS_PER_SLOT = 2
CLOSING_S = 5.0  # a goodbye to a server; the results are in by then


@dataclass(frozen=True)
class LiveRun:
    """One process's part in a run that makes calls: what its clips share.

    `work` is clip and repeat by the name under which the run's processes know them. `lookup` stands
    in for calls where transcripts are recorded ones; `verifier`, and so `verdicts`, is None where
    judging is left to whoever asks. `raised` is what a provider's code raised, by name of the work.
    """

    work: Mapping[str, tuple[Clip, int]]
    provider: AnyProvider
    lookup: Callable[[Clip], Result] | None
    description: Description
    configuration: Configuration
    verifier: Verifier | None
    store: Store
    folder: Path
    concurrency: int | None
    processes: int | None
    bounds: Bounds
    journal: Journal
    raised: dict[str, BaseException]
    printed: Printed
    hear: Hear

    sha256: dict[str, str] = field(default_factory=dict)  # of the audio, by the clip's key

    def __post_init__(self) -> None:
        """Faults of provider and verifier show now, and not in the first call."""
        _ = self.verdicts, None if self.lookup else self.caller

    @cached_property
    def names(self) -> Mapping[tuple[str, int], str]:
        """Of the work, by the clip's key and repeat."""
        return {(clip.key, repeat): name for name, (clip, repeat) in self.work.items()}

    @property
    def alone(self) -> bool:
        return self.processes is None

    @cached_property
    def closing(self) -> Closing:
        return Closing()

    @cached_property
    def share(self) -> SharedFolder:
        return SharedFolder(self.folder, alone=self.alone)

    @cached_property
    def spending(self) -> Spending:
        return Spending(self.folder, self.journal, self.bounds, self.share)

    @cached_property
    def cache(self) -> RunCache:
        own = Memory() if self.alone else StoreFolder(self.folder / "paid")
        return RunCache(self.store, own)

    @property
    def ahead(self) -> int:
        """Clips in hand for each slot."""
        return CLIPS_PER_SLOT if self.alone and self.slots.here > 1 else 1

    @property
    def patience_s(self) -> float:
        """Seconds that the loop may owe an answer."""
        return max(NOTED_S, self.configuration.limits.timeout_s or TIMEOUT_S)

    @cached_property
    def code(self) -> ProviderCode:
        limits, mode = self.configuration.limits, self.configuration.mode
        return ProviderCode(self.provider, limits, mode, self._in_one_process() or self.slots.here)

    @cached_property
    def caller(self) -> Caller:
        limits = self.configuration.limits
        # Code that hangs goes on in its thread, so that a second try would be a second call.
        service = Service(
            late=ProviderError if self.code.in_threads else TransientError,
            failure=provider_failure,
            accept=as_transcript,
            host=getattr(self.provider, "host", None),
            limits=limits,
        )
        rate = RateLimiter(self.folder, limits.requests_per_minute, service.host)
        return Caller(service, self.spending, rate, self.closing)

    @cached_property
    def verdicts(self) -> RemoteVerdicts | None:
        if self.verifier is None:
            return None
        rate = RateLimiter(self.folder, None, getattr(self.verifier, "host", None))
        return RemoteVerdicts(
            self.verifier, self.store, self.cache, self.spending, rate, self.closing
        )

    async def aclose(self) -> None:
        self.journal.close()
        for part in (self.provider, self.verifier):
            if (closing := getattr(part, "aclose", None)) is not None:
                name = getattr(part, "use", None) or type(part).__name__
                ending = asyncio.ensure_future(_ended(closing))
                await asyncio.wait([ending], timeout=CLOSING_S)
                if not ending.done():
                    self.store.note(f"closing {name} took longer than {CLOSING_S:g} s; given up")
                    await cancel([ending])
                elif error := ending.exception():  # their code; the run's results are in by now
                    self.store.note(f"closing {name} failed: {scrub(one_line(error))}")

    @cached_property
    def slots(self) -> ConcurrencySlots:
        processes, borne = self.processes or 1, self._in_one_process()
        asked = self.concurrency or self.configuration.limits.concurrency
        total = asked or max(CONCURRENCY, borne or 0, processes if borne == 1 else 0)
        return ConcurrencySlots(self.folder, total=total, here=borne or total, processes=processes)

    def _in_one_process(self) -> int | None:
        """The calls at once that the provider bears: what it says, else one call at a time of sync
        code whose configuration says nothing either; None for any number."""
        declared: int | None = getattr(self.provider, "concurrency", None)
        if declared or self.lookup or self.configuration.limits.concurrency:
            return declared
        provider: Any = self.provider
        streams = self.configuration.mode == "stream"
        return None if is_async(provider.stream if streams else provider.transcribe) else 1


async def _ended(closing: Callable[[], Any]) -> None:
    async def end() -> None:
        await closing()

    await driven(end(), ended=lambda: False)
