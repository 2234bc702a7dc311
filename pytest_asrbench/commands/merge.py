"""
`asrbench merge`: join the parts of a sharded run, gate them once and write every report.

    asrbench merge part*.json --gate --json run.json --html report.html
"""

from __future__ import annotations

import argparse
import gc
from dataclasses import replace
from pathlib import Path

from pytest_asrbench import gates
from pytest_asrbench import run as runs
from pytest_asrbench.commands import output
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.commands.thresholds import remedies_for
from pytest_asrbench.commands.thresholds_file import thresholds_file
from pytest_asrbench.model import Outcome


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("parts", nargs="+", type=Path, metavar="PART.json", help="run files")
    parser.add_argument("--gate", action="store_true", help="gate the whole run")
    output.add_gating(parser)
    output.add_reports(parser)


def run(args: argparse.Namespace) -> ExitCode:
    gc.disable()  # all that is read stays alive to the end; the collector would walk it for nothing
    try:
        return _merge(args)
    finally:
        gc.enable()


def _merge(args: argparse.Namespace) -> ExitCode:
    merged = runs.merge(args.parts)
    outcomes: list[Outcome] = []
    notices = ["not gated: no --gate"]
    thresholds = None
    if args.gate:
        path = thresholds_file(merged, args.thresholds)
        remedies = _remedies(args)
        thresholds = output.stored_thresholds(merged, path, remedies)
        outcomes = output.judge(merged, thresholds, path, args, remedies)
        notices = output.beside(merged, thresholds, remedies)
    output.publish(merged, outcomes, thresholds, args, notices=notices)
    return output.exit_code(merged, outcomes)


def _remedies(args: argparse.Namespace) -> gates.Remedies:
    """Thresholds are renewed from the merged run file."""
    merged = args.json or Path("run.json")
    remedies = remedies_for(merged, args.thresholds)
    first = "" if args.json else f"--json {merged}, then "
    return replace(
        remedies,
        update=first + remedies.update,
        lower=first + remedies.lower,
        explore="without --gate",
    )
