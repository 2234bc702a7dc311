"""Neighbours in ten languages: numbers, amounts, shares, measures, times, dates, phones and ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random
from typing import Any

from . import codes, digits, numbers
from .clock import Clock
from .dates import Date
from .digits import Run, grouped
from .family import Family, Said
from .numbers import plain
from .tongue_words import TONGUES, Tongue

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


def _quantities(tongue: Tongue) -> list[Family[Any]]:
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
    left_out = {"decimals behind"} | (set() if tongue.cents else {"decimals lost"})
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


def _time(tongue: Tongue) -> Family[Clock]:
    """From 13 o'clock on: before that a bare reading may be either half of the day."""

    def value(random: Random) -> Clock:
        return Clock(random.randint(13, 22), random.choice((10, 15, 20, 25, 35, 40, 45, 50, 55)))

    def written(random: Random, t: Clock) -> str:
        return random.choice(tongue.clock_written).format(t.hour, f"{t.minute:02}")

    def spoken(random: Random, t: Clock) -> str | None:
        hour, minute = tongue.say(t.hour), tongue.say(t.minute)
        return tongue.clock.format(hour, minute) if tongue.clock and hour and minute else None

    def minute_off(random: Random, t: Clock) -> Clock:
        return replace(t, minute=(t.minute + random.choice((5, 10, -5))) % 60 or 5)

    return Family[Clock](
        type="time",
        language=tongue.code,
        value=value,
        canonical=lambda t: tongue.clock_written[0].format(t.hour, f"{t.minute:02}"),
        forms={"figures": written} | ({"words": spoken} if tongue.clock else {}),
        changes={
            "another hour": lambda r, t: replace(t, hour=t.hour + 1),
            "another minute": minute_off,
            "hours off by ten": lambda r, t: replace(t, hour=t.hour - 10) if t.hour > 19 else None,
            "hour and minute swapped": lambda r, t: (
                replace(t, hour=t.minute, minute=t.hour) if t.minute in (10, 15, 20) else None
            ),
            "another kind: count": lambda r, t: Said(tongue.counted.format(f"{t.hour}{t.minute}")),
        },
        sentences=tongue.sentences,
    )


def _date(tongue: Tongue) -> Family[Date]:
    def value(random: Random) -> Date:
        return Date(random.randint(1, 12), random.randint(2, 28), random.randint(2019, 2029))

    def written(random: Random, d: Date) -> str:
        month = tongue.months[d.month - 1]
        if d.year is None:
            return tongue.day_alone.format(d.day, month)
        return random.choice(tongue.date_written).format(d.day, month, d.year)

    def slashed(random: Random, d: Date) -> str | None:
        if tongue.code in ("zh", "ja") or not d.year:
            return None
        return random.choice((f"{d.day:02}/{d.month:02}/{d.year}", f"{d.day}/{d.month}/{d.year}"))

    def spoken(random: Random, d: Date) -> str | None:
        if not d.year:
            return None
        month = tongue.months[d.month - 1]
        month = str(tongue.say(int(month))) if month.isdigit() else month
        day, year = tongue.say(d.day), (tongue.year or tongue.say)(d.year)
        return tongue.day_spoken.format(day, month, year)

    def canonical(d: Date) -> str:
        month = tongue.months[d.month - 1]
        return tongue.date.format(d.day, int(month) if month.isdigit() else month, d.year)

    forms: Mapping[str, Callable[[Random, Date], str | None]] = {
        "figures": written,
        **({"slashes": slashed} if tongue.code not in ("zh", "ja") else {}),
        **({"words": spoken} if tongue.day_spoken else {}),
    }
    return Family[Date](
        type="date",
        language=tongue.code,
        value=value,
        canonical=canonical,
        forms=forms,
        changes={
            "another day": lambda r, d: replace(d, day=d.day % 28 + 1),
            "tens before the day": lambda r, d: replace(d, day=d.day + 20) if d.day < 9 else None,
            "another month": lambda r, d: replace(d, month=d.month % 12 + 1),
            "another year": lambda r, d: replace(d, year=(d.year or 0) + r.choice((1, -1, 10))),
            "year lost": lambda r, d: replace(d, year=None),
            "day and month swapped": lambda r, d: (
                replace(d, day=d.month, month=d.day) if d.day < 13 else None
            ),
        },
        sentences=tongue.sentences,
    )


def _spoken_digits(tongue: Tongue, text: str) -> str | None:
    if text[-1] in tongue.unclear:
        return None
    return tongue.joint.join(tongue.digits[int(digit)] for digit in text)


