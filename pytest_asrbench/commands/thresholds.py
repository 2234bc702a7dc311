"""
`asrbench thresholds`: what the plugin does with stored thresholds, from run files.

    asrbench thresholds check run.json                 # gates, exit 1 where one fails
    asrbench thresholds update run.json [--lower]      # raise, or accept worse values too
    asrbench thresholds show thresholds/nova3.yaml     # the gates in a table
"""

from __future__ import annotations

import argparse
from pathlib import Path
from shlex import quote

from pytest_asrbench import gates
from pytest_asrbench import run as runs
from pytest_asrbench.commands import console, output
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.commands.thresholds_file import thresholds_file
from pytest_asrbench.errors import InputError
from pytest_asrbench.gates import describe


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = actions.add_parser("check", help="gate a run file")
    update = actions.add_parser("update", help="write thresholds from a run file")
    for action in (check, update):
        action.add_argument("run", type=Path, metavar="RUN.json")
        output.add_gating(action)
        output.add_reports(action)
    update.add_argument(
        "--lower", dest="update_lower", action="store_true", help="write worse values as well"
    )
    show = actions.add_parser("show", help="print a thresholds file")
    show.add_argument("file", type=Path, metavar="FILE")


def run(args: argparse.Namespace) -> ExitCode:
    if args.action == "show":
        for line in describe.lines(gates.read(args.file)):
            console.out(line)
        return ExitCode.OK
    stored_run = runs.read(args.run)
    if stored_run.sharded:
        what = f"shard {stored_run.shard} decides nothing alone"
        raise InputError.at(args.run, None, f"{what}; join all with asrbench merge --gate")
    remedies = remedies_for(args.run, args.thresholds)
    path = thresholds_file(stored_run, args.thresholds)
    thresholds = output.stored_thresholds(stored_run, path, remedies)
    outcomes = output.judge(stored_run, thresholds, path, args, remedies)
    if args.action == "update":
        outcomes, thresholds = output.renew(stored_run, thresholds, outcomes, path, args, remedies)
    notices = output.beside(stored_run, thresholds, remedies)
    output.publish(stored_run, outcomes, thresholds, args, notices=notices)
    return output.exit_code(stored_run, outcomes)


def remedies_for(run: Path, thresholds: Path | None) -> gates.Remedies:
    """Commands that remedy from a run file; a whole command each, that is run as it stands."""
    update = f"asrbench thresholds update {quote(str(run))}"
    update += f" --thresholds {quote(str(thresholds))}" if thresholds else ""
    return gates.Remedies(
        update=f"`{update}`",
        lower=f"`{update} --lower`",
        explore=f"with `asrbench score --run {quote(str(run))}`",
        refresh="pytest --asr-cache-mode=refresh",
        thresholds="--thresholds",
    )
