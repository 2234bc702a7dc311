"""The components that settings name: provider, verifier, store and prices, each made when first
asked for."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_asrbench.conditions import Condition, Conditions, Sounds
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Dataset
from pytest_asrbench.providers import conftests
from pytest_asrbench.providers import registry as providers
from pytest_asrbench.providers.base import AnyProvider, Description
from pytest_asrbench.providers.entries import configuration
from pytest_asrbench.providers.prices import PriceTable, own_prices
from pytest_asrbench.settings.config import Settings
from pytest_asrbench.store import Store
from pytest_asrbench.verifiers import registry as verifiers
from pytest_asrbench.verifiers.base import Identity, Verifier
from pytest_asrbench.verifiers.overrides import FILE_NAME, digest_of, read_decisions

if TYPE_CHECKING:
    from pytest_asrbench.run import ProviderInfo, VerifierInfo


class Components:
    """Raises InputError for what is known to be wrong: here, and where something is made."""

    def __init__(self, settings: Settings, dataset: Dataset) -> None:
        self._settings = settings
        self._dataset = dataset
        self._types = {**settings.types, **dataset.types}
        self._languages = dataset.languages
        self._replay = settings.cache_mode == "replay"
        self.configuration = configuration(settings, settings.provider or "")
        self.decisions = read_decisions(dataset.folder / FILE_NAME)

    @cached_property
    def provider(self) -> AnyProvider:
        """The provider that --asr-provider names."""
        configured = self.configuration
        try:
            return providers.create(configured, self._settings.providers, replay=self._replay)
        except InputError as error:
            raise InputError(f"{error}{self._unseen(configured.use)}") from error

    def _unseen(self, use: str) -> str:
        """The remedy where a conftest.py that pytest did not read may be what is missed."""
        if ":" in use or use in providers.known():
            return ""
        path = conftests.unseen(use, self._settings.folder)
        if path is None:
            return ""
        here = os.path.relpath(path)
        return (
            f"; {here} has that name, but pytest reads no conftest.py above its rootdir: put a "
            f"pytest.ini beside {here}, or call pytest from there"
        )

    @property
    def built_in(self) -> bool:
        """True if the provider is known before any conftest is loaded, in every process."""
        return self.configuration.use in providers.BUILTIN

    @property
    def model(self) -> str | None:
        """The model that will be asked for, as far as it is known before the first call."""
        if self.built_in:
            return self.provider.describe().model
        return self.configuration.options.get("model")

    @cached_property
    def verifier(self) -> Verifier:
        """The verifier that --asr-verifier names."""
        return verifiers.create(
            self._settings.verifier,
            types=self._types,
            policy=self._settings.policy,
            verifiers=self._settings.verifiers,
            votes=self._settings.verifier_votes,
            packs=self._settings.packs,
            languages=self._languages,
            replay=self._replay,
        )

    @cached_property
    def store(self) -> Store | None:
        """The store in which transcripts and verdicts outlive the run."""
        mode = self._settings.cache_mode
        if mode == "off":
            return None
        return Store(self._settings.cache, mode=mode, max_age_s=self._settings.cache_max_age_s)

    @cached_property
    def sounds(self) -> Sounds:
        """What providers are given to hear, raw or under the conditions that are asked for."""
        return Sounds(self.conditions, self._dataset.clips)

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """Those that --asr-condition names. Raises InputError; for a faulty `conditions:` too."""
        known = Conditions(self._settings.conditions)
        known.check()
        return known.asked(self._settings.condition)

    @cached_property
    def prices(self) -> PriceTable | None:
        """The user's price table, None for the shipped one."""
        return own_prices(self._settings.prices) if self._settings.prices else None

    def provider_info(self, description: Description) -> ProviderInfo:
        """The provider, as it describes itself under this configuration."""
        from pytest_asrbench.run import ProviderInfo  # here, lest the first calls wait for it

        return ProviderInfo.of(self.configuration.name, description, self.configuration.mode)

    def verifier_info(self, identity: Identity) -> VerifierInfo:
        """The verifier, with the decisions of people on top."""
        from pytest_asrbench.run import VerifierInfo

        return VerifierInfo.of(identity, overrides_digest=digest_of(self.decisions))
