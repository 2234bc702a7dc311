"""The report and files of commands that judge a run."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from pytest_asrbench import gates
from pytest_asrbench.commands import arguments, console
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.gates import completeness, conditions, left_out
from pytest_asrbench.gates.thresholds import Thresholds
from pytest_asrbench.model import Outcome
from pytest_asrbench.reports import github, redact, terminal, view_model
from pytest_asrbench.reports.formats import Report, write_report
from pytest_asrbench.reports.styles import Line, coloured
from pytest_asrbench.run import Run
from pytest_asrbench.settings.options import BY_NAME, FORMATS
from pytest_asrbench.settings.parsing import parse


def add_reports(parser: argparse.ArgumentParser) -> None:
    """The options that name report files, and how much is printed."""
    for each in FORMATS:
        parser.add_argument(f"--{each.name}", type=Path, metavar="FILE", help=each.help)
    parser.add_argument("--html-audio", action="store_true", help="put recordings into it")
    option = BY_NAME["report"]
    parser.add_argument("--report", metavar=option.metavar, help=option.help)
    parser.add_argument(
        "--redact", action="store_true", help="mask values everywhere but in the run file"
    )
    parser.add_argument("-v", "--verbose", action="count", default=0, help="all misses; -vv more")
    parser.add_argument("-q", "--quiet", action="store_true", help="only what failed")


def add_gating(parser: argparse.ArgumentParser) -> None:
    """The options that say what a run is judged by."""
    parser.add_argument(
        "--thresholds",
        type=Path,
        metavar="DIR|FILE",
        help="stored thresholds: a folder with one file a provider, or one file",
    )
    parser.add_argument(
        "--max-errors", type=arguments.count, default=0, metavar="N", help="failed calls allowed"
    )
    parser.add_argument("--strict", action="store_true", help="expired exemptions fail")


def stored_thresholds(run: Run, path: Path, remedies: gates.Remedies) -> Thresholds | None:
    """Thresholds at `path`, None where there are none. Raises InputError."""
    return gates.read(path, run.provider.name, remedies) if path.exists() else None


def judge(
    run: Run,
    thresholds: Thresholds | None,
    path: Path,
    args: argparse.Namespace,
    remedies: gates.Remedies,
) -> list[Outcome]:
    """The outcomes of a run by thresholds that stand, or should, at `path`."""
    return gates.evaluate(
        run,
        thresholds,
        max_errors=args.max_errors,
        strict=args.strict,
        path=path,
        remedies=remedies,
        must_gate=True,
    )


def beside(run: Run, thresholds: Thresholds | None, remedies: gates.Remedies) -> list[str]:
    """Lines on clips, types and conditions that no gate sees."""
    if thresholds is None:
        return []
    told = (
        completeness.beside(run, thresholds, remedies),
        left_out.beside(run, thresholds),
        conditions.unmeasured(run, thresholds),
    )
    return [each for each in told if each]


def publish(
    run: Run,
    outcomes: Sequence[Outcome],
    thresholds: Thresholds | None,
    args: argparse.Namespace,
    *,
    notices: Sequence[str] = (),
    reproduce: Callable[[str], str] | None = None,
) -> None:
    """Print the report and write the files that were asked for. Raises InputError."""
    gated = replace(run, gates=tuple(outcomes))
    view = view_model.gather(
        redact.run(gated) if args.redact else gated,
        outcomes,
        thresholds=thresholds,
        notices=notices,
        reproduce=reproduce,
    )
    verbosity = -1 if args.quiet else args.verbose
    if github.active(os.environ):
        for line in github.lines(view, os.environ):
            console.runner_command(line)
        if fault := github.write_summary(view, os.environ):
            console.out(fault)
    show(terminal.lines(view, width=width(), verbosity=verbosity))
    report = Report(gated, view, html_audio=args.html_audio, redacted=args.redact)
    for name, path in _files(args).items():
        write_report(name, report, path)


def _files(args: argparse.Namespace) -> dict[str, Path]:
    """Format -> file, of those that were asked for. Raises InputError."""
    files = {each.name: getattr(args, each.name) for each in FORMATS}
    if args.report:
        files |= parse(BY_NAME["report"], args.report, "--report", Path.cwd())
    return {name: path for name, path in files.items() if path}


def width() -> int:
    """Columns of the terminal; 80 where there is none."""
    return shutil.get_terminal_size().columns


def show(lines: Iterable[Line]) -> None:
    """Print report lines, in colour where someone sees it."""
    colour = coloured(sys.stdout, os.environ)
    for line in lines:
        console.styled(line, colour=colour)


def renew(
    run: Run,
    stored: Thresholds | None,
    outcomes: Sequence[Outcome],
    path: Path,
    args: argparse.Namespace,
    remedies: gates.Remedies,
) -> tuple[list[Outcome], Thresholds | None]:
    """Write new thresholds where the run allows it, and print what changes.

    Returns the outcomes by them, and them. Raises InputError where the file can't be written.
    """
    made = gates.update(
        run,
        stored,
        outcomes,
        lower=args.update_lower,
        max_errors=args.max_errors,
        strict=args.strict,
        remedies=remedies,
        must_gate=True,
    )
    if made.thresholds is not None:
        gates.write(made.thresholds, path)
    for line in made.lines:
        console.out(f"{path}: {line}")
    return list(made.outcomes), made.thresholds or stored


def exit_code(run: Run, outcomes: Sequence[Outcome]) -> ExitCode:
    """CALL where calls failed and so nothing could be decided."""
    if completeness.calls_failed(outcomes) or (run.errors and not outcomes):
        return ExitCode.CALL
    failed = any(outcome.failed for outcome in outcomes)
    return ExitCode.FAILED if failed else ExitCode.OK
