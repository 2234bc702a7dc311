"""
Language packs: the words of one language that the rules need. A language is one module here.

`pack("en-US")` finds the pack by the primary subtag; a language without one is an error, never
English.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from pytest_asrbench.errors import VerifierError
from pytest_asrbench.verifiers.packs.pack import Pack
from pytest_asrbench.verifiers.packs.parts import (
    Addresses,
    Calendar,
    Clock,
    Currencies,
    Currency,
    Letters,
    Numbers,
    Signs,
    Units,
)

PACKS: Mapping[str, str] = {"en": "pytest_asrbench.verifiers.packs.en:ENGLISH"}
"""Primary language subtag -> where its pack is. Another language is one more line and module."""


@cache
def _load(subtag: str) -> Pack:
    module, _, name = PACKS[subtag].partition(":")
    found = getattr(import_module(module), name)
    assert isinstance(found, Pack)
    return found


def pack(language: str) -> Pack:
    """The pack of a BCP 47 tag ("en", "en-US").

    Raises VerifierError where no pack knows the language.
    """
    subtag = language.replace("_", "-").split("-")[0].strip().lower()
    if subtag not in PACKS:
        known = ", ".join(sorted(PACKS))
        raise VerifierError(
            f"no language pack for {language!r}; the rules verifier knows: {known};"
            " correct the clip's language or choose another verifier"
        )
    return _load(subtag)


__all__ = [
    "PACKS", "Addresses", "Calendar", "Clock", "Currencies", "Currency", "Letters", "Numbers",
    "Pack", "Signs", "Units", "pack",
]  # fmt: skip
