"""Options that `policy:` states for a type; what it leaves unsaid is the language's own way."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

MARKS: Final = {"point": (".", ", '"), "comma": (",", ". '")}
"""`decimal_mark` -> decimal mark, thousands marks."""


@dataclass(frozen=True, slots=True)
class Stated:
    """The options of `rules/rule_options.py`, "" where none is chosen."""

    case: str = ""
    separators: str = ""
    homophones: str = ""
    date_order: str = ""
    clock: str = ""
    decimal_mark: str = ""


NOTHING: Final = Stated()


def cased(canonical: str, evidence: str) -> bool:
    """Whether the letters of the value stand in the evidence, in order and in its casing."""
    heard = iter(_letters(evidence))
    return all(letter in heard for letter in _letters(canonical))


def _letters(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if c.isalpha())
