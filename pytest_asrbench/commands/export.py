"""
`asrbench export BENCHMARK RUN.json --out PATH`: a run as a benchmark takes it.

    asrbench export voicecodebench run.json --out predictions.json
    asrbench export voicecodebench run.json --out manifest.jsonl   # leaderboard
    asrbench export mu-bench run.json --out submissions/raw/acme-v2 \\
        --organization Acme --region us-east-1
    asrbench export etb run.json --out hypotheses.csv

Every clip must have a transcript unless --partial is given.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from pytest_asrbench import run as runs
from pytest_asrbench.commands import console
from pytest_asrbench.commands.arguments import positive
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.errors import InputError
from pytest_asrbench.exchange import coverage, mubench, transcripts, voicecodebench
from pytest_asrbench.files import write_atomic
from pytest_asrbench.run import Run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("benchmark", choices=list(WRITERS))
    parser.add_argument("run", type=Path, metavar="RUN.json")
    parser.add_argument("--out", type=Path, required=True, metavar="PATH")
    parser.add_argument("--partial", action="store_true", help="some clips have no transcript")
    parser.add_argument("--custom", action="store_true", help="vendor parameters were set")
    group = parser.add_argument_group("mu-bench")
    group.add_argument("--organization")
    group.add_argument("--region", help=f"of the endpoint: {', '.join(mubench.REGIONS)}")
    group.add_argument("--client-location", metavar="TEXT", help="such as aws:us-east-1")
    group.add_argument("--concurrency", type=positive, metavar="N", help="calls at once in the run")
    group.add_argument("--contact")
    group.add_argument("--notes", default="")
    group.add_argument(
        "--config", action="append", default=[], metavar="KEY=VALUE", help="what is no default"
    )


def run(args: argparse.Namespace) -> ExitCode:
    measured = runs.read(args.run)
    WRITERS[args.benchmark](measured, args)
    console.out(f"wrote {args.out}")
    return ExitCode.OK


def _voicecodebench(measured: Run, args: argparse.Namespace) -> None:
    if args.out.suffix == ".jsonl":
        rows = voicecodebench.manifest(measured, partial=args.partial, custom=args.custom)
        write_atomic(args.out, transcripts.jsonl(rows))
        return
    data = voicecodebench.predictions(measured, partial=args.partial, custom=args.custom)
    write_atomic(args.out, json.dumps(data, indent=1) + "\n")


def _mubench(measured: Run, args: argparse.Namespace) -> None:
    for name in ("organization", "region"):
        if not getattr(args, name):
            raise InputError(f"asrbench export mu-bench: give --{name}; the benchmark asks for it")
    about = mubench.About(
        organization=args.organization,
        region=args.region,
        client_location=args.client_location,
        concurrency=args.concurrency,
        contact=args.contact,
        notes=args.notes,
        config=_config(args.config),
    )
    _write_folder(args.out, mubench.submission(measured, about, partial=args.partial))


def _etb(measured: Run, args: argparse.Namespace) -> None:
    records = coverage.measured(measured, "etb", partial=args.partial)
    rows = [{"id": record.clip, "hypothesis": record.transcript or ""} for record in records]
    write_atomic(args.out, transcripts.table(rows, ("id", "hypothesis")))


def _config(given: list[str]) -> dict[str, str]:
    pairs = [text.partition("=") for text in given]
    for key, equals, value in pairs:
        if not (key and equals and value):
            raise InputError(f"--config {key}{equals}{value}: write KEY=VALUE")
    return {key: value for key, _, value in pairs}


def _write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """A new folder with all the files, or nothing: it is renamed into place when it is whole."""
    if folder.exists():
        raise InputError.at(folder, None, "is there already; name another folder")
    unfinished = folder.with_name(f".{folder.name}.unfinished")
    try:
        for name, content in files.items():
            path = unfinished / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode("utf-8", "replace"))
        unfinished.rename(folder)
    except OSError as error:
        raise InputError.at(folder, None, f"can't be written: {error.strerror}") from None
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


WRITERS: Mapping[str, Callable[[Run, argparse.Namespace], None]] = {
    "voicecodebench": _voicecodebench,
    "mu-bench": _mubench,
    "etb": _etb,
}
