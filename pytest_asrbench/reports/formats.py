"""
The files that a run can be written to. The table of formats is `options.FORMATS`; other packages
add theirs by entry points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

from pytest_asrbench.errors import InputError, one_line
from pytest_asrbench.files import write_atomic
from pytest_asrbench.model import ClipRecord
from pytest_asrbench.reports.view_model import ViewModel
from pytest_asrbench.run import Run, write
from pytest_asrbench.settings.options import FORMATS

GROUP = "pytest_asrbench.report_formats"
"""Entry points of other packages: format -> a function of a Report and a path."""


@dataclass(frozen=True)
class Report:
    """The report of a run to be written. `shown` is masked where that was asked for; `run` never
    is, and belongs to the run file alone. `folder` is what audio paths are relative to, where it is
    known; `html_audio` embeds the audio."""

    run: Run
    shown: ViewModel
    folder: Path | None = None
    html_audio: bool = False
    redacted: bool = False
    hear: Callable[[ClipRecord], bytes | None] | None = None
    """The sound of a record's clip under its condition, as WAV, where it can be made again."""


def write_report(name: str, report: Report, path: Path) -> None:
    """Raises InputError for a format that is not known, or where the file can't be written."""
    writer(name)(report, path)


def check(name: str) -> None:
    """Raises InputError before the run where its format could not be written after it."""
    writer(name)
    if name == "html":
        from pytest_asrbench.reports import html  # jinja2, an extra

        html.require()


def writer(name: str) -> Callable[[Report, Path], None]:
    """The function that writes a format. Raises InputError."""
    built_in = {each.name: each.writer for each in FORMATS}
    if (place := built_in.get(name)) is not None:
        module, _, function = place.partition(":")
        written: Callable[[Report, Path], None] = getattr(import_module(module), function)
        return written
    for point in entry_points(group=GROUP, name=name):
        try:
            theirs: Callable[[Report, Path], None] = point.load()
        except (Exception, SystemExit) as error:
            what = f"report format {name!r}: loading {point.value} raised {one_line(error)}"
            raise InputError(what) from error
        return theirs
    known = ", ".join([*built_in, *sorted(entry_points(group=GROUP).names)])
    raise InputError(f"unknown report format {name!r}; known: {known}")


def run_file(report: Report, path: Path) -> None:
    write(report.run, path)


def markdown_report(report: Report, path: Path) -> None:
    from pytest_asrbench.reports import markdown

    write_atomic(path, markdown.report(report.shown))


def csv_table(report: Report, path: Path) -> None:
    from pytest_asrbench.reports import csv_rows

    write_atomic(path, csv_rows.document(report.shown))


def junit_file(report: Report, path: Path) -> None:
    from pytest_asrbench.reports import junit_file

    write_atomic(path, junit_file.document(report.shown))


def html_report(report: Report, path: Path) -> None:
    from pytest_asrbench.reports import html  # jinja2, an extra

    html.write(
        report.shown,
        path,
        folder=report.folder,
        embed=report.html_audio,
        redacted=report.redacted,
        hear=report.hear,
    )