def _pairs(tongue: Tongue, random: Random, text: str) -> str | None:
    """Two by two, with a pause between so that no two make one number."""
    parts = [text[at : at + 2] for at in range(0, len(text), 2)]
    if not tongue.dozens or len(text) % 2 or any(part[0] == "0" for part in parts):
        return None
    said = [tongue.say(int(part)) for part in parts]
    return ", ".join(map(str, said)) if all(said) else None


RUN_CHANGES = (
    "a figure more behind", "a figure more in front", "zero in front", "the last figure again",
    "a figure less behind", "a figure less in front", "a figure changed", "figures swapped",
    "a zero lost", "a group more behind",
)  # fmt: skip


def _phone(tongue: Tongue) -> Family[Run]:
    def value(random: Random) -> Run:
        first, *rest = tongue.phone
        groups = [f"{tongue.phone_first}{random.randint(10 ** (first - 2), 10 ** (first - 1) - 1)}"]
        groups += [f"{random.randint(0, 10**n - 1):0{n}}" for n in rest]
        return Run(tuple(groups))

    return Family[Run](
        type="phone_number",
        language=tongue.code,
        value=value,
        canonical=lambda run: " ".join(run.groups),
        forms={
            "grouped": lambda r, run: r.choice((" ", "-")).join(run.groups),
            "joined": lambda r, run: run.digits,
            "digits": lambda r, run: (
                None
                if run.digits[-1] in tongue.unclear
                else r.choice((", ", tongue.joint)).join(
                    tongue.joint.join(tongue.digits[int(digit)] for digit in group)
                    for group in run.groups
                )
            ),
        },
        changes={name: digits.CHANGES[name] for name in RUN_CHANGES if name != "zero in front"},
        sentences=tongue.sentences,
    )


def _account(tongue: Tongue) -> Family[Run]:
    def value(random: Random) -> Run:
        text = "".join(random.choice("0123456789") for _ in range(random.randint(5, 9)))
        return grouped(random, text)

    forms: dict[str, Any] = {
        "joined": lambda r, run: run.digits,
        "spaced": lambda r, run: " ".join(run.digits),
        "digits": lambda r, run: _spoken_digits(tongue, run.digits),
    }
    if tongue.dozens:
        forms["pairs"] = lambda r, run: _pairs(tongue, r, run.digits)
    return Family[Run](
        type="account_or_record_number",
        language=tongue.code,
        value=value,
        canonical=lambda run: run.digits,
        forms=forms,
        changes={name: digits.CHANGES[name] for name in RUN_CHANGES},
        sentences=tongue.sentences,
        same=lambda a, b: a.digits == b.digits,
    )


PLAIN_LETTERS = "BDFGKMNPRT"
"""No letter that is a word, a unit or another language's digit where these run."""


def _edited(edit: Callable[[Random, str], str | None]) -> Any:
    def changed(random: Random, c: codes.Code) -> codes.Code | None:
        text = edit(random, c.text)
        return codes.Code(codes.regrouped(text)) if text and text != c.text else None

    return changed


ID_CHANGES: Mapping[str, Any] = {
    "a letter more behind": _edited(lambda r, text: text + r.choice(PLAIN_LETTERS)),
    "a letter more in front": _edited(lambda r, text: r.choice(PLAIN_LETTERS) + text),
    **{
        name: codes.CHANGES[name]
        for name in (
            "a figure more behind",
            "the last again",
            "one less behind",
            "one less in front",
            "a figure changed",
            "two swapped",
        )
    },
}


def _id(tongue: Tongue) -> Family[codes.Code]:
    def value(random: Random) -> codes.Code:
        letters = "".join(random.choice(PLAIN_LETTERS) for _ in range(random.randint(2, 3)))
        return codes.Code((letters, codes.figures(random, 3, 5)))

    def spoken(random: Random, c: codes.Code) -> str | None:
        said = [_spoken_digits(tongue, g) if g.isdigit() else " ".join(g) for g in c.groups]
        return " ".join(map(str, said)) if all(said) else None

    return Family[codes.Code](
        type="reference_id",
        language=tongue.code,
        value=value,
        canonical=lambda c: "-".join(c.groups),
        forms={
            "with a dash": lambda r, c: "-".join(c.groups),
            "joined": lambda r, c: r.choice((c.text, c.text.lower())),
            "one by one": lambda r, c: " ".join(c.text),
            "letters and digits": spoken,
        },
        changes=ID_CHANGES,
        sentences=tongue.sentences,
        same=lambda a, b: a.text == b.text,
    )


def _families(tongue: Tongue) -> list[Family[Any]]:
    made: list[Family[Any]] = [
        *_quantities(tongue), _time(tongue), _date(tongue), _phone(tongue), _account(tongue),
        _id(tongue),
    ]  # fmt: skip
    return made


FAMILIES: Mapping[str, tuple[Family[Any], ...]] = {
    tongue.code: tuple(_families(tongue)) for tongue in TONGUES
}
