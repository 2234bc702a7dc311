"""
Values beside their neighbours: for every entity type, a value A with words that carry it, and
words that say another value B near it, so that A is absent.

The labels follow the verifier's policy, rules 1 to 57; what it leaves disputable is not made. Forms
come from templates and num2words, never from the verifier's own grammar.

    >>> from random import Random
    >>> print(example("currency_amount", "tens before units", Random(3)))  # doctest: +SKIP
    - currency_amount [tens before units] '$5' in 'the total is twenty-five dollars'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from . import (
    addresses,
    canonicals,
    clock,
    codes,
    dates,
    digits,
    hosts,
    in_parts,
    measurements,
    money,
    names,
    otherwise,
    phones_abroad,
    programs,
    quantities,
    two_parts,
)
from .family import Example, Family

PLAIN = (
    quantities, measurements, two_parts, money, clock, dates, digits, codes, names, addresses,
    hosts, programs,
)  # fmt: skip
REWORDED = (in_parts, canonicals, phones_abroad, otherwise)
"""Values said in another way than they are written: rules 48 to 56."""
TRIES = 2000
"""Draws before a kind is given up: some values have no neighbour of some kinds."""

Kind = tuple[str, str]
"""Entity type and the name of a kind."""
ByKind = Mapping[Kind, Sequence[Family[Any]]]


def by_kind(families: Iterable[Family[Any]]) -> ByKind:
    """The families that make each kind, in order."""
    found: dict[Kind, list[Family[Any]]] = {}
    for family in families:
        for kind in dict.fromkeys(family.kinds()):
            found.setdefault((family.type, kind), []).append(family)
    return found


ENGLISH: ByKind = by_kind(f for module in (*PLAIN, *REWORDED) for f in module.FAMILIES)
KINDS: tuple[Kind, ...] = tuple(ENGLISH)


def example(type: str, kind: str, random: Random, made_by: ByKind = ENGLISH) -> Example | None:
    """One example of a kind; None where no draw gave one."""
    family = random.choice(made_by[type, kind])
    for _ in range(TRIES):
        if made := family.example(kind, random):
            return made
    return None


def examples(
    random: Random, count: int, type: str | None = None, made_by: ByKind = ENGLISH
) -> Iterator[Example]:
    """`count` examples, the kinds in turn, of all types or of one."""
    kinds = [kind for kind in made_by if type in (None, kind[0])]
    made = 0
    while made < count:
        for kind in kinds:
            if made < count and (found := example(*kind, random, made_by)):
                made += 1
                yield found


__all__ = [
    "ENGLISH",
    "KINDS",
    "PLAIN",
    "REWORDED",
    "ByKind",
    "Example",
    "Family",
    "Kind",
    "by_kind",
    "example",
    "examples",
]
