"""
`asrbench lint [DATASET]`: what is wrong with a dataset; each line has file, row and remedy.

Exit code: 0 fine, 1 errors were found (`--strict`: or warnings), 2 no such dataset.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pytest_asrbench import datasets
from pytest_asrbench.commands.settings import rules_beside
from pytest_asrbench.datasets.load import locate
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import write_atomic
from pytest_asrbench.lint import Finding, lint
from pytest_asrbench.verifiers.rules import Rules


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("lint", help="check a dataset", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("data", nargs="?", default="clips.yaml", metavar="[LAYOUT:]PATH")
    parser.add_argument("--no-audio", action="store_true", help="leave the recordings unread")
    parser.add_argument("--strict", action="store_true", help="warnings fail too")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the findings as JSON")


def run(args: argparse.Namespace) -> int:
    _, path = locate(args.data, Path.cwd())
    findings = _findings(args, path)
    for finding in findings:
        print(finding.line(path))
    count = Counter(finding.level for finding in findings)
    print(f"{path}: {count['error']} errors, {count['warning']} warnings")
    if args.json:
        report = _report(path, findings)
        write_atomic(args.json, json.dumps(report, ensure_ascii=False, indent=1) + "\n")
    return 1 if count["error"] or (args.strict and findings) else 0


def _findings(args: argparse.Namespace, path: Path) -> list[Finding]:
    settings = rules_beside(path)
    try:
        dataset = datasets.load(args.data, Path.cwd(), settings.types)
    except InputError as error:
        return [_fault(line, path) for line in str(error).split("\n")]
    verifier = Rules(types=dataset.types, policy=settings.policy)
    return list(lint(dataset, verifier, audio=not args.no_audio))


def _fault(line: str, path: Path) -> Finding:
    """A fault for which the manifest could not be read at all, as a finding with its row."""
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
