"""The streams that commands print to: nothing else in them writes to a stream, so that all of it is
log text."""

from __future__ import annotations

import json
import sys
from typing import Any, TextIO

from pytest_asrbench.loglines import log_text, printable, unobeyed
from pytest_asrbench.reports.styles import Line, ansi


def out(text: object = "", *, end: str = "\n") -> None:
    """A line of the command's result, or several."""
    _write(text, sys.stdout, end)


def err(text: object) -> None:
    """Prints what is no result: progress, faults, what to do next."""
    _write(text, sys.stderr, "\n")


def row(*cells: object) -> None:
    """A line of cells, for `cut -f`: no cell holds a tab or a line's end."""
    shown = "\t".join(printable(str(cell)) for cell in cells)
    sys.stdout.write(f"{unobeyed(shown)}\n")


def json_row(value: Any) -> None:
    """A line of JSON, for `jq`: what is escaped in it is so by JSON's own rules."""
    out(json.dumps(value).replace("\x7f", r"\u007f"))


def styled(line: Line, *, colour: bool) -> None:
    """A report's line."""
    style, text = line
    shown = log_text(text)
    sys.stdout.write(f"{ansi(style, shown) if colour else shown}\n")


def runner_command(line: str) -> None:
    """A line for the CI runner to obey; what is foreign in it, `reports.github` has escaped."""
    sys.stdout.write(f"{line}\n")


def _write(text: object, stream: TextIO, end: str) -> None:
    stream.write(f"{log_text(text)}{end}")
