"""
The words of a process that runs tests to the others: the clips it selected, what its store noted.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Protocol

import pytest

from pytest_asrbench.engine import tell_selected
from pytest_asrbench.engine.user_code import tap, untap
from pytest_asrbench.plugin.cases import called_clips, selected_clips
from pytest_asrbench.plugin.session import MeasuredClip, MeasurementSession


class ResultSink(Protocol):
    """The controller, in this process or at the other end of pytest-xdist."""

    def select(self, clips: Sequence[str]) -> None: ...

    def measured(self, report: pytest.TestReport, measured: MeasuredClip) -> None: ...

    def note(self, lines: Sequence[str]) -> None: ...

    def refuse(self, fault: str) -> None: ...


class Process:
    """A worker, or the one process of a serial run."""

    def __init__(self, measurement: MeasurementSession, listener: ResultSink) -> None:
        self.measurement = measurement
        self.listener = listener

    @pytest.hookimpl(trylast=True)  # after plugins that reorder or deselect
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        selected = selected_clips(session.items)
        self.listener.select(selected)
        self.measurement.partial = len(selected) < len(self.measurement.clips)
        self.measurement.order = called_clips(session.items)
        self.measurement.stopped = lambda: bool(session.shouldfail or session.shouldstop)
        if session.config.getoption("capture") != "no":
            self.measurement.printed.active = True
            tap()  # what is printed between tests comes here as well
        tell_selected(self.measurement.run_store, self.measurement.order)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self) -> Generator[None, object, object]:
        try:
            result = yield
        except BaseException:
            untap()
            self.listener.note(self.measurement.close(drain=False))
            if self.measurement.fault is not None:
                self.listener.refuse(self.measurement.fault)
            raise
        self.listener.note(self.measurement.close(drain=True))
        untap()
        return result
