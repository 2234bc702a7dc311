"""Amounts of money, with their cents, signs, scales and the currencies beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random
from typing import Any

from . import numbers
from .family import Family, Said
from .numbers import NUMBERS, cardinal, figure, plain, words
from .quantities import BEHIND, SENTENCES


@dataclass(frozen=True, slots=True)
class Currency:
    sign: str
    code: str
    one: str
    many: str
    part: str | None
    parts: str | None


CURRENCIES: Mapping[str, Currency] = {
    "USD": Currency("$", "USD", "dollar", "dollars", "cent", "cents"),
    "EUR": Currency("€", "EUR", "euro", "euros", "cent", "cents"),
    "GBP": Currency("£", "GBP", "pound", "pounds", "penny", "pence"),
    "JPY": Currency("¥", "JPY", "yen", "yen", None, None),
    "INR": Currency("₹", "INR", "rupee", "rupees", None, None),
}
USUAL = ("USD", "USD", "USD", "EUR", "GBP", "JPY", "INR")
FOREIGN = {
    "USD": ("Canadian dollars", "Australian dollars", "pesos", "Hong Kong dollars"),
    "EUR": ("Swiss francs",),
    "GBP": ("Egyptian pounds", "Lebanese pounds"),
    "JPY": ("yuan",),
    "INR": ("Pakistani rupees", "Sri Lankan rupees"),
}


@dataclass(frozen=True, slots=True)
class Money:
    amount: Decimal
    """With two places at most."""
    currency: str

    @property
    def of(self) -> Currency:
        return CURRENCIES[self.currency]

    @property
    def whole(self) -> int:
        return int(self.amount)

    @property
    def cents(self) -> int:
        return int(self.amount * 100) % 100


def _money(random: Random) -> Money:
    currency = random.choice(USUAL)
    has_cents = CURRENCIES[currency].part is not None
    draw = random.random()
    amount = Decimal(int(numbers.drawn(random)) or 7)
    if has_cents and draw < 0.25:
        amount += Decimal(random.randint(1, 99)) / 100
    elif has_cents and draw < 0.32:
        amount = Decimal(random.randint(1, 99)) / 100
    elif draw < 0.45 and amount < 1000:
        amount *= random.choice((1_000, 1_000_000, 1_000_000_000))
    return Money(amount, currency)


def _canonical(m: Money) -> str:
    amount = f"{m.amount:,.2f}" if m.cents else f"{m.whole:,}"
    for scale, name in ((10**9, "billion"), (10**6, "million")):
        if m.amount >= scale and m.amount % scale == 0:
            return f"{m.of.sign}{m.whole // scale:,} {name}"
    return f"{m.of.sign}{amount}"


def _figures(m: Money, random: Random) -> str:
    if m.cents:
        return random.choice((f"{m.amount:,.2f}", f"{m.amount:.2f}"))
    return random.choice((f"{m.whole:,}", str(m.whole), f"{m.whole:,}.00"))


def _signed(random: Random, m: Money) -> str:
    return f"{m.of.sign}{_figures(m, random)}"


def _coded(random: Random, m: Money) -> str:
    return f"{_figures(m, random)} {m.of.code}"


def _code_first(random: Random, m: Money) -> str:
    return f"{m.of.code} {_figures(m, random)}"


def _name(m: Money) -> str:
    return m.of.one if m.amount == 1 else m.of.many


def _figure_and_word(random: Random, m: Money) -> str:
    return f"{_figures(m, random)} {_name(m)}"


def _number_form(form: Callable[[Random, Decimal], str | None]) -> Any:
    """Whole amounts only: "two point five dollars" is nothing that people say."""

    def said(random: Random, m: Money) -> str | None:
        number = None if m.cents else form(random, m.amount)
        return number and f"{number} {_name(m)}"

    return said


def _scaled_sign(random: Random, m: Money) -> str | None:
    """ "$2.5 million", "$4M"."""
    if m.amount < 1000:
        return None
    scale, names = next(
        (scale, names)
        for scale, names in (
            (10**9, (" billion", "B", " bn", "bn")),
            (10**6, (" million", "M", " million", "m")),
            (10**3, (" thousand", "K", "k")),
        )
        if m.amount >= scale
    )
    rest = m.amount / scale
    return f"{m.of.sign}{plain(rest)}{random.choice(names)}" if (rest * 100) % 1 == 0 else None


def _two_parts(random: Random, m: Money) -> str | None:
    """ "seven dollars, 99 cents", "seven dollars and five cents"."""
    if not m.cents or not m.whole or not m.of.part:
        return None
    form = random.choice((lambda random, x: plain(x), words))
    first = f"{form(random, Decimal(m.whole))} {m.of.one if m.whole == 1 else m.of.many}"
    unit = m.of.part if m.cents == 1 else m.of.parts
    return f"{first}{random.choice((' ', ', ', ' and '))}{form(random, Decimal(m.cents))} {unit}"


def _cents_unnamed(random: Random, m: Money) -> str | None:
    """ "seven dollars oh five", "seven dollars fifty"."""
    if not m.cents or not m.whole or not m.of.part:
        return None
    cents = f"oh {numbers.DIGITS[m.cents]}" if m.cents < 10 else cardinal(random, m.cents)
    return f"{cardinal(random, m.whole)} {m.of.one if m.whole == 1 else m.of.many} {cents}"


def _cents_alone(random: Random, m: Money) -> str | None:
    if m.whole or not m.cents or m.currency == "EUR":
        return None
    unit = m.of.part if m.cents == 1 else m.of.parts
    return f"{random.choice((str(m.cents), cardinal(random, m.cents)))} {unit}"


def _sterling(random: Random, m: Money) -> str | None:
    if m.currency != "GBP" or m.cents:
        return None
    return f"{random.choice((figure, words))(random, m.amount)} pounds sterling"


def _rate(random: Random, m: Money) -> str | None:
    """A rate per time or piece leaves an amount as it is (rule 43)."""
    if m.amount > 10_000:
        return None
    return f"{_signed(random, m)} {random.choice(('per day', 'a day', 'per share', 'per person'))}"


def _euro_cents(random: Random, m: Money) -> str | None:
    if m.whole or not m.cents or m.currency != "EUR":
        return None
    return f"{random.choice((str(m.cents), cardinal(random, m.cents)))} euro cents"


def _short_scale(random: Random, m: Money) -> str | None:
    for scale, names in ((10**9, ("bn", "bil")), (10**6, ("mn", "mil"))):
        if m.amount >= scale and m.amount % scale == 0 and m.amount < scale * 1000:
            return f"{m.of.sign}{plain(m.amount / scale)} {random.choice(names)}"
    return None


def _scaled_fraction(random: Random, m: Money) -> str | None:
    """ ".5 million dollars", "$.5 million"."""
    for scale, name in ((10**9, "billion"), (10**6, "million")):
        part = m.amount / scale
        if 0 < part < 1 and (part * 100) % 1 == 0:
            digits = plain(part)[1:]
            return random.choice(
                (
                    f"{digits} {name} {m.of.many}",
                    f"{m.of.sign}{digits} {name}",
                    f"point {numbers.digit_words(digits[1:])} {name} {m.of.many}",
                )
            )
    return None


def _of_amount(change: Any) -> Any:
    def changed(random: Random, m: Money) -> Money | None:
        new = change(random, m.amount)
        if new is None or new <= 0 or (new * 100) % 1 or new > 10**12:
            return None
        return replace(m, amount=new) if m.of.part or new % 1 == 0 else None

    return changed


def _cents_more(random: Random, m: Money) -> Money | None:
    if m.cents or not m.of.part or m.amount > 10_000:
        return None
    return replace(m, amount=m.amount + Decimal(random.randint(1, 99)) / 100)


def _as_cents(random: Random, m: Money) -> Money | None:
    """€20 in "twenty euro cents"."""
    small = m.amount < 100 and m.amount % 1 == 0 and m.of.part
    return replace(m, amount=m.amount / 100) if small else None


def _as_second_part(random: Random, m: Money) -> Money | None:
    """$0.05 in "seven dollars and five cents"."""
    return None if m.whole or not m.of.part else replace(m, amount=m.amount + random.randint(1, 30))


def _cents_changed(random: Random, m: Money) -> Money | None:
    if not m.cents:
        return None
    cents = random.choice(
        (m.cents % 10 * 10 + m.cents // 10, m.cents + 1, m.cents + 10, m.cents % 10)
    )
    return replace(m, amount=m.whole + Decimal(cents % 100) / 100)


def _other_currency(random: Random, m: Money) -> Money | None:
    other = replace(m, currency=random.choice([code for code in CURRENCIES if code != m.currency]))
    return other if other.of.part or not m.cents else None


def _foreign(random: Random, m: Money) -> Said | None:
    if m.cents:
        return None
    number = random.choice((figure, words))(random, m.amount)
    return Said(f"{number} {random.choice(FOREIGN[m.currency])}")


def _no_currency(random: Random, m: Money) -> Said:
    return Said(random.choice((figure, words))(random, m.amount))


def _percent(random: Random, m: Money) -> Said:
    return Said(f"{figure(random, m.amount)}{random.choice(('%', ' percent'))}")


def _lakh(random: Random, m: Money) -> Said | None:
    if m.amount % 1 or m.amount > 999:
        return None
    scale = random.choice(("lakh", "crore", "trillion", "hundred thousand"))
    if random.random() < 0.5:
        return Said(f"{m.of.sign}{plain(m.amount)} {scale}")
    return Said(f"{words(random, m.amount)} {scale} {m.of.many}")


def _ends(random: Random, m: Money) -> tuple[str, str, str]:
    form = random.choice((lambda random, x: plain(x), words))
    more = m.amount + random.randint(2, 9)
    return form(random, m.amount), random.choice(("to", "to", "or")), form(random, more)


def _range(random: Random, m: Money) -> str | None:
    """A shared currency counts for both ends (rule 30)."""
    if m.amount % 1 or m.amount > 90:
        return None
    low, _, high = _ends(random, m)
    return f"{low} to {high} {m.of.many}"


def _range_scaled(random: Random, m: Money) -> Said | None:
    """$15 in "15 to 20 billion dollars"."""
    if m.amount % 1 or m.amount > 90:
        return None
    low, joint, high = _ends(random, m)
    return Said(
        f"{low} {joint} {high} {random.choice(('thousand', 'million', 'billion'))} {m.of.many}"
    )


def _weight(random: Random, m: Money) -> Said | None:
    if m.currency != "GBP" or m.cents:
        return None
    ounces = random.randint(1, 15)
    return Said(f"{words(random, m.amount)} pounds {cardinal(random, ounces)} ounces")


def _pressure(random: Random, m: Money) -> Said | None:
    if m.currency != "GBP" or m.amount > 10_000 or m.cents:
        return None
    return Said(f"{words(random, m.amount)} pounds per square inch")


def _half_dollars(random: Random, m: Money) -> Said | None:
    if m.amount % 1 or m.amount > 90:
        return None
    return Said(f"{words(random, m.amount)} and a half {m.of.many}")


def _minus(random: Random, m: Money) -> Said:
    return Said(
        random.choice((f"minus {words(random, m.amount)} {m.of.many}", f"-{_signed(random, m)}"))
    )


MONEY = Family[Money](
    type="currency_amount",
    value=_money,
    canonical=_canonical,
    forms={
        "written: sign": _signed,
        "written: code": _coded,
        "code in front": _code_first,
        "written: figures and word": _figure_and_word,
        "written: sign and scale": _scaled_sign,
        **{
            name: _number_form(form)
            for name, form in NUMBERS.items()
            if name not in ("written: figures", "spoken: fraction")
        },
        "spoken: two parts": _two_parts,
        "spoken: cents unnamed": _cents_unnamed,
        "spoken: cents alone": _cents_alone,
        "pounds sterling": _sterling,
        "a rate": _rate,
    },
    also={
        "euro cents": _euro_cents,
        "short scale": _short_scale,
        "scaled fraction": _scaled_fraction,
    },
    shared={"range": _range},
    changes={
        **{name: _of_amount(change) for name, change in numbers.CHANGES.items()},
        "cents more": _cents_more,
        "as cents": _as_cents,
        "as second part": _as_second_part,
        "cents changed": _cents_changed,
        "another currency": _other_currency,
        "a currency of the same name": _foreign,
        "no currency": _no_currency,
        "another kind: percent": _percent,
        "another kind: weight": _weight,
        "another kind: pressure": _pressure,
        "lakh, crore, trillion": _lakh,
        "a scale behind a range": _range_scaled,
        "and a half": _half_dollars,
        "a sign in front": _minus,
    },
    sentences=SENTENCES,
    beside=BEHIND,
)

FAMILIES: tuple[Family[Any], ...] = (MONEY,)
