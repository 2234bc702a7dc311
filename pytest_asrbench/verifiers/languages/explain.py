"""The readings of a transcript in a language that has a pack, and the addendum's rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from pytest_asrbench.model import Entity
from pytest_asrbench.verifiers.languages.matcher import VALUES
from pytest_asrbench.verifiers.languages.verdicts import ByWords
from pytest_asrbench.verifiers.rules.ambiguity import Doubt, texts

_SHOWN = 6


def explained(
    judge: ByWords, entity: Entity, transcript: str, *, verbose: bool
) -> Iterator[tuple[str, str]]:
    """(name, text) of each line: the values that were read, and the rules of the type."""
    kind = judge.types.get(entity.type, entity.type)
    at = judge.reader.line(transcript)
    if kind in VALUES:
        read = judge.reader.readings(kind, at)
        for reading in read[:_SHOWN]:
            start, stop = at.span(reading.start, reading.end)
            why = ", ".join(texts(reading.doubts))
            refused = reading.doubts & Doubt.REFUSED
            note = "; what stands beside it belongs to it" if refused else ""
            yield (
                "reading",
                f"{reading.name}: {at.text[start:stop]!r}{note}{'; ' if why else ''}{why}",
            )
        if len(read) > _SHOWN:
            yield "", f"and {len(read) - _SHOWN} more"
        if not read:
            yield "reading", "no value of this type was read"
    if verbose:
        yield "read as", at.flat
    language = judge.reader.pack.language
    rules = addendum(language)
    for number in judge.reader.pack.rules.get(kind, ()):
        if number in rules:
            yield f"{language} {number}", rules[number]


@cache
def addendum(language: str) -> dict[int, str]:
    """The numbered rules of a language that comes with the package; none for others."""
    path = files("pytest_asrbench.verifiers.packs") / "addenda" / f"{language}.md"
    if not path.is_file():
        return {}
    text = path.read_text(encoding="utf-8")
    return {int(n): rule for n, rule in re.findall(r"^(\d+)\. (.+)$", text, re.MULTILINE)}
