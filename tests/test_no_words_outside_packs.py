"""What reads a language by its pack holds no word of any language itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

import pytest_asrbench.verifiers.languages as package
from pytest_asrbench.verifiers.packs import PACKS, pack

MODULES = sorted(Path(package.__file__).parent.glob("*.py"))
OURS = {
    # Keys of the packs' own tables: units, kinds of characters, halves of the day.
    "kg", "ml", "min", "ft", "lb", "oz", "cm", "mm", "km", "am", "pm", "nd", "no",
}  # fmt: skip
ENGLISH = pack("en")


def words_of(value: Any) -> Iterator[str]:
    """Every word of a part of a pack, in whatever it is held."""
    if isinstance(value, str):
        yield from re.findall(r"[^\W\d_]{2,}", re.sub(r"\{\w+\}", " ", value.casefold()))
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from words_of(getattr(value, field.name))
    elif hasattr(value, "items"):
        for key, one in value.items():
            yield from words_of(key)
            yield from words_of(one)
    elif isinstance(value, tuple | list | frozenset):
        for one in value:
            yield from words_of(one)


def literals(path: Path) -> Iterator[str]:
    """Texts in the code, docstrings and messages aside."""
    tree = ast.parse(path.read_text("utf-8"))
    told = {
        id(node)
        for stated in ast.walk(tree)
        if isinstance(stated, ast.JoinedStr | ast.Expr | ast.Raise)
        for node in ast.walk(stated)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


def spoken() -> set[str]:
    """Words of numbers, signs, calendars and clocks of every pack.

    Those that are English too are left out: names of readings and types are English.
    """
    found: set[str] = set()
    for code in set(PACKS) - {"en"}:
        words = pack(code)
        held = (words.numbers, words.signs, words.calendar, words.clock, words.fillers)
        found |= {word for part in held for word in words_of(part)}
    return found - set(words_of(ENGLISH))


@pytest.mark.slow
@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_word_of_a_language_stands_in_the_reader(path: Path) -> None:
    held = {word for text in literals(path) for word in words_of(text)}

    assert held & spoken() - OURS == set()


def test_no_language_is_named_in_the_reader() -> None:
    for path in MODULES:
        assert not {*literals(path)} & set(PACKS), path
