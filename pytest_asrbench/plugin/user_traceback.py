"""
A provider's own bug, shown at the test of its clip as if the test had called it.

The exception comes from another thread or task, and through our code; pytest is given it with its
traceback from the user's code on, so that every --tb style, --showlocals and --pdb work on that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pytest_asrbench.engine.user_code import raised_by_user
from pytest_asrbench.providers.secrets import scrub
from pytest_asrbench.reports.text import printable, unobeyed


def show_raised(call: pytest.CallInfo[None]) -> bool:
    """Put what the user's code raised in the place of our message; whether there was such."""
    if call.excinfo is None or not isinstance(call.excinfo.value, pytest.fail.Exception):
        return False
    raised = raised_by_user(call.excinfo.value.__cause__)
    if raised is None:
        return False
    error, trace = raised
    error.__traceback__ = trace  # what pdb goes by from Python 3.13 on
    call.excinfo = pytest.ExceptionInfo.from_exc_info((type(error), error, trace))
    return True


def clean(report: pytest.TestReport, style: str) -> None:
    """Without keys, and without what a terminal or a CI runner would obey, in the text that pytest
    made of a traceback. With --tb=line, where pytest tells no place for errors, the place."""
    shown: Any = report.longrepr
    for part, crash in _parts(shown):
        for lines in _lines(part):
            lines[:] = [clean_text(line) for line in lines]
        if crash is not None:
            crash.message = clean_text(crash.message)
    if style == "line" and (crash := getattr(shown, "reprcrash", None)) is not None:
        report.longrepr = str(crash)


def clean_text(text: str) -> str:
    """Line by line."""
    return "\n".join(unobeyed(printable(scrub(line))) for line in text.split("\n"))


def _parts(longrepr: Any) -> Iterator[tuple[Any, Any]]:
    """Each exception's traceback and the place where it was raised; causes come first."""
    if hasattr(longrepr, "chain"):
        yield from ((part, crash) for part, crash, _ in longrepr.chain)
    elif hasattr(longrepr, "reprtraceback"):  # --tb=native
        yield longrepr.reprtraceback, longrepr.reprcrash


def _lines(part: Any) -> Iterator[list[str]]:
    for entry in part.reprentries:
        yield entry.lines
        if (local := getattr(entry, "reprlocals", None)) is not None:
            yield local.lines
        if (arguments := getattr(entry, "reprfuncargs", None)) is not None:
            arguments.args = [(name, clean_text(value)) for name, value in arguments.args]
