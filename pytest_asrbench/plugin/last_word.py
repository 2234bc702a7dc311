"""
The exit code of a run that owes one, whatever other plugins make of it.

`pytest.exit()` or `session.exitstatus = 0` in a pytest_sessionfinish, and `sys.exit()` in a
pytest_unconfigure, would turn a failed gate into exit code 0. Cleanups are done after both.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from pytest_asrbench.loglines import log_text


class LastWord:
    """In the controller. `owed` says why the run can't end with 0; None where it may."""

    def __init__(self) -> None:
        self.owed: Callable[[], str | None] = lambda: None
        self._session: pytest.Session | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self._session = session

    def say(self) -> None:
        """Called when all else is done."""
        why = self.owed()
        if why is None or self._session is None:
            return
        leaving = sys.exc_info()[1]  # what a pytest_unconfigure raised is on its way out
        if isinstance(leaving, SystemExit) and not leaving.code:
            leaving.code = self._told(why)
        elif self._session.exitstatus == pytest.ExitCode.OK:
            self._session.exitstatus = self._told(why)

    def _told(self, why: str) -> pytest.ExitCode:
        code = pytest.ExitCode.TESTS_FAILED
        line = log_text(f"asrbench: {why}, so the exit code is {code:d} and not 0")
        sys.stderr.write(f"{line}\n")
        return code
