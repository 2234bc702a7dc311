"""The line in which pytest shows a letter a test: what we print begins on one of its own."""

from __future__ import annotations

from typing import Any

import pytest


def end(config: pytest.Config) -> None:
    """End the line, where one is open; there is none without a terminal reporter."""
    reporter: Any = config.pluginmanager.getplugin("terminalreporter")
    if reporter is None:
        return
    reporter.ensure_newline()
    writer = config.get_terminal_writer()
    if writer.width_of_current_line:  # quiet, or xdist: the reporter keeps no open line in mind
        writer.line()
