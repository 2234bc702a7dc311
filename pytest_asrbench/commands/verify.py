"""
`asrbench verify CASES.jsonl`: judge values against transcripts, and measure agreement.

A row in: {id, type, canonical, transcript, acoustic?, accept?, language?}; a row out, in order:
{id, present, sure, evidence, start, end, reason, nearest}. Where rows carry `present`, agreement
with it is printed on stderr; rows with `certain: false` are judged, not scored.

Exit code: 0 fine, 1 agreement under --min-agreement, 2 unreadable input, 3 a row without a verdict:
why is told on stderr, and the other rows are written.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pytest_asrbench.commands import console
from pytest_asrbench.commands.arguments import share
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.commands.settings import settings_beside
from pytest_asrbench.commands.verdicts import judge_cases
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import write_atomic
from pytest_asrbench.model import Verdict
from pytest_asrbench.verifiers.agreement import Scored, count, summary
from pytest_asrbench.verifiers.cases import VerifierCase, read_cases

Judged = tuple[VerifierCase, Verdict]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("cases", type=Path, metavar="CASES.jsonl")
    parser.add_argument("--verifier", default="rules", help="default: rules; or module:attr")
    parser.add_argument("--out", type=Path, metavar="FILE", help="default: standard output")
    parser.add_argument("--min-agreement", type=share, metavar="X", help="0 to 1; below: exit 1")
    parser.add_argument("--no-acoustic", action="store_true", help="withhold the spoken forms")


def run(args: argparse.Namespace) -> ExitCode:
    cases = read_cases(args.cases, acoustic=not args.no_acoustic)
    rules = settings_beside(args.cases)
    verifier = rules.verifier(args.verifier, {case.language for case in cases})
    verdicts = judge_cases(verifier, cases, args.cases)
    judged = [(case, verdicts[case.row]) for case in cases if case.row in verdicts]
    _write(judged, args.out)
    scored = _scored(judged)
    name = f"{verifier.identity.id} {verifier.identity.version}"
    for line in summary(scored, judged=len(judged), verifier=name):
        console.err(line)
    return _decided(scored, args) if len(judged) == len(cases) else ExitCode.CALL


def _write(judged: Iterable[Judged], out: Path | None) -> None:
    rows = (_row(case.id, verdict) for case, verdict in judged)
    if out is None:
        for row in rows:
            console.json_row(row)
    else:
        write_atomic(out, "".join(json.dumps(row) + "\n" for row in rows))


def _row(name: str, verdict: Verdict) -> dict[str, Any]:
    fields = asdict(verdict)
    order = ("present", "sure", "evidence", "start", "end", "reason", "nearest")
    return {"id": name, **{key: fields[key] for key in order}}


def _scored(judged: Iterable[Judged]) -> list[Scored]:
    return [
        Scored(case.id, case.entity.type, case.present, verdict.present, verdict.sure)
        for case, verdict in judged
        if case.present is not None and case.certain
    ]


def _decided(scored: Sequence[Scored], args: argparse.Namespace) -> ExitCode:
    if args.min_agreement is None:
        return ExitCode.OK
    rate = count(scored).rate
    if rate.value is None:
        what = "no row to score: --min-agreement needs rows with `present`"
        raise InputError.at(args.cases, None, what)
    if rate.value >= args.min_agreement:
        return ExitCode.OK
    told = f"{rate.value:.4f} < {args.min_agreement:.4f} ({rate.hits} of {rate.total})"
    console.err(f"agreement {told}")
    return ExitCode.FAILED
