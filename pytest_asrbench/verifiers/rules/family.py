"""
The family of a type: for one entity, the readings that carry it and the boundaries they need.

A new type is one `@family("name", aligned=…)` function, or `like:` an existing one in the settings.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from operator import itemgetter
from pkgutil import iter_modules

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.rules import families as package
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.boundaries import Check, glued
from pytest_asrbench.verifiers.rules.numbers import NumberReader
from pytest_asrbench.verifiers.rules.pattern import Pattern
from pytest_asrbench.verifiers.rules.readings.links import chain
from pytest_asrbench.verifiers.rules.readings.whole import wholes
from pytest_asrbench.verifiers.rules.rule_options import RuleOptions
from pytest_asrbench.verifiers.rules.tokens import Tokens, fold


@dataclass(frozen=True)
class FamilyCase:
    """One value to look for: its folded text, spoken form, and the words and options in force."""

    text: str
    acoustic: str | None
    pack: Pack
    numbers: NumberReader
    options: RuleOptions
    folded: str
    """The value, folded, outer white space dropped."""

    @cached_property
    def spoken(self) -> str:
        """The spoken form, folded; "" where the dataset has none."""
        return fold(self.acoustic or "").strip()


Look = Callable[[Tokens], Iterable[tuple[int, int, int]]]
"""Start, end and doubts of each place where a value stands."""


_SHORT = 6
"""Words of a number; a longer one is a phone or code."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A value's number without its unit, to explain a miss."""

    value: Fraction
    numbers: NumberReader

    def places(self, tokens: Tokens) -> Iterator[tuple[int, int]]:
        """Places where the number alone stands, whatever its unit."""
        for whole in wholes(tokens, self.numbers).by_value.get(abs(self.value), ()):
            yield whole.bare, whole.end

    def parts(self, tokens: Tokens) -> Iterator[tuple[int, int, int, int]]:
        """Spans where it is only the tail or head of another number, and those of the other."""
        atoms = chain(tokens, self.numbers).atoms
        places = [atom.start for atom in atoms]
        for whole in wholes(tokens, self.numbers).all:
            first = bisect_left(places, whole.start)
            stop = bisect_left(places, whole.end)
            for atom in atoms[first:stop] if stop - first <= _SHORT else ():
                for value, end, _ in self.numbers.values(tokens, atom.start):
                    other = (atom.start, end) != (whole.start, whole.end)
                    if value == abs(self.value) and other and end <= whole.end:
                        yield atom.start, end, whole.start, whole.end


@dataclass(frozen=True)
class FamilyReading:
    """One way to carry the value; `name` is what `asrbench explain` shows."""

    name: str
    pattern: Pattern | None
    boundaries: Check
    rules: tuple[int, ...] = ()
    doubts: int = 0
    look: Look | None = None
    """Finds the value among the transcript's whole readings; then there is no pattern."""
    core: Figure | None = None

    def only(self, check: Check) -> FamilyReading:
        """The same reading with one more look at a whole match."""
        boundaries = self.boundaries
        return replace(
            self, boundaries=lambda tokens, i, e: boundaries(tokens, i, e) | check(tokens, i, e)
        )

    def matches(self, tokens: Tokens) -> Iterator[FamilyMatch]:
        """Every place where the value is found, its surroundings judged."""
        if self.look is not None:
            for start, end, doubts in self.look(tokens):
                joined = Doubt.REFUSED if glued(tokens, start, end) else 0  # rule 4
                yield FamilyMatch(start, end, doubts | joined | self.doubts, self)
            return
        if self.pattern is None:
            return
        tries = self.pattern.tries(tokens)
        if len(tries) > 1:
            tries = sorted(dict.fromkeys(tries), key=_place)
        for start, option in tries:
            for end, doubts in option.ends(tokens, start).items():
                if end > start:
                    more = self.boundaries(tokens, start, end)
                    yield FamilyMatch(start, end, doubts | self.doubts | more, self)


@dataclass(frozen=True, slots=True)
class FamilyMatch:
    """A reading from `start` to `end` of :class:`Tokens`; `doubts` are why it may be disputed."""

    start: int
    end: int
    doubts: int
    reading: FamilyReading


_place = itemgetter(0)

Maker = Callable[[FamilyCase], list[FamilyReading]]
Written = Callable[[FamilyCase], Iterable[str]]
"""Written forms of a value that is given as it is said (rule 50); none for any other."""


@dataclass(frozen=True, slots=True)
class Family:
    """The maker of a type's readings, and how its misses are aligned (`alignment`)."""

    make: Maker
    aligned: str
    written: Written | None = None


_FAMILIES: dict[str, Family] = {}


def family(*types: str, aligned: str, written: Written | None = None) -> Callable[[Maker], Maker]:
    """Register the maker of readings for some entity types: all that a new type needs here."""

    def register(maker: Maker) -> Maker:
        _FAMILIES.update(dict.fromkeys(types, Family(maker, aligned, written)))
        return maker

    return register


def families() -> Mapping[str, Family]:
    """Every known type with its family; each module beside this one is looked through."""
    for module in iter_modules(package.__path__):
        import_module(f"{package.__name__}.{module.name}")
    return _FAMILIES
