"""
Keeps pytest's sections from telling again what our own section tells.

An outage is one fault, not one a test, and a failed gate stands in our section with all that led to
it. Their reports stay what they are: they count, decide the exit code and reach every other plugin;
only the terminal's list of them is shorter while its sections are printed.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Final

import pytest

from pytest_asrbench.plugin.gate_reports import is_gate

CAUSE: Final = "asr_cause"
"""A report's attribute: what cost its clip the result, the same text for the same cause."""

PLAIN: Final = "asr_plain"
"""A report's attribute: there is a message and no traceback."""

KINDS = ("failed", "error")


class ToldOnce:
    """Around pytest's summary. `active` while our section is going to be printed."""

    def __init__(self) -> None:
        self.active = False
        self._listed: dict[str, list[Any]] = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> Generator[None, object, object]:
        """Around pytest's own, which prints the sections before it calls the others."""
        if not self.active:
            return (yield)
        stats = terminalreporter.stats
        whole = {kind: stats[kind] for kind in KINDS if kind in stats}
        for kind, reports in whole.items():
            firsts = _firsts(reports)
            self._listed[kind] = firsts
            stats[kind] = [each for each in firsts if not _told_by_us(each)]
        try:
            return (yield)
        finally:
            stats.update(whole)

    def before_short_summary(self, terminalreporter: Any) -> None:
        """Failed gates and the first clip of an outage have a line in that."""
        terminalreporter.stats.update(self._listed)


def _firsts(reports: Sequence[Any]) -> list[Any]:
    """The reports less those whose cause an earlier one has."""
    seen: set[str] = set()
    kept = []
    for report in reports:
        cause = getattr(report, CAUSE, None)
        if cause is None or cause not in seen:
            kept.append(report)
        if cause is not None:
            seen.add(cause)
    return kept


def _told_by_us(report: Any) -> bool:
    """A gate, or an error of which there is nothing to show but the message."""
    if is_gate(getattr(report, "nodeid", "")):
        return True
    return hasattr(report, PLAIN) and not report.sections
