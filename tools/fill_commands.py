"""Write docs/commands.md, a page of the site alone, from the commands' parsers: docs/conf.py."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from pytest_asrbench.cli import COMMANDS, command_module

PAGE = Path(__file__).resolve().parent.parent / "docs" / "commands.md"
HEAD = """\
# Every command and option

What `asrbench COMMAND --help` says; [the command line](cli.md) tells which command is for what.
"""


def page() -> str:
    return HEAD + "".join("\n".join(["", *command(name), ""]) for name in COMMANDS)


def command(name: str) -> Iterator[str]:
    module = command_module(name)
    parser = argparse.ArgumentParser(prog=f"asrbench {name}")
    module.add_arguments(parser)
    yield f"## asrbench {name}"
    yield ""
    yield "```text"
    yield str(module.__doc__).strip()
    yield "```"
    yield from options(parser)
    for under, inner in _sub_commands(parser):
        yield ""
        yield f"### asrbench {name} {under}"
        yield from options(inner)


def options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """A table of what the parser takes; nothing where that is nothing."""
    rows = [
        f"| {_name(action)} | {_cell(action.help or '')} |"
        for action in parser._actions
        if not isinstance(action, argparse._HelpAction | argparse._SubParsersAction)
    ]
    if rows:
        yield from ("", "| argument | what it does |", "|---|---|", *rows)


def _sub_commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _name(action: argparse.Action) -> str:
    value = action.metavar or ("|".join(map(str, action.choices)) if action.choices else None)
    shown = "".join(value) if isinstance(value, tuple) else value
    takes = action.nargs != 0
    if not action.option_strings:
        return _code(shown or action.dest)
    names = ", ".join(action.option_strings)
    return _code(f"{names} {shown or action.dest.upper()}" if takes else names)


def _code(text: str) -> str:
    return f"`{_cell(text)}`"


def _cell(text: str) -> str:
    return " ".join(text.replace("%%", "%").replace("|", "\\|").split())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
