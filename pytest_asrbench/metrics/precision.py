"""
Values that were heard where nobody said one: for negatives, silence and everything between.

    rate[type] = clips with a value of the type that nobody said / clips whose reference has none

A clip counts for a type only where neither its targets nor its reference hold a value of it, so
a garbled value is a miss and never counted here as well. Numbers of any kind excuse each other:
"8080" for "eighty eighty" is one number, whatever it is of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pytest_asrbench.model import ClipRecord, Rate


@dataclass(frozen=True, slots=True)
class Invented:
    """A value in a transcript that the speaker did not say."""

    clip: str
    type: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Precision:
    """Clips with an invented value of a type, of those whose reference has none."""

    rates: Mapping[str, Rate] = field(default_factory=dict)
    invented: tuple[Invented, ...] = ()


Heard = tuple[str, int, int]
"""A value's type, and its characters in the text."""


def precision(
    records: Iterable[ClipRecord],
    types: Sequence[str],
    *,
    find: Callable[[ClipRecord, str], Sequence[Heard]],
    holds: Callable[[ClipRecord], frozenset[str]],
) -> Precision:
    """Over the measured records.

    `find` gives the values of a clip's transcript that its reference does not carry; `holds` the
    types of which the clip says a value.
    """
    totals = dict.fromkeys(types, 0)
    hits = dict.fromkeys(types, 0)
    invented: list[Invented] = []
    for record in records:
        if not record.measured or record.transcript is None:
            continue
        said = holds(record)
        free = [name for name in types if name not in said]
        unsaid = [heard for heard in find(record, record.transcript) if heard[0] in free]
        for name in free:
            totals[name] += 1
            hits[name] += any(kind == name for kind, _, _ in unsaid)
        invented += [
            Invented(record.clip, kind, record.transcript[start:end], start, end)
            for kind, start, end in unsaid
        ]
    rates = {name: Rate(hits[name], totals[name]) for name in types if totals[name]}
    return Precision(rates, tuple(invented))
