"""Plain numbers and percentages."""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Any

from . import numbers
from .family import Family, Said
from .numbers import NUMBERS, cardinal, figure, plain, words

NUMBER_SENTENCES = (
    "{}",
    "the count is {}",
    "so it was {} yesterday",
    "um {} please",
    "they told us {}, thanks",
    "we said {} okay",
    "The report says {}.",
)
SENTENCES = (*NUMBER_SENTENCES, "take {} today", "that makes {} altogether", "Is it {}?")
BEHIND = ("{} 5 minutes ago", "{} 2 days ago", "{}, 3 pm")


def _minus(random: Random, x: Decimal) -> Said:
    sign = random.choice(("minus ", "negative ", "-", "−"))
    return Said(sign + (words(random, x) if sign.endswith(" ") else figure(random, x)))


def _counted(random: Random, x: Decimal) -> Said | None:
    if x % 1:
        return None
    said = random.choice((plain(x), cardinal(random, int(x))))
    return Said(f"{said} {random.choice(('lakh', 'crore', 'lakhs', 'dozen'))} boxes")


def _short_scale(random: Random, x: Decimal) -> Said:
    return Said(f"{plain(x)}{random.choice(('k', 'K', 'M'))} users")


def _short_hundred(random: Random, x: Decimal) -> Said | None:
    """ "three thirty five" is 335."""
    if not 11 <= x <= 99 or x % 1:
        return None
    return Said(f"{numbers.DIGITS[random.randint(1, 9)]} {cardinal(random, int(x))}")


PLAIN = Family[Decimal](
    type="plain_number",
    value=numbers.drawn,
    canonical=lambda x: f"{int(x):,}" if x % 1 == 0 else plain(x),
    forms=NUMBERS,
    changes={
        **numbers.CHANGES,  # type: ignore[dict-item]
        "a sign in front": _minus,
        "lakh, crore, dozen": _counted,
        "a scale letter": _short_scale,
        "a hundred said short": _short_hundred,
    },
    sentences=NUMBER_SENTENCES,
)


def _percent_number(random: Random) -> Decimal:
    draw = random.random()
    if draw < 0.3:
        return Decimal(random.randint(1, 999)) / 100
    return Decimal(random.randint(1, 99)) + (numbers.HALF if draw < 0.5 else 0)


def _percent_form(form: Any) -> Any:
    def said(random: Random, x: Decimal) -> str | None:
        number = form(random, x)
        return number and f"{number} {random.choice(('percent', 'percent', 'per cent', '%'))}"

    return said


LARGE = ("a smaller scale", "behind a round number")
SMALL = ("written: figures", "spoken: words", "spoken: fraction")


def _percent_range(random: Random, x: Decimal) -> str | None:
    if x % 1 or x > 90:
        return None
    form = random.choice((lambda random, n: plain(n), words))
    joint = random.choice((" to ", "-", "–")) if form is not words else " to "
    low, high = (form(random, end) for end in (x, x + random.randint(1, 9)))
    return f"{low}{joint}{high}{'%' if form is not words else ' percent'}"


PERCENTAGE = Family[Decimal](
    type="percentage",
    value=_percent_number,
    canonical=lambda x: f"{plain(x)}%",
    forms={
        "written: sign": lambda random, x: f"{figure(random, x)}{random.choice(('%', ' %'))}",
        **{name: _percent_form(NUMBERS[name]) for name in SMALL},
    },
    shared={"range": _percent_range},
    changes={
        **{name: change for name, change in numbers.CHANGES.items() if name not in LARGE},
        "a sign in front": lambda random, x: Said(
            random.choice((f"-{plain(x)}%", f"minus {words(random, x)} percent"))
        ),
        "no percent": lambda random, x: Said(random.choice((plain(x), words(random, x)))),
        "basis points": lambda random, x: Said(f"{words(random, x)} basis points"),
        "another kind: money": lambda random, x: Said(f"${plain(x)}"),
    },
    sentences=SENTENCES,
    beside=BEHIND,
)

FAMILIES: tuple[Family[Any], ...] = (PLAIN, PERCENTAGE)
