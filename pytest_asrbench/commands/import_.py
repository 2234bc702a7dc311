"""
`asrbench import BENCHMARK FILE`: a benchmark's released files, as ours.

    asrbench import voicecodebench predictions.json --data SET --out run.json
    asrbench import voicecodebench manifest.jsonl --data SET --out heard.jsonl
    asrbench import mu-bench submissions/raw/acme --data SET --out heard.jsonl
    asrbench import etb hypotheses.csv --data SET --out heard.jsonl

A .jsonl holds the transcripts, for the provider `recorded`. A .json
(VoiceCodeBench alone) is a run file with the released decisions; nothing is
judged again.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pytest_asrbench import datasets
from pytest_asrbench import run as runs
from pytest_asrbench.commands import console
from pytest_asrbench.commands.chosen import chosen
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.datasets.hypotheses import check_coverage, read_hypotheses
from pytest_asrbench.errors import InputError
from pytest_asrbench.exchange import transcripts, voicecodebench
from pytest_asrbench.files import write_atomic
from pytest_asrbench.model import Dataset

BENCHMARKS = ("voicecodebench", "mu-bench", "etb")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("benchmark", choices=BENCHMARKS)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--data", required=True, metavar="[LAYOUT:]PATH", help="the dataset")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    parser.add_argument("--partial", action="store_true", help="some clips have no transcript")


def run(args: argparse.Namespace) -> ExitCode:
    dataset = _dataset(args)
    if args.out.suffix == ".json":
        if args.benchmark != "voicecodebench":
            raise InputError(f"{args.out}: {args.benchmark} has no decisions; name a .jsonl")
        released = voicecodebench.released(args.file, dataset, partial=args.partial)
        runs.write(released, args.out)
        count = len(released.records)
    else:
        heard = read_hypotheses(args.file, clips=dataset.by_id.keys())
        if not args.partial:
            check_coverage(args.file, heard, dataset.by_id)
        write_atomic(args.out, transcripts.recorded(heard))
        count = len(heard)
    console.out(f"wrote {args.out}: {count} of {len(dataset.clips)} clips")
    return ExitCode.OK


def _dataset(args: argparse.Namespace) -> Dataset:
    target = chosen(args.data)
    if target.layout != args.benchmark:
        raise InputError.at(target.path, None, f"is {target.layout}, not {args.benchmark}")
    return datasets.load(target.spec, target.base, target.types)
