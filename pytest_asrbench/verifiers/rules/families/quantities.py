"""Plain numbers, amounts, percentages, measurements (rules 10 to 14, 26, 30)."""

from __future__ import annotations

import re
from fractions import Fraction

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.rules import doubts as d
from pytest_asrbench.verifiers.rules.edges import REFUSED, UNSURE, Check, Quantity
from pytest_asrbench.verifiers.rules.families.lexical import term
from pytest_asrbench.verifiers.rules.family import Case, Reading, family
from pytest_asrbench.verifiers.rules.numbers import MAX_FIGURES
from pytest_asrbench.verifiers.rules.pattern import (
    Doubtful,
    Pattern,
    Phrases,
    Test,
    choice,
    maybe,
    phrases,
    sequence,
)
from pytest_asrbench.verifiers.rules.sequences import AnyQuantity, Digits
from pytest_asrbench.verifiers.rules.sequences import Quantity as Number
from pytest_asrbench.verifiers.rules.signs import Skip
from pytest_asrbench.verifiers.rules.tape import Tape
from pytest_asrbench.verifiers.rules.units import measured, neighbours, unit

_RATIO = re.compile(r"\d+/\d+")
SCALES = {"k": 10**3, "m": 10**6, "b": 10**9, "bn": 10**9}


def value_of(text: str, pack: Pack) -> Fraction | None:
    """The quantity that a figure says ("-1,243.50", "2.5 million", "5K"); None where none."""
    fraction = re.fullmatch(r"(-?)(?:(\d+)[ -])?(\d+)/(\d+)", text.strip())
    if fraction and int(fraction[3]) < int(fraction[4]):
        value = int(fraction[2] or 0) + Fraction(int(fraction[3]), int(fraction[4]))
        return -value if fraction[1] else value
    found = re.fullmatch(r"([-+]?)\s*(\d{1,3}(?:[ ,]\d{3})+|\d+)?(\.\d+)?\s*([a-z]*)", text.strip())
    if found is None or not (found[2] or found[3]):
        return None
    scale = {"": 1, **pack.scales, **SCALES}.get(found[4])
    if scale is None:
        return None
    whole = re.sub(r"[ ,]", "", found[2] or "0")
    if len(whole + (found[3] or "")) > MAX_FIGURES:
        return None
    value = Fraction(whole + (found[3] or "")) * scale
    return -value if found[1] == "-" else value


def minus(pack: Pack) -> Pattern:
    return Phrases(("-", *pack.minus))


def joint(pack: Pack) -> Pattern:
    """What may stand between a figure and its unit: a hyphen, a filler (rules 2, 33)."""
    return Skip(pack) + maybe(phrases("-"))


def number(value: Fraction, case: Case) -> Pattern:
    """The value with its sign (rule 3)."""
    plain = Number(value, case.numbers)
    return minus(case.pack) + plain if value < 0 else plain


def shared(value: Fraction, case: Case, after: Pattern) -> Pattern:
    """The first end of a range whose unit comes after the other: rule 30."""

    def ended(tape: Tape, i: int) -> bool:
        """Not "12 and a half hours"."""
        return case.numbers.after(tape, i) not in ("and", "fraction", "point")

    link = Test(ended) + Phrases(("-", *case.pack.range_words, "and"))
    return Doubtful(number(value, case) + link + AnyQuantity(case.numbers) + after, d.SHARED)


@family("plain_number")
def plain_number(case: Case) -> list[Reading]:
    """A figure alone; a currency or percent sign beside it makes it another thing."""
    value = value_of(case.folded, case.pack)
    if value is None:
        return term(case)
    edges = Quantity(case.numbers, bare=True)
    signs = {c.signs[0] for c in case.pack.currencies if len(c.signs[0]) == 1}
    units = {"%", "percent", "dollars", "cents", "euros", "am", "pm", "°"}

    def kind(tape: Tape, i: int, e: int) -> int:
        money = tape.char(i - 1) in signs and tape.glued(i)
        other = (tape.runs.get(e) or tape.char(e)) in units
        return d.KIND if money or other else 0

    found = [Reading("figure", number(value, case), edges, (10, 12, 26)).only(kind)]
    if value == 12:
        dozen = Doubtful(phrases("a dozen", "one dozen", "dozen"), d.IMPLIED)
        found.append(Reading("dozen", dozen, edges, (10,)))
    return found


@family("percentage")
def percentage(case: Case) -> list[Reading]:
    """Figure and percent sign or word (rule 14)."""
    text = case.folded
    for word in sorted(case.pack.percent, key=len, reverse=True):
        text = text.removesuffix(word).strip()
    value = value_of(text, case.pack)
    if value is None:
        return term(case)
    edges = Quantity(case.numbers)
    sign = Phrases(case.pack.percent)
    of_a = maybe(phrases("of a", "of one", "a"))
    figure = number(value, case)
    if value.denominator == 1:
        of_a = joint(case.pack)
    core = Number(value, case.numbers)
    found = [Reading("figure and percent", figure + of_a + sign, edges, (10, 12, 14), core=core)]
    found.append(Reading("range", shared(value, case, sign), edges, (14, 30)))
    return found


