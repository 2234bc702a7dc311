"""The words of the house: each class name means one thing, and the map shows what is there."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import pytest

import pytest_asrbench

PACKAGE = Path(pytest_asrbench.__file__).parent
PAGE = PACKAGE.parent / "docs" / "architecture.md"
NO_ROOM = {"__init__", "data", "templates", "suite", "py", "__pycache__"}


def classes():
    """The modules that define each class name."""
    homes = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].add(str(path.relative_to(PACKAGE)))
    return homes


def test_a_public_class_name_means_one_thing():
    several = {name: homes for name, homes in classes().items() if len(homes) > 1}

    assert {name: homes for name, homes in several.items() if not name.startswith("_")} == {}


def names(tree):
    """Every name that is bound: locals, arguments, attributes, functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name


def test_what_was_found_is_named():
    trees = {path: ast.parse(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")}

    assert [str(path) for path, tree in trees.items() if "found" in set(names(tree))] == []


def test_the_map_shows_every_room_and_no_other():
    table = PAGE.read_text("utf-8").partition("| room |")[2].partition("\n\n")[0]
    first = [row.split("|")[1] for row in table.splitlines() if row.startswith("|")]
    shown = {name.rstrip("/") for cell in first for name in re.findall(r"`([\w/]+)`", cell)}
    there = {path.stem for path in PACKAGE.iterdir()} - NO_ROOM

    assert shown == there


def test_the_glossary_names_what_is_there():
    text = PAGE.read_text("utf-8").partition("## Words")[2]
    named = set(re.findall(r"`([A-Z]\w+)`", text))

    assert len(named) > 25
    assert named - set(classes()) == set()


@pytest.mark.parametrize("folder", ["bench", "tools"])
def test_scripts_import_what_is_there(folder):
    """Nothing else looks at them: a bench is run by hand, a tool once a year."""
    checked = 0
    for path in (PACKAGE.parent / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE.name):
                module = import_module(node.module or "")
                for alias in node.names:
                    there = hasattr(module, alias.name)
                    assert there or import_module(f"{node.module}.{alias.name}"), path
                    checked += 1
    assert checked
