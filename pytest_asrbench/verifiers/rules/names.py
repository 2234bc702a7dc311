"""Words and phrases of a pack, found by their first word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from pytest_asrbench.verifiers.packs import pack
from pytest_asrbench.verifiers.rules.tokens import Tokens

Table = Mapping[str, tuple[str, ...]]


def table(names: Iterable[str]) -> Table:
    """Phrases by their first word, without white space: one look-up finds what may stand here."""
    return _table(tuple(names))


@lru_cache(maxsize=2048)
def _table(names: tuple[str, ...]) -> Table:
    names_by_word: dict[str, tuple[str, ...]] = {}
    for name in names:
        first = name.split()[0].split("-")[0]
        names_by_word[first] = (*names_by_word.get(first, ()), name.replace(" ", ""))
        flat = name.replace(" ", "")
        if flat != first and "-" not in flat:
            names_by_word[flat] = (*names_by_word.get(flat, ()), flat)  # written as one word
            names_by_word[first] += (name.replace(" ", "-"),)
    return names_by_word


@lru_cache(maxsize=16)
def letter_names(language: str) -> Mapping[str, Table]:
    """Letter -> its names ("zed", "double u")."""
    return {at: table(names) for at, names in pack(language).letter_names.items()}


@lru_cache(maxsize=16)
def spelling_words(language: str) -> Mapping[str, Table]:
    """Letter -> its words in spelling alphabets."""
    return {at: table(names) for at, names in pack(language).spelling.items()}


@lru_cache(maxsize=16)
def cues(language: str) -> Table:
    """Words in front of a letter that say how it is cased."""
    words = pack(language)
    return table((*words.capital, *words.lower))


def named(tokens: Tokens, i: int, names: Table) -> Iterable[int]:
    """Ends of those names that stand at i as whole words."""
    options = names.get(tokens.runs.get(i, ""))
    if not options:
        return ()
    flat, boundary = tokens.flat, tokens.boundary
    return [i + len(n) for n in options if flat.startswith(n, i) and boundary(i + len(n))]
