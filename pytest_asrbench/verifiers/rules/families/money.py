"""Amounts of money (rules 10, 12, 13, 30, 41, 42, 52, 56)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from pytest_asrbench.verifiers.packs import Currency, Pack
from pytest_asrbench.verifiers.rules import said
from pytest_asrbench.verifiers.rules.alignment import MONEY
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.families.lexical import term
from pytest_asrbench.verifiers.rules.families.quantities import boundaries, figure, look, value_of
from pytest_asrbench.verifiers.rules.family import FamilyCase, FamilyReading, family
from pytest_asrbench.verifiers.rules.pattern import Phrases
from pytest_asrbench.verifiers.rules.readings.whole import wholes
from pytest_asrbench.verifiers.rules.tokens import Tokens


def parse_amount(text: str, pack: Pack) -> tuple[Fraction, Currency] | None:
    """Amount and currency of "$1,243.50", "CHF 820", "5 euros"."""
    number = re.search(r"\d[\d,]*(?:\.\d+)?|\.\d+", text)
    if number is None:
        return None
    around = (text[: number.start()] + " " + text[number.end() :]).strip()
    negative = around.startswith(("-", "minus", "negative")) or (text[0] == "(" and text[-1] == ")")
    around = re.sub(r"^(?:-|minus|negative)|[()]|-$", "", around).strip()
    scale = 1
    for word, factor in {**pack.scales, **pack.numbers.shorts}.items():
        tail = re.search(rf"(?<![a-z]){word}(?![a-z])", around)
        if tail:
            scale, around = factor, (around[: tail.start()] + around[tail.end() :]).strip()
            break
    currency = _currency(" ".join(around.split()), pack)
    value = value_of(number[0], pack)
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


@family("currency_amount", aligned=MONEY, written=said.amount)
def currency_amount(case: FamilyCase) -> list[FamilyReading]:
    """Amount and currency; cents may be spoken (rule 13)."""
    parsed = parse_amount(case.folded, case.pack)
    limits = _limits(case)
    if limits is not None:
        low, high, code = limits
        find = look(f"{code}..{code}", low, case, high)
        return [FamilyReading("range", None, boundaries(case), (10, 13, 30, 52), look=find)]
    if parsed is None:
        return term(case)
    value, currency = parsed
    rules = (10, 12, 13, 30, 41, 42)
    ways = [
        FamilyReading(
            "amount and currency", None, boundaries(case), rules,
            look=look(currency.code, value, case), core=figure(value, case),
        )
    ]  # fmt: skip
    return ways + _spaced_cents(value, currency, case)


def _limits(case: FamilyCase) -> tuple[Fraction, Fraction, str] | None:
    """Both ends of "$10-$20" or "10 to 20 dollars"."""
    ends = re.split(r"\s*(?:-|\bto\b)\s*", case.folded)
    if len(ends) != 2 or not all(any(c.isdigit() for c in end) for end in ends):
        return None
    low, high = (parse_amount(end, case.pack) for end in ends)
    code = low or high
    if code is None:
        return None
    bottom = low[0] if low else value_of(ends[0], case.pack)
    top = high[0] if high else value_of(ends[1], case.pack)
    if bottom is None or top is None or bottom >= top:
        return None
    return bottom, top, code[1].code


def _spaced_cents(value: Fraction, currency: Currency, case: FamilyCase) -> list[FamilyReading]:
    """ "$19 99" for $19.99 is absent, but readers dispute it."""
    whole, part = divmod(value, 1)
    if value < 1 or (part * 100).denominator != 1 or not part:
        return []
    joined = Fraction(int(whole) * 100 + int(part * 100))
    signs = Phrases(currency.signs)

    def find(tokens: Tokens) -> Iterator[tuple[int, int, int]]:
        for one in wholes(tokens, case.numbers).by_value.get(joined, ()):
            places = [i for i in signs.starts(tokens) if one.start in signs.ends(tokens, i)]
            apart = any(tokens.gaps[k] for k in range(one.start + 1, one.end))
            if places and apart:
                yield places[0], one.end, Doubt.REFUSED | Doubt.OTHERWISE

    return [FamilyReading("a space for the point", None, boundaries(case), (26,), look=find)]
