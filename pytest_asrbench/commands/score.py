"""
`asrbench score`: judge stored transcripts offline and print the whole report, without pytest.

    asrbench score --data DATASET --hypotheses FILE [--thresholds F] [--json FILE]
    asrbench score --run RUN.json --verifier V        # judges again, calls no ASR system
"""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from pytest_asrbench import datasets, gates
from pytest_asrbench import run as runs
from pytest_asrbench.clock import utc_now
from pytest_asrbench.commands import arguments, console, moved, output
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.commands.settings import VerifierSettings, settings_beside
from pytest_asrbench.commands.thresholds_file import thresholds_file
from pytest_asrbench.commands.verdicts import ChosenVerifier, GivenTranscripts
from pytest_asrbench.datasets.hypotheses import check_coverage, read_hypotheses
from pytest_asrbench.datasets.load import locate
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import ClipRecord, Dataset, Outcome
from pytest_asrbench.providers.base import Description
from pytest_asrbench.run import ProviderInfo, Run, change, surroundings
from pytest_asrbench.verifiers.overrides import FILE_NAME

REMEDIES = gates.Remedies(
    update="--update",
    lower="--update-lower",
    explore="without --thresholds",
    refresh="pytest --asr-cache-mode=refresh",
    thresholds="--thresholds",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", metavar="[LAYOUT:]PATH", help="the dataset")
    parser.add_argument("--hypotheses", type=Path, metavar="FILE", help="transcripts by clip id")
    parser.add_argument("--run", type=Path, metavar="RUN.json", help="judge this run file again")
    parser.add_argument(
        "--name", type=arguments.name, help="configuration name; default: the file's stem"
    )
    parser.add_argument("--verifier", default="rules", help="rules, llm, cascade or module:attr")
    parser.add_argument("--partial", action="store_true", help="some clips have no transcript")
    parser.add_argument("--clip", action="append", metavar="ID", help="only this clip; repeatable")
    parser.add_argument("--update", action="store_true", help="write better values to --thresholds")
    parser.add_argument("--update-lower", action="store_true", help="write worse values as well")
    parser.add_argument(
        "--hallucinations", action="store_true", help="values heard where nobody said any"
    )
    output.add_gating(parser)
    output.add_reports(parser)


def run(args: argparse.Namespace) -> ExitCode:
    _check(args)
    judged = _again(args) if args.run else _score(args)
    path = thresholds_file(judged, args.thresholds) if args.thresholds else None
    thresholds = output.stored_thresholds(judged, path, REMEDIES) if path else None
    notices = _touched(judged, args, path)
    outcomes: list[Outcome] = []
    if judged.selection == "partial":
        chosen = judged.coverage.expected - judged.coverage.unselected
        notices.append(f"not gated: {chosen} of {judged.coverage.expected} clips scored")
    elif path:
        outcomes = output.judge(judged, thresholds, path, args, REMEDIES)
    if path and (args.update or args.update_lower):
        outcomes, thresholds = output.renew(judged, thresholds, outcomes, path, args, REMEDIES)
    notices += output.beside(judged, thresholds, REMEDIES)
    output.publish(judged, outcomes, thresholds, args, notices=notices, reproduce=_reproduce(args))
    if args.run:
        for line in moved.lines(runs.read(args.run), judged, all_of_them=bool(args.verbose)):
            console.out(line)
    if args.hallucinations:
        from pytest_asrbench.commands import hallucinations  # reads what no other score needs

        for line in hallucinations.lines(judged, settings_beside(Path(judged.dataset.path))):
            console.out(line)
    return output.exit_code(judged, outcomes)


def _touched(judged: Run, args: argparse.Namespace, path: Path | None) -> list[str]:
    """What the change itself touches of the transcripts and of what they are judged by."""
    beside = Path(judged.dataset.path).parent / FILE_NAME
    return change.notices(
        judged,
        change.base_commit(os.environ),
        Path.cwd(),
        transcripts=args.run or args.hypotheses,
        others=[*([path] if path else []), beside],
    )


def _check(args: argparse.Namespace) -> None:
    """Raises InputError on options that do not fit together."""
    if bool(args.run) == bool(args.hypotheses):
        raise InputError("asrbench score: give either --run RUN.json, or --data and --hypotheses")
    if args.hypotheses and not args.data:
        raise InputError("asrbench score: --hypotheses needs --data, the dataset they belong to")
    if (args.update or args.update_lower) and not args.thresholds:
        raise InputError("asrbench score: --update needs --thresholds FILE to write to")
    for option, given in (
        ("--data", args.data),
        ("--name", args.name),
        ("--partial", args.partial),
    ):
        if args.run and given:
            raise InputError(f"asrbench score: {option} belongs to --hypotheses; --run has its own")


def _score(args: argparse.Namespace) -> Run:
    dataset, rules = _dataset(args.data)
    heard = read_hypotheses(args.hypotheses, clips=dataset.by_id.keys())
    selected = args.clip or (list(heard) if args.partial else list(dataset.by_id))
    unknown = [clip for clip in selected if clip not in dataset.by_id]
    if unknown:
        raise InputError.at(dataset.path, None, f"no clip {unknown[0]!r}; correct --clip")
    check_coverage(args.hypotheses, heard, selected)
    judge = ChosenVerifier(args.verifier, rules, dataset.folder, dataset.languages)
    description = Description(
        "recorded", args.hypotheses.stem, {"hypotheses": args.hypotheses.name}, deterministic=True
    )
    wanted = set(selected)
    clips = [clip for clip in dataset.clips if clip.id in wanted]
    records = judge.records(clips, GivenTranscripts(heard, description), dataset.folder)
    return runs.build(
        records,
        dataset=dataset,
        providers=[ProviderInfo.of(args.name or args.hypotheses.stem, description)],
        verifiers=[judge.info(records)],
        started=utc_now(),
        plugin=surroundings.plugin_version(),
        selected=selected,
        git_commit=surroundings.git_commit(dataset.folder),
        environment=surroundings.environment(),
        links=surroundings.links(os.environ),
    )


def _dataset(spec: str) -> tuple[Dataset, VerifierSettings]:
    """With the types that the manifest declares."""
    _, path = locate(spec, Path.cwd())
    rules = settings_beside(path)
    dataset = datasets.load(spec, Path.cwd(), rules.types)
    return dataset, rules.with_types(dataset.types)


def _again(args: argparse.Namespace) -> Run:
    stored = runs.read(args.run)
    place = Path(stored.dataset.path)
    rules = settings_beside(place if place.parent.is_dir() else Path.cwd())
    folder = place if place.is_dir() else place.parent
    rules = rules.with_types({**rules.types, **stored.dataset.types})
    judge = ChosenVerifier(
        args.verifier, rules, folder, {record.language for record in stored.records}
    )
    raw, *under = (_part_again(part, judge, args) for part in stored.parts)
    records = [record for part in (raw, *under) for record in part.records]
    return replace(raw, conditions=tuple(under), verifier=judge.info(records))


def _part_again(part: Run, judge: ChosenVerifier, args: argparse.Namespace) -> Run:
    """The raw clips, or those under one condition."""
    chosen = _chosen(args.clip, part, args.run)
    records = judge.again(chosen)
    left = len({record.clip for record in part.records} - {record.clip for record in chosen})
    coverage = replace(part.coverage, unselected=part.coverage.unselected + left)
    return replace(
        part,
        records=tuple(records),
        verifier=judge.info(records),
        coverage=coverage,
        gates=(),
    )


def _chosen(clips: Sequence[str] | None, stored: Run, path: Path) -> list[ClipRecord]:
    """The records of these clips; of all where none is named. Raises InputError."""
    known = {record.clip for record in stored.records}
    if unknown := [clip for clip in clips or () if clip not in known]:
        raise InputError.at(path, None, f"no clip {unknown[0]!r}; correct --clip")
    wanted = known if not clips else set(clips)
    return [record for record in stored.records if record.clip in wanted]


def _reproduce(args: argparse.Namespace) -> Callable[[str], str]:
    if args.run:
        source = f"--run {shlex.quote(str(args.run))} --verifier {shlex.quote(args.verifier)}"
    else:
        hypotheses = shlex.quote(str(args.hypotheses))
        source = f"--data {shlex.quote(args.data)} --hypotheses {hypotheses}"
    return lambda clip: f"asrbench score {source} --clip {shlex.quote(clip)} -vv"
