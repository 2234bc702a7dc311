"""Options that `policy:` states for a type; what it leaves unsaid is the language's own way."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

from pytest_asrbench.verifiers.rules.rule_options import NAMES, RuleOptions

MARKS: Final = {"point": (".", ", '"), "comma": (",", ". '")}
"""`decimal_mark` -> decimal mark, thousands marks."""


def stated(chosen: Mapping[str, str]) -> RuleOptions:
    """The options that are chosen; "" for all others."""
    return RuleOptions(**{**dict.fromkeys(NAMES, ""), **chosen})


NOTHING: Final = stated({})


def cased(canonical: str, evidence: str) -> bool:
    """Whether the letters of the value stand in the evidence, in order and in its casing."""
    heard = iter(_letters(evidence))
    return all(letter in heard for letter in _letters(canonical))


def _letters(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if c.isalpha())
