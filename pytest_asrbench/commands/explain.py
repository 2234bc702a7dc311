"""
`asrbench explain --type T --canonical V [--acoustic A] "transcript"`: why a value counts or not.

Shows the verdict, the evidence or the nearest miss with what differs, the reading and the rules
that decided, and the lines that overrule it in `verdicts.yaml`. -v adds each reading that was
tried, the transcript's tokens and every rule that binds the type.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
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
    parser.add_argument("--type", required=True, help="entity type, or an own one of the settings")
    parser.add_argument("--canonical", required=True, help="the exact written value")
    parser.add_argument("--acoustic", help="the spoken form")
    parser.add_argument("--accept", action="append", default=[], help="another form that counts")
    parser.add_argument("--language", default="en", help="default: en")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="every reading, the tokens, all rules"
    )
    parser.add_argument("transcript", help="the text; - reads standard input")


def run(args: argparse.Namespace) -> ExitCode:
    from pytest_asrbench.verifiers.rules.explain import explain

    settings = settings_beside(Path.cwd())
    _check(args, settings.types)
    rules = Rules(types=settings.types, policy=settings.policy, packs=settings.packs)
    entity = Entity("", args.type, args.canonical, args.acoustic, tuple(args.accept))
    text = sys.stdin.read().removesuffix("\n") if args.transcript == "-" else args.transcript
    for line in explain(rules, entity, text, args.language, verbose=args.verbose):
        console.out(line)
    for line in _decision(entity, text):
        console.out(line)
    return ExitCode.OK


def _check(args: argparse.Namespace, types: Mapping[str, str]) -> None:
    if fault := type_fault(args.type, types):
        raise InputError(f"asrbench explain: {fault}; {remedy(types)}")
    if not args.canonical.strip():
        raise InputError("asrbench explain: --canonical is empty; give the exact written value")


def _decision(entity: Entity, text: str) -> Iterator[str]:
    """What to add to `verdicts.yaml` where people see it otherwise."""
    yield "to overrule, in verdicts.yaml beside the dataset:"
    yield f"  - type: {entity.type}"
    yield f"    canonical: {_quoted(entity.canonical)}"
    yield f"    transcript: {transcript_hash(text)}"
    yield "    present: true  # or false"
    yield "    reason: why people see it so"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'" if text.isprintable() else json.dumps(text)
