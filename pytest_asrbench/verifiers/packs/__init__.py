"""
Language packs: the words of one language that the rules need. A language is one module here.

`pack("en-US")` finds the pack by the primary subtag; a language without one is an error, never
English. A pack may also come from an installed package, by an entry point in the group
`pytest_asrbench.packs` named like the language, or from the user's repository, by `packs:` in the
settings. See docs/languages.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from pytest_asrbench.errors import InputError, VerifierError
from pytest_asrbench.verifiers.packs import common
from pytest_asrbench.verifiers.packs.grammar import Grammar, GrammarPlace
from pytest_asrbench.verifiers.packs.pack import Pack
from pytest_asrbench.verifiers.packs.parts import (
    Addresses,
    Calendar,
    ClockWords,
    Currencies,
    Currency,
    LetterNames,
    NumberWords,
    Script,
    Signs,
    Units,
)

GROUP = "pytest_asrbench.packs"
_HERE = "pytest_asrbench.verifiers.packs"
PACKS: Mapping[str, str] = {
    "de": f"{_HERE}.de:GERMAN",
    "en": f"{_HERE}.en:ENGLISH",
    "es": f"{_HERE}.es:SPANISH",
    "fr": f"{_HERE}.fr:FRENCH",
    "hi": f"{_HERE}.hi:HINDI",
    "it": f"{_HERE}.it:ITALIAN",
    "ja": f"{_HERE}.ja:JAPANESE",
    "pt": f"{_HERE}.pt:PORTUGUESE",
    "tr": f"{_HERE}.tr:TURKISH",
    "vi": f"{_HERE}.vi:VIETNAMESE",
    "zh": f"{_HERE}.zh:MANDARIN",
}
"""Primary language subtag -> where its pack is. Only one that is asked for is imported."""

NONE: Mapping[str, Pack] = {}


@lru_cache(maxsize=256)
def subtags(language: str) -> tuple[str, str]:
    """Language and region of a BCP 47 tag: ("es", "MX"), ("zh", "TW") of "zh-Hant-TW"."""
    first, *rest = language.replace("_", "-").strip().split("-")
    regions = [part.upper() for part in rest if len(part) == 2 or part.isdigit()]
    return first.lower(), regions[0] if regions else ""


def pack(language: str, own: Mapping[str, Pack] = NONE) -> Pack:
    """The pack of a BCP 47 tag ("en", "en-US"); one of the user's `own` comes first.

    Raises VerifierError where no pack knows the language.
    """
    subtag, _ = subtags(language)
    known_pack = own.get(subtag) or _load(subtag)
    if known_pack is None:
        raise VerifierError(
            f"no language pack for {language!r}; the rules verifier knows: {listed(own)};"
            " correct the clip's language, choose another verifier, or add a pack"
            " (docs/languages.md)"
        )
    return known_pack


def listed(own: Mapping[str, Pack] = NONE) -> str:
    """All languages that have a pack, for messages."""
    return ", ".join(sorted({*PACKS, *own, *_installed()}))


def known(language: str, own: Mapping[str, Pack] = NONE) -> bool:
    """True if a pack knows the language."""
    subtag, _ = subtags(language)
    return subtag in own or subtag in PACKS or subtag in _installed()


@cache
def _load(subtag: str) -> Pack | None:
    if subtag in PACKS:
        module, _, name = PACKS[subtag].partition(":")
        return checked(subtag, getattr(import_module(module), name))
    for point in entry_points(group=GROUP, name=subtag):
        return checked(subtag, point.load())
    return None


def _installed() -> frozenset[str]:
    return frozenset(entry_points(group=GROUP).names)


def checked(subtag: str, candidate: Any) -> Pack:
    """The pack that was named for a language. Raises InputError for anything else."""
    if not isinstance(candidate, Pack):
        raise InputError(f"packs.{subtag}: {candidate!r} is no Pack; see docs/languages.md")
    if candidate.language != subtag:
        raise InputError(f"packs.{subtag}: this pack is of {candidate.language!r}; name it so")
    return candidate


__all__ = [
    "NONE",
    "PACKS",
    "Addresses",
    "Calendar",
    "ClockWords",
    "Currencies",
    "Currency",
    "Grammar",
    "GrammarPlace",
    "LetterNames",
    "NumberWords",
    "Pack",
    "Script",
    "Signs",
    "Units",
    "checked",
    "common",
    "known",
    "listed",
    "pack",
    "subtags",
]  # fmt: skip
