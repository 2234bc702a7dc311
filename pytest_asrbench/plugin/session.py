"""
Between fixtures and engine: has clips transcribed and judged by what the fixtures give, and keeps
what the running test consumed for the recorder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from pytest_asrbench.engine import Engine
from pytest_asrbench.engine.user_code import Printed
from pytest_asrbench.errors import AsrBenchError, InputError
from pytest_asrbench.loglines import log_text, printable
from pytest_asrbench.model import Clip, ClipRecord, Dataset
from pytest_asrbench.plugin.cases import ClipCase
from pytest_asrbench.plugin.components import Components
from pytest_asrbench.providers import user_code
from pytest_asrbench.providers.base import (
    AnyProvider,
    Configuration,
    Provider,
    RecordedProvider,
    Streaming,
)
from pytest_asrbench.reports import redact
from pytest_asrbench.settings.config import Settings
from pytest_asrbench.verifiers.base import Identity

if TYPE_CHECKING:
    from pytest_asrbench.run import ProviderInfo, VerifierInfo

ENDED = "asr_provider or asr_verifier ended before this test; give one of each for the whole run"
BY_ARGUMENT = "ask for asr fixtures by argument, not by getfixturevalue()"


@dataclass(frozen=True, slots=True)
class MeasuredClip:
    """A clip's records, one a repeat, and who made them (None where nobody got that far)."""

    records: tuple[ClipRecord, ...]
    provider: ProviderInfo | None = None
    verifier: VerifierInfo | None = None


NOTHING = MeasuredClip(())


