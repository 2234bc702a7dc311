"""The deterministic verifier: compiles entities once, reads each transcript once, explains."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache, cached_property, lru_cache
from typing import Final

from pytest_asrbench.errors import InputError, VerifierError
from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.verifiers.base import Identity
from pytest_asrbench.verifiers.packs import PACKS, Pack, pack
from pytest_asrbench.verifiers.rules import doubts as d
from pytest_asrbench.verifiers.rules import spoken
from pytest_asrbench.verifiers.rules.difference import Target
from pytest_asrbench.verifiers.rules.family import Case, Match, families
from pytest_asrbench.verifiers.rules.knobs import Knobs, knobs
from pytest_asrbench.verifiers.rules.nearest import doubtful, nearest
from pytest_asrbench.verifiers.rules.numbers import Numbers
from pytest_asrbench.verifiers.rules.search import Compiled, search
from pytest_asrbench.verifiers.rules.tape import Tape, fold, tape
from pytest_asrbench.verifiers.rules.view import CODE, KINDS

VERSION: Final = "1"
"""Raised whenever a verdict changes; the golden test holds it to that."""

_DEFAULTS: Final = Knobs()


class Rules:
    """Recoverability by the written policy (docs/verifier.md): deterministic and offline.

    `types` maps an own entity type to the known one it is like; `policy` holds knobs per type.
    Raises InputError for an unknown type or knob.
    """

    def __init__(
        self,
        *,
        types: Mapping[str, str] | None = None,
        policy: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self.types = dict(types or {})
        self._makers = families()
        self.knobs = knobs(policy or {}, {*self._makers, *self.types})
        for own, like in self.types.items():
            if like not in self._makers:
                known = ", ".join(sorted(self._makers))
                raise InputError(
                    f"types: {own!r} is like {like!r}, which is no type; known: {known}"
                )
        self._compile = lru_cache(maxsize=8192)(self._compiled)

    @cached_property
    def identity(self) -> Identity:
        """Version, packs, own types and knobs; not the source text."""
        content = json.dumps(
            {
                "version": VERSION,
                "packs": {name: pack(name).digest() for name in sorted(PACKS)},
                "types": self.types,
                "knobs": {kind: asdict(k) for kind, k in self.knobs.items() if k != _DEFAULTS},
            },
            sort_keys=True,
        )
        return Identity("rules", VERSION, "sha256:" + hashlib.sha256(content.encode()).hexdigest())

    def judge(self, entities: Sequence[Entity], transcript: str, language: str) -> list[Verdict]:
        """One verdict an entity, in order.

        Raises VerifierError for a language without a pack and for a type that is not known.
        """
        words = pack(language)
        atoms = tape(transcript)
        return [self._judge(entity, atoms, words) for entity in entities]

    def _judge(self, entity: Entity, atoms: Tape, words: Pack) -> Verdict:
        compiled = self.compiled(entity, words)
        found, refused = search(atoms, compiled)
        if found is not None:
            return _present(atoms, found)
        return _absent(atoms, compiled[0], refused)

    def compiled(self, entity: Entity, words: Pack) -> tuple[Compiled, ...]:
        """The entity made ready, once for each form that counts. Raises VerifierError."""
        forms = (entity.canonical, *entity.accept)
        return self._compile(entity.type, forms, entity.acoustic, words.language)

    def _compiled(
        self, kind: str, forms: tuple[str, ...], acoustic: str | None, language: str
    ) -> tuple[Compiled, ...]:
        """A value's readings, one set for the canonical and for each accepted form."""
        maker = self._makers.get(self.types.get(kind, kind))
        if maker is None:
            known = ", ".join(sorted({*self._makers, *self.types}))
            raise VerifierError(f"unknown entity type {kind!r}; known: {known}; or declare it")
        return tuple(self._one(kind, form, acoustic, pack(language)) for form in forms)

    def _one(self, kind: str, text: str, acoustic: str | None, words: Pack) -> Compiled:
        chosen = self.knobs.get(kind, _DEFAULTS)
        numbers = _numbers(
            words.language, chosen.homophones == "accept", chosen.decimal_mark == "comma"
        )
        case = Case(text, acoustic, words, numbers, chosen, fold(text).strip())
        maker = self._makers[self.types.get(kind, kind)]
        shown = KINDS[maker.__module__.rpartition(".")[2]]
        if chosen.separators == "free" and shown == CODE:
            maker = self._makers["reference_id"]  # in which separators are formatting
        readings = maker(case)
        word_for_word = spoken.reading(case, readings[0])
        if word_for_word is not None:
            readings.append(word_for_word)
        return Compiled(tuple(readings), Target(case, shown, readings[0].core))


@cache
def _numbers(language: str, homophones: bool, comma_decimal: bool) -> Numbers:
    """One set of number words for all values of a language under the same knobs."""
    return Numbers(pack(language), homophones=homophones, comma_decimal=comma_decimal)


def _present(atoms: Tape, found: Match) -> Verdict:
    start, stop = atoms.span(found.start, found.end)
    evidence = atoms.text[start:stop]
    doubts = d.texts(found.doubts)
    reason = f"{evidence!r} carries it" if evidence.isprintable() else "carried"
    if doubts:
        reason += ", though " + "; ".join(doubts)
    return Verdict(True, not doubts, reason, evidence, start, stop)


def _absent(atoms: Tape, compiled: Compiled, refused: Match | None) -> Verdict:
    close = nearest(atoms, compiled.target, refused)
    found = refused.doubts if refused is not None else 0
    if close is not None and refused is None:
        found = doubtful(close, compiled.target)
    doubts = d.texts(found)
    reason = "nothing like it was heard" if close is None else close.difference
    if doubts:
        reason += "; " + "; ".join(doubts)
    return Verdict(False, not doubts, reason, nearest=close)
