"""
`asrbench providers`: the ASR systems that can be measured, and what each needs.

    asrbench providers              all, with those of asrbench.yaml and conftest.py
    asrbench providers deepgram     one: its protocol, models, options
    asrbench providers --markdown   the table of the documentation
    asrbench providers check NAME   one short call that may be paid, and a line for an issue

`check` says the cost first and asks, unless --yes is given. Its recording comes with the package:
four seconds without a value in them, spoken by flite, a free speech synthesiser. --fixture writes
the exchange as a conformance fixture, keys left out.

READY is whether keys and packages are there; no call is made. FACTS is how well the protocol is
known, LIVE when the adapter last worked with a real key. Exit code: 0; 1 where `check` heard
another text; 2 for an unknown name or without a yes; 3 where its call failed.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap

from pytest_asrbench.commands import console
from pytest_asrbench.commands.exit_codes import ExitCode
from pytest_asrbench.errors import InputError
from pytest_asrbench.providers import conftests, registry
from pytest_asrbench.providers.facts import Known, known
from pytest_asrbench.providers.needs import Need
from pytest_asrbench.reports import table
from pytest_asrbench.settings.config import settings_files
from pytest_asrbench.settings.file import FILE_NAME, SettingsFile, read_settings_file
from pytest_asrbench.settings.options import BY_NAME

HEAD = ("PROVIDER", "MODE", "READY", "FACTS", "LIVE", "MISSING")
MISSING_WIDTH = 26
MARKDOWN = ("provider", "mode", "default model", "terms", "needs", "facts", "checked live")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="show this one only; or `check`")
    parser.add_argument("checked", nargs="?", metavar="NAME", help="the one to check")
    parser.add_argument("--markdown", action="store_true", help="print a Markdown table")
    parser.add_argument("--mode", choices=BY_NAME["mode"].choices, help="check: how to call it")
    parser.add_argument("--yes", action="store_true", help="check: approve the cost")
    parser.add_argument("--fixture", type=Path, metavar="FILE", help="check: write the exchange")


def run(args: argparse.Namespace) -> ExitCode:
    if args.name == "check":
        return _check(args)
    if args.checked:
        raise InputError(f"asrbench providers: {args.name!r} with a second name; write check NAME")
    if args.markdown:
        lines = markdown()
    elif args.name:
        lines = one(args.name, _settings_file())
    else:
        lines = every(_settings_file())
    for line in lines:
        console.out(line)
    return ExitCode.OK


def _check(args: argparse.Namespace) -> ExitCode:
    if not args.checked:
        raise InputError("asrbench providers check: name the provider")
    from pytest_asrbench.commands import provider_check  # the list needs no engine

    return provider_check.run(args)


def every(file: SettingsFile | None) -> Iterator[str]:
    """The table, then what the settings file configures."""
    rows = [HEAD, *(row for each in known() for row in _rows(each))]
    yield from table.lay_out(rows, "l" * len(HEAD))
    own, fault = _own(file)
    for name in registry.known():
        if name not in registry.BUILTIN:
            whose = registry.origin(name) if name in own else "another package's"
            yield f"{name}  ({whose})"
    if fault:
        yield fault
    if file and file.providers:
        yield ""
        yield f"configured in {file.path}:"
        for name, entry in file.providers.items():
            model = f", model {entry['model']}" if "model" in entry else ""
            yield f"  {name}: {entry['use']}{model}"


def one(name: str, file: SettingsFile | None) -> Iterator[str]:
    """Protocol, needs and options of a provider or a configuration of one."""
    configured = file.providers if file else {}
    use = configured.get(name, {}).get("use", name)
    modes = [each for each in known() if each.use == use]
    own, fault = ([], None) if modes else _own(file)
    if use in own:
        yield f"{use}, a provider of yours ({registry.origin(use)})"
        return
    if fault:
        raise InputError(fault)
    if not modes:
        listed = ", ".join(sorted({*registry.known(), *configured}))
        raise InputError(f"unknown provider {name!r}; known: {listed}")
    for each in modes:
        yield f"{use}, {each.mode}"
        yield f"  needs    {', '.join(map(_need, each.needs)) or 'nothing'}"
        yield f"  model    {each.model or 'none by default'}"
        yield f"  terms    {f'sent as {each.terms}' if each.terms else 'none'}"
        yield from wrap(
            f"options  {', '.join(_options(each))}",
            initial_indent="  ",
            subsequent_indent=" " * 11,
            width=80,
        )
        yield f"  facts    {each.confidence} ({each.facts}); checked live: {each.checked_live}"
        yield ""
        yield from _documented(each).splitlines()
        yield ""


def _options(each: Known) -> Iterator[str]:
    """Those that a configuration may set; the folder is its own."""
    return (name for name in inspect.signature(each.target).parameters if name != "folder")


def markdown() -> Iterator[str]:
    """The table of docs/providers-vendors.md; the same on every machine."""
    return table.markdown(MARKDOWN, map(_told, known()), "l" * len(MARKDOWN))


def _told(each: Known) -> tuple[str, ...]:
    needed = ", ".join(f"`{need.text}`" for need in each.needs) or "nothing"
    model, terms = (f"`{text}`" if text else "" for text in (each.model, each.terms))
    return f"`{each.use}`", each.mode, model, terms, needed, each.confidence, each.checked_live


def _rows(each: Known) -> Iterator[tuple[str, ...]]:
    """One, and further ones for more needs: the table is narrow enough for a terminal."""
    ready = "yes" if each.ready else "no"
    missing = [need.text for need in each.needs if not need.met]
    first, *others = [
        line for text in missing for line in wrap(text, MISSING_WIDTH, break_long_words=False)
    ] or [""]
    yield each.use, each.mode, ready, each.confidence, each.checked_live, first
    for text in others:
        yield *[""] * (len(HEAD) - 1), text


def _need(need: Need) -> str:
    return f"{need.text} ({'there' if need.met else 'missing'})"


def _documented(each: Known) -> str:
    """The docstring of its module, which opens with the protocol."""
    return inspect.getdoc(sys.modules[each.target.__module__]) or ""


def _settings_file() -> SettingsFile | None:
    """The `asrbench.yaml` of this folder, or the nearest one above, else the only one below."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (path := folder / FILE_NAME).is_file():
            return read_settings_file(path)
    below = settings_files(here, here)
    return read_settings_file(below[0]) if len(below) == 1 else None


def _own(file: SettingsFile | None) -> tuple[Sequence[str], str | None]:
    """The names that the project's conftest files register, and why some can't be known."""
    try:
        return conftests.names(file.path.parent if file else Path.cwd()), None
    except InputError as error:
        return registry.registered(), str(error)
