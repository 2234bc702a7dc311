"""
`asrbench lint [DATASET…]`: what is wrong with a dataset; file, row and remedy.

Exit code: 0 fine, 1 errors were found (`--strict`: or warnings), 2 no such
dataset.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pytest_asrbench import datasets
from pytest_asrbench.commands import console
from pytest_asrbench.commands.chosen import Chosen, chosen
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.commands.settings import conditions_beside
from pytest_asrbench.counts import plural
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import dump_json, write_atomic
from pytest_asrbench.files.fields import FaultsError
from pytest_asrbench.lint import Finding, lint
from pytest_asrbench.model import Clip, Dataset
from pytest_asrbench.verifiers.rules import Rules


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "data", nargs="*", metavar="[LAYOUT:]PATH", help="default: the settings' data"
    )
    parser.add_argument("--no-audio", action="store_true", help="leave the recordings unread")
    parser.add_argument("--strict", action="store_true", help="warnings fail too")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the findings as JSON")


def run(args: argparse.Namespace) -> ExitCode:
    if args.json and len(args.data) > 1:
        raise InputError("asrbench lint: --json is of one dataset; leave out the others")
    return max(_linted(data, args) for data in args.data or [None])


def _linted(data: str | None, args: argparse.Namespace) -> ExitCode:
    target = chosen(data, "name the folders to check")
    path = target.path
    findings = _findings(target, audio=not args.no_audio)
    for finding in findings:
        console.out(finding.line(path))
    count = Counter(finding.level for finding in findings)
    told = [plural(count[level], level) for level in ("error", "warning")]
    console.out(f"{path}: {', '.join(told)}")
    if args.json:
        report = _report(path, findings)
        write_atomic(args.json, dump_json(report, indent=1) + "\n")
    return ExitCode.FAILED if count["error"] or (args.strict and findings) else ExitCode.OK


def _findings(target: Chosen, *, audio: bool) -> list[Finding]:
    try:
        dataset = datasets.load(target.spec, target.base, target.types)
    except FaultsError as error:
        findings = _faults(error, target.path)
        if error.dataset:
            findings += _content(error.dataset, target, audio=audio, faulty=error.faulty)
        return sorted(findings, key=lambda each: math.inf if each.row is None else each.row)
    except InputError as error:
        return _faults(error, target.path)
    return _content(dataset, target, audio=audio)


def _content(
    dataset: Dataset, target: Chosen, *, audio: bool, faulty: Sequence[Clip] = ()
) -> list[Finding]:
    rules = Rules(types=dataset.types, policy=target.policy, packs=target.packs)
    conditions = conditions_beside(target.path)
    return list(lint(dataset, rules, audio=audio, faulty=faulty, conditions=conditions))


def _faults(error: InputError, path: Path) -> list[Finding]:
    return [_fault(line, path) for line in str(error).split("\n")]


def _fault(line: str, path: Path) -> Finding:
    """A fault of form, for which no run would start, as a finding with its row."""
    place, _, message = line.removeprefix(f"{path}:").partition(": ")
    if place.isdigit():
        return Finding("error", "manifest", message, row=int(place))
    return Finding("error", "manifest", line.removeprefix(f"{path}: "))


def _report(path: Path, findings: Sequence[Finding]) -> dict[str, Any]:
    return {
        "schema": 1,
        "dataset": str(path),
        "findings": [finding.to_json(path) for finding in findings],
    }
