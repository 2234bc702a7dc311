"""Amounts of money (rules 10, 12, 13, 30)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from pytest_asrbench.verifiers.packs import Currency, Pack
from pytest_asrbench.verifiers.rules import doubts as d
from pytest_asrbench.verifiers.rules.edges import REFUSED, UNSURE, Check, Quantity
from pytest_asrbench.verifiers.rules.families.lexical import term
from pytest_asrbench.verifiers.rules.families.quantities import (
    SCALES,
    and_a_half,
    joint,
    minus,
    number,
    shared,
    value_of,
)
from pytest_asrbench.verifiers.rules.family import Case, Reading, family
from pytest_asrbench.verifiers.rules.pattern import Doubtful, Pattern, Phrases, maybe, phrases
from pytest_asrbench.verifiers.rules.sequences import AnyQuantity, Figure
from pytest_asrbench.verifiers.rules.sequences import Quantity as Number
from pytest_asrbench.verifiers.rules.tape import Tape


def _parse(text: str, pack: Pack) -> tuple[Fraction, Currency] | None:
    """Amount and currency of "$1,243.50", "CHF 820", "5 euros"."""
    figure = re.search(r"\d[\d,]*(?:\.\d+)?|\.\d+", text)
    if figure is None:
        return None
    around = (text[: figure.start()] + " " + text[figure.end() :]).strip()
    negative = around.startswith(("-", "minus", "negative")) or (text[0] == "(" and text[-1] == ")")
    around = re.sub(r"^(?:-|minus|negative)|[()]|-$", "", around).strip()
    scale = 1
    for word, factor in {**pack.scales, **SCALES}.items():
        tail = re.search(rf"(?<![a-z]){word}(?![a-z])", around)
        if tail:
            scale, around = factor, (around[: tail.start()] + around[tail.end() :]).strip()
            break
    currency = _currency(" ".join(around.split()), pack)
    value = value_of(figure[0], pack)
    if currency is None or value is None:
        return None
    minor = around in currency.minor and around not in currency.words
    value = value * scale / (100 if minor else 1)
    return (-value if negative else value), currency


def _currency(name: str, pack: Pack) -> Currency | None:
    for one in pack.currencies:
        if name in (one.code.lower(), *one.signs, *one.words):
            return one
    for one in pack.currencies:
        if name in one.minor or name in (f"{s} {one.code.lower()}" for s in one.signs):
            return one
    return None


@family("currency_amount")
def currency_amount(case: Case) -> list[Reading]:
    """Amount and currency; cents may be spoken (rule 13)."""
    parsed = _parse(case.folded, case.pack)
    if parsed is None:
        return term(case)
    value, currency = parsed
    edges = Quantity(case.numbers)
    check = _same_currency(case.pack, currency)
    whole = _whole_amount(case, currency)
    core = Number(value, case.numbers)
    found = [
        Reading(name, pattern, edges, (10, 12, 13, 30), core=core).only(check).only(whole)
        for name, pattern in _amounts(value, currency, case)
    ]
    found += _spaced_cents(value, currency, case, edges)
    after = joint(case.pack) + Phrases((*currency.words, currency.code.lower(), *currency.signs))
    found.append(Reading("range", shared(value, case, after), edges, (13, 30)).only(check))
    before = Phrases((*currency.signs, currency.code.lower()))
    link = Phrases(("-", *case.pack.range_words, "and"))
    other = before + AnyQuantity(case.numbers) + link + number(value, case)
    found.append(Reading("range", Doubtful(other, d.SHARED), edges, (13, 30)).only(check))
    return found


def _spaced_cents(value: Fraction, currency: Currency, case: Case, edges: Check) -> list[Reading]:
    """ "$19 99" for $19.99 is absent, but readers dispute it."""
    whole, part = divmod(value, 1)
    if value < 1 or (part * 100).denominator != 1 or not part:
        return []
    cents = Figure(f"{int(part * 100):02}")
    pattern = Phrases(currency.signs) + Number(Fraction(whole), case.numbers) + cents
    return [Reading("a space for the point", pattern, edges, (26,), REFUSED | d.OTHERWISE)]


def _amounts(value: Fraction, currency: Currency, case: Case) -> Iterable[tuple[str, Pattern]]:
    amount = abs(value)
    before = Phrases((*currency.signs, currency.code.lower()))
    after = Phrases((*currency.words, currency.code.lower(), *currency.signs))
    below = minus(case.pack) if value < 0 else None
    plain = Number(amount, case.numbers)
    hyphen = joint(case.pack)
    names = plain + hyphen + after
    if amount < 1:
        names = names | (plain + phrases("of a", "a", "of one") + after)
    if amount == 1:
        names = names | (phrases("a") + after)
    sided = before + joint(case.pack) + plain if value < 0 else before + plain
    yield "sign and figure", _signed(below, sided) if below else sided
    if below:
        yield "sign and figure", before + minus(case.pack) + plain
    yield "figure and name", _signed(below, names)
    yield from (("with cents", _signed(below, p)) for p in _cents(amount, currency, case))


def _signed(below: Pattern | None, pattern: Pattern) -> Pattern:
    return below + pattern if below else pattern


def _cents(amount: Fraction, currency: Currency, case: Case) -> Iterable[Pattern]:
    """Nineteen dollars [and] ninety nine [cents]; 99 cents."""
    cents = amount * 100
    whole, part = divmod(amount, 1)
    if cents.denominator != 1 or not currency.minor or not part:
        return
    minor = Phrases(currency.minor)
    after = Phrases((*currency.words, currency.code.lower(), currency.signs[0]))
    loose = Number(Fraction(part * 100), case.numbers)
    if not whole:  # and also "zero dollars and ninety nine cents"
        yield loose + joint(case.pack) + minor
    dollars = Number(Fraction(whole), case.numbers) + after
    if whole == 1:
        dollars = dollars | (phrases("a") + after)
    signed = Phrases(currency.signs) + Number(Fraction(whole), case.numbers)
    comma = maybe(phrases(","))
    yield dollars + comma + maybe(phrases("and")) + loose + minor
    yield signed + comma + maybe(phrases("and")) + loose + minor
    if whole and part * 100 >= 10:
        yield dollars + loose
    if whole:
        yield and_a_half(amount, after, case)


def _whole_amount(case: Case, currency: Currency) -> Check:
    """Dollars that cents follow, or cents that dollars precede, are another amount (rule 38)."""
    minor = Phrases(currency.minor)
    main = {name.split()[-1] for name in currency.words}
    last = {name.split()[-1] for name in currency.minor}

    def follows(tape: Tape, e: int) -> int:
        joined = tape.runs.get(e) in case.pack.ands
        place = e + len(tape.runs[e]) if joined else e
        values = case.numbers.values(tape, place)
        if any(minor.ends(tape, end) for _, end, _ in values):
            return REFUSED
        named = tape.runs.get(tape.ends.get(e, -1)) in main
        return UNSURE if named and not joined and any(10 <= v < 100 for v, _, _ in values) else 0

    def check(tape: Tape, i: int, e: int) -> int:
        if tape.runs.get(tape.ends.get(e, -1)) not in last:
            return follows(tape, e)
        start = tape.ends.get(i, -1)
        if tape.runs.get(start) in case.pack.ands:
            start = tape.ends.get(start, -1)
        money = tape.char(start - 1) in currency.signs
        return REFUSED if tape.runs.get(start) in main or money else 0

    return check


def _same_currency(pack: Pack, currency: Currency) -> Check:
    """A qualifier beside the amount names another currency ("$1,150 Canadian", "CA$1,150")."""
    qualifiers = set(pack.other_dollars)

    def check(tape: Tape, i: int, e: int) -> int:
        if tape.glued(i) and tape.flat[i - 1].isalpha():
            return REFUSED
        return REFUSED if currency.code == "USD" and tape.runs.get(e) in qualifiers else 0

    return check
