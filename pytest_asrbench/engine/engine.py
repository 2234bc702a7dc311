"""The engine of one process: asked for a clip's record, it has it or gets it."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_asrbench.engine.budget import Bounds
from pytest_asrbench.engine.hearing import Hear, recording
from pytest_asrbench.engine.journal import Journal
from pytest_asrbench.engine.local_verdicts import is_local, judged_here, prepare
from pytest_asrbench.engine.result import Result, failure, record
from pytest_asrbench.engine.user_code import Printed
from pytest_asrbench.errors import CallError, InputError, ProviderError, one_line
from pytest_asrbench.model import Clip, ClipRecord, Failure
from pytest_asrbench.providers import methods
from pytest_asrbench.providers.base import AnyProvider, Configuration, RecordedProvider
from pytest_asrbench.providers.prices import Price, PriceTable, read_prices
from pytest_asrbench.settings.parsing import Budget
from pytest_asrbench.store import Store
from pytest_asrbench.store.entries import description_to_json, digest
from pytest_asrbench.verifiers.base import Requesting, Verifier
from pytest_asrbench.verifiers.overrides import Decisions, decided

if TYPE_CHECKING:  # imported only where there is something to call
    from pytest_asrbench.engine.scheduler import Scheduler


class Engine:
    """Transcribes and judges `clips` in that order, from :meth:`start` on.

    Several processes of one run give the same `run_store` and share the work through it: each
    clip, repeat and provider is called for once. `concurrency` is the run's total; `processes` how
    many share it, None for one that nobody shares with or takes over from. `decisions` of people
    win over the verifier, and are never stored as its own. `meanwhile` is done once, while the
    first calls last. `printed` keeps what the provider's code prints. `hear` gives a clip's
    sound, raw or under its condition; clips go by their keys. Raises InputError where provider and
    mode don't fit, or the verifier is none.
    """

    def __init__(
        self,
        *,
        clips: Sequence[Clip],
        dataset_folder: Path,
        provider: AnyProvider,
        configuration: Configuration,
        verifier: Verifier,
        store: Store | None,
        run_store: Path,
        decisions: Decisions | None = None,
        concurrency: int | None = None,
        processes: int | None = None,
        repeat: int = 1,
        budget: Budget | None = None,
        prices: PriceTable | None = None,
        meanwhile: Callable[[], None] | None = None,
        printed: Printed | None = None,
        hear: Hear = recording,
    ) -> None:
        self.description = provider.describe()
        self._provider = provider
        self._configuration = configuration
        self._decisions = decisions or {}
        self._verifier = verifier
        if not isinstance(self._verifier, Verifier):
            raise InputError(f"verifier {self._verifier!r} has no identity and judge(); give both")
        self._local = is_local(self._verifier)
        self._store = store or Store(run_store, mode="off")
        self._run_store = run_store
        self._concurrency = concurrency
        self._processes = processes
        self._repeat = repeat
        self._meanwhile = meanwhile
        self._journal = Journal(run_store)
        self._folder = f"{dataset_folder}/"
        self._hear = hear
        self._clips = {clip.key: clip for clip in clips}
        self._records: dict[tuple[str, int], ClipRecord] = {}
        self._raised: dict[str, BaseException] = {}
        self.printed = printed or Printed()
        self._lock = threading.Lock()
        self._scheduler: Scheduler | None = None
        self._closed = False
        self._lookup = provider if isinstance(provider, RecordedProvider) else None
        judge = self._verifier.identity.digest
        self._who = digest([description_to_json(self.description), configuration.mode, judge])
        self._check_mode()
        self._bounds = self._bounded(budget, prices)

    @property
    def work(self) -> Iterator[tuple[str, int]]:
        """(clip's key, repeat), in order."""
        return ((clip, n) for clip in self._clips for n in range(1, self._repeat + 1))

    @property
    def recorded(self) -> bool:
        """True where the provider is asked for recorded transcripts, and never called."""
        return self._lookup is not None

    @property
    def notes(self) -> Sequence[str]:
        """A line for each thing that the report must tell of the store."""
        return tuple(self._store.notes)

    def start(self) -> None:
        """Begin to work through the clips; a recorded provider needs no such thing."""
        if self._lookup is None or not self._local:
            self._started()

    def record(self, key: str, repeat: int = 1) -> ClipRecord:
        """The clip's record, waited for; an error is in it, and no CallError is raised."""
        place = (key, repeat)
        if (known := self._records.get(place)) is not None:
            return known
        clip = self._clips[key]
        if self._lookup is not None and self._local:
            result = self._looked_up(clip)
        else:
            try:
                result = self._started().wait(
                    self._name(key, repeat), lambda: self._use_the_time(clip)
                )
            except OSError as error:
                why = f"{self._run_store}: can't be used ({error.strerror}); make room for the run"
                result = Result(failure=Failure("disk", why))
        if self._local:
            result = judged_here(self._verifier, clip, result)
        made = record(clip, repeat, self._audio(clip), result)
        with self._lock:
            return self._records.setdefault(place, decided(made, self._decisions))

    def raised(self, key: str, repeat: int = 1) -> BaseException | None:
        """The exception that the provider's code raised in this process, where that is why a clip
        failed; its causes lead to the code's own exception, with its traceback."""
        return self._raised.get(self._name(key, repeat))

    def said(self, key: str, repeat: int = 1) -> str:
        """The lines that the provider's code printed and logged in this process while it had the
        clip."""
        return self.printed.of(self._name(key, repeat))

    def close(self, *, drain: bool = True) -> None:
        """Stop. Calls in flight end and are stored; `drain=False` gives them two seconds, and may
        come on top of a close that lasts too long. Once stopped, it is stopped."""
        if self._scheduler is None or self._closed:
            return
        self._closed = not drain
        self._scheduler.close(drain=drain)
        self._closed = True

    def _use_the_time(self, clip: Clip) -> None:
        """Do what needs no transcript, while calls last."""
        if self._local:
            prepare(self._verifier, clip)
        meanwhile, self._meanwhile = self._meanwhile, None
        if meanwhile:
            meanwhile()

    def _looked_up(self, clip: Clip) -> Result:
        assert self._lookup is not None
        try:
            with self.printed.during(self._name(clip.key, 1)):
                transcript = self._lookup.lookup(clip.key)
            return Result(transcript=transcript, source="recorded", attempts=0)
        except Exception as error:  # the provider's code, whatever it is
            self._raised[self._name(clip.key, 1)] = error
            known = error if isinstance(error, CallError) else ProviderError(one_line(error))
            if known is not error:
                known.__cause__ = error
            return Result(failure=failure(known))

    def _started(self) -> Scheduler:
        with self._lock:
            if self._scheduler is None:
                self._scheduler = self._make_scheduler()
                self._scheduler.start()
            return self._scheduler

    def _make_scheduler(self) -> Scheduler:
        from pytest_asrbench.engine.clip_task import ClipTask
        from pytest_asrbench.engine.live import LiveRun
        from pytest_asrbench.engine.scheduler import Scheduler

        if not self._local and (
            some := next((c for c in self._clips.values() if c.entities), None)
        ):
            # For what it imports: pytest parses our modules, Python 3.11 in one thread at a time.
            prepare(self._verifier, some)
        run = LiveRun(
            work={self._name(clip, n): (self._clips[clip], n) for clip, n in self.work},
            provider=self._provider,
            lookup=None if self._lookup is None else self._looked_up,
            description=self.description,
            configuration=self._configuration,
            verifier=None if self._local else self._verifier,
            store=self._store,
            folder=self._run_store,
            concurrency=self._concurrency,
            processes=self._processes,
            bounds=self._bounds,
            journal=self._journal,
            raised=self._raised,
            printed=self.printed,
            hear=self._hear,
        )
        return Scheduler(run, partial(ClipTask, run))

    def _name(self, key: str, repeat: int) -> str:
        """For files that the run's processes share; ids may hold `/`, and descriptions differ."""
        text = f"{self._who} {repeat} {key}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(text).hexdigest()

    def _audio(self, clip: Clip) -> str:
        """Relative to the dataset's folder where it lies in it."""
        return clip.path.as_posix().removeprefix(self._folder)

    def _bounded(self, budget: Budget | None, prices: PriceTable | None) -> Bounds:
        """The bounds of this run's spending. Raises InputError where that could not be counted."""
        if self._lookup is not None and budget is None:
            return Bounds()
        table = prices or read_prices()
        bounds = Bounds(table.currency, budget, self._price(table))
        judge = self._verifier
        unpriced = isinstance(judge, Requesting) and not judge.priced
        bounds.check(
            self._configuration.name,
            calls=self._lookup is None,
            judge=judge.identity.id if unpriced else None,
        )
        return bounds

    def _price(self, table: PriceTable) -> Price | None:
        """Of the provider; recorded transcripts have none."""
        if self._lookup is not None:
            return None
        own = self._configuration.limits.price_per_minute
        return (
            table.price(self.description, self._configuration.mode) if own is None else Price(own)
        )

    def _check_mode(self) -> None:
        if self._lookup is not None:
            return
        configured = self._configuration
        methods.check(self._provider, configured.mode, f"provider {configured.name!r}")


def run_all(engine: Engine) -> list[ClipRecord]:
    """Every clip's record, in order, for use without pytest. Closes the engine."""
    engine.start()
    try:
        records = [engine.record(clip, repeat) for clip, repeat in engine.work]
    except BaseException:
        engine.close(drain=False)
        raise
    engine.close()
    return records
