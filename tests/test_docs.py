"""README and docs say what is so: options, commands and links exist, and outputs are real."""

from __future__ import annotations

import argparse
import re
import runpy
from functools import cache
from pathlib import Path

import pytest

from pytest_asrbench.cli import COMMANDS, command_module
from pytest_asrbench.providers.facts import known
from pytest_asrbench.settings.options import OPTIONS
from pytest_asrbench.verifiers.packs import PACKS

ROOT = Path(__file__).parent.parent
SITE_ALONE = {"commands.md"}  # made when the site is built
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "example_project" / "README.md",
    *(page for page in (ROOT / "docs").glob("*.md") if page.name not in SITE_ALONE),
]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
FLAGS = {option.flag for option in OPTIONS}
FILL = runpy.run_path(str(ROOT / "tools" / "fill_outputs.py"))


def text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def code(page: str) -> list[str]:
    """Fenced and indented blocks, and code in the prose."""
    fenced = re.findall(r"^```\w*\n(.*?)^```", text(page), re.DOTALL | re.MULTILINE)
    indented = re.findall(r"^    \S.*$", text(page), re.MULTILINE)
    return fenced + indented + re.findall(r"`([^`\n]+)`", text(page))


def test_the_pages_are_found():
    assert len(PAGES) > 15


@pytest.mark.parametrize("page", NAMES)
def test_every_option_exists(page):
    assert set(re.findall(r"(?<![\w-])--asr-[a-z-]*[a-z]", text(page))) <= FLAGS


@pytest.mark.parametrize("page", NAMES)
def test_every_link_leads_somewhere(page):
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text(page))

    assert [link for link in links if not ((ROOT / page).parent / link).exists()] == []


@cache
def options_of(command: str) -> frozenset[str]:
    """Every option of a command, those of its sub-commands too."""
    parser = argparse.ArgumentParser(prog="asrbench")
    command_module(command).add_arguments(parser)
    found: set[str] = set()
    left = [parser]
    while left:
        for action in left.pop()._actions:
            found.update(action.option_strings)
            if isinstance(action, argparse._SubParsersAction):
                left.extend(action.choices.values())
    return frozenset(found)


@pytest.mark.parametrize("page", NAMES)
def test_every_asrbench_command_and_its_options_exist(page):
    used = [
        (match[1], re.findall(r"(?<=\s)--[a-z][a-z-]*", match[2]))
        for block in code(page)
        for match in re.finditer(r"(?:^|[\s/])asrbench ([a-z]+)((?:[^\n|&;#]|\\\n)*)", block)
    ]

    unknown = [command for command, _ in used if command not in COMMANDS]
    assert unknown == []
    wrong = [(c, o) for c, given in used for o in given if o not in options_of(c)]
    assert wrong == []


def same(output: str) -> str:
    """Without what differs from run to run and from machine to machine."""
    for pattern, instead in (
        (r"\d{4}-\d\d-\d\dT[\d:.]+Z(, commit \w+)?", "<date>"),
        (r"(?m), \d{4}-\d\d-\d\d$", ", <day>"),
        (r'time="[\d.]+"', 'time="<time>"'),
        (r"in \d+\.\d+s( \(\d:\d\d:\d\d\))?", "in <time>"),
        (r"=+", "="),
        (r"(?m)^  plugin .*(\n {15}.*)*", "  plugin"),
        (r"\d+(\.\d+)? (ms|s)\b", "<time>"),
    ):
        output = re.sub(pattern, instead, output)
    return output


@pytest.mark.slow
@pytest.mark.parametrize("page", [name for name in NAMES if "<!-- output" in text(name)])
def test_outputs_are_what_the_commands_print(page, monkeypatch):
    for variable in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "PYTEST_ADDOPTS", "CI"):
        monkeypatch.delenv(variable, raising=False)

    assert same(FILL["filled"](text(page))) == same(text(page))


LANGUAGES = {
    "en": "English",
    "de": "German",
    "es": "Spanish",
    "fr": "French",
    "hi": "Hindi",
    "it": "Italian",
    "ja": "Japanese",
    "pt": "Portuguese",
    "tr": "Turkish",
    "vi": "Vietnamese",
    "zh": "Chinese",
}


def test_readme_tells_the_languages_and_what_was_not_checked_live():
    readme = " ".join(text("README.md").split())

    assert set(LANGUAGES) == set(PACKS)
    listed = re.search(r"Values are judged in (.+?)\.", readme)
    assert listed
    assert set(re.findall(r"[A-Z][a-z]+", listed[1])) == set(LANGUAGES.values())
    keyed = [each for each in known() if getattr(each.target, "KEY", None)]
    assert keyed
    never = all(each.checked_live == "never" for each in keyed)
    assert never == ("No vendor's adapter has been checked against its live service" in readme)
