"""
The `asrbench` command: one module under :mod:`pytest_asrbench.commands` for each sub-command.

A command module has `add_arguments(parser)` and `run(args) -> ExitCode`, which reads, calls, prints
and returns; its docstring is the command's help. Only the module that is named is imported.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from types import ModuleType

from pytest_asrbench.commands import console
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.errors import CallError, InputError

COMMANDS = {
    "init": "write a working folder: manifest, tests, settings, CI file",
    "add": "turn a recording into a checked clip",
    "remove": "take clips and their recordings out of a dataset",
    "lint": "check a dataset",
    "condition": "write a clip as it sounds on a telephone, in noise, over a bad line",
    "transcribe": "transcribe files with a provider",
    "providers": "list the ASR systems and what each needs",
    "score": "judge transcripts offline and print the whole report",
    "verify": "judge values against transcripts, and measure agreement",
    "explain": "show why a value counts as present or absent",
    "compare": "put run files side by side",
    "merge": "join the parts of a sharded run and gate them once",
    "trend": "show metrics of runs over time",
    "thresholds": "check, update or show stored thresholds",
    "audit": "have people check a sample of verdicts",
    "cache": "list, export, import or prune stored transcripts",
    "import": "read a benchmark's released files",
    "export": "write a benchmark's file formats",
}

_MODULES = {"import": "import_"}  # `import` can't name a module


def main(argv: Sequence[str] | None = None) -> ExitCode:
    """Returns an :class:`ExitCode`."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _print_anything()
    try:
        return _dispatch(arguments)
    except InputError as error:
        console.err(error)
        return ExitCode.USAGE
    except CallError as error:
        console.err(error)
        return ExitCode.CALL
    except KeyboardInterrupt:
        console.err("interrupted")
        return ExitCode.INTERRUPTED
    except BrokenPipeError:  # the reader, `head` say, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.FAILED
    except OSError as error:  # a name too long, a full disk, a folder that may not be read
        place = f"{error.filename}: " if error.filename else ""
        console.err(f"{place}{error.strerror or error}")
        return ExitCode.USAGE


def _print_anything() -> None:
    """A locale that lacks a character gets its escape; the report must not be lost to it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _dispatch(arguments: Sequence[str]) -> ExitCode:
    parser = _parser()
    name = next((each for each in arguments if not each.startswith("-")), None)
    if name not in COMMANDS:
        return _without_command(parser, arguments, name)
    sys.path.append(os.getcwd())  # `module:attr` of a user's own project, as under pytest
    module = command_module(name)
    command = parser.add_subparsers(metavar="COMMAND", required=True).add_parser(
        name,
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(command)
    code: ExitCode = module.run(parser.parse_args(arguments))
    return code


def command_module(name: str) -> ModuleType:
    """The module of a sub-command."""
    return import_module(f"pytest_asrbench.commands.{_MODULES.get(name, name)}")


def _parser() -> argparse.ArgumentParser:
    width = max(map(len, COMMANDS))
    listed = "\n".join(f"  {name:<{width}}  {does}" for name, does in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="asrbench",
        description="Gate speech recognition in CI.",
        epilog=f"commands:\n{listed}\n\nasrbench COMMAND --help tells more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version", action="version", version=f"asrbench {version('pytest-asrbench')}"
    )
    return parser


def _without_command(
    parser: argparse.ArgumentParser, arguments: Sequence[str], name: str | None
) -> ExitCode:
    if name is not None:
        known = ", ".join(COMMANDS)
        raise InputError(f"asrbench: unknown command {name!r}; known: {known}")
    parser.parse_args(arguments)
    parser.print_help(sys.stderr)
    return ExitCode.USAGE


if __name__ == "__main__":
    sys.exit(main())
