"""Imports flow one way, and only the plugin knows pytest."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import pytest_asrbench

PACKAGE = Path(pytest_asrbench.__file__).parent
ORDER = [
    # Each imports only from itself and from its left.
    ("loglines",),
    ("errors",),
    ("clock",),
    ("counts",),
    ("model",),
    ("files",),
    ("settings",),
    ("audio",),
    ("conditions",),
    ("datasets",),
    ("providers",),
    ("verifiers",),
    ("lint",),
    ("store",),
    ("engine",),
    ("metrics",),
    ("run",),
    ("gates",),
    ("comparison",),
    ("reports",),
    ("audit",),
    ("exchange",),
    ("plugin", "cli", "commands"),
]
RANK = {part: rank for rank, parts in enumerate(ORDER) for part in parts}
MODULES = sorted(PACKAGE.rglob("*.py"))
KNOWS_PYTEST = {"plugin", "suite"}


def part_of(path: Path) -> str:
    """`providers` for providers/http.py, `model` for model.py."""
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """(row, dotted name) of everything that a module imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: import by full name"
            module = node.module or ""
            # `from pytest_asrbench import x` imports the part x.
            names = [f"{module}.{alias.name}" for alias in node.names]
            yield from ((node.lineno, name) for name in names)


def test_every_part_has_its_place_on_the_road():
    parts = {part_of(path) for path in MODULES} - {"__init__", "suite"}

    assert parts - set(RANK) == set()
    assert len(MODULES) > 50


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_from_its_left(path):
    here = part_of(path)
    if here in ("__init__", "suite"):
        return
    backward = [
        f"{path.name}:{row}: {name}"
        for row, name in imports(path)
        if name.startswith("pytest_asrbench.")
        for part in [name.split(".")[1]]
        if part in RANK and part != here and RANK[part] >= RANK[here] and part not in peers(here)
    ]

    assert backward == []


def peers(part: str) -> set[str]:
    """`cli` and `commands` are one part in two places; the plugin stands alone beside them."""
    return {"cli", "commands"} if part in ("cli", "commands") else set()


def test_only_the_plugin_imports_pytest():
    guilty = [
        f"{path.relative_to(PACKAGE)}:{row}"
        for path in MODULES
        if part_of(path) not in KNOWS_PYTEST
        for row, name in imports(path)
        if name.split(".")[0] in ("pytest", "_pytest", "xdist", "pluggy")
    ]

    assert guilty == []


def test_nobody_imports_pytests_private_parts():
    guilty = [
        f"{path.relative_to(PACKAGE)}:{row}: {name}"
        for path in MODULES
        for row, name in imports(path)
        if name.split(".")[0] == "_pytest"
    ]

    assert guilty == []


def test_a_backward_edge_would_be_found(tmp_path, monkeypatch):
    module = tmp_path / "model.py"
    module.write_text("def f():\n    from pytest_asrbench.reports import terminal\n")

    assert list(imports(module)) == [(2, "pytest_asrbench.reports.terminal")]
    assert RANK["reports"] > RANK["model"]
