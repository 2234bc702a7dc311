"""Why a value counts or not, for a user who disputes a verdict."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.verifiers.packs import pack
from pytest_asrbench.verifiers.rules import doubts as d
from pytest_asrbench.verifiers.rules.edges import REFUSED
from pytest_asrbench.verifiers.rules.family import Match, Reading
from pytest_asrbench.verifiers.rules.fillers import without_fillers
from pytest_asrbench.verifiers.rules.policy import ALWAYS, RULES
from pytest_asrbench.verifiers.rules.tape import Tape, tape
from pytest_asrbench.verifiers.rules.verifier import Rules

WIDTH = 80
_INDENT = 12
_SHOWN = 6


def explain(rules: Rules, entity: Entity, transcript: str, language: str) -> Iterator[str]:
    """Lines: the verdict, each reading with what it found, the atoms, the rules that bind.

    Raises VerifierError as `judge` does.
    """
    atoms = tape(transcript)
    verdict = rules.judge([entity], transcript, language)[0]
    yield from _line("value", f"{entity.type}  {entity.canonical}")
    if entity.acoustic:
        yield from _line("spoken as", entity.acoustic)
    yield from _verdict(verdict)
    numbers: set[int] = set(ALWAYS)
    words = pack(language, rules.packs)
    if not words.families:
        from pytest_asrbench.verifiers.languages.explain import explained  # not for English

        for name, text in explained(rules.judging.by_words(words, language), entity, transcript):
            yield from _line(name, text)
        return
    fluent = without_fillers(atoms, words.fillers)
    if fluent is not None:
        numbers.add(33)
    for form in rules.judging.compiled(entity, words):
        for reading in form.readings:
            numbers.update(reading.rules)
            yield from _line("reading", f"{reading.name}: {_found(transcript, atoms, reading)}")
            if fluent is not None:
                found = _found(transcript, fluent, reading)
                yield from _line("", f"without fillers: {found}")
    yield from _line("atoms", " ".join(_atoms(atoms)))
    for number in sorted(numbers):
        yield from _line(f"rule {number}", RULES[number])


def _verdict(verdict: Verdict) -> Iterator[str]:
    word = "present" if verdict.present else "absent"
    yield from _line("verdict", f"{word}, {'sure' if verdict.sure else 'unsure'}: {verdict.reason}")
    if verdict.evidence is not None:
        place = f"characters {verdict.start} to {verdict.end}"
        yield from _line("evidence", f"{verdict.evidence!r}, {place}")
    if verdict.nearest is not None:
        near = verdict.nearest
        yield from _line("nearest", f"{near.text!r}, characters {near.start} to {near.end}")


def _found(transcript: str, atoms: Tape, reading: Reading) -> str:
    found = [_match(transcript, atoms, match) for match in reading.found(atoms)]
    if not found:
        return "not found"
    more = f"; and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return "; ".join(found[:_SHOWN]) + more


def _match(transcript: str, atoms: Tape, match: Match) -> str:
    start, stop = atoms.span(match.start, match.end)
    text = repr(transcript[start:stop])
    why = ", ".join(d.texts(match.doubts))
    if match.doubts & REFUSED:
        return f"{text} refused, what stands beside it belongs to it" + (f" ({why})" if why else "")
    return f"{text} matches" + (f", disputable: {why}" if why else "")


def _atoms(atoms: Tape) -> Iterator[str]:
    """Runs and signs; those that stand together are joined by a dot."""
    i = 0
    while i < len(atoms):
        end = i + len(atoms.runs.get(i, atoms.flat[i]))
        piece = atoms.flat[i:end]
        yield piece if piece.isprintable() else ascii(piece)
        i = end


def _line(name: str, text: str) -> Iterator[str]:
    """`name` in its column, `text` wrapped beside it."""
    lines = wrap(text, WIDTH - _INDENT, break_on_hyphens=False) or [""]
    yield f"{name:<{_INDENT}}{lines[0]}"
    for line in lines[1:]:
        yield " " * _INDENT + line
