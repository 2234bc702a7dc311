"""
The fixtures. They always exist; without a provider each test that asks for one is skipped.

Light on purpose: pytest imports this module in every run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_asrbench.plugin.state import STATE, State

if TYPE_CHECKING:
    from pytest_asrbench.model import Clip, ClipRecord, Entity, Verdict
    from pytest_asrbench.plugin.cases import Case


BY_ARGUMENT = "ask for asr fixtures by argument, not by getfixturevalue()"


def _state(request: pytest.FixtureRequest) -> State:
    state = request.config.stash.get(STATE, None)
    if state is None:
        pytest.skip("needs --asr-provider")
    return state


def _made(request: pytest.FixtureRequest, name: str) -> Any:
    measuring = _state(request).measuring
    from pytest_asrbench.errors import AsrBenchError

    try:
        return getattr(measuring, name)
    except AsrBenchError as error:  # `from None`: pytest would print the cause beside it
        raise pytest.fail.Exception(str(error), pytrace=False) from None


@pytest.fixture
def _asr_case(request: pytest.FixtureRequest) -> tuple[pytest.Item, Case]:
    """The test, with the clip or the entity that it is about."""
    _state(request)
    if not hasattr(request, "param"):
        pytest.fail(BY_ARGUMENT, pytrace=False)
    return request.node, request.param


@pytest.fixture(scope="session")
def asr_provider(request: pytest.FixtureRequest) -> Any:
    """The provider that is measured. Override it to measure an object of your own making."""
    return _made(request, "named_provider")


@pytest.fixture(scope="session")
def asr_verifier(request: pytest.FixtureRequest) -> Any:
    """The verifier that judges. Override it to judge with an object of your own making."""
    return _made(request, "named_verifier")


@pytest.fixture
def asr_clip(_asr_case: tuple[pytest.Item, Case]) -> Clip:
    """One recording with its reference and target entities. Data: nothing is transcribed."""
    return _asr_case[1].clip


@pytest.fixture
def asr_entity(_asr_case: tuple[pytest.Item, Case]) -> Entity:
    """One target value of a clip. Data: nothing is transcribed."""
    entity = _asr_case[1].entity
    assert entity is not None  # the fixture's name made the test one per entity
    return entity


@pytest.fixture
def asr_result(
    _asr_case: tuple[pytest.Item, Case], asr_provider: Any, asr_verifier: Any
) -> ClipRecord:
    """The clip's transcript with a verdict for each of its entities."""
    from pytest_asrbench.errors import AsrBenchError

    item, case = _asr_case
    measuring = item.config.stash[STATE].measuring
    try:
        return measuring.result(item, case, asr_provider, asr_verifier)
    except AsrBenchError as error:  # this provider and this run don't fit
        pytest.fail(str(error), pytrace=False)


@pytest.fixture
def asr_transcript(asr_result: ClipRecord) -> str:
    """The text that the provider returned, untouched; "" where it heard no speech."""
    assert asr_result.transcript is not None  # a clip without one has failed in asr_result
    return asr_result.transcript


@pytest.fixture
def asr_verdict(_asr_case: tuple[pytest.Item, Case], asr_result: ClipRecord) -> Verdict:
    """Whether this test's entity is recoverable from the transcript."""
    entity = _asr_case[1].entity
    assert entity is not None
    return next(
        judged.verdict
        for judged in asr_result.entities
        if judged.entity.id == entity.id and judged.verdict is not None
    )
