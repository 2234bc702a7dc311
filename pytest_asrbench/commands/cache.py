"""
`asrbench cache`: stored transcripts and verdicts.

    asrbench cache ls                                    what is stored, by configuration
    asrbench cache export FILE --data DATASET            a cassette that a team commits
    asrbench cache import FILE                           a cassette into the store
    asrbench cache prune [--older-than 30d]              remove what is old

Exit code: 0 fine, 1 a transcript of the dataset is not stored, 2 unreadable input.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from pytest_asrbench.commands import cassettes, console, stored
from pytest_asrbench.commands.arguments import duration
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.errors import InputError
from pytest_asrbench.settings.config import find_settings_file, resolve
from pytest_asrbench.settings.options import BY_NAME
from pytest_asrbench.store import Store
from pytest_asrbench.store.cassette import SUFFIX
from pytest_asrbench.store.store import FOLDER


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    _add(actions, "ls", "list what is stored")
    export = _add(actions, "export", "write a cassette")
    export.add_argument("file", type=Path, metavar="FILE")
    export.add_argument("--data", metavar="[LAYOUT:]PATH", help="only the clips of this dataset")
    export.add_argument("--provider", metavar="NAME", help="only this configuration")
    export.add_argument("--partial", action="store_true", help="some transcripts are not stored")
    _add(actions, "import", "read a cassette").add_argument("file", type=Path, metavar="FILE")
    prune = _add(actions, "prune", "remove what is old")
    prune.add_argument("--older-than", type=duration, metavar="TIME", help="default: 30d")
    prune.add_argument(
        "--imported", action="store_true", help="only what a cassette brought, however old"
    )
    prune.add_argument("--provider", metavar="NAME", help="only transcripts of this configuration")
    prune.add_argument("--dry-run", action="store_true", help="only say what would go")


def run(args: argparse.Namespace) -> ExitCode:
    store = _store(args.cache, new=args.action == "import")
    code = ACTIONS[args.action](store, args)
    for note in store.notes:
        console.out(note)
    return code


ACTIONS: dict[str, Callable[[Store, argparse.Namespace], ExitCode]] = {
    "ls": lambda store, args: stored.show(store),
    "export": lambda store, args: cassettes.export(store, args),
    "import": lambda store, args: cassettes.read(store, args.file),
    "prune": lambda store, args: stored.prune(
        store, args.older_than, args.provider, imported=args.imported, dry=args.dry_run
    ),
}


def _add(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, does: str
) -> argparse.ArgumentParser:
    parser = actions.add_parser(name, help=does, description=f"{does[0].upper()}{does[1:]}.")
    parser.add_argument(
        "--cache", type=Path, metavar="DIR", help="the store; default: the settings', .asrbench"
    )
    return parser


def _store(path: Path | None, *, new: bool) -> Store:
    """The store that is meant. Raises InputError where there is none, unless a `new` one may be."""
    here = Path.cwd()
    if path is None:
        path = _named(here)
        if path == here / FOLDER and not path.is_dir():
            above = (folder / FOLDER for folder in here.parents)
            path = next((folder for folder in above if folder.is_dir()), path)
        if path.is_relative_to(here):
            path = path.relative_to(here)
    if path.suffix == SUFFIX:
        what = f"a cassette, not a store; give a folder, as --cache {FOLDER}"
        raise InputError.at(path, None, what)
    if not path.is_dir() and not new:
        raise InputError.at(path, None, "no store here; run with a provider, or give --cache DIR")
    return Store(path)


def _named(here: Path) -> Path:
    """The store that settings name; where several files have some below, none of them does."""
    try:
        find_settings_file(here, here)
    except InputError:
        return here / (os.environ.get(BY_NAME["cache"].env) or FOLDER)
    return resolve(option={}, start=here, invocation=here, rootdir=here).cache