@family("measurement")
def measurement(case: Case) -> list[Reading]:
    """Number and unit; another unit is absent even if convertible (rule 14)."""
    found = measured(case.folded, case.text)
    values = [(value_of(figure, case.pack), folded, shown) for figure, folded, shown in found]
    if len(found) == 1 and _RATIO.fullmatch(found[0][0]) and values[0][0] is None:
        return _ratio(case, *found[0])
    if not values or any(value is None for value, _, _ in values):
        return term(case)
    pieces = [
        _one_measure(value, unit(folded, shown, case.pack), case)
        for value, folded, shown in values
        if value is not None
    ]
    edges = Quantity(case.numbers)
    link = Skip(case.pack) + maybe(phrases("and"))
    joined = sequence([p for piece in pieces for p in (link, piece)][1:])
    core = Number(values[0][0] or Fraction(0), case.numbers) if len(values) == 1 else None
    whole = Reading("number and unit", joined, edges, (10, 12, 14, 31), core=core)
    readings = [whole.only(_longer(case.pack))]
    if len(values) == 1:
        readings = [reading.only(_compound(case, values[0][1])) for reading in readings]
    if len(values) == 1 and values[0][0] is not None:
        after = joint(case.pack) + unit(values[0][1], values[0][2], case.pack)
        readings.append(Reading("range", shared(values[0][0], case, after), edges, (14, 30)))
    if len(values) == 2 and values[1][0] is not None:
        implied = Doubtful(pieces[0] + number(values[1][0], case), d.IMPLIED)
        readings.append(Reading("last unit implied", implied, edges, (14,)))
    return readings


def _ratio(case: Case, figures: str, folded: str, shown: str) -> list[Reading]:
    """120/80 mmHg, one twenty over eighty: two figures, no fraction."""
    over, under = (Digits(figure, case.numbers) for figure in figures.split("/"))
    link = phrases("/", "over", "slash")
    pattern = over + link + under + joint(case.pack) + unit(folded, shown, case.pack)
    return [Reading("ratio and unit", pattern, Quantity(case.numbers), (10, 14))]


def _one_measure(value: Fraction, name: Pattern, case: Case) -> Pattern:
    """12 mg, 12-mg, an inch and a half, half an inch, minus twenty degrees."""
    hyphen = joint(case.pack)
    options = [number(value, case) + hyphen + name]
    if value == 1:
        options.append(phrases("a", "an") + name)
    if value > 1 and value.denominator != 1:
        options.append(and_a_half(value, name, case))
    if 0 < value < 1:
        options.append(
            Number(value, case.numbers) + phrases("a", "an", "of a", "of an", "of one") + name
        )
    if value < 0:
        below = phrases("below", "below zero")
        options.append(Number(-value, case.numbers) + name + below)
    return choice(options)


def and_a_half(value: Fraction, name: Pattern, case: Case) -> Pattern:
    """An inch and a half, two dollars and a half."""
    whole = Fraction(value.numerator // value.denominator)
    head = Number(whole, case.numbers)
    one = head | phrases("a", "an") if whole == 1 else head
    return one + name + phrases("and") + Number(value - whole, case.numbers)


_RATES = frozenset({"second", "sec", "minute", "min", "hour", "hr", "square", "cubic", "inch", "s"})


def _longer(pack: Pack) -> Check:
    """A unit that goes on is another unit: "pounds per square inch", "5 m g"."""

    def check(tape: Tape, i: int, e: int) -> int:
        run = tape.runs.get(e, "")
        if run in pack.per and run != "a" and run != "an":
            follower = tape.runs.get(e + len(run), "")
            return REFUSED if follower in _RATES else d.KIND
        if tape.char(e) == "/" and tape.glued(e) and tape.glued(e + 1):
            return UNSURE
        spelled = len(tape.runs.get(tape.ends.get(e, -1), "")) == 1 == len(run)
        return REFUSED if spelled and run.isalpha() and run not in "ai" else 0

    return check


def _compound(case: Case, name: str) -> Check:
    """6 ft of "6 ft 2 in", 30 minutes of "an hour and 30 minutes" are another value (rule 38)."""
    smaller, larger = (Phrases(forms) for forms in neighbours(name, case.pack))
    ends = {phrase for phrases in larger.by_first.values() for phrase in phrases}

    def check(tape: Tape, i: int, e: int) -> int:
        place = e + len(tape.runs[e]) if tape.runs.get(e) in case.pack.ands else e
        values = case.numbers.values(tape, place)
        if any(smaller.ends(tape, end) for _, end, _ in values):
            return REFUSED
        start = tape.ends.get(i, -1)
        if tape.runs.get(start) in case.pack.ands:
            start = tape.ends.get(start, -1)
        return REFUSED if tape.runs.get(start) in ends else 0

    return check
