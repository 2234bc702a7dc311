"""
`asrbench audit`: have people check a sample of verdicts, and learn how far to trust a verifier.

    asrbench audit draw RUN.json… --out sheet.csv [--html page.html] [--size 200]
    asrbench audit read sheet.csv [--verifier NAME [--verifier NAME]] [--decide verdicts.yaml]

`draw` takes a stratified sample (system, type, verdict). Fill in its column `human` (present,
absent or unsure) in a spreadsheet, or with the page, which plays the clips and saves the sheet.
`read` prints agreement, kappa, false accepts and misses. With two verifiers it judges the rows
again by both. `--decide` adds what people overruled to a dataset's verdicts.yaml.

Exit code: 0 fine, 1 agreement under --min-agreement, 2 unreadable input, 3 rows without a verdict:
why is told on stderr, and they count nowhere.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from pytest_asrbench import run as runs
from pytest_asrbench.audit import decisions, findings, sample, sheet
from pytest_asrbench.commands import console
from pytest_asrbench.commands.arguments import positive, share
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.commands.settings import settings_beside
from pytest_asrbench.commands.verdicts import judge_cases
from pytest_asrbench.counts import plural
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Verdict
from pytest_asrbench.verifiers.cases import VerifierCase


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="draw|read", required=True)
    draw = actions.add_parser("draw", help="draw a sheet from run files")
    draw.add_argument("runs", nargs="+", type=Path, metavar="RUN.json")
    draw.add_argument("--out", type=Path, required=True, metavar="SHEET.csv")
    draw.add_argument("--html", type=Path, metavar="FILE", help="the same rows as a page")
    draw.add_argument("--size", type=positive, default=sample.SIZE, help=f"default: {sample.SIZE}")
    draw.add_argument("--seed", type=int, default=sample.SEED, help="another draw")
    read = actions.add_parser("read", help="read a filled sheet")
    read.add_argument("sheet", type=Path, metavar="SHEET.csv")
    read.add_argument(
        "--verifier", action="append", default=[], metavar="NAME",
        help="judge the rows again with this one; two are compared",
    )  # fmt: skip
    read.add_argument("--min-agreement", type=share, metavar="X", help="0 to 1; below: exit 1")
    read.add_argument(
        "--decide", type=Path, metavar="verdicts.yaml", help="add what people overruled"
    )


def run(args: argparse.Namespace) -> ExitCode:
    return _draw(args) if args.action == "draw" else _read(args)


def _draw(args: argparse.Namespace) -> ExitCode:
    verdicts = [row for path in args.runs for row in sample.rows(runs.read(path))]
    if not verdicts:
        raise InputError(f"no verdicts in {', '.join(map(str, args.runs))}; nothing to check")
    if args.out.exists():
        raise InputError.at(args.out, None, "exists, and may be filled in; name another")
    drawn = sample.draw(verdicts, args.size, args.seed)
    sheet.write(drawn, args.out)
    strata = len({row.stratum for row in drawn})
    console.out(f"{args.out}: {len(drawn)} of {len(verdicts)} verdicts, {strata} strata")
    if args.html:
        from pytest_asrbench.audit import page  # jinja2 is an extra

        page.write(drawn, args.html, args.out.name)
        console.out(f"{args.html}: open it in a browser; p present, a absent, u unsure")
    return ExitCode.OK


def _read(args: argparse.Namespace) -> ExitCode:
    if len(args.verifier) > 2:
        raise InputError("--verifier: name one, or two to compare")
    checked = sheet.read(args.sheet)
    judged = _again(args.verifier, checked, args.sheet)
    ours = judged[0] if judged else checked
    result = findings.findings(ours)
    for line in findings.lines(result, args.verifier[0] if judged else _named(checked)):
        console.out(line)
    if len(judged) == 2:
        names = (args.verifier[0], args.verifier[1])
        for line in findings.versus(names, *map(findings.scored, judged)):
            console.out(line)
    if args.decide:
        added = decisions.add(decisions.decided(checked), args.decide)
        console.out(f"{args.decide}: {plural(added, 'decision')} added")
    return _decided(result, args) if len(ours) == len(checked) else ExitCode.CALL


def _named(checked: Sequence[sheet.Checked]) -> str:
    return ", ".join(sorted({each.row.verifier for each in checked})) or "unknown"


def _again(
    names: Sequence[str], checked: Sequence[sheet.Checked], path: Path
) -> list[list[sheet.Checked]]:
    """The sheet as if each of these verifiers had judged, without rows on which one failed."""
    rows = dict(enumerate(checked, start=2))
    verdicts = [_verdicts(name, rows, path) for name in names]
    judged = [row for row in rows if all(row in each for each in verdicts)]
    return [[rows[row].judged(each[row]) for row in judged] for each in verdicts]


def _verdicts(name: str, rows: Mapping[int, sheet.Checked], path: Path) -> dict[int, Verdict]:
    verifier = settings_beside(path).verifier(name)
    cases = [
        VerifierCase(c.row.id, n, c.row.entity, c.row.transcript, c.row.language)
        for n, c in rows.items()
    ]
    return judge_cases(verifier, cases, path)


def _decided(result: findings.Findings, args: argparse.Namespace) -> ExitCode:
    rate = result.agreement.rate
    if args.min_agreement is None:
        return ExitCode.OK
    if rate.value is None:
        raise InputError.at(args.sheet, None, "no row is decided; fill in the column human")
    if rate.value >= args.min_agreement:
        return ExitCode.OK
    console.err(f"agreement {rate.value:.4f} < {args.min_agreement:.4f}")
    return ExitCode.FAILED
