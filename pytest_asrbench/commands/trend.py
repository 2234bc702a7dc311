"""
`asrbench trend`: metrics of run files over commits and dates.

    asrbench trend runs/*.json --md trend.md
    asrbench trend runs/*.json --condition phone
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pytest_asrbench import run as runs
from pytest_asrbench.commands import output
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.comparison import trend
from pytest_asrbench.comparison.under import under
from pytest_asrbench.files import dump_json, write_atomic
from pytest_asrbench.reports import over_time


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN.json")
    parser.add_argument("--condition", metavar="NAME", help="the clips under a condition, not raw")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--md", type=Path, metavar="FILE")


def run(args: argparse.Namespace) -> ExitCode:
    measured = ((path, runs.read(path)) for path in args.runs)
    if args.condition:
        measured = ((path, under(args.condition, run, path)) for path, run in measured)
    trends = trend.trend(trend.point(run) for _, run in measured)
    output.show(over_time.lines(trends, output.width()))
    if args.json:
        points = {name: [each.to_json() for each in line] for name, line in trends.items()}
        text = dump_json({"schema": 1, "providers": points}, indent=1)
        write_atomic(args.json, text + "\n")
    if args.md:
        write_atomic(args.md, over_time.markdown(trends))
    return ExitCode.OK
