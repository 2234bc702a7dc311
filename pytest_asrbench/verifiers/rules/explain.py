"""Explains why a value counts or not, to a user who disputes a verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap

from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.verifiers.packs import Pack, pack
from pytest_asrbench.verifiers.rules.ambiguity import Doubt, texts
from pytest_asrbench.verifiers.rules.family import FamilyMatch, FamilyReading
from pytest_asrbench.verifiers.rules.fillers import without_fillers
from pytest_asrbench.verifiers.rules.policy import ALWAYS, MAIN, RULES
from pytest_asrbench.verifiers.rules.search import Compiled, search
from pytest_asrbench.verifiers.rules.tokens import Tokens, tokenise
from pytest_asrbench.verifiers.rules.verifier import Rules

WIDTH = 80
_INDENT = 12
_SHOWN = 6
_MOST_RULES = 3
_RULE = re.compile(r"\(rule (\d+)\)")


def explain(
    rules: Rules, entity: Entity, transcript: str, language: str, *, verbose: bool = False
) -> Iterator[str]:
    """Lines: the verdict, its evidence or the nearest miss, what decided, the rules that did.

    `verbose`: every reading with its matches, the tokens, all rules that bind the type.
    Raises VerifierError as `judge` does.
    """
    words = pack(language, rules.packs)
    verdict = rules.judge([entity], transcript, language)[0]
    yield from _line("value", f"{entity.type}  {entity.canonical}")
    if entity.acoustic:
        yield from _line("spoken as", entity.acoustic)
    yield from _verdict(verdict)
    if not words.families:
        from pytest_asrbench.verifiers.languages.explain import explained  # not for English

        judge = rules.matcher.by_words(words, language)
        for name, text in explained(judge, entity, transcript, verbose=verbose):
            yield from _line(name, text)
        return
    compiled = rules.matcher.compiled(entity, words)
    tokens = tokenise(transcript)
    decided = _decided(tokens, compiled, words)
    if decided is not None:
        yield from _line("decided by", decided.reading.name)
    if verbose:
        yield from _everything(transcript, tokens, compiled, words)
    else:
        kind = rules.types.get(entity.type, entity.type)
        for number in _deciding(verdict, decided, kind):
            yield from _line(f"rule {number}", RULES[number])


def _decided(tokens: Tokens, compiled: Sequence[Compiled], words: Pack) -> FamilyMatch | None:
    """The match that counts, or else the one that its surroundings refuse."""
    match, refused = search(tokens, compiled)
    fluent = without_fillers(tokens, words.fillers)
    if match is None and fluent is not None:
        match, longer = search(fluent, compiled)
        refused = refused or longer
    return match or refused


def _deciding(verdict: Verdict, decided: FamilyMatch | None, kind: str) -> list[int]:
    """The two or three rules that this verdict rests on."""
    told = [int(number) for number in _RULE.findall(verdict.reason)]
    main = [MAIN[kind]] if kind in MAIN else []
    if verdict.present:
        own = [32] if decided is not None and 32 in decided.reading.rules else []
        rules = [*own, *told, *main, 1]
    elif decided is not None:
        whole = next((rule for rule in (41, 46) if rule in decided.reading.rules), 38)
        rules = [*told, whole, *main, 4]
    else:
        heard = [41] if verdict.reason.endswith("in front") else []
        rules = [*told, *heard, *main, 3]
    return list(dict.fromkeys(rules))[:_MOST_RULES]


def _everything(
    transcript: str, tokens: Tokens, compiled: Sequence[Compiled], words: Pack
) -> Iterator[str]:
    numbers: set[int] = set(ALWAYS)
    fluent = without_fillers(tokens, words.fillers)
    if fluent is not None:
        numbers.add(33)
    for form in compiled:
        for reading in form.readings:
            numbers.update(reading.rules)
            yield from _line("reading", f"{reading.name}: {_matches(transcript, tokens, reading)}")
            if fluent is not None:
                places = _matches(transcript, fluent, reading)
                yield from _line("", f"without fillers: {places}")
    yield from _line("tokens", " ".join(_shown_tokens(tokens)))
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


def _matches(transcript: str, tokens: Tokens, reading: FamilyReading) -> str:
    matches = [_match(transcript, tokens, match) for match in reading.matches(tokens)]
    if not matches:
        return "not found"
    more = f"; and {len(matches) - _SHOWN} more" if len(matches) > _SHOWN else ""
    return "; ".join(matches[:_SHOWN]) + more


def _match(transcript: str, tokens: Tokens, match: FamilyMatch) -> str:
    start, stop = tokens.span(match.start, match.end)
    text = repr(transcript[start:stop])
    why = ", ".join(texts(match.doubts))
    if match.doubts & Doubt.REFUSED:
        return f"{text} refused, what stands beside it belongs to it" + (f" ({why})" if why else "")
    return f"{text} matches" + (f", disputable: {why}" if why else "")


def _shown_tokens(tokens: Tokens) -> Iterator[str]:
    """Runs and signs; those that stand together are joined by a dot."""
    i = 0
    while i < len(tokens):
        end = i + len(tokens.runs.get(i, tokens.flat[i]))
        piece = tokens.flat[i:end]
        yield piece if piece.isprintable() else ascii(piece)
        i = end


def _line(name: str, text: str) -> Iterator[str]:
    """`name` in its column, `text` wrapped beside it."""
    lines = wrap(text, WIDTH - _INDENT, break_on_hyphens=False) or [""]
    yield f"{name:<{_INDENT}}{lines[0]}"
    for line in lines[1:]:
        yield " " * _INDENT + line
