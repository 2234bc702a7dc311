"""Each gate as a test report, so that it shows in JUnit and annotations and sets the exit code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, Literal

import pytest

from pytest_asrbench.loglines import log_text, printable
from pytest_asrbench.model import Outcome
from pytest_asrbench.plugin import open_line

PREFIX: Final = "asrbench::gate["
_RESULTS: Final[dict[str, Literal["passed", "failed", "skipped"]]] = {
    "passed": "passed",
    "failed": "failed",
    "inconclusive": "skipped",
}
"""An ungated type, or a gate that a shard leaves to `asrbench merge`, is no test at all."""


@dataclass(frozen=True)
class GateFailure:
    """A failed gate's text, in the form in which pytest shows a failed test."""

    text: str
    where: str
    row: int

    @property
    def reprcrash(self) -> Any:
        """The line that short summaries and annotations read: what failed, without the list of
        clips."""
        brief = self.text.partition("; ")[0]
        return SimpleNamespace(message=brief, path=self.where, lineno=self.row)

    def toterminal(self, tw: Any) -> None:
        tw.line(self.text, red=True)

    def __str__(self) -> str:
        return self.text


def nodeid(outcome: Outcome) -> str:
    return f"{PREFIX}{printable(outcome.name)}]"


def is_gate(node: str) -> bool:
    return node.startswith(PREFIX)


def shown(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The gates that count as tests."""
    return [outcome for outcome in outcomes if outcome.status in _RESULTS]


def log(session: pytest.Session, outcomes: Sequence[Outcome], thresholds: Path) -> None:
    """Send the gates through pytest's reporting. `thresholds` is where they are stored."""
    hook = session.config.hook
    open_line.end(session.config)  # else the first gate is squeezed behind its `[100%]`
    gates = shown(outcomes)
    # Before each report, as progress would pass 100% else. Below -v, where all stand in one line,
    # before the first: pytest ends the line after what seems to be the last test.
    one_by_one = session.config.getoption("verbose", 0) > 0  # none with -p no:terminal
    session.testscollected += 0 if one_by_one else len(gates)
    for outcome in gates:
        session.testscollected += 1 if one_by_one else 0
        location = ("asrbench", None, f"gate[{outcome.name}]")
        hook.pytest_runtest_logstart(nodeid=nodeid(outcome), location=location)
        for report in _phases(outcome, location, thresholds):
            hook.pytest_runtest_logreport(report=report)
        hook.pytest_runtest_logfinish(nodeid=nodeid(outcome), location=location)


def _phases(
    outcome: Outcome, location: tuple[str, None, str], thresholds: Path
) -> Iterator[pytest.TestReport]:
    result = _RESULTS[outcome.status]
    text = log_text(printable(f"gate[{outcome.name}] {outcome.detail}"))
    longrepr: Any = None
    if result == "failed":
        longrepr = GateFailure(text, str(thresholds), 1)
    elif result == "skipped":
        longrepr = (str(thresholds), 1, f"inconclusive: {text}")
    for when in ("setup", "call", "teardown"):
        decides = when == "call"
        yield pytest.TestReport(
            nodeid=nodeid(outcome),
            location=location,
            keywords={},
            outcome=result if decides else "passed",
            longrepr=longrepr if decides else None,
            when=when,
            duration=0.0,
            start=0.0,
            stop=0.0,
        )
