"""
Between fixtures and engine: makes the provider and the verifier once, has clips transcribed, and
keeps what the running test consumed for the recorder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from pytest_asrbench.config import Settings
from pytest_asrbench.engine import Engine
from pytest_asrbench.engine.prices import PriceTable, own_prices
from pytest_asrbench.errors import AsrBenchError, InputError
from pytest_asrbench.model import Clip, ClipRecord, Dataset
from pytest_asrbench.plugin.cases import Case
from pytest_asrbench.providers import callable as user_code
from pytest_asrbench.providers import registry as providers
from pytest_asrbench.providers.base import (
    AnyProvider,
    Configuration,
    Description,
    Lookup,
    Provider,
    Streaming,
)
from pytest_asrbench.providers.entries import configuration
from pytest_asrbench.reports import redact
from pytest_asrbench.reports.text import printable
from pytest_asrbench.store import Store
from pytest_asrbench.verifiers import registry as verifiers
from pytest_asrbench.verifiers.base import Identity, Verifier
from pytest_asrbench.verifiers.overrides import FILE_NAME, digest_of, read_decisions

if TYPE_CHECKING:
    from pytest_asrbench.run import ProviderInfo, VerifierInfo

BY_ARGUMENT = "ask for asr fixtures by argument, not by getfixturevalue()"


@dataclass(frozen=True, slots=True)
class Measured:
    """A clip's records, one a repeat, and who made them (None where nobody got that far)."""

    records: tuple[ClipRecord, ...]
    provider: ProviderInfo | None = None
    verifier: VerifierInfo | None = None


NOTHING = Measured(())


