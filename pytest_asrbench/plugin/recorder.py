"""
The recorder where tests run: hands over what a test measured with its report, and marks misses.

A record goes with the call report, or with the setup report where no call followed. It goes once:
the same clip's further tests hand over nothing, unless the first report was never logged.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from pytest_asrbench.loglines import log_text, printable
from pytest_asrbench.model import ClipRecord, Failure, JudgedEntity, sound_key
from pytest_asrbench.plugin import last_failed
from pytest_asrbench.plugin.cases import ClipCase, case_of, measures
from pytest_asrbench.plugin.process import ResultSink
from pytest_asrbench.plugin.session import NOTHING, MeasurementSession
from pytest_asrbench.plugin.told_once import CAUSE, PLAIN
from pytest_asrbench.plugin.user_traceback import clean, clean_text, show_raised
from pytest_asrbench.reports import redact
from pytest_asrbench.reports.junit import properties
from pytest_asrbench.reports.text import within
from pytest_asrbench.settings.config import Settings

MISSED = "asr_missed"
"""A report's attribute: True where the test's values were missed; absent elsewhere."""

TEST = "asr_test"
"""A report's attribute: the test's own node id. The report's may end in the name of the group that
pytest-xdist keeps together (`--dist loadgroup`), by which nobody finds the test."""


def own_id(item: pytest.Item) -> str:
    """The test's node id as TEST has it."""
    return f"{item.parent.nodeid if item.parent else ''}::{item.name}"


class Recorder:
    """In a worker, or in the one process of a serial run."""

    def __init__(
        self, settings: Settings, measurement: MeasurementSession, listener: ResultSink
    ) -> None:
        self.settings = settings
        self.measurement = measurement
        self.listener = listener
        self._attached: Sequence[ClipRecord] = ()
        self._sent: set[tuple[str, int, bool]] = set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self.measurement.latest, self.measurement.said = NOTHING, ""
        if item.user_properties and case_of(item):  # a rerun starts afresh
            item.user_properties[:] = [p for p in item.user_properties if p[0][:4] != "asr_"]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        # Redacted, neither locals nor what was printed are shown.
        shown = not self.settings.redact and show_raised(call)
        report = yield
        if shown:
            clean(report, item.config.getoption("tbstyle"))
        last = call.when == "call" or (call.when == "setup" and not report.passed)
        if last and (case := case_of(item)):
            self._attach(item, case, call, report)
        return report

    def pytest_runtest_logreport(self) -> None:
        if self._attached:
            self._sent.update(map(_key, self._attached))
            self._attached = ()

    def _attach(
        self,
        item: pytest.Item,
        case: ClipCase,
        call: pytest.CallInfo[None],
        report: pytest.TestReport,
    ) -> None:
        setattr(report, TEST, own_id(item))
        measured = self.measurement.latest
        if report.failed and not measured.records and measures(item) and call.excinfo:
            measured = replace(measured, records=(_unmeasured(case, call.excinfo),))
        if report.failed:
            _tell_cause(report, call, measured.records)
        fresh = tuple(record for record in measured.records if _key(record) not in self._sent)
        if fresh:
            self._attached = fresh
            if len(fresh) < len(measured.records):
                measured = replace(measured, records=fresh)
            self.listener.measured(report, measured)
        self._describe(item, case, report)
        if self.measurement.said and not self.settings.redact:
            said = clean_text(self.measurement.said)
            report.sections.append((f"Captured in the call for {case.clip.key}", said))

    def _describe(self, item: pytest.Item, case: ClipCase, report: pytest.TestReport) -> None:
        """Properties, for JUnit has no other trace of clips and misses."""
        record = self.shown(case)
        if record is None:
            return
        described = properties(record, details=self.settings.junit_properties)
        item.user_properties.extend(described)  # JUnit takes those of the teardown report
        report.user_properties.extend(described)
        if record.misses:
            setattr(report, MISSED, True)

    def shown(self, case: ClipCase) -> ClipRecord | None:
        """The test's own part of its clip's first record, fit for being printed. What any repeat
        missed is missed in it."""
        records = self.measurement.latest.records
        if not records:
            return None
        record = records[0]
        if len(records) > 1:
            record = replace(record, entities=_missed_in_any(records))
        record = redact.record(record) if self.settings.redact else record
        if case.entity is None:
            return record
        own = tuple(j for j in record.entities if j.entity.id == case.entity.id)
        return replace(record, entities=own)


