"""A column of pytest-html's report that says what was missed: its outcome has no word for that.

API: https://pytest-html.readthedocs.io/en/latest/api_reference.html
"""

from __future__ import annotations

import html
from typing import Any

import pytest

from pytest_asrbench.reports.junit import MISSED
from pytest_asrbench.reports.text import printable

PLACE = 2  # behind the test's name


class HtmlColumn:
    """Registered where pytest-html is there."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_table_header(self, cells: list[str]) -> None:
        cells.insert(PLACE, "<th>Missed values</th>")

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_table_row(self, report: Any, cells: list[str]) -> None:
        values = [str(value) for name, value in report.user_properties if name == MISSED]
        told = f"missed: {', '.join(values)}" if values else ""
        cells.insert(PLACE, f"<td>{html.escape(printable(told))}</td>")