class Measuring:
    """One process's part of the measurement.

    `order` is the clips to call for, in test order; `latest` what the running test has had measured
    so far; `meanwhile` is done while the first calls last. `fault` is what ended the run before any
    call: settings that turned out to be wrong.
    """

    def __init__(
        self,
        settings: Settings,
        dataset: Dataset,
        clips: Sequence[Clip],
        run_store: Path,
        processes: int | None,
    ) -> None:
        self.settings = settings
        self.dataset = dataset
        self.clips = {clip.id: clip for clip in clips}
        self.order: Sequence[str] = ()
        self.latest = NOTHING
        self.fault: str | None = None
        self.meanwhile: Callable[[], None] | None = None
        self.run_store = run_store
        self.processes = processes
        self.configuration = configuration(settings, settings.provider or "")
        self.decisions = read_decisions(dataset.folder / FILE_NAME)
        self._running: _Running | None = None

    @cached_property
    def named_provider(self) -> AnyProvider:
        """The provider that --asr-provider names. Raises InputError."""
        return providers.create(self.configuration, self.settings.providers, replay=self._replay)

    @property
    def built_in(self) -> bool:
        """Whether the provider is known before any conftest is loaded, in every process."""
        return self.configuration.use in providers.BUILTIN

    @property
    def model(self) -> str | None:
        """The model that will be asked for, as far as it is known before the first call."""
        if self.built_in:
            return self.named_provider.describe().model
        return self.configuration.options.get("model")

    @cached_property
    def named_verifier(self) -> Verifier:
        """The verifier that --asr-verifier names. Raises InputError."""
        return verifiers.create(
            self.settings.verifier,
            types={**self.settings.types, **self.dataset.types},
            policy=self.settings.policy,
            verifiers=self.settings.verifiers,
            votes=self.settings.verifier_votes,
            replay=self._replay,
        )

    @property
    def _replay(self) -> bool:
        return self.settings.cache_mode == "replay"

    @cached_property
    def store(self) -> Store | None:
        """Where transcripts and verdicts outlive the run. Raises InputError."""
        mode = self.settings.cache_mode
        if mode == "off":
            return None
        return Store(self.settings.cache, mode=mode, max_age_s=self.settings.cache_max_age_s)

    @cached_property
    def prices(self) -> PriceTable | None:
        """The user's price table, None for the shipped one. Raises InputError."""
        return own_prices(self.settings.prices) if self.settings.prices else None

    def provider_info(self, description: Description) -> ProviderInfo:
        from pytest_asrbench.run import ProviderInfo  # here, lest the first calls wait for it

        name, mode = self.configuration.name, self.configuration.mode
        return ProviderInfo.of(name, description, mode)

    def verifier_info(self, identity: Identity) -> VerifierInfo:
        from pytest_asrbench.run import VerifierInfo

        return VerifierInfo.of(identity, overrides_digest=digest_of(self.decisions))

    def result(self, case: Case, provider: Any, verifier: Any) -> ClipRecord:
        """The clip's first record; fails the test where a call failed."""
        running = self._run(provider, verifier)
        if case.clip.id not in running.clips:
            pytest.fail(BY_ARGUMENT, pytrace=False)
        repeats = range(1, self.settings.repeat + 1)
        records = tuple(running.engine.record(case.clip.id, n) for n in repeats)
        self.latest = Measured(records, running.provider, running.verifier)
        for record in map(redact.record, records) if self.settings.redact else records:
            if record.error:
                pytest.fail(printable(f"{record.clip}: {record.error.message}"), pytrace=False)
        return records[0]

    def refusal(self, error: AsrBenchError) -> BaseException:
        """What a fixture raises for it, `from None`, lest pytest print the cause beside it.

        Wrong settings end the run while nothing is measured. Only now are they known to be wrong:
        a conftest next to the tests may register a provider, or override a fixture.
        """
        if self._running is not None or not isinstance(error, InputError):
            return pytest.fail.Exception(str(error), pytrace=False)
        self.fault = str(error)
        return pytest.exit.Exception(self.fault, returncode=pytest.ExitCode.USAGE_ERROR)

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
            described = self._made(provider).describe()
            second = Measured(
                (), self.provider_info(described), self.verifier_info(verifier.identity)
            )
            if (second.provider, second.verifier) != (running.provider, running.verifier):
                self.latest = second  # the controller must hear of it
                pytest.fail(_two(running, second), pytrace=False)
        return running

    def _start(self, provider: Any, verifier: Any) -> _Running:
        engine = Engine(
            clips=[self.clips[clip] for clip in self.order],
            dataset_folder=self.dataset.folder,
            provider=self._made(provider),
            configuration=self.configuration,
            verifier=verifier,
            store=self.store,
            run_store=self.run_store,
            decisions=self.decisions,
            concurrency=self.settings.concurrency,
            processes=self.processes,
            repeat=self.settings.repeat,
            budget=self.settings.budget,
            prices=self.prices,
            meanwhile=self.meanwhile,
        )
        engine.start()
        return _Running(
            measuring=self,
            values=(provider, verifier),
            identity=verifier.identity,
            engine=engine,
            clips=frozenset(self.order),
        )

    def _made(self, provider: Any) -> AnyProvider:
        return as_provider(provider, self.configuration.mode)


@dataclass(frozen=True)
class _Running:
    """The engine, for whom it works, and who they said they are before the first call."""

    measuring: Measuring
    values: tuple[Any, Any]
    identity: Identity
    engine: Engine
    clips: frozenset[str]

    @cached_property
    def provider(self) -> ProviderInfo:
        return self.measuring.provider_info(self.engine.description)

    @cached_property
    def verifier(self) -> VerifierInfo:
        return self.measuring.verifier_info(self.identity)


def as_provider(value: Any, mode: Literal["batch", "stream"]) -> AnyProvider:
    """What an `asr_provider` fixture returned, as a provider: an object, a class or a function."""
    if isinstance(value, Provider | Streaming | Lookup):
        return value
    name = getattr(value, "__qualname__", type(value).__qualname__)
    use = f"{getattr(value, '__module__', None) or type(value).__module__}:{name}"
    configured = Configuration("asr_provider", use, mode=mode)
    return user_code.build(user_code.Registration(value), configured)


def _two(first: _Running, second: Measured) -> str:
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