class Strict:
    """Makes a test fail by its misses: every one with --asr-strict; else those by which the last
    gated run failed, while too few clips are selected for the gates to fail by them."""

    def __init__(self, recorder: Recorder, cache: Any) -> None:
        self.recorder = recorder
        self._broken = last_failed.broken(cache)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        result = yield
        case = case_of(item)
        if case is None or not (self.recorder.settings.strict or self._is_broken(item)):
            return result
        record = self.recorder.shown(case)
        if record and record.misses:
            pytest.fail("\n".join(miss_line(record, j) for j in record.misses), pytrace=False)
        return result

    def _is_broken(self, item: pytest.Item) -> bool:
        measurement = self.recorder.measurement
        ungated = self.recorder.settings.gate == "auto" and measurement.partial
        return ungated and own_id(item) in self._broken


def miss_line(record: ClipRecord, missed: JudgedEntity) -> str:
    """`refund_03/email missed: wanted "ramirez@example.com", heard "remirsat example" (…)`.

    pytest prints it as it is, so what was heard may hold nothing that a terminal obeys.
    """
    nearest = missed.verdict.nearest if missed.verdict else None
    if nearest:
        heard = f'heard "{nearest.text}" ({nearest.difference})'
    elif record.is_speech:
        heard = f"nothing like it heard {within(record.transcript or '')}"
    else:
        heard = "heard no speech"
    name = sound_key(f"{record.clip}/{missed.entity.id}", record.condition)
    return log_text(printable(f'{name} missed: wanted "{missed.entity.canonical}", {heard}'))


def _missed_in_any(records: Sequence[ClipRecord]) -> tuple[JudgedEntity, ...]:
    """Each entity as the first repeat that missed it has it, else as the first one has."""
    missed = {j.entity.id: j for record in reversed(records) for j in record.misses}
    return tuple(missed.get(judged.entity.id, judged) for judged in records[0].entities)


def _tell_cause(
    report: pytest.TestReport, call: pytest.CallInfo[None], records: Sequence[ClipRecord]
) -> None:
    """For the log, which tells what cost many clips their results only once."""
    for record in records:
        if error := record.error:
            message = error.message.removeprefix(f"{record.key}: ")
            setattr(report, CAUSE, f"{error.kind} {error.host} {message}")
            raised = call.excinfo.value if call.excinfo else None
            bare = isinstance(raised, pytest.fail.Exception) and not raised.pytrace
            if bare and "\n" not in str(raised):
                setattr(report, PLAIN, True)
            return


def _key(record: ClipRecord) -> tuple[str, int, bool]:
    return record.key, record.repeat, record.measured


def _unmeasured(case: ClipCase, excinfo: pytest.ExceptionInfo[BaseException]) -> ClipRecord:
    """The error of a clip whose test broke before its transcript was there."""
    clip = case.clip
    return ClipRecord(
        clip=clip.id,
        condition=clip.condition,
        reference=clip.reference,
        language=clip.language,
        entities=tuple(JudgedEntity(entity, None) for entity in clip.entities),
        row=clip.row,
        slices=clip.slices,
        tags=clip.tags,
        error=Failure("setup", _one_line(excinfo)),
    )


def _one_line(excinfo: pytest.ExceptionInfo[BaseException]) -> str:
    """The message of what was raised, without the class where the text was written for users."""
    ours = excinfo.errisinstance(pytest.fail.Exception)
    lines = (str(excinfo.value) if ours else excinfo.exconly(tryshort=True)).splitlines()
    return lines[0] if lines else excinfo.typename
