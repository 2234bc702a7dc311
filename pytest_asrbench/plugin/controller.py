"""
The controller of a run: collects what the tests measured, judges it once, and reports.

In a serial run this lives in the process that runs the tests.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_asrbench.clock import utc_now
from pytest_asrbench.counts import plural, some
from pytest_asrbench.errors import one_line
from pytest_asrbench.plugin import gate_reports, last_failed, payload
from pytest_asrbench.plugin.collected import Collected
from pytest_asrbench.plugin.gating import Gating, decide
from pytest_asrbench.plugin.output import Output
from pytest_asrbench.plugin.recorder import MISSED, TEST
from pytest_asrbench.plugin.session import MeasuredClip
from pytest_asrbench.plugin.state import State
from pytest_asrbench.reports.junit import MISSED as MISSED_VALUE

if TYPE_CHECKING:
    from pytest_asrbench.gates.thresholds import Thresholds
    from pytest_asrbench.plugin.gate_runner import GateRunner


class Controller:
    """Holds what a run collected, whichever process it came from."""

    def __init__(
        self,
        config: pytest.Config,
        state: State,
        thresholds: Thresholds | None,
        file: Path,
        output: Output,
    ) -> None:
        self.config = config
        self.state = state
        self.thresholds = thresholds
        self.file = file
        self.started = utc_now()
        self.output = output
        self.collected = Collected()
        self.ran: dict[str, str] = {}
        """Our tests' own node ids, by those in their reports."""
        self.missed: dict[str, list[str]] = {}
        """The missed values of tests, by their own node ids."""
        self.undecided = False
        """Whether the run owes a decision that it hasn't come to."""
        self.failed: list[str] = []
        self._files: dict[str, Path] = {}

    @cached_property
    def gates(self) -> GateRunner:
        """The gates that the run will be judged by."""
        from pytest_asrbench.plugin.gate_runner import GateRunner

        return GateRunner(self.state, self.thresholds, self.file, self.started)

    def get_ready(self) -> None:
        """Load what the end of the run needs: in a serial run, while the first calls last."""
        self.gates.get_ready()
        self.output.get_ready()

    def select(self, clips: Sequence[str]) -> None:
        """Called for each process that collected tests."""
        self.collected.selected = (self.collected.selected or set()) | set(clips)

    def measured(self, report: pytest.TestReport, measured: MeasuredClip) -> None:
        """Called where the tests run in this process."""
        self.collected.add(measured, self._argument(report))

    def note(self, lines: Sequence[str]) -> None:
        """Called for each process that ended well."""
        self.collected.notes.extend(line for line in lines if line not in self.collected.notes)

    def refuse(self, fault: str) -> None:
        """Called for the first process that found the settings wrong; no call was made."""
        raise pytest.UsageError(fault)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if hasattr(report, payload.PAYLOAD):  # from a worker; a crash report lacks it
            measured = payload.loads(getattr(report, payload.PAYLOAD))
            self.collected.add(measured, self._argument(report))
        if hasattr(report, TEST):
            self.ran[report.nodeid] = getattr(report, TEST)
        if hasattr(report, MISSED):
            values = [value for name, value in report.user_properties if name == MISSED_VALUE]
            self.missed.setdefault(getattr(report, TEST), []).extend(map(str, values))

    def _argument(self, report: pytest.TestReport) -> str:
        """The test as pytest is asked for it in this folder. Its node id is relative to rootdir, or
        to an argument outside of that."""
        _, _, name = getattr(report, TEST).partition("::")
        file = report.location[0]
        if file not in self._files:
            self._files[file] = self._from_here(file)
        return f"{self._files[file]}::{name}"

    def _from_here(self, file: str) -> Path:
        path = self.config.rootpath / file
        with suppress(ValueError):  # on another drive
            path = Path(os.path.relpath(path, self.config.invocation_params.dir))
        return path

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(
        self, report: pytest.TestReport
    ) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
        if report.when == "call" and report.passed and hasattr(report, MISSED):
            return "missed", "m", ("MISSED", {"yellow": True})
        return None

    def pytest_internalerror(self, excrepr: object) -> None:
        # Called for a worker's too, and pytest itself may then end with exit code 0.
        last = str(excrepr).strip().splitlines()[-1:]
        self.collected.problems.append(f"internal error in pytest or a plugin: {''.join(last)}")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection(self) -> Generator[None, object, object]:
        # A wrapper, which is called whoever collects: the first to do so is the last that is asked.
        self.undecided = not self.config.getoption("collectonly")
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        measured = self.undecided
        try:
            result = yield
        except pytest.UsageError:
            self.undecided = False
            raise
        except BaseException:  # -x, --maxfail, an interrupt, or errors during collection
            if measured:
                self._stopped()
            raise
        if measured:
            self._finish(session)
            self.undecided = False
        return result

    def _stopped(self, why: str = "the run stopped early") -> None:
        self.undecided = self._gating().gated
        self.output.finish(self.gates.not_evaluated(self.collected, why), self.collected.tests)

    def _finish(self, session: pytest.Session) -> None:
        gating = self._gating()
        if gating.usage_error:
            raise pytest.UsageError(gating.usage_error)
        try:
            conclusion = self.gates.judge(self.collected, gating)
            self.failed = [outcome.name for outcome in conclusion.outcomes if outcome.failed]
            gate_reports.log(session, conclusion.outcomes, self.file)
        except BaseException as error:
            with suppress(Exception):  # what went wrong first is what must be told
                self._stopped(one_line(error))
            raise
        self.output.finish(conclusion, self.collected.tests)
        self.config.hook.pytest_asrbench_finish(
            run=conclusion.run, outcomes=conclusion.outcomes, config=self.config
        )

    def _gating(self) -> Gating:
        selected = self.collected.selected
        count = None if selected is None else len(selected)
        return decide(self.state.settings.gate, count, len(self.state.sounds))

    def owed(self) -> str | None:
        """The reason why this run can't end with exit code 0."""
        if self.failed:
            return f"{plural(len(self.failed), 'gate')} failed ({some(self.failed)})"
        return "gates were not evaluated" if self.undecided else None

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.undecided and session.exitstatus == pytest.ExitCode.OK:
            # pytest.exit(returncode=0) ends a run as if all were well, even while collecting
            session.exitstatus = pytest.ExitCode.INTERRUPTED
            if self.output.shown is None:
                self._stopped()
        last_failed.remember(self.config, self.ran, self.missed)
        self._remember_broken()

    def _remember_broken(self) -> None:
        """By which tests gates failed, for runs of a part, which have no gates."""
        shown = self.output.shown
        if shown is None or shown.state not in ("held", "failed", "not gated"):
            return
        gated = shown.state != "not gated"
        behind = {miss.key for miss in (shown.behind if gated else shown.misses)}
        tests = [test for test, values in self.missed.items() if not behind.isdisjoint(values)]
        last_failed.remember_broken(self.config, self.ran, tests, gated=gated)
