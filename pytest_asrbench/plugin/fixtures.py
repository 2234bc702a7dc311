"""
The fixtures. They always exist; without a provider each test that asks for one is skipped.

Light on purpose: pytest imports this module in every run. And none of a test takes `request`,
which pytest makes anew for each, at a price that shows over a thousand clips.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pytest_asrbench.model import Clip, ClipRecord, Entity, Verdict
    from pytest_asrbench.plugin.cases import ClipCase
    from pytest_asrbench.plugin.session import MeasurementSession


INACTIVE = "needs --asr-provider"


@pytest.fixture
def _asr_case() -> ClipCase:
    """The clip or the entity that the test is about: its parameter in an active run."""
    pytest.skip(INACTIVE)


@pytest.fixture(scope="session")
def asr_provider() -> Any:
    """The provider that is measured. Override it to measure an object of your own making."""
    pytest.skip(INACTIVE)


@pytest.fixture(scope="session")
def asr_verifier() -> Any:
    """The verifier that judges. Override it to judge with an object of your own making."""
    pytest.skip(INACTIVE)


@pytest.fixture
def asr_clip(_asr_case: ClipCase) -> Clip:
    """One recording with its reference and target entities. Data: nothing is transcribed."""
    return _asr_case.clip


@pytest.fixture
def asr_entity(_asr_case: ClipCase) -> Entity:
    """One target value of a clip. Data: nothing is transcribed."""
    assert _asr_case.entity is not None  # the fixture's name made the test one per entity
    return _asr_case.entity


@pytest.fixture
def asr_result(_asr_case: ClipCase) -> ClipRecord:
    """The clip's transcript with a verdict for each of its entities."""
    pytest.skip(INACTIVE)


@pytest.fixture
def asr_transcript(asr_result: ClipRecord) -> str:
    """The text that the provider returned, untouched; "" where it heard no speech."""
    assert asr_result.transcript is not None  # a clip without one has failed in asr_result
    return asr_result.transcript


@pytest.fixture
def asr_verdict(_asr_case: ClipCase, asr_result: ClipRecord) -> Verdict:
    """Whether this test's entity is recoverable from the transcript."""
    entity = _asr_case.entity
    assert entity is not None
    return next(
        judged.verdict
        for judged in asr_result.entities
        if judged.entity.id == entity.id and judged.verdict is not None
    )


def active(measurement: MeasurementSession) -> ModuleType:
    """A plugin with the fixtures that measure, in place of those that skip.

    A module, for pytest deprecates session fixtures that are methods.
    """
    from pytest_asrbench.errors import AsrBenchError
    from pytest_asrbench.plugin.session import BY_ARGUMENT

    @pytest.fixture
    def _asr_case() -> ClipCase:
        pytest.fail(BY_ARGUMENT, pytrace=False)

    @pytest.fixture(scope="session")
    def asr_provider() -> Any:
        """The provider that --asr-provider names."""
        try:
            return measurement.components.provider
        except AsrBenchError as error:
            raise measurement.refusal(error) from None

    @pytest.fixture(scope="session")
    def asr_verifier() -> Any:
        """The verifier that --asr-verifier names."""
        try:
            return measurement.components.verifier
        except AsrBenchError as error:
            raise measurement.refusal(error) from None

    @pytest.fixture(scope="session")
    def _asr_calls(asr_provider: Any, asr_verifier: Any) -> Iterator[None]:
        """Ended before those two are: calls that were made in advance may still last."""
        yield
        measurement.end(drain=not measurement.stopped())

    @pytest.fixture
    def asr_result(
        _asr_case: ClipCase, asr_provider: Any, asr_verifier: Any, _asr_calls: None
    ) -> ClipRecord:
        """The clip's transcript with a verdict for each of its entities."""
        try:
            return measurement.result(_asr_case, asr_provider, asr_verifier)
        except AsrBenchError as error:  # this provider and this run don't fit
            raise measurement.refusal(error) from None

    plugin = ModuleType("asrbench_fixtures")
    made = (_asr_case, asr_provider, asr_verifier, _asr_calls, asr_result)
    plugin.__dict__.update({fixture.__name__: fixture for fixture in made})
    return plugin
