"""The tests of a run: one for each clip or for each entity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import pytest

from pytest_asrbench.model import Clip, Entity, sound_key

CASE: Final = "_asr_case"
PER_ENTITY: Final = frozenset({"asr_entity", "asr_verdict"})
MEASURING: Final = frozenset({"asr_transcript", "asr_result", "asr_verdict"})


@dataclass(frozen=True, slots=True)
class ClipCase:
    """The clip or entity that one test is about; `entity` is None in a test per clip."""

    clip: Clip
    entity: Entity | None = None

    @property
    def id(self) -> str:
        """`refund_03/e01`, and under a condition `refund_03/e01@phone`."""
        value = f"{self.clip.id}/{self.entity.id}" if self.entity else self.clip.id
        return sound_key(value, self.clip.condition)


class Parametrisation:
    """Gives tests their cases: those that measure also the clips under conditions."""

    def __init__(self, clips: Sequence[Clip]) -> None:
        self._clips = clips
        self.conditioned = any(clip.condition for clip in clips)

    @cached_property
    def per_clip(self) -> list[ClipCase]:
        return [ClipCase(clip) for clip in self._clips]

    @cached_property
    def per_entity(self) -> list[ClipCase]:
        """Made where a test asks: there are many times as many."""
        return [ClipCase(clip, entity) for clip in self._clips for entity in clip.entities]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        if CASE in metafunc.fixturenames:
            wants_entities = not PER_ENTITY.isdisjoint(metafunc.fixturenames)
            cases = self.per_entity if wants_entities else self.per_clip
            if self.conditioned and MEASURING.isdisjoint(metafunc.fixturenames):
                cases = [case for case in cases if case.clip.condition is None]
            metafunc.parametrize(CASE, cases, ids=[case.id for case in cases])


def case_of(item: pytest.Item) -> ClipCase | None:
    """The case of a collected test, or None for one that has nothing to do with clips."""
    callspec = getattr(item, "callspec", None)
    case = callspec.params.get(CASE) if callspec else None
    return case if isinstance(case, ClipCase) else None


def measures(item: pytest.Item) -> bool:
    """True where the test has its clip transcribed."""
    return case_of(item) is not None and not MEASURING.isdisjoint(getattr(item, "fixturenames", ()))


def selected_clips(items: Sequence[pytest.Item]) -> list[str]:
    """Keys of the clips that the tests will have transcribed, each once, in test order."""
    cases = (case_of(item) for item in items if measures(item))
    return list(dict.fromkeys(case.clip.key for case in cases if case))


def called_clips(items: Sequence[pytest.Item]) -> list[str]:
    """The same less those whose tests all are marked not to run: they would be paid for in vain."""
    return selected_clips([item for item in items if not _marked_off(item)])


def _marked_off(item: pytest.Item) -> bool:
    """True where marks alone keep the test from running; conditions in text are left to pytest."""
    if item.get_closest_marker("skip") or any(map(_holds, item.iter_markers("skipif"))):
        return True
    expected = next(filter(_holds, item.iter_markers("xfail")), None)
    not_run = expected is not None and not expected.kwargs.get("run", True)
    return not_run and not item.config.getoption("runxfail")


def _holds(mark: pytest.Mark) -> bool:
    conditions = (mark.kwargs["condition"],) if "condition" in mark.kwargs else mark.args
    return not conditions or any(condition is True for condition in conditions)
