"""
What a family is: for one entity, the readings that carry it and the boundaries they need.

A new type is one `@family("name")` function, or `like:` an existing one in the settings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.rules.edges import Check
from pytest_asrbench.verifiers.rules.knobs import Knobs
from pytest_asrbench.verifiers.rules.numbers import Numbers
from pytest_asrbench.verifiers.rules.pattern import Pattern
from pytest_asrbench.verifiers.rules.tape import fold

MODULES = (
    "contact",
    "network",
    "developer",
    "identifiers",
    "quantities",
    "money",
    "calendar",
    "clock",
    "lexical",
    "addresses",
)


@dataclass(frozen=True)
class Case:
    """One value to look for: its folded text, spoken form, and the words and knobs in force."""

    text: str
    acoustic: str | None
    pack: Pack
    numbers: Numbers
    knobs: Knobs
    folded: str
    """The value, folded, outer white space dropped."""

    @cached_property
    def spoken(self) -> str:
        """The spoken form, folded; "" where the dataset has none."""
        return fold(self.acoustic or "").strip()


@dataclass(frozen=True)
class Reading:
    """One way to carry the value; `name` is what `asrbench explain` shows."""

    name: str
    pattern: Pattern
    edges: Check
    rules: tuple[int, ...] = ()
    doubts: int = 0
    core: Pattern | None = None
    """The figure without its unit, to explain a miss."""

    def only(self, check: Check) -> Reading:
        """The same reading with one more look at a whole match."""
        edges = self.edges
        return replace(self, edges=lambda tape, i, e: edges(tape, i, e) | check(tape, i, e))


@dataclass(frozen=True, slots=True)
class Match:
    """Where a reading was found, in atoms; `doubts` are why readers may dispute it."""

    start: int
    end: int
    doubts: int
    reading: Reading


Maker = Callable[[Case], list[Reading]]
_FAMILIES: dict[str, Maker] = {}


def family(*types: str) -> Callable[[Maker], Maker]:
    """Register the maker of readings for some entity types."""

    def register(maker: Maker) -> Maker:
        _FAMILIES.update(dict.fromkeys(types, maker))
        return maker

    return register


def families() -> Mapping[str, Maker]:
    """Every known type with the function that makes its readings."""
    for name in MODULES:
        import_module(f"pytest_asrbench.verifiers.rules.families.{name}")
    return _FAMILIES
