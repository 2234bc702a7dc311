"""
Language packs: the words of one language that the rules need. A language is one module here.

`pack("en-US")` finds the pack by the primary subtag; a language without one is an error, never
English.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module

from pytest_asrbench.errors import VerifierError

PACKS: Mapping[str, str] = {"en": "pytest_asrbench.verifiers.packs.en:ENGLISH"}
"""Primary language subtag -> where its pack is. Another language is one more line and module."""


@dataclass(frozen=True, slots=True)
class Currency:
    """One currency: how it is written before or after an amount, and its hundredth part."""

    code: str
    signs: tuple[str, ...]
    words: tuple[str, ...]
    minor: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pack:
    """Words of one language. All are lower case; a phrase may hold spaces."""

    language: str
    digits: Mapping[str, int]
    teens: Mapping[str, int]
    tens: Mapping[str, int]
    hundreds: frozenset[str]
    scales: Mapping[str, int]
    zero_letters: frozenset[str]
    """Words for 0 that need other figures beside them ("oh")."""
    repeats: Mapping[str, int]
    """double, triple."""
    homophones: Mapping[str, int]
    """Ordinary words that sound like a digit: rejected unless a knob allows them (rule 11)."""
    one: frozenset[str]
    """Articles that stand for 1 before hundred, a fraction or a unit."""
    ands: frozenset[str]
    points: tuple[str, ...]
    ordinals: Mapping[str, int]
    ordinal_tails: frozenset[str]
    fractions: Mapping[str, int]
    """half, third … -> denominator."""
    minus: tuple[str, ...]
    range_words: tuple[str, ...]
    fillers: frozenset[str]
    separators: Mapping[str, tuple[str, ...]]
    """Sign -> its spoken names."""
    plural_separators: Mapping[str, tuple[str, ...]]
    counted: Mapping[int, tuple[str, ...]]
    letter_names: Mapping[str, tuple[str, ...]]
    spelling: Mapping[str, tuple[str, ...]]
    """Letter -> its words in spelling alphabets."""
    as_in: tuple[str, ...]
    capital: tuple[str, ...]
    lower: tuple[str, ...]
    all_caps: tuple[str, ...]
    case_styles: Mapping[str, tuple[str, ...]]
    quotes: tuple[str, ...]
    percent: tuple[str, ...]
    currencies: tuple[Currency, ...]
    other_dollars: tuple[str, ...]
    prefixes: Mapping[str, tuple[str, ...]]
    units: Mapping[str, tuple[str, ...]]
    """Unit -> all its forms: sign first, then words (singular and plural)."""
    loose_units: Mapping[str, tuple[str, ...]]
    """Unit -> short names for it that not everybody takes as exact."""
    metric: Mapping[str, tuple[str, ...]]
    """Unit that takes prefixes -> its words."""
    per: tuple[str, ...]
    powers: Mapping[int, tuple[str, ...]]
    months: tuple[tuple[str, ...], ...]
    weekdays: tuple[tuple[str, ...], ...]
    morning: tuple[str, ...]
    evening: tuple[str, ...]
    nights: tuple[str, ...]
    """Words that put a clock time into the evening, though not everybody says so."""
    am: tuple[str, ...]
    pm: tuple[str, ...]
    zones: Mapping[str, tuple[str, ...]]
    near_zones: Mapping[str, tuple[str, ...]]
    equal_words: tuple[tuple[str, ...], ...]
    """Groups of words that are one in names (Dr. = doctor)."""
    address_words: tuple[tuple[str, ...], ...]
    regions: Mapping[str, str]
    """Postal code of a state -> its name."""
    everyday: frozenset[str]
    """Lower-case words that are also acronyms (it, us): too common to be sure of."""

    def digest(self) -> str:
        """SHA-256 (hex) of all words; part of the verifier's identity."""
        content = json.dumps(asdict(self), sort_keys=True, default=sorted)
        return hashlib.sha256(content.encode()).hexdigest()


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
