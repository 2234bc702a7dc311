"""The state of a run, as one pytest process knows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

    from pytest_asrbench.model import Clip, Dataset
    from pytest_asrbench.plugin.components import Components
    from pytest_asrbench.plugin.session import MeasurementSession
    from pytest_asrbench.settings.config import Settings


@dataclass(frozen=True, slots=True)
class State:
    """The same in the controller and in each worker.

    `dataset` holds the clips that the tags leave, `clips` those of this shard, in file order,
    `sounds` the same and then those of each condition; `run_store` is a folder that all processes
    of the run share.
    """

    settings: Settings
    dataset: Dataset
    clips: tuple[Clip, ...]
    sounds: tuple[Clip, ...]
    run_store: Path
    components: Components = field(repr=False)
    measurement: MeasurementSession = field(repr=False)


def is_worker(config: pytest.Config) -> bool:
    """True where this process runs tests for pytest-xdist's controller."""
    return hasattr(config, "workerinput")
