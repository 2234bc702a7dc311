"""
Templates of a pack: how dates and times are said and written, one a line.

    {d} de|del? {mon} {y}        slots, words, another, an optional one; "_" is a space in a word
    halb {h} = -30               what the words do to the value stands behind " = "
    {h}:{mm}                     signs stand as they are; white space is free everywhere
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_asrbench.verifiers.languages.line import Line
from pytest_asrbench.verifiers.languages.tables import Tables

Slot = Callable[[Line, int], Iterator[tuple[Any, int]]]


@dataclass(frozen=True, slots=True, eq=False)
class _Element:
    slot: str
    words: dict[str, Any]
    sign: str
    optional: bool


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """A compiled template."""

    text: str
    elements: tuple[_Element, ...]
    effect: str

    def match(
        self, line: Line, i: int, slots: Mapping[str, Slot], tables: Tables
    ) -> Iterator[tuple[dict[str, Any], int]]:
        """(values of the slots, end) of every way in which it fits at i."""
        yield from self._from(0, line, i, {}, slots, tables)

    def _from(
        self,
        k: int,
        line: Line,
        i: int,
        held: dict[str, Any],
        slots: Mapping[str, Slot],
        tables: Tables,
    ) -> Iterator[tuple[dict[str, Any], int]]:
        if k == len(self.elements):
            yield held, i
            return
        element = self.elements[k]
        place = line.next(i) if k else i
        if element.optional:
            yield from self._from(k + 1, line, i, held, slots, tables)
        if element.slot:
            for value, end in slots[element.slot](line, place):
                more = {**held, element.slot: value}
                yield from self._from(k + 1, line, end, more, slots, tables)
        elif element.sign:
            if line.flat.startswith(element.sign, place):
                yield from self._from(k + 1, line, place + len(element.sign), held, slots, tables)
        else:
            for _, end in tables.at(element.words, line, place):
                yield from self._from(k + 1, line, end, held, slots, tables)


def compiled(text: str, tables: Tables) -> Template:
    """A template made ready."""
    body, _, effect = text.partition(" = ")
    elements = []
    for token in body.split():
        optional = token.endswith("?")
        for piece in re.findall(r"\{\w+\}|[^{}]+", token.removesuffix("?")):
            if piece.startswith("{"):
                elements.append(_Element(piece[1:-1], {}, "", optional))
            elif any(c.isalnum() for c in piece):
                words = [one.replace("_", " ") for one in piece.split("|")]
                elements.append(_Element("", tables.listed(words), "", optional))
            else:
                elements.append(_Element("", {}, piece, optional))
    return Template(text, tuple(elements), effect.strip())
