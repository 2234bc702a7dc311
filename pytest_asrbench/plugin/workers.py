"""What controller and workers of pytest-xdist tell each other. Plain values only."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_asrbench.config import Settings
from pytest_asrbench.plugin.measuring import Measured
from pytest_asrbench.plugin.payload import PAYLOAD, dumps
from pytest_asrbench.plugin.process import Listener

INPUT = "asrbench"
SELECTED = "asrbench_selected"
NOTES = "asrbench_notes"


class Workers:
    """In the controller. pytest-xdist's hooks, which don't exist with -p no:xdist."""

    def __init__(self, settings: Settings, run_store: Path, controller: Listener) -> None:
        self.settings = settings
        self.run_store = run_store
        self.controller = controller

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[INPUT] = pickle.dumps((self.settings, self.run_store))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        output = getattr(node, "workeroutput", {})  # a crashed worker left none
        if SELECTED in output:
            self.controller.select(json.loads(output[SELECTED]))
        self.controller.note(json.loads(output.get(NOTES, "[]")))


class ToController:
    """In a worker: what its controller will read."""

    def __init__(self, config: pytest.Config) -> None:
        self.output: dict[str, Any] = _worker(config).workeroutput

    def select(self, clips: Sequence[str]) -> None:
        self.output[SELECTED] = json.dumps(list(clips))

    def measured(self, report: pytest.TestReport, measured: Measured) -> None:
        """One JSON string: anything else might not survive the journey."""
        setattr(report, PAYLOAD, dumps(measured))

    def note(self, lines: Sequence[str]) -> None:
        self.output[NOTES] = json.dumps(list(lines))


def get_input(config: pytest.Config) -> tuple[Settings, Path] | None:
    """Settings and run store from the controller; None where the plugin is inactive there."""
    raw = _worker(config).workerinput.get(INPUT)
    if raw is None:
        return None
    settings: Settings
    run_store: Path
    settings, run_store = pickle.loads(raw)
    return settings, run_store


def count(config: pytest.Config) -> int:
    """How many workers share the run."""
    return int(_worker(config).workerinput["workercount"])


def _worker(config: pytest.Config) -> Any:
    """The configuration in a worker, where pytest-xdist adds attributes."""
    return config
