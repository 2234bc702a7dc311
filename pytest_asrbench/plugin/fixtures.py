"""
The fixtures. They always exist; without a provider each test that asks for one is skipped.

Light on purpose: pytest imports this module in every run. And none takes `request`, which pytest
makes anew for each test and fixture, at a price that shows over a thousand clips.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pytest_asrbench.model import Clip, ClipRecord, Entity, Verdict
    from pytest_asrbench.plugin.cases import Case
    from pytest_asrbench.plugin.measuring import Measuring


BY_ARGUMENT = "ask for asr fixtures by argument, not by getfixturevalue()"


@pytest.fixture(scope="session")
def _asr_measuring() -> Measuring:
    """What measures in this process. `process` overrides it in an active run."""
    pytest.skip("needs --asr-provider")


@pytest.fixture
def _asr_case(_asr_measuring: Measuring) -> Case:
    """The clip or the entity that the test is about. Parametrised wherever asked by argument."""
    pytest.fail(BY_ARGUMENT, pytrace=False)


@pytest.fixture(scope="session")
def asr_provider(_asr_measuring: Measuring) -> Any:
    """The provider that is measured. Override it to measure an object of your own making."""
    return _made(_asr_measuring, "named_provider")


@pytest.fixture(scope="session")
def asr_verifier(_asr_measuring: Measuring) -> Any:
    """The verifier that judges. Override it to judge with an object of your own making."""
    return _made(_asr_measuring, "named_verifier")


def _made(measuring: Measuring, name: str) -> Any:
    from pytest_asrbench.errors import AsrBenchError

    try:
        return getattr(measuring, name)
    except AsrBenchError as error:
        raise _one_line(error) from None


def _one_line(error: Exception) -> BaseException:
    """To be raised `from None`: pytest would print the cause beside it."""
    return pytest.fail.Exception(str(error), pytrace=False)


@pytest.fixture
def asr_clip(_asr_case: Case) -> Clip:
    """One recording with its reference and target entities. Data: nothing is transcribed."""
    return _asr_case.clip


@pytest.fixture
def asr_entity(_asr_case: Case) -> Entity:
    """One target value of a clip. Data: nothing is transcribed."""
    assert _asr_case.entity is not None  # the fixture's name made the test one per entity
    return _asr_case.entity


@pytest.fixture
def asr_result(
    _asr_case: Case, _asr_measuring: Measuring, asr_provider: Any, asr_verifier: Any
) -> ClipRecord:
    """The clip's transcript with a verdict for each of its entities."""
    from pytest_asrbench.errors import AsrBenchError

    try:
        return _asr_measuring.result(_asr_case, asr_provider, asr_verifier)
    except AsrBenchError as error:  # this provider and this run don't fit
        raise _one_line(error) from None


@pytest.fixture
def asr_transcript(asr_result: ClipRecord) -> str:
    """The text that the provider returned, untouched; "" where it heard no speech."""
    assert asr_result.transcript is not None  # a clip without one has failed in asr_result
    return asr_result.transcript


@pytest.fixture
def asr_verdict(_asr_case: Case, asr_result: ClipRecord) -> Verdict:
    """Whether this test's entity is recoverable from the transcript."""
    entity = _asr_case.entity
    assert entity is not None
    return next(
        judged.verdict
        for judged in asr_result.entities
        if judged.entity.id == entity.id and judged.verdict is not None
    )
