"""One clip and repeat: transcribed, judged, and left for the run's other processes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from pytest_asrbench.engine.journal import Journal
from pytest_asrbench.engine.result import Result, failure
from pytest_asrbench.engine.share import Share
from pytest_asrbench.errors import ProviderError
from pytest_asrbench.model import Clip
from pytest_asrbench.store import Store

MOST_DEATHS = 2  # of workers that were at one clip; a single one may have died of something else


@dataclass(frozen=True)
class Job:
    """`transcribed` gives a clip's transcript, `judged` its verdicts on that; None where judging is
    left to whoever asks. Both are given the name under which the run's processes know the work."""

    work: Mapping[str, tuple[Clip, int]]
    transcribed: Callable[[str, Clip, int], Awaitable[Result]]
    judged: Callable[[str, Clip, Result], Awaitable[Result]] | None
    share: Share
    journal: Journal
    store: Store

    async def result(self, name: str) -> Result:
        """Raises ClosingError when the run ends first, OSError where its folder can't be used."""
        with self.share.at_work(name) as died:
            result = await self._made(name) if died < MOST_DEATHS else self._deadly(name, died)
        try:
            self.share.put(name, result)
        except OSError as error:  # what was paid for is still a result here
            self.store.note(
                f"{self.share.folder}: can't be written ({error.strerror}); other workers may call "
                "again for what this one has; make room"
            )
        return result

    async def _made(self, name: str) -> Result:
        clip, repeat = self.work[name]
        result = await self.transcribed(name, clip, repeat)
        return await self.judged(name, clip, result) if self.judged else result

    def _deadly(self, name: str, died: int) -> Result:
        """Not called for again: who does so dies."""
        says = f"{died} workers died while this clip was in flight; one such ends its process"
        why = failure(ProviderError(says))
        self.journal.end(name, failure=why)
        return Result(failure=why)
