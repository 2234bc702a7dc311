"""Rows of CSV (RFC 4180) that end in a line feed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable


def csv_line(cells: Iterable[object]) -> str:
    """One row. A cell with a carriage return is quoted: Python before 3.13 quotes only what is in
    the writer's own line terminator, and refuses to read the rest again."""
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\r\n").writerow(cells)
    return buffer.getvalue().removesuffix("\r\n") + "\n"
