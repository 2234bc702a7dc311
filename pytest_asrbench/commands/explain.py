"""
`asrbench explain --type T --canonical V [--acoustic A] "transcript"`: why a value counts or not.

Shows the verdict, the evidence or the nearest miss with what differs, the reading and the rules
that decided, and the lines that overrule it in `verdicts.yaml`. With --run RUN.json the value is
one of a run, named as its reports name it: `asrbench explain --run run.json phone/e01`. -v adds
each reading that was tried, the transcript's tokens and every rule that binds the type.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from pytest_asrbench.commands import console
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.commands.settings import settings_beside
from pytest_asrbench.datasets.types import remedy, type_fault
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Entity
from pytest_asrbench.verifiers.overrides import transcript_hash
from pytest_asrbench.verifiers.rules import Rules


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--type", help="entity type, or a custom one of the settings")
    parser.add_argument("--canonical", help="the exact written value")
    parser.add_argument("--acoustic", help="the spoken form")
    parser.add_argument("--accept", action="append", default=[], help="another form that counts")
    parser.add_argument("--language", default="en", help="default: en")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="every reading, the tokens, all rules"
    )
    parser.add_argument("--run", dest="run_file", type=Path, metavar="RUN.json", help="of this run")
    parser.add_argument(
        "transcript", help="the text; - reads standard input; with --run CLIP/ENTITY"
    )


def run(args: argparse.Namespace) -> ExitCode:
    from pytest_asrbench.verifiers.rules.explain import explain

    settings = settings_beside(Path.cwd())
    asked = _of_run(args) if args.run_file else _asked(args, settings.types)
    types = {**settings.types, **asked.types}
    rules = Rules(types=types, policy=settings.policy, packs=settings.packs)
    for line in explain(rules, asked.entity, asked.text, asked.language, verbose=args.verbose):
        console.out(line)
    for line in _decision(asked.entity, asked.text):
        console.out(line)
    return ExitCode.OK


@dataclass(frozen=True, slots=True)
class _Question:
    """A value, the text it is looked for in, and the types that the text's dataset declares."""

    entity: Entity
    text: str
    language: str
    types: Mapping[str, str] = field(default_factory=dict)


def _asked(args: argparse.Namespace, types: Mapping[str, str]) -> _Question:
    _check(args, types)
    entity = Entity("", args.type, args.canonical, args.acoustic, tuple(args.accept))
    text = sys.stdin.read().removesuffix("\n") if args.transcript == "-" else args.transcript
    return _Question(entity, text, args.language)


def _of_run(args: argparse.Namespace) -> _Question:
    """Raises InputError for a key that the run does not have; of several repeats the first miss."""
    from pytest_asrbench.run import read

    run, key = read(args.run_file), args.transcript
    judged = {
        (f"{record.clip}/{judgement.entity.id}", record.repeat): (record, judgement)
        for record in run.records
        for judgement in record.entities
        if record.transcript is not None
    }
    of_key = [each for (name, _), each in judged.items() if name == key]
    if not of_key:
        near = get_close_matches(key, sorted({name for name, _ in judged}), n=1)
        hint = f"did you mean {near[0]}?" if near else "write CLIP/ENTITY, as reports do"
        raise InputError.at(args.run_file, None, f"no transcript judged for {key}; {hint}")
    missed = [(r, j) for r, j in of_key if j.verdict and not j.verdict.present]
    record, judgement = (missed or of_key)[0]
    text = record.transcript or ""
    return _Question(judgement.entity, text, record.language, run.dataset.types)


def _check(args: argparse.Namespace, types: Mapping[str, str]) -> None:
    if args.type is None or args.canonical is None:
        raise InputError(
            "asrbench explain: give --type, --canonical and the transcript, or of a run "
            "(--asr-json RUN.json) one of its values: asrbench explain --run RUN.json CLIP/ENTITY"
        )
    if fault := type_fault(args.type, types):
        raise InputError(f"asrbench explain: {fault}; {remedy(types)}")
    if not args.canonical.strip():
        raise InputError("asrbench explain: --canonical is empty; give the exact written value")


def _decision(entity: Entity, text: str) -> Iterator[str]:
    """The entry to add to `verdicts.yaml` where people see it otherwise."""
    yield "to overrule, in verdicts.yaml beside the dataset:"
    yield f"  - type: {entity.type}"
    yield f"    canonical: {_quoted(entity.canonical)}"
    yield f"    transcript: {transcript_hash(text)}"
    yield "    present: true  # or false"
    yield "    reason: why people see it so"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'" if text.isprintable() else json.dumps(text)
