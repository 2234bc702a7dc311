"""
Vocabulary boosting: `terms:` of a configuration, spelled as each vendor's API wants it.

    terms: [Zyrtec, DL 42, Kowalczyk]

A spelling takes the terms and the model, and gives the vendor's fields; none where that model knows
no such thing, so that no run records a vocabulary that nobody was sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pytest_asrbench.errors import InputError

Spelling = Callable[[list[str], str], Mapping[str, Any]]


def named(field: str) -> Spelling:
    """A list under a name: `keyterm`, `keyterms_prompt`, …"""
    return lambda terms, model: {field: terms}


def prompt(terms: list[str], model: str) -> Mapping[str, Any]:
    """For Whisper and its kin, which have no list but read what is said to stand before."""
    return {"prompt": ", ".join(terms)}


def hotwords(terms: list[str], model: str) -> Mapping[str, Any]:
    """As faster-whisper takes them: in one text."""
    return {"hotwords": ", ".join(terms)}


def boosted(
    use: str,
    spelling: Spelling | None,
    terms: Sequence[str] | None,
    *,
    model: str | None,
    params: Mapping[str, Any],
) -> Mapping[str, Any]:
    """The vendor's fields for the configured terms. Raises InputError where they can't be sent."""
    if terms is None:
        return {}
    given = _checked(use, terms)
    fields = spelling(given, model or "") if spelling and given else {}
    if given and not fields:
        who = f"model {model}" if spelling and model else "the vendor"
        raise InputError(f"provider {use}: {who} takes no terms; remove them")
    if twice := sorted(fields.keys() & params.keys()):
        raise InputError(f"provider {use}: terms are sent as {twice[0]}, which params hold too")
    return fields


def spelled_as(spelling: Spelling | None, model: str | None) -> str:
    """The vendor's field for terms, as tables show it; empty where there is none."""
    return next(iter(spelling(["…"], model or "")), "") if spelling else ""


def _checked(use: str, terms: Sequence[str]) -> list[str]:
    if isinstance(terms, str) or not all(isinstance(t, str) and t.strip() for t in terms):
        raise InputError(f"provider {use}: terms is a list of words: [Zyrtec, DL 42]")
    return [term.strip() for term in terms]
