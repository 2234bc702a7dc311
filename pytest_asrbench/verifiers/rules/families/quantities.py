"""Plain numbers, percentages, measurements (rules 10 to 14, 26, 30, 41 to 43, 52)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.rules import said
from pytest_asrbench.verifiers.rules.alignment import QUANTITY
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.boundaries import QuantityBoundaries
from pytest_asrbench.verifiers.rules.families.lexical import term
from pytest_asrbench.verifiers.rules.family import FamilyCase, FamilyReading, Figure, Look, family
from pytest_asrbench.verifiers.rules.numbers import MAX_FIGURES
from pytest_asrbench.verifiers.rules.pattern import Phrases, maybe, phrases
from pytest_asrbench.verifiers.rules.readings.links import Link, chain
from pytest_asrbench.verifiers.rules.readings.names import MINOR, MONEY, PERCENT, named
from pytest_asrbench.verifiers.rules.readings.quantities import quantities
from pytest_asrbench.verifiers.rules.readings.whole import wholes
from pytest_asrbench.verifiers.rules.sequences import Digits
from pytest_asrbench.verifiers.rules.tokens import Tokens
from pytest_asrbench.verifiers.rules.units import key, measured

_RATIO = re.compile(r"\d+/\d+")
_LAKHS = r"\d{1,2}(?:,\d\d)+,\d{3}"
_FIGURE = re.compile(rf"([-+]?)\s*(\d{{1,3}}(?:[ ,]\d{{3}})+|{_LAKHS}|\d+)?(\.\d+)?\s*([a-z]*)")


def value_of(text: str, pack: Pack) -> Fraction | None:
    """The quantity that a figure says ("-1,243.50", "2.5 million", "5K"); None where none."""
    fraction = re.fullmatch(r"(-?)(?:(\d+)[ -])?(\d+)/(\d+)", text.strip())
    if fraction and int(fraction[3]) < int(fraction[4]):
        value = int(fraction[2] or 0) + Fraction(int(fraction[3]), int(fraction[4]))
        return -value if fraction[1] else value
    match = _FIGURE.fullmatch(text.strip())
    if match is None or not (match[2] or match[3]):
        return None
    scale = {"": 1, **pack.scales, **pack.numbers.shorts}.get(match[4])
    if scale is None:
        return None
    whole = re.sub(r"[ ,]", "", match[2] or "0")
    if len(whole + (match[3] or "")) > MAX_FIGURES:
        return None
    value = Fraction(whole + (match[3] or "")) * scale
    return -value if match[1] == "-" else value


def figure(value: Fraction, case: FamilyCase) -> Figure:
    return Figure(value, case.numbers)


def look(name: str, value: Fraction, case: FamilyCase, more: Fraction | None = None) -> Look:
    """The quantities of a transcript that say this value."""

    def find(tokens: Tokens) -> Iterator[tuple[int, int, int]]:
        for one in quantities(tokens, case.numbers).find(name, value, more):
            yield one.start, one.end, one.doubts

    return find


def boundaries(case: FamilyCase) -> QuantityBoundaries:
    return QuantityBoundaries(case.numbers)


@family("plain_number", aligned=QUANTITY, written=said.number)
def plain_number(case: FamilyCase) -> list[FamilyReading]:
    """A figure alone; a currency or percent sign beside it makes it another thing."""
    value = value_of(case.folded, case.pack)
    if value is None:
        return term(case)
    numbers = case.numbers

    def find(tokens: Tokens) -> Iterator[tuple[int, int, int]]:
        unfit = quantities(tokens, numbers).unfit
        for whole in wholes(tokens, numbers).by_value.get(value, ()):
            doubts = whole.doubts | _kind(tokens, case, whole.start, whole.end)
            glued = tokens.glued(whole.end) and tokens.flat[whole.end].isalnum()
            if whole.suffixed or glued or whole.end in unfit:
                doubts |= Doubt.REFUSED
            if chain(tokens, numbers).before(whole.bare) is Link.DASH:
                doubts |= Doubt.NEIGHBOUR
            yield whole.start, whole.end, doubts

    core = figure(value, case)
    return [FamilyReading("figure", None, boundaries(case), (10, 12, 26, 41), look=find, core=core)]


def _kind(tokens: Tokens, case: FamilyCase, i: int, e: int) -> int:
    """An amount of money or a share is another kind of number."""
    after = named(tokens, case.numbers, e)
    other = any(one.name.kind in (MONEY, MINOR) or one.name.key == PERCENT for one, _ in after)
    signs = {currency.signs[0] for currency in case.pack.currencies}
    return Doubt.KIND if other or (tokens.char(i - 1) in signs and tokens.glued(i)) else 0


@family("percentage", aligned=QUANTITY, written=said.percent)
def percentage(case: FamilyCase) -> list[FamilyReading]:
    """Figure and percent sign or word (rule 14)."""
    text = case.folded
    for word in sorted(case.pack.percent, key=len, reverse=True):
        text = text.removesuffix(word).strip()
    limits = span(text, case.pack)
    if limits is not None:
        return _between(PERCENT, limits, case)
    value = value_of(text, case.pack)
    if value is None:
        figures = measured(case.folded, case.text)
        points = (
            key(figures[0][1], figures[0][2], case.pack.language) if len(figures) == 1 else None
        )
        return measurement(case) if points == "bp" else term(case)
    return [
        FamilyReading(
            "figure and percent", None, boundaries(case), (10, 12, 14, 30, 41),
            look=look(PERCENT, value, case), core=figure(value, case),
        )
    ]  # fmt: skip


_SPAN = re.compile(r"(.+?)\s*(?:-|\bto\b)\s*(.+)")


def span(text: str, pack: Pack) -> tuple[Fraction, Fraction] | None:
    """Both ends of "5-7" or "5 to 7"."""
    match = _SPAN.fullmatch(text.strip())
    ends = [value_of(end, pack) for end in match.groups()] if match else []
    if len(ends) != 2 or ends[0] is None or ends[1] is None or ends[0] >= ends[1]:
        return None
    return ends[0], ends[1]


def _between(name: str, limits: tuple[Fraction, Fraction], case: FamilyCase) -> list[FamilyReading]:
    low, high = limits
    find = look(f"{name}..{name}", low, case, high)
    return [FamilyReading("range", None, boundaries(case), (10, 14, 30, 52), look=find)]


@family("measurement", aligned=QUANTITY, written=said.measure)
def measurement(case: FamilyCase) -> list[FamilyReading]:
    """Number and unit; another unit is absent even if convertible (rule 14)."""
    ranged = _ranged(case)
    if ranged is not None:
        return ranged
    figures = measured(case.folded, case.text)
    values = [(value_of(number, case.pack), folded, shown) for number, folded, shown in figures]
    if len(figures) == 1 and _RATIO.fullmatch(figures[0][0]) and values[0][0] is None:
        return _ratio(case, *figures[0])
    if not values or any(value is None for value, _, _ in values) or len(values) > 2:
        return term(case)
    keys = [key(folded, shown, case.pack.language) for _, folded, shown in values]
    first = values[0][0] or Fraction(0)
    rules = (10, 12, 14, 31, 41, 42, 43)
    if len(values) == 2:
        look_up = look(f"{keys[0]}+{keys[1]}", first, case, values[1][0])
        return [FamilyReading("number and unit", None, boundaries(case), rules, look=look_up)]
    core = figure(first, case)
    if keys[0] is None:
        return [_unknown(first, values[0][1], case)]
    look_up = look(keys[0], first, case)
    return [
        FamilyReading("number and unit", None, boundaries(case), rules, look=look_up, core=core)
    ]


_RANGE = re.compile(r"([\d.,]+)\s*(?:-|to\b)\s*([\d.,]+)\s*-?\s*([^\d\s].*)")


def _ranged(case: FamilyCase) -> list[FamilyReading] | None:
    """5-7 business days: both ends and the unit."""
    match = _RANGE.fullmatch(case.folded)
    limits = span(f"{match[1]}-{match[2]}", case.pack) if match else None
    name = key(match[3].strip(), match[3].strip(), case.pack.language) if match else None
    return _between(name, limits, case) if name and limits else None


def _unknown(value: Fraction, unit: str, case: FamilyCase) -> FamilyReading:
    """A unit that the pack lacks is read as it is written."""
    plural = (unit + "s",) if unit.isalpha() and len(unit) > 2 else ()
    singular = (unit.removesuffix("s"),) if len(unit) > 3 else ()
    name = maybe(phrases("-")) + Phrases((unit, *plural, *singular))
    numbers = case.numbers

    def find(tokens: Tokens) -> Iterator[tuple[int, int, int]]:
        for whole in wholes(tokens, numbers).by_value.get(value, ()):
            for end, doubts in name.ends(tokens, whole.end).items():
                joined = tokens.glued(end) and tokens.flat[end].isalnum()
                refused = Doubt.REFUSED if joined or whole.suffixed else 0
                yield whole.start, end, whole.doubts | doubts | refused

    rules = (10, 12, 14, 31)
    return FamilyReading("number and unit", None, boundaries(case), rules, look=find,
                   core=figure(value, case))  # fmt: skip


def _ratio(case: FamilyCase, figures: str, folded: str, shown: str) -> list[FamilyReading]:
    """120/80 mmHg, one twenty over eighty: two figures, no fraction."""
    over, under = (Digits(part, case.numbers) for part in figures.split("/"))
    pattern = over + phrases("/", "over", "slash") + under
    sign = key(folded, shown, case.pack.language)

    def find(tokens: Tokens) -> Iterator[tuple[int, int, int]]:
        for i in pattern.starts(tokens):
            for e, doubts in pattern.ends(tokens, i).items():
                doubts |= boundaries(case).opens(tokens, i)
                for one, part in named(tokens, case.numbers, e):
                    if one.name.key == sign and not part:
                        yield i, one.end, doubts

    return [FamilyReading("ratio and unit", None, boundaries(case), (10, 14), look=find)]
