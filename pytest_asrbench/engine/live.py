"""Puts together what a run with calls needs. Imported only by such runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_asrbench.engine.background import NOTED_S, Background
from pytest_asrbench.engine.budget import Bounds, Spending
from pytest_asrbench.engine.calls import TIMEOUT_S, Caller
from pytest_asrbench.engine.job import Job
from pytest_asrbench.engine.journal import Journal
from pytest_asrbench.engine.pace import Pace, Pacing
from pytest_asrbench.engine.paid import Memory, Paid
from pytest_asrbench.engine.pool import Pool
from pytest_asrbench.engine.result import Result
from pytest_asrbench.engine.share import Share
from pytest_asrbench.engine.slots import Slots
from pytest_asrbench.engine.threads import OverdueError, awaited, within
from pytest_asrbench.engine.turns import Turns
from pytest_asrbench.engine.verifying import Verifying
from pytest_asrbench.engine.work import Transcribing
from pytest_asrbench.errors import one_line
from pytest_asrbench.model import Clip
from pytest_asrbench.providers.base import AnyProvider, Configuration, Description
from pytest_asrbench.providers.methods import is_async
from pytest_asrbench.providers.secrets import scrub
from pytest_asrbench.store import Store
from pytest_asrbench.store.folder import Folder
from pytest_asrbench.verifiers.base import Verifier

CONCURRENCY = 8
# Of two clips, one is called for while the other's file is read. Not where processes share the
# work: what one has taken up, another that is idle could not call for. Nor where one call is made
# at a time: whose file is read first would be called for first, and the tests' order is promised.
RUNNERS_PER_SLOT = 2
CLOSING_S = 5.0  # a goodbye to a server; the results are in by then


@dataclass(frozen=True)
class Live:
    """One process's part in a run that makes calls. `lookup` stands in for calls where transcripts
    are recorded ones; `verifier` is None where judging is left to whoever asks."""

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

    def pool(self, work: Mapping[str, tuple[Clip, int]]) -> Pool:
        """The pool that does this work, not yet started."""
        alone = self.processes is None
        share = Share(self.folder, alone=alone)
        slots = self._slots()
        # Under xdist a call needs a slot of the run; a clip that is judged by votes makes several.
        turns = Turns(lambda: slots.here if alone else slots.held)
        background = Background(self.store.note)
        spending = Spending(self.folder, self.journal, self.bounds, share)
        paid = Paid(self.store, Memory() if alone else Folder(self.folder / "paid"))
        transcribed = self._looked_up
        if self.lookup is None:
            transcribed = Transcribing(
                self.configuration,
                self.description,
                self.store,
                paid,
                self.journal,
                spending,
                self._caller(share, turns, one_at_a_time=slots.here == 1),
                turns,
                background.files,
                work,
            ).result
        judged = None
        if self.verifier is not None:
            pacing = self._pacing(share, turns, self.verifier, None)
            judged = Verifying(self.verifier, self.store, paid, spending, turns, pacing).judged
        return Pool(
            work,
            Job(work, transcribed, judged, share, self.journal, self.store).result,
            share,
            slots,
            turns,
            background,
            self._aclose,
            shared=not alone,
            runners_per_slot=RUNNERS_PER_SLOT if alone and slots.here > 1 else 1,
            patience_s=max(NOTED_S, self.configuration.limits.timeout_s or TIMEOUT_S),
        )

    async def _looked_up(self, name: str, clip: Clip, repeat: int) -> Result:
        assert self.lookup is not None
        result = self.lookup(clip)
        self.journal.end(name, failure=result.failure)
        return result

    def _caller(self, share: Share, turns: Turns, *, one_at_a_time: bool) -> Caller:
        limits = self.configuration.limits
        return Caller(
            self.provider,
            limits,
            self.configuration.mode,
            self._pacing(share, turns, self.provider, limits.requests_per_minute),
            one_at_a_time=one_at_a_time,
            sleep=turns.sleep,
        )

    def _pacing(
        self, share: Share, turns: Turns, service: object, requests_per_minute: float | None
    ) -> Pacing:
        """Provider and verifier keep to each other's pauses where they call the same host."""
        host: str | None = getattr(service, "host", None)
        return Pacing(Pace(self.folder, requests_per_minute, host), share.check, turns.sleep)

    async def _aclose(self) -> None:
        self.journal.close()
        for part in (self.provider, self.verifier):
            if (closing := getattr(part, "aclose", None)) is not None:
                name = getattr(part, "use", None) or type(part).__name__
                try:
                    await within(CLOSING_S, awaited(closing))
                except OverdueError:
                    self.store.note(f"closing {name} took longer than {CLOSING_S:g} s; given up")
                except Exception as error:  # their code; the run's results are in by now
                    self.store.note(f"closing {name} failed: {scrub(one_line(error))}")

    def _slots(self) -> Slots:
        processes, borne = self.processes or 1, self._in_one_process()
        asked = self.concurrency or self.configuration.limits.concurrency
        total = asked or max(CONCURRENCY, borne or 0, processes if borne == 1 else 0)
        return Slots(self.folder, total=total, here=borne or total, processes=processes)

    def _in_one_process(self) -> int | None:
        """What the provider can bear: what it says, else one call at a time of sync code whose
        configuration says nothing either; None for any number."""
        declared: int | None = getattr(self.provider, "concurrency", None)
        if declared or self.lookup or self.configuration.limits.concurrency:
            return declared
        provider: Any = self.provider
        streams = self.configuration.mode == "stream"
        return None if is_async(provider.stream if streams else provider.transcribe) else 1
