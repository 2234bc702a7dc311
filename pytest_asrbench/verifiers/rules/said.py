"""
Canonicals that are themselves in spoken form (rule 50): "one hundred twenty dollars", "M nine M six
F J". Each is read as a transcript is, and written as the value that it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product

from pytest_asrbench.verifiers.packs import pack as load_pack
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.family import FamilyCase, Written
from pytest_asrbench.verifiers.rules.names import named, table
from pytest_asrbench.verifiers.rules.readings.clocks import HOUR, Clock, clocks
from pytest_asrbench.verifiers.rules.readings.date_parts import Date
from pytest_asrbench.verifiers.rules.readings.dates import dates
from pytest_asrbench.verifiers.rules.readings.names import MONEY, PERCENT
from pytest_asrbench.verifiers.rules.readings.quantities import quantities
from pytest_asrbench.verifiers.rules.readings.quantity import Quantity
from pytest_asrbench.verifiers.rules.readings.whole import Span, wholes
from pytest_asrbench.verifiers.rules.tokens import Tokens, tokenise

_MOST = 6
"""Number words may be read in several ways; so many are tried."""


def said_as(case: FamilyCase, written: Written) -> Iterator[str]:
    """The value in writing, if it is given in words."""
    told = _telling(case.pack.language)
    if told.isdisjoint(_WORD.findall(case.folded)):
        return
    for form in written(case):
        if form != case.folded:
            yield form


_WORD = re.compile(r"[^\W\d_]+")


@lru_cache(maxsize=16)
def _telling(language: str) -> frozenset[str]:
    """Words of which a spoken form has one: numbers, letters' words, spoken signs, clock words."""
    pack = load_pack(language)
    clock = pack.clock
    names = (*clock.noon, *clock.midnight, *clock.quarter, *clock.half, *pack.percent)
    groups = [*pack.spelling.values(), *pack.separators.values(), names]
    worded = {word for group in groups for name in group for word in _WORD.findall(name)}
    numbers = {*pack.digits, *pack.teens, *pack.tens, *pack.hundreds, *pack.scales, *pack.ordinals}
    more = {*pack.numbers.zeros, *pack.repeats, *pack.fractions}
    return frozenset(worded | numbers | more)


def _whole_quantities(case: FamilyCase) -> Iterator[Quantity]:
    heard = tokenise(case.folded)
    for whole in quantities(heard, case.numbers).by_value.values():
        for one in whole:
            if (one.start, one.end) == (0, len(heard)) and not one.doubts:
                yield one


def amount(case: FamilyCase) -> Iterator[str]:
    """One hundred twenty dollars -> USD 120."""
    if any(c.isdigit() for c in case.folded):
        return
    for one in _whole_quantities(case):
        if one.kind == MONEY or (one.more is None and one.key in _codes(case)):
            sign = "-" if one.value < 0 else ""
            yield f"{sign}{one.key} {plain(abs(one.value))}"


def _codes(case: FamilyCase) -> set[str]:
    return {currency.code for currency in case.pack.currencies}


def percent(case: FamilyCase) -> Iterator[str]:
    for one in _whole_quantities(case):
        if one.key == PERCENT:
            yield f"{plain(one.value)}%"


def measure(case: FamilyCase) -> Iterator[str]:
    """Six feet two inches -> 6 ft 2 in; five to seven days -> 5-7 day."""
    if any(c.isdigit() for c in case.folded):
        return
    for one in _whole_quantities(case):
        first, _, second = one.key.partition("+")
        low, _, high = one.key.partition("..")
        if one.more is None:
            yield f"{plain(one.value)} {one.key}"
        elif second:
            yield f"{plain(one.value)} {first} {plain(one.more)} {second}"
        elif high:
            yield f"{plain(one.value)}-{plain(one.more)} {low}"


def number(case: FamilyCase) -> Iterator[str]:
    heard = tokenise(case.folded)
    for whole in wholes(heard, case.numbers).all:
        if (whole.start, whole.end) == (0, len(heard)):
            yield plain(whole.value)


def plain(value: Fraction) -> str:
    """In figures, exactly."""
    if value.denominator == 1:
        return str(value.numerator)
    places = next((k for k in range(1, 13) if (value * 10**k).denominator == 1), 0)
    if not places:
        return f"{value.numerator}/{value.denominator}"
    digits = str(int(abs(value) * 10**places)).zfill(places + 1)
    return ("-" if value < 0 else "") + digits[:-places] + "." + digits[-places:]


def time(case: FamilyCase) -> Iterator[str]:
    """Eight fifty five a m -> 8:55 am."""
    heard = tokenise(case.folded)
    for one in clocks(heard, case.numbers):
        if (
            one.start
            or one.doubts & Doubt.REFUSED
            or (one.style == HOUR and not (one.half or one.exact))
        ):
            continue
        ends = {one.end: "", **{end: name for name, end in one.zones}}
        if len(heard) in ends:
            yield " ".join((_clock(one), one.half, ends[len(heard)])).strip()


