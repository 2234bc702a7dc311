"""Verdicts of a language whose pack is all that is known of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_asrbench.errors import VerifierError, one_line
from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.verifiers.languages.line import Line
from pytest_asrbench.verifiers.languages.matcher import TYPES, Reader, Value, reader
from pytest_asrbench.verifiers.languages.stated import stated
from pytest_asrbench.verifiers.packs import Pack, subtags

_FAULTS = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


@dataclass(frozen=True, eq=False)
class ByWords:
    """Judges entities of a clip under custom types and options."""

    reader: Reader
    types: Mapping[str, str]
    policy: Mapping[str, Mapping[str, str]]

    @classmethod
    def of(
        cls,
        pack: Pack,
        language: str,
        types: Mapping[str, str],
        policy: Mapping[str, Mapping[str, str]],
    ) -> ByWords:
        """`language` is the clip's tag: its region chooses marks and orders, where `policy` does
        not."""
        _, region = subtags(language)
        return cls(reader(pack, region or pack.region), types, policy)

    def reader_of(self, kind: str) -> Reader:
        """The reader of a type: another where options are stated for it."""
        if kind not in self.policy:
            return self.reader
        return reader(self.reader.pack, self.reader.region, stated(self.policy[kind]))

    def verdicts(self, entities: Sequence[Entity], transcript: str) -> list[Verdict]:
        """One an entity, in order.

        Raises VerifierError for a type or part that is not known, with the other values' verdicts.
        """
        readers = {kind: self.reader_of(kind) for kind in {one.type for one in entities}}
        lines = {one: one.line(transcript) for one in {*readers.values()}}
        attempts = [
            self._attempt(entity, readers[entity.type], lines[readers[entity.type]])
            for entity in entities
        ]
        failures = [one for one in attempts if isinstance(one, VerifierError)]
        if failures:
            verdicts = tuple(one if isinstance(one, Verdict) else None for one in attempts)
            raise VerifierError("; ".join(map(str, failures)), verdicts=verdicts)
        return [one for one in attempts if isinstance(one, Verdict)]

    def _attempt(self, entity: Entity, reader: Reader, at: Line) -> Verdict | VerifierError:
        """The verdict, or what hindered it: it costs that value's verdict alone."""
        try:
            return self._verdict(entity, reader, at)
        except VerifierError as error:
            return error
        except _FAULTS as error:  # of the reader itself
            value = f"{entity.type} {entity.canonical!r}"
            return VerifierError(f"entity {entity.id}, {value}: {one_line(error)}")

    def _verdict(self, entity: Entity, reader: Reader, at: Line) -> Verdict:
        kind = self.types.get(entity.type, entity.type)
        if kind not in TYPES:
            listed = ", ".join(sorted({*TYPES, *self.types}))
            raise VerifierError(f"unknown entity type {entity.type!r}; known: {listed}")
        verdicts = []
        for form in (entity.canonical, *entity.accept):
            verdict = reader.verdict(Value(kind, form, entity.acoustic), at)
            if verdict.present and verdict.sure:
                return verdict
            verdicts.append(verdict)
        return next((v for v in verdicts if v.present), verdicts[0])
