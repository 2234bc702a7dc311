"""Numbers, shares, amounts and measures of a language."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random
from typing import Any

from helpers.neighbours import numbers
from helpers.neighbours.family import Family, Said
from helpers.neighbours.numbers import plain

from .words import Tongue

NEAR = (
    "ten times", "a tenth", "a larger scale", "a smaller scale", "decimals behind", "decimals lost",
    "tens before units", "units behind tens", "hundreds before", "behind a round number",
    "thousands before", "a figure more", "a figure less", "a figure changed", "figures swapped",
)  # fmt: skip


def _figure(tongue: Tongue, random: Random, x: Decimal) -> str:
    """Digits with the language's marks; thousands marked or not."""
    whole, _, rest = plain(x).partition(".")
    grouped_whole = f"{int(whole):,}".replace(",", tongue.thousands)
    if tongue.code == "hi":
        grouped_whole = whole
    marked = random.choice((whole, grouped_whole)) if int(whole) >= 10_000 else whole
    return f"{marked}{tongue.point}{rest}" if rest else marked


def _words(tongue: Tongue, x: Decimal) -> str | None:
    whole, _, rest = plain(x).partition(".")
    said = tongue.say(int(whole))
    if not rest or said is None:
        return said
    tail = tongue.joint.join(tongue.digits[int(digit)] for digit in rest)
    return f"{said}{tongue.joint}{tongue.point_word}{tongue.joint}{tail}"


def _drawn(random: Random) -> Decimal:
    """Whole numbers of the usual sizes, and a few with one decimal."""
    draw = random.random()
    if draw < 0.3:
        return Decimal(random.randint(2, 19))
    if draw < 0.55:
        return Decimal(random.randint(20, 99))
    if draw < 0.7:
        return Decimal(random.randint(2, 99) * 10 ** random.randint(1, 3))
    if draw < 0.9:
        return Decimal(random.randint(100, 9999))
    return Decimal(random.randint(11, 999)) / 10


def _whole(random: Random) -> Decimal:
    return Decimal(int(_drawn(random)) + 2)


def _changes(names: tuple[str, ...] = NEAR) -> dict[str, Any]:
    """Numbers near a number; one alone is also an article, so it is left out."""

    def kept(change: Any) -> Any:
        def changed(random: Random, x: Decimal) -> Decimal | None:
            new = change(random, x)
            return new if new is not None and new >= 2 and new < 10**9 else None

        return changed

    return {name: kept(numbers.CHANGES[name]) for name in names}


def _form(tongue: Tongue, patterns: tuple[str, ...], *, spoken: bool) -> Any:
    def said(random: Random, x: Decimal) -> str | None:
        number = _words(tongue, x) if spoken else _figure(tongue, random, x)
        return number and random.choice(patterns).format(number)

    return said


def _canonical_number(tongue: Tongue, x: Decimal) -> str:
    whole, _, rest = plain(x).partition(".")
    whole = f"{int(whole):,}".replace(",", tongue.thousands) if len(whole) > 4 else whole
    if tongue.code == "hi":
        whole = plain(x).partition(".")[0]
    return f"{whole}{tongue.point}{rest}" if rest else whole


def quantities(tongue: Tongue) -> list[Family[Any]]:
    written, spoken = ("{}",), ("{}",)
    common = {"language": tongue.code, "sentences": tongue.sentences}
    plain_number = Family[Decimal](
        type="plain_number",
        value=_drawn,
        canonical=lambda x: _canonical_number(tongue, x),
        forms={
            "figures": _form(tongue, written, spoken=False),
            "words": _form(tongue, spoken, spoken=True),
        },
        changes=_changes(),
        **common,
    )
    percentage = Family[Decimal](
        type="percentage",
        value=lambda random: Decimal(random.randint(2, 99)) + random.choice((0, 0, Decimal("0.5"))),
        canonical=lambda x: tongue.percent.format(_canonical_number(tongue, x)),
        forms={
            "figures": _form(tongue, tongue.percent_written, spoken=False),
            "words": _form(tongue, tongue.percent_spoken, spoken=True),
        },
        changes={
            **_changes(("ten times", "decimals behind", "decimals lost", "tens before units",
                        "units behind tens", "hundreds before", "a figure changed")),
            "no percent": lambda random, x: Said(_figure(tongue, random, x)),
        },
        **common,
    )  # fmt: skip
    return [plain_number, percentage, _money(tongue), *_measures(tongue)]