class MeasurementSession:
    """One process's part of the measurement.

    Clips go by their keys. `order` is those to call for, in test order, `partial` whether tests ask
    for only some; `latest` what the running test has had measured so far, `said` what the
    provider's code printed of it; `meanwhile` is done while the first calls last; `stopped` tells
    whether pytest ends the run early, by -x, say. `fault` is what ended the run before any call:
    settings that turned out to be wrong.
    """

    def __init__(
        self,
        components: Components,
        settings: Settings,
        dataset: Dataset,
        clips: Sequence[Clip],
        run_store: Path,
        processes: int | None,
    ) -> None:
        self.components = components
        self.settings = settings
        self.dataset = dataset
        self.clips = {clip.key: clip for clip in clips}
        self.order: Sequence[str] = ()
        self.partial = False
        self.latest = NOTHING
        self.said = ""
        self.fault: str | None = None
        self.meanwhile: Callable[[], None] | None = None
        self.stopped: Callable[[], bool] = bool
        self.run_store = run_store
        self.processes = processes
        self.printed = Printed()
        self._running: _Running | None = None
        self._ended = False

    def result(self, case: ClipCase, provider: Any, verifier: Any) -> ClipRecord:
        """The clip's first record; fails the test where a call failed."""
        running = self._run(provider, verifier)
        if case.clip.key not in running.clips:
            pytest.fail(BY_ARGUMENT, pytrace=False)
        repeats = range(1, self.settings.repeat + 1)
        records = tuple(map(running.engine.record, repeat(case.clip.key), repeats))
        self.latest = MeasuredClip(records, running.provider, running.verifier)
        self.said = "".join(running.engine.said(record.key, record.repeat) for record in records)
        for record in map(redact.record, records) if self.settings.redact else records:
            if record.error:
                raised = running.engine.raised(record.key, record.repeat)
                told = [f"{record.key}: {record.error.message}"]
                if raised is None and not self.settings.redact:  # another worker made the call
                    told += record.error.trace
                text = log_text("\n".join(map(printable, told)))
                failed = pytest.fail.Exception(text, pytrace=False)
                raise failed from (None if self.components.built_in else raised)
        return records[0]

    def refusal(self, error: AsrBenchError) -> BaseException:
        """The error that a fixture raises for it, `from None`, lest pytest print the cause beside
        it.

        Wrong settings end the run while nothing is measured. Only now are they known to be wrong:
        a conftest next to the tests may register a provider, or override a fixture.
        """
        if self._running is not None or not isinstance(error, InputError):
            return pytest.fail.Exception(str(error), pytrace=False)
        self.fault = str(error)
        return pytest.exit.Exception(self.fault, returncode=pytest.ExitCode.USAGE_ERROR)

    def end(self, *, drain: bool) -> None:
        """Bring the calls to their end, as what they use is about to go."""
        self._ended = self._running is not None
        self.close(drain=drain)

    def close(self, *, drain: bool) -> tuple[str, ...]:
        """Stop calling, and tell what the store noted; `drain` waits for calls in flight."""
        if self._running is None:
            return ()
        self._running.engine.close(drain=drain)
        return tuple(self._running.engine.notes)

    def _run(self, provider: Any, verifier: Any) -> _Running:
        """The one engine of this process; a second provider or verifier fails its test."""
        if self._running is None:
            self._running = self._start(provider, verifier)
        running = self._running
        if running.values != (provider, verifier):
            self._refuse_another(running, provider, verifier)
        if self._ended:
            pytest.fail(ENDED, pytrace=False)
        return running

    def _refuse_another(self, running: _Running, provider: Any, verifier: Any) -> None:
        """Fails the test unless it is the same by what it says of itself. Code that says nothing
        is described by its name alone, under which there may be another model."""
        info = self.components.provider_info(self._made(provider).describe())
        if provider != running.values[0] and not hasattr(provider, "describe"):
            info = replace(info, use=f"{info.use} (another)")
        second = MeasuredClip((), info, self.components.verifier_info(verifier.identity))
        if (second.provider, second.verifier) != (running.provider, running.verifier):
            self.latest = second  # the controller must hear of it
            pytest.fail(log_text(_two(running, second)), pytrace=False)

    def _start(self, provider: Any, verifier: Any) -> _Running:
        engine = Engine(
            clips=[self.clips[clip] for clip in self.order],
            dataset_folder=self.dataset.folder,
            provider=self._made(provider),
            configuration=self.components.configuration,
            verifier=verifier,
            store=self.components.store,
            run_store=self.run_store,
            decisions=self.components.decisions,
            concurrency=self.settings.concurrency,
            processes=self.processes,
            repeat=self.settings.repeat,
            budget=self.settings.budget,
            prices=self.components.prices,
            meanwhile=self.meanwhile,
            printed=self.printed,
            hear=self.components.sounds.of,
        )
        if self.settings.update:
            self._refuse_imported(engine)
        engine.start()
        return _Running(
            components=self.components,
            values=(provider, verifier),
            identity=verifier.identity,
            engine=engine,
            clips=frozenset(self.order),
        )

    def _refuse_imported(self, engine: Engine) -> None:
        """Raises InputError while nothing was called for."""
        from pytest_asrbench.plugin import imported

        store = self.components.store
        if store and store.mode == "fill" and not engine.recorded:
            clips = [self.clips[clip] for clip in self.order]
            configuration, repeats = self.components.configuration, self.settings.repeat
            hear = self.components.sounds.of
            imported.refuse(store, clips, engine.description, configuration, repeats, hear)

    def _made(self, provider: Any) -> AnyProvider:
        return as_provider(provider, self.components.configuration.mode)


@dataclass(frozen=True)
class _Running:
    """The engine, for whom it works, and who they said they are before the first call."""

    components: Components
    values: tuple[Any, Any]
    identity: Identity
    engine: Engine
    clips: frozenset[str]

    @cached_property
    def provider(self) -> ProviderInfo:
        return self.components.provider_info(self.engine.description)

    @cached_property
    def verifier(self) -> VerifierInfo:
        return self.components.verifier_info(self.identity)


def as_provider(value: Any, mode: Literal["batch", "stream"]) -> AnyProvider:
    """A provider made of what an `asr_provider` fixture returned: an object, a class or a
    function."""
    if isinstance(value, Provider | Streaming | RecordedProvider):
        return value
    name = getattr(value, "__qualname__", type(value).__qualname__)
    use = f"{getattr(value, '__module__', None) or type(value).__module__}:{name}"
    configured = Configuration("asr_provider", use, mode=mode)
    return user_code.build(user_code.Registration(value), configured)


def _two(first: _Running, second: MeasuredClip) -> str:
    named = [
        f"{each.provider.use} {each.provider.model or ''}".strip()
        + f" judged by {each.verifier.id}"
        for each in (first, second)
        if each.provider and each.verifier
    ]
    return (
        f"two providers or verifiers in one run: {', then '.join(named)}; "
        "let asr_provider and asr_verifier give the same to every test"
    )
