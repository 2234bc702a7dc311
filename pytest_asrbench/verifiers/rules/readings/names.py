"""
Names beside a number that make it a quantity: units, currencies, percent (rules 13, 14).

Every name is found by its first word; the longest that stands there counts, and the others are
only a part of it ("pounds" of "pounds per square inch").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from pytest_asrbench.verifiers.packs import pack as load_pack
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.numbers import NumberReader
from pytest_asrbench.verifiers.rules.pattern import flat_forms
from pytest_asrbench.verifiers.rules.tokens import Tokens
from pytest_asrbench.verifiers.rules.units import rate_name, table

PERCENT = "%"
MONEY, MINOR, UNIT = "money", "minor", "unit"


@dataclass(frozen=True, slots=True)
class NameReading:
    """The meaning of a name: a unit's sign, or a currency's code."""

    kind: str
    key: str
    doubts: int = 0


class Named(NamedTuple):
    """A name heard, and where it ends."""

    name: NameReading
    end: int


_Table = Mapping[str, tuple[tuple[str, tuple[NameReading, ...]], ...]]


@lru_cache(maxsize=8)
def names(language: str) -> _Table:
    """First word -> names that begin with it, longest first, with all that each stands for."""
    names_by_word: dict[str, dict[str, list[NameReading]]] = {}

    def add(phrase: str, name: NameReading) -> None:
        for first, flat in flat_forms(phrase):
            held = names_by_word.setdefault(first, {}).setdefault(flat, [])
            if name not in held:
                held.append(name)

    words = load_pack(language)
    for sign, forms in table(language).items():
        for form in forms:
            add(form, NameReading(UNIT, sign))
    for sign, forms in words.loose_units.items():
        for form in forms:
            add(form, NameReading(UNIT, sign, Doubt.IMPLIED))
    for form in words.percent:
        add(form, NameReading(UNIT, PERCENT))
    for currency in words.currencies:
        for form in (*currency.words, currency.code.lower(), *currency.signs):
            add(form, NameReading(MONEY, currency.code))
        for form in currency.minor:
            add(form, NameReading(MINOR, currency.code))
    return {
        first: tuple(
            (flat, tuple(held)) for flat, held in sorted(by_flat.items(), key=_longest_first)
        )
        for first, by_flat in names_by_word.items()
    }


def _longest_first(item: tuple[str, list[NameReading]]) -> int:
    return -len(item[0])


@lru_cache(maxsize=8)
def prefixes(language: str) -> Mapping[str, tuple[str, ...]]:
    """Signs and codes that stand in front of an amount, folded -> the currencies they may mean."""
    prefixes: dict[str, list[str]] = {}
    for currency in load_pack(language).currencies:
        for sign in (*currency.signs, currency.code.lower()):
            prefixes.setdefault(sign.replace(" ", ""), []).append(currency.code)
    return {sign: tuple(codes) for sign, codes in prefixes.items()}


@lru_cache(maxsize=8)
def _prefix_ends(language: str) -> frozenset[str]:
    """What signs and codes of currencies end in; figures that end one are of another number."""
    return frozenset(sign[-1] for sign in prefixes(language) if not sign[-1].isdigit())


def prefixed(
    tokens: Tokens, numbers: NumberReader, i: int
) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """The longest currency sign or code that ends at i, what it may mean, and where it starts."""
    if i == 0 or tokens.flat[i - 1] not in _prefix_ends(numbers.pack.language):
        return
    known = prefixes(numbers.pack.language)
    for size in range(min(5, i), 0, -1):
        start = i - size
        codes = known.get(tokens.flat[start:i])
        if codes is None or not tokens.boundary(start):
            continue
        if _apart(tokens, start, i):
            continue  # "a $20 fee" is no A$20
        if tokens.glued(start) and tokens.flat[start - 1].isalnum():
            return  # another currency's letters, or a figure: "1$200"
        yield tokens.flat[start:i], codes, start
        return


def _apart(tokens: Tokens, i: int, e: int) -> bool:
    """A word and a sign that only stand side by side: "can $20", where "HK $20" is one sign."""
    word = tokens.runs.get(i, "")
    parted = 0 < len(word) < e - i and tokens.gaps[i + len(word)]
    return bool(parted) and not (len(word) > 1 and tokens.raw(i, i + len(word)).isupper())


def named(tokens: Tokens, numbers: NumberReader, e: int) -> list[tuple[Named, bool]]:
    """Names that stand at e, power and rate included; True: another goes on beyond it."""
    known = names(numbers.pack.language).get(tokens.runs.get(e) or tokens.char(e), ())
    standing = [
        (len(flat), Named(name, e + len(flat)))
        for flat, held in known
        if tokens.flat.startswith(flat, e) and tokens.boundary(e + len(flat))
        for name in held
    ]
    if not standing:
        return _raised_in_front(tokens, numbers, e)
    longest = max(size for size, _ in standing)
    return [
        (more, size < longest) for size, one in standing for more in _extended(tokens, numbers, one)
    ]


def _raised_in_front(tokens: Tokens, numbers: NumberReader, e: int) -> list[tuple[Named, bool]]:
    """Square feet, cubic meters."""
    for power, flat in _powers(numbers.pack.language).get(tokens.char(e), ()):
        if tokens.flat.startswith(flat, e) and tokens.boundary(e + len(flat)):
            return [
                (Named(NameReading(UNIT, f"{one.name.key}^{power}"), one.end), part)
                for one, part in named(tokens, numbers, e + len(flat))
                if one.name.kind == UNIT
            ]
    return []


@lru_cache(maxsize=8)
def _powers(language: str) -> Mapping[str, tuple[tuple[int, str], ...]]:
    """First character -> the powers whose words begin with it, in the order of the pack."""
    flat = [
        (power, mark.replace(" ", ""))
        for power, marks in load_pack(language).powers.items()
        for mark in marks
    ]
    return {
        first: tuple(each for each in flat if each[1][0] == first)
        for first in {mark[0] for _, mark in flat}
    }


def _extended(tokens: Tokens, numbers: NumberReader, one: Named) -> list[Named]:
    """The unit with the power that follows it."""
    if one.name.kind != UNIT or one.name.key == PERCENT:
        return [one]
    e = one.end
    if e == len(tokens):
        return [one]
    for power, marks in numbers.pack.powers.items():
        sign = "²" if power == 2 else "³"
        if tokens.char(e) == sign:
            return [Named(NameReading(UNIT, f"{one.name.key}^{power}"), e + 1)]
        if tokens.runs.get(e) == str(power) and not tokens.gaps[e] and tokens.flat[e - 1].isalpha():
            return [Named(NameReading(UNIT, f"{one.name.key}^{power}"), e + 1)]
        for mark in marks:
            if tokens.runs.get(e) == mark and mark not in ("sq", "cu", "square", "cubic"):
                return [Named(NameReading(UNIT, f"{one.name.key}^{power}"), e + len(mark))]
    return [one]


# --- rates (rule 43) ------------------------------------------------------------------------------

_OPEN_DIMENSIONS = frozenset({"day", "week", "month", "year", "h", "min", "s"})
_LENGTHS = frozenset({"m", "km", "cm", "mm", "mi", "ft", "in", "yd", "nmi"})
_DATA = frozenset("Bb")


def rated(tokens: Tokens, numbers: NumberReader, one: Named) -> tuple[Named | None, int]:
    """The unit with its rate ("km" + "an hour"), and the doubts of leaving the rate aside.

    A rate per time, piece or person leaves a mass, volume, count or amount what it is, though not
    surely; of a length or of data per second it makes another unit.
    """
    e = one.end
    pack = numbers.pack
    if tokens.char(e) == "/" and tokens.glued(e) and tokens.glued(e + 1):
        stop = e + 1
    elif tokens.runs.get(e) in pack.per:
        stop = e + len(tokens.runs[e])
    else:
        return None, 0
    article = tokens.runs.get(e) in pack.one
    under = [name for name, part in named(tokens, numbers, stop) if not part]
    units = [name for name in under if name.name.kind == UNIT and name.name.key != PERCENT]
    if not units:
        return None, 0 if article else Doubt.KIND
    whole = Named(NameReading(UNIT, rate_name(one.name.key, units[0].name.key)), units[0].end)
    if units[0].name.key not in _OPEN_DIMENSIONS:
        if article and one.name.kind != UNIT:
            return None, 0  # "five dollars a pound" is still an amount
        return whole, Doubt.KIND if one.name.kind in (MONEY, MINOR) else Doubt.REFUSED
    if one.name.kind == UNIT and _of_another_kind(one.name.key, units[0].name.key):
        return whole, Doubt.REFUSED
    return whole, Doubt.KIND


def _of_another_kind(over: str, under: str) -> bool:
    """Speed and data rates are units of their own."""
    if over.split("^")[0] in _LENGTHS:
        return True
    data = over[-1:] in _DATA and len(over) <= 2 and over[:1] in "kMGTPbB"
    return data and under == "s"


# --- readings of their own (rule 57) --------------------------------------------------------------


def begins_own(tokens: Tokens, numbers: NumberReader, i: int, *, letters: bool = False) -> bool:
    """A figure with its unit, half of the day, ordinal or counted noun begins here.

    `letters`: a unit of one letter that stands apart counts too, which may be a code's letter.
    """
    ends = {end for _, end, _ in numbers.values(tokens, i)}
    return any(_marked(tokens, numbers, end, letters) for end in ends)


def _marked(tokens: Tokens, numbers: NumberReader, e: int, letters: bool) -> bool:
    place = e + 1 if tokens.char(e) == "-" and tokens.glued(e) and tokens.glued(e + 1) else e
    if any(letters or not _letter(tokens, name) for name, _ in named(tokens, numbers, place)):
        return True
    pack = numbers.pack
    halves = (*pack.am, *pack.pm)
    if tokens.runs.get(e) in ("am", "pm", "a", "p") and any(
        tokens.flat.startswith(half.replace(" ", ""), e) for half in halves
    ):
        return (
            tokens.runs[e] in ("am", "pm")
            or tokens.char(e + 1) == "."
            or tokens.runs.get(e + 1) == "m"
        )
    tail = tokens.runs.get(e, "")
    if tail in pack.ordinal_tails and not tokens.gaps[e]:
        return True
    return counted(tokens, numbers, e)


def _letter(tokens: Tokens, name: Named) -> bool:
    """A unit of one letter that stands apart may as well be a letter of a code."""
    run = tokens.runs.get(name.end - 1)
    return run is not None and len(run) == 1 and bool(tokens.gaps[name.end - 1])


def counted(tokens: Tokens, numbers: NumberReader, e: int) -> bool:
    """A noun that is counted stands here: "530 people", "500 mg tablets"."""
    run = tokens.runs.get(e, "")
    return bool(run) and numbers.pack.numbers.counts(run)


def names_unit(numbers: NumberReader, word: str) -> bool:
    """An ordinal that is a unit as well: second."""
    return any(flat == word for flat, _ in names(numbers.pack.language).get(word, ()))
