"""
Output of a run: lines beside pytest's own, and the files it writes.

The reports are imported when there is something to report.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from pytest_asrbench.clock import monotonic
from pytest_asrbench.counts import plural
from pytest_asrbench.engine import Watch
from pytest_asrbench.errors import AsrBenchError, InputError
from pytest_asrbench.loglines import log_text, printable
from pytest_asrbench.model import ClipRecord
from pytest_asrbench.plugin import open_line
from pytest_asrbench.plugin.state import State
from pytest_asrbench.plugin.told_once import ToldOnce

if TYPE_CHECKING:
    from pytest_asrbench.gates.thresholds import Thresholds
    from pytest_asrbench.plugin.gate_runner import Conclusion
    from pytest_asrbench.reports.view_model import ViewModel
    from pytest_asrbench.run import Run

PROGRESS_EVERY_S = 30


class Output:
    """In the controller. `shown` is there once the tests are over."""

    def __init__(self, config: pytest.Config, state: State, thresholds: Thresholds | None) -> None:
        self.config = config
        self.state = state
        self.thresholds = thresholds
        self.shown: ViewModel | None = None
        self._watch = Watch(state.run_store, len(state.sounds), state.settings.repeat)
        self._printed = monotonic()
        self._once = ToldOnce()
        config.pluginmanager.register(self._once, "asrbench-told-once")

    def get_ready(self) -> None:
        """Load the reports that every run makes."""
        from pytest_asrbench.reports import terminal, view_model  # noqa: F401 (loaded now)

    def pytest_report_header(self) -> list[str]:
        settings, components = self.state.settings, self.state.components
        configured, model = components.configuration, components.model
        system = f"{configured.use} {model}" if model else configured.use
        times = f" x {settings.repeat} repeats" if settings.repeat > 1 else ""
        part = f" (shard {settings.shard[0]}/{settings.shard[1]})" if settings.sharded else ""
        change = self.thresholds.model_change(model) if self.thresholds else None
        lines = [
            f"asrbench: {configured.name} ({system}, {settings.mode}), {self.state.dataset.name}: "
            f"{plural(len(self.state.clips), 'clip')}{times}{part}, verifier {settings.verifier}",
            *self._conditions(),
            *([f"asrbench: {change} since thresholds were stored"] if change else []),
        ]
        return [log_text(printable(line)) for line in lines]

    def _conditions(self) -> list[str]:
        """What they are, and what they cost before the first call is made."""
        names = [each.name for each in self.state.components.conditions]
        if not names:
            return []
        each, calls = 1 + len(names), len(self.state.sounds) * self.state.settings.repeat
        asked = f"{plural(each * self.state.settings.repeat, 'call')} a clip, {calls:,} in all"
        return [f"asrbench: raw and under {', '.join(names)}: {asked} less what is stored"]

    def pytest_runtest_logfinish(self) -> None:
        """Progress between tests, every half minute at most; none where it can't be read."""
        reporter: Any = self.config.pluginmanager.getplugin("terminalreporter")
        since = monotonic() - self._printed
        if reporter is None or since < PROGRESS_EVERY_S or self.config.getoption("verbose") < 0:
            return
        self._printed = monotonic()
        with suppress(OSError, ValueError):
            line = f"asrbench: {self._watch.progress()}"
            open_line.end(self.config)
            reporter.write_line(log_text(line))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.config.getoption("collectonly"):
            terminalreporter.write_line("asrbench: not gated: --collect-only")
        shown = self.shown
        if shown is None:
            return
        from pytest_asrbench.reports import terminal
        from pytest_asrbench.reports.styles import MARKUP

        self._once.before_short_summary(terminalreporter)
        terminalreporter.section("asrbench")
        width = shutil.get_terminal_size().columns
        verbosity = self.config.getoption("verbose")
        self._tell_github(terminalreporter, shown)
        for style, text in terminal.lines(shown, width=width, verbosity=verbosity):
            terminalreporter.write_line(log_text(text), **MARKUP[style])

    def _tell_github(self, terminalreporter: Any, shown: ViewModel) -> None:
        from pytest_asrbench.reports import github

        if not github.active(os.environ):
            return
        for line in github.lines(shown, os.environ):
            terminalreporter.write_line(line)
        if fault := github.write_summary(shown, os.environ):
            terminalreporter.write_line(log_text(fault))

    def finish(self, conclusion: Conclusion, tests: Mapping[str, str]) -> None:
        """Keep it for the summary, and write every file that was asked for. `tests` holds the test
        of each clip, as an argument to pytest.

        Raises UsageError, once all were tried, naming those that can't be written.
        """
        # First the run file: whatever fails later loses no record.
        faults = self._write({"json"}, conclusion.run, None)
        self.shown = shown = self._facts(conclusion, tests)
        self._once.active = True
        faults += self._write({*self.state.settings.files} - {"json"}, conclusion.run, shown)
        if faults:
            raise pytest.UsageError(*faults)

    def _write(self, names: Collection[str], run: Run, shown: ViewModel | None) -> list[str]:
        """Write the files of these formats that were asked for; returns why some can't be."""
        settings, faults = self.state.settings, []
        for name, path in settings.files.items():
            if name not in names:
                continue
            try:
                if shown is None:
                    from pytest_asrbench.run import write

                    write(run, path)
                    continue
                from pytest_asrbench.reports.formats import Report, write_report

                folder, embed = self.state.dataset.folder, settings.html_audio
                report = Report(run, shown, folder, embed, settings.redact, self._hear)
                write_report(name, report, path)
            except InputError as error:
                faults.append(str(error))
        return faults

    def _hear(self, record: ClipRecord) -> bytes | None:
        """What the provider was sent of a clip under a condition; None where it can't be made."""
        clip = self.state.dataset.by_id.get(record.clip)
        if clip is None or not clip.path.is_file():
            return None
        try:
            under = replace(clip, condition=record.condition)
            return self.state.components.sounds.of(under).data
        except AsrBenchError:
            return None

    def _facts(self, conclusion: Conclusion, tests: Mapping[str, str]) -> ViewModel:
        """The facts that all reports show, masked where asked; the run file alone stays as it
        is."""
        from pytest_asrbench.reports import redact, view_model

        run = redact.run(conclusion.run) if self.state.settings.redact else conclusion.run
        return view_model.gather(
            run,
            conclusion.outcomes,
            thresholds=self.thresholds,
            reproduce=partial(self._reproduce, conclusion.run, tests),
            notices=conclusion.notices,
        )

    def _reproduce(self, run: Run, tests: Mapping[str, str], clip: str) -> str:
        """The command that runs one clip again, from the same folder."""
        from pytest_asrbench.reports import rerun

        data, verifier = (self.config.getoption(name) for name in ("asr_data", "asr_verifier"))
        options = [f"--asr-provider={self.state.settings.provider}"]
        options += [f"--asr-data={data}"] if data else []
        options += [f"--asr-verifier={verifier}"] if verifier else []
        options += rerun.measured_as(run)
        given = [argument.partition("::")[0] for argument in self.config.getoption("file_or_dir")]
        by_module = self.config.getoption("pyargs")  # a path would look for other settings
        modules = given if by_module else []
        command = ["pytest", *(["--pyargs"] if by_module else [])]
        if clip in tests:
            return shlex.join([*command, rerun.by_module(tests[clip], modules), *options])
        return shlex.join([*command, *dict.fromkeys(given), *options, "-k", rerun.keywords(clip)])