def _clock(one: Clock) -> str:
    second = f":{one.second}" if one.second else ""
    return f"{one.hour}:{one.minute:02}{second}"


def date(case: FamilyCase) -> Iterator[str]:
    """March twenty fifth -> march 25."""
    heard = tokenise(case.folded)
    for one in dates(heard, case.numbers, day_first=case.options.date_order == "day-first"):
        told = one.month or one.weekday or one.quarter
        if told and (one.start, one.end) == (0, len(heard)) and not one.doubts:
            yield _dated(one, case)


def _dated(one: Date, case: FamilyCase) -> str:
    weekday = case.pack.weekdays[one.weekday - 1][0] if one.weekday else ""
    if one.year and one.month and one.day:
        return f"{weekday} {one.year}-{one.month:02}-{one.day:02}".strip()
    if one.quarter:
        return f"q{one.quarter} {one.year}".strip()
    month = case.pack.months[one.month - 1][0] if one.month else ""
    day = str(one.day) if one.day else ""
    return " ".join(part for part in (weekday, month, day, one.year) if part)


# --- letters and digits ---------------------------------------------------------------------------


def characters(case: FamilyCase) -> Iterator[str]:
    """M nine M six F J -> m9m6fj; four one five … -> 415…."""
    heard = tokenise(case.folded)
    spelling = {name: letter for letter, names in case.pack.spelling.items() for name in names} | {
        "plus": "+"
    }
    pieces = _pieces(heard, case, spelling)
    if pieces is None or not _worded(heard, case, spelling):
        return
    yield from islice(("".join(option) for option in product(*pieces)), _MOST)


def _worded(heard: Tokens, case: FamilyCase, spelling: dict[str, str]) -> bool:
    told = {*case.numbers.words, *spelling}
    return any(word in told for word in heard.index if len(word) > 1)


def _pieces(heard: Tokens, case: FamilyCase, spelling: dict[str, str]) -> list[list[str]] | None:
    """Pieces of the value, each in all its readings; None for ordinary words."""
    spans = _spans(heard, case)
    known = table(spelling)
    pieces: list[list[str]] = []
    i = 0
    while i < len(heard):
        run = heard.runs.get(i, "")
        names = sorted(named(heard, i, known))
        if i in spans:
            pieces.append(sorted(spans[i].strings, key=len))
            i = spans[i].end
        elif names:
            pieces.append([_letter(heard.flat[i : names[-1]], spelling)])
            i = names[-1]
        elif len(run) == 1 or not run:
            pieces.append([run or (heard.flat[i] if heard.flat[i] == "+" else "")])
            i += 1
        else:
            return None
    return pieces


def _letter(flat: str, spelling: dict[str, str]) -> str:
    return next(letter for name, letter in spelling.items() if name.replace(" ", "") == flat)


def _spans(heard: Tokens, case: FamilyCase) -> dict[int, Span]:
    """Spans of numbers that are read whole, by their start."""
    return {
        span.start: span
        for span in wholes(heard, case.numbers).spans
        if span.strings and not span.doubts
    }


def words(case: FamilyCase) -> Iterator[str]:
    """Forty two elm street -> 42 elm street: numbers in figures, other words as they are."""
    heard = tokenise(case.folded)
    spans = {i: span for i, span in _spans(heard, case).items() if not span.figures}
    if not spans:
        return
    pieces: list[list[str]] = []
    place = 0
    for i in sorted(spans):
        begin, end = heard.span(i, spans[i].end)
        pieces += [[case.folded[place:begin]], sorted(spans[i].strings, key=len)[:2]]
        place = end
    pieces.append([case.folded[place:]])
    yield from islice(("".join(option) for option in product(*pieces)), _MOST)


def machine(*signs: str) -> Written:
    """Ashley dot brown at email dot com -> ashley.brown@email.com; not where a sign is written."""

    def written(case: FamilyCase) -> Iterator[str]:
        if any(sign in case.folded for sign in signs):
            return
        heard = tokenise(case.folded)
        names = {
            name: sign
            for sign, spoken in case.pack.separators.items()
            for name in spoken
            if sign in "._-+@/:" and name not in ("and", "minus", "period")
        }
        said = {names[name] for name in names if name in case.folded}
        if said.isdisjoint(signs):
            return
        pieces = _joined(heard, case, names)
        yield from islice(("".join(option) for option in product(*pieces)), _MOST)

    return written


def _joined(heard: Tokens, case: FamilyCase, names: dict[str, str]) -> list[list[str]]:
    spans, known = _spans(heard, case), table(names)
    pieces: list[list[str]] = []
    i = 0
    while i < len(heard):
        ends = sorted(named(heard, i, known))
        run = heard.runs.get(i, heard.flat[i])
        if i in spans:
            pieces.append(sorted(spans[i].strings, key=len))
            i = spans[i].end
        elif ends:
            pieces.append([_letter(heard.flat[i : ends[-1]], names)])
            i = ends[-1]
        else:
            pieces.append([run])
            i += len(run)
    return pieces
