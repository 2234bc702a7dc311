"""
`asrbench compare`: runs side by side, over the clips that all of them measured.

    asrbench compare nova3.json whisper.json --md compare.md --html compare.html

Runs of different datasets, verifiers or normalisers are refused; judge stored transcripts again
with `asrbench score --run RUN.json --verifier V`, or ask for it with --anyway. --condition compares
what was measured under one.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from pytest_asrbench import run as runs
from pytest_asrbench.commands import output
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.comparison.compare import compare
from pytest_asrbench.comparison.under import under
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import dump_json, write_atomic
from pytest_asrbench.reports import comparison
from pytest_asrbench.run import Run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN.json")
    parser.add_argument("--anyway", action="store_true", help="although they are not alike")
    parser.add_argument("--condition", metavar="NAME", help="the clips under a condition, not raw")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--md", type=Path, metavar="FILE")
    parser.add_argument("--html", type=Path, metavar="FILE", help="with a scatter of WER and CTEM")


def run(args: argparse.Namespace) -> ExitCode:
    measured = [(path, runs.read(path)) for path in args.runs]
    if args.condition:
        measured = _under(args.condition, measured, anyway=args.anyway)
    compared = compare(measured, anyway=args.anyway)
    output.show(comparison.lines(compared, output.width()))
    if args.json:
        write_atomic(args.json, dump_json(compared.to_json(), indent=1) + "\n")
    if args.md:
        write_atomic(args.md, comparison.markdown(compared))
    if args.html:
        write_atomic(args.html, comparison.html(compared))
    return ExitCode.OK


def _under(
    name: str, measured: Sequence[tuple[Path, Run]], *, anyway: bool
) -> list[tuple[Path, Run]]:
    """The runs' clips under a condition. Raises InputError where one has none, or another."""
    parts = [(path, under(name, run, path)) for path, run in measured]
    digests = {part.condition.digest for _, part in parts if part.condition}
    if len(digests) > 1 and not anyway:
        raise InputError(f"condition {name} is not the same in all of these runs; see --anyway")
    return parts
