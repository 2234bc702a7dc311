"""The deterministic verifier: what it is set to, and who judges by that."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pytest_asrbench.datasets.types import ENTITY_TYPES
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.verifiers import external
from pytest_asrbench.verifiers.base import Identity
from pytest_asrbench.verifiers.languages import VERSION as LANGUAGES_VERSION
from pytest_asrbench.verifiers.packs import checked, known, pack, subtags
from pytest_asrbench.verifiers.rules.rule_options import RuleOptions, options_by_type

if TYPE_CHECKING:  # all of the rules: imported when the first entity is compiled
    from pytest_asrbench.verifiers.rules.matcher import Matcher

VERSION: Final = "4"
"""Raised whenever a verdict changes; the golden test holds it to that."""


class Rules:
    """Recoverability by the written policy (docs/verifier.md): deterministic and offline.

    `types` maps a custom entity type to the known one it is like; `policy` holds options per type;
    `packs` names packs of the user's own by language ("module:attr"). `languages` are those of the
    whole dataset: the identity covers their packs, and no others.
    Raises InputError for an unknown type or option, and for what is no pack.
    """

    def __init__(
        self,
        *,
        types: Mapping[str, str] | None = None,
        policy: Mapping[str, Mapping[str, str]] | None = None,
        packs: Mapping[str, str] | None = None,
        languages: Iterable[str] = ("en",),
    ) -> None:
        self.types = dict(types or {})
        self.packs = {
            subtag: checked(subtag, external.resolve(name))
            for subtag, name in (packs or {}).items()
        }
        self.languages = sorted({subtags(language)[0] for language in languages})
        self.policy = {kind: dict(stated) for kind, stated in (policy or {}).items()}
        self.options = options_by_type(policy or {}, {*ENTITY_TYPES, *self.types})
        for own, like in self.types.items():
            if like not in ENTITY_TYPES:
                known = ", ".join(sorted(ENTITY_TYPES))
                raise InputError(
                    f"types: {own!r} is like {like!r}, which is no type; known: {known}"
                )

    @cached_property
    def identity(self) -> Identity:
        """Version, packs, custom types and options; not the source text."""
        plain = RuleOptions()
        packs = {name: pack(name, self.packs) for name in self.languages if known(name, self.packs)}
        by_words = any(not words.families for words in packs.values())
        content = json.dumps(
            {
                "version": VERSION,
                "packs": {name: words.digest() for name, words in packs.items()},
                **({"languages": LANGUAGES_VERSION} if by_words else {}),
                **({"policy": self.policy} if by_words and self.policy else {}),
                "types": self.types,
                "knobs": {kind: asdict(k) for kind, k in self.options.items() if k != plain},
            },
            sort_keys=True,
        )
        return Identity("rules", VERSION, "sha256:" + hashlib.sha256(content.encode()).hexdigest())

    @cached_property
    def matcher(self) -> Matcher:
        """The matcher that compiles entities and gives verdicts under these types and options."""
        from pytest_asrbench.verifiers.rules.matcher import Matcher

        return Matcher(self.types, self.options, self.packs, self.policy)

    def prepare(self, entities: Sequence[Entity], language: str) -> None:
        """Compile what will be judged, which takes longer than judging.

        Raises VerifierError for a language without a pack and for a type that is not known.
        """
        words = pack(language, self.packs)
        for entity in entities:
            if words.families:
                self.matcher.prepared(entity, words)

    def doubted(self, entity: Entity, language: str) -> tuple[str | None, str | None]:
        """Reasons why a value can't be one of its type ("is no date"), or why recovering it would
        say little; None and None for an ordinary one. Raises VerifierError as `judge` does."""
        return self.matcher.doubted(entity, language)

    def judge(self, entities: Sequence[Entity], transcript: str, language: str) -> list[Verdict]:
        """One verdict an entity, in order.

        Raises VerifierError for a language without a pack and for a type that is not known.
        """
        return self.matcher.verdicts(entities, transcript, language)
