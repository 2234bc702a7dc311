"""The words between controller and workers of pytest-xdist. Plain values only."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from pytest_asrbench.model import Dataset
from pytest_asrbench.plugin.payload import PAYLOAD, dumps
from pytest_asrbench.plugin.process import ResultSink
from pytest_asrbench.plugin.session import MeasuredClip
from pytest_asrbench.settings.config import Settings

INPUT = "asrbench"
SELECTED = "asrbench_selected"
NOTES = "asrbench_notes"
FAULT = "asrbench_fault"


class Workers:
    """In the controller. pytest-xdist's hooks, which don't exist with -p no:xdist.

    The dataset travels, so that no worker measures what became of its files meanwhile.
    """

    def __init__(
        self, settings: Settings, dataset: Dataset, run_store: Path, controller: ResultSink
    ) -> None:
        self.given = (settings, dataset, run_store)
        self.controller = controller

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[INPUT] = self.input

    @cached_property
    def input(self) -> bytes:
        """Made for the first worker: a serial run has none."""
        return pickle.dumps(self.given)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        output = getattr(node, "workeroutput", {})  # a crashed worker left none
        if SELECTED in output:
            self.controller.select(json.loads(output[SELECTED]))
        self.controller.note(json.loads(output.get(NOTES, "[]")))
        if FAULT in output:
            self.controller.refuse(json.loads(output[FAULT]))


class ToController:
    """In a worker: what its controller will read."""

    def __init__(self, config: pytest.Config) -> None:
        self.output: dict[str, Any] = _worker(config).workeroutput

    def select(self, clips: Sequence[str]) -> None:
        self.output[SELECTED] = json.dumps(list(clips))

    def measured(self, report: pytest.TestReport, measured: MeasuredClip) -> None:
        """One JSON string: anything else might not survive the journey."""
        setattr(report, PAYLOAD, dumps(measured))

    def note(self, lines: Sequence[str]) -> None:
        self.output[NOTES] = json.dumps(list(lines))

    def refuse(self, fault: str) -> None:
        self.output[FAULT] = json.dumps(fault)


def get_input(config: pytest.Config) -> tuple[Settings, Dataset, Path] | None:
    """The settings and dataset of the controller, and its run store; None where the plugin is
    inactive there."""
    raw = _worker(config).workerinput.get(INPUT)
    if raw is None:
        return None
    given: tuple[Settings, Dataset, Path] = pickle.loads(raw)
    return given


def count(config: pytest.Config) -> int:
    """The number of workers that share the run."""
    return int(_worker(config).workerinput["workercount"])


def _worker(config: pytest.Config) -> Any:
    """The configuration in a worker, where pytest-xdist adds attributes."""
    return config