def _money(tongue: Tongue) -> Family[Decimal]:
    def value(random: Random) -> Decimal:
        amount = _whole(random)
        if tongue.cents and random.random() < 0.3:
            return amount % 1000 + 2 + Decimal(random.choice((10, 25, 50, 75, 99))) / 100
        return amount

    def canonical(x: Decimal) -> str:
        if x % 1:
            return tongue.money.format(f"{int(x)}{tongue.point}{int(x * 100) % 100:02}")
        return tongue.money.format(_canonical_number(tongue, x))

    def figures(random: Random, x: Decimal) -> str:
        if x % 1:
            number = f"{int(x)}{tongue.point}{int(x * 100) % 100:02}"
            return random.choice(tongue.money_written).format(number)
        return random.choice(tongue.money_written).format(_figure(tongue, random, x))

    def words(random: Random, x: Decimal) -> str | None:
        if not x % 1:
            said = tongue.say(int(x))
            return said and random.choice(tongue.money_spoken).format(said)
        whole, cents = tongue.say(int(x)), tongue.say(int(x * 100) % 100)
        return tongue.cents.format(whole, cents) if tongue.cents and whole and cents else None

    def of_cents(change: Any) -> Any:
        def changed(random: Random, x: Decimal) -> Decimal | None:
            new = change(random, x)
            return new if new and (new * 100) % 1 == 0 and (tongue.cents or new % 1 == 0) else None

        return changed

    def cents_more(random: Random, x: Decimal) -> Decimal | None:
        if x % 1:
            return None
        return x + Decimal(random.choice((10, 25, 50, 99))) / 100

    changes = {name: of_cents(change) for name, change in _changes().items()}
    left_out = {"decimals behind", "a smaller scale"} | (
        set() if tongue.cents else {"decimals lost"}
    )
    return Family[Decimal](
        type="currency_amount",
        language=tongue.code,
        value=value,
        canonical=canonical,
        forms={"figures": figures, "words": words},
        changes={
            **{n: c for n, c in changes.items() if n not in left_out},
            **({"cents more": cents_more} if tongue.cents else {}),
            "another currency": lambda random, x: Said(
                f"{_figure(tongue, random, x)}{tongue.joint}{random.choice(tongue.money_other)}"
            ),
            "no currency": lambda random, x: Said(_figure(tongue, random, x)),
        },
        sentences=tongue.sentences,
    )


@dataclass(frozen=True, slots=True)
class Measure:
    number: Decimal
    unit: str


def _measures(tongue: Tongue) -> list[Family[Any]]:
    names = tuple(tongue.units)

    def written(random: Random, m: Measure) -> str:
        joint = random.choice(("", tongue.joint))
        return f"{_figure(tongue, random, m.number)}{joint}{m.unit}"

    def spoken(random: Random, m: Measure) -> str | None:
        said = _words(tongue, m.number)
        return said and f"{said}{tongue.joint}{tongue.units[m.unit][-1]}"

    def of_number(change: Any) -> Any:
        def changed(random: Random, m: Measure) -> Measure | None:
            new = change(random, m.number)
            return replace(m, number=new) if new else None

        return changed

    def ratio(random: Random, m: Measure) -> Said | None:
        ratios = tongue.ratios.get(m.unit, ())
        if not ratios:
            return None
        return Said(f"{_figure(tongue, random, m.number)}{tongue.joint}{random.choice(ratios)}")

    changes = {name: of_number(change) for name, change in _changes().items()}
    changes["another unit"] = lambda random, m: replace(m, unit=random.choice(names))
    changes["no unit"] = lambda random, m: Said(_figure(tongue, random, m.number))
    if any(tongue.ratios.values()):
        changes["a ratio"] = ratio
    return [
        Family[Measure](
            type="measurement",
            language=tongue.code,
            value=lambda random: Measure(_drawn(random), random.choice(names)),
            canonical=lambda m: f"{_canonical_number(tongue, m.number)}{tongue.joint}{m.unit}",
            forms={"figures": written, "words": spoken},
            changes=changes,
            sentences=tongue.sentences,
        )
    ]
