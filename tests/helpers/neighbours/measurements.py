"""Measurements with one unit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any

from . import numbers
from .family import Family, Said
from .numbers import NUMBERS, cardinal, figure, plain, words
from .quantities import SENTENCES
from .units import DOSES, MEASURED, UNITS, WRITTEN, Quantity


def unit_word(q: Quantity) -> str:
    unit = UNITS[q.unit]
    return unit.one if q.number == 1 else unit.many


def _with_unit(form: Callable[[Random, Decimal], str | None]) -> Any:
    def said(random: Random, q: Quantity) -> str | None:
        number = form(random, q.number)
        short = q.unit in WRITTEN and random.random() < 0.25
        return number and f"{number} {q.unit if short else unit_word(q)}"

    return said


def _symbol(random: Random, q: Quantity) -> str | None:
    symbol = random.choice(UNITS[q.unit].symbols)
    return f"{figure(random, q.number)}{random.choice(('', ' '))}{symbol}"


def _adjective(random: Random, q: Quantity) -> str | None:
    """ "a 25-milligram one", "twenty-five-milligram"."""
    if q.number % 1 or q.number > 999 or " " in UNITS[q.unit].one:
        return None
    said = random.choice((plain(q.number), cardinal(random, int(q.number)).replace(" ", "-")))
    return f"{said}-{UNITS[q.unit].one}"


def _rate(random: Random, q: Quantity) -> str | None:
    """ "5 mg per day": a rate per time leaves a dose as it is (rule 43)."""
    if q.unit not in DOSES:
        return None
    said = random.choice((_symbol(random, q), number_and_unit(random, q)))
    return f"{said} {random.choice(('per day', 'a day', 'every day'))}"


def _half_of_one(random: Random, q: Quantity) -> str | None:
    """ "half a liter"."""
    if q.number != numbers.HALF or "degree" in UNITS[q.unit].one:
        return None
    article = "an" if q.unit in ("hours", "inches", "oz") else "a"
    return f"half {article} {UNITS[q.unit].one}"


def _range(random: Random, q: Quantity) -> str | None:
    """A shared unit counts for both ends (rule 30)."""
    if q.number % 1 or not 2 < q.number < 100:
        return None
    form = random.choice((lambda random, x: plain(x), words))
    step = random.randint(1, 9)
    ends = (
        (q.number, q.number + step)
        if random.random() < 0.5 or step >= q.number
        else (q.number - step, q.number)
    )
    low, high = (form(random, end) for end in ends)
    return f"{low} to {high} {UNITS[q.unit].many}"


def _half_behind(random: Random, q: Quantity) -> str | None:
    """ "two hours and a half"."""
    if q.number % 1 != numbers.HALF or not 1 < q.number < 20:
        return None
    n = int(q.number)
    return f"{random.choice((str(n), cardinal(random, n)))} {unit_word(q)} and a half"


def of_number(change: Any) -> Any:
    """A change of the number, the unit kept."""

    def changed(random: Random, q: Quantity) -> Quantity | Said | None:
        new = change(random, q.number)
        return new if new is None or isinstance(new, Said) else replace(q, number=new)

    return changed


NUMBER_CHANGES = {name: of_number(change) for name, change in numbers.CHANGES.items()}


def number_and_unit(random: Random, q: Quantity) -> str:
    return f"{random.choice((figure, words))(random, q.number)} {unit_word(q)}"


def _negative(random: Random, q: Quantity) -> Said:
    if random.random() < 0.5:
        return Said(
            f"{random.choice('-−')}{plain(q.number)} {random.choice(UNITS[q.unit].symbols)}"
        )
    return Said(f"{random.choice(('minus', 'negative'))} {number_and_unit(random, q)}")


def _other_unit(random: Random, q: Quantity) -> Quantity:
    return replace(q, unit=random.choice(UNITS[q.unit].other))


def _ratio(random: Random, q: Quantity) -> Said | None:
    ratios = UNITS[q.unit].ratio
    if not ratios:
        return None
    ratio = random.choice(ratios)
    said = (
        _symbol(random, q)
        if ratio.startswith("/") or random.random() < 0.3
        else number_and_unit(random, q)
    )
    return Said(f"{said}{ratio}")


def _power(random: Random, q: Quantity) -> Said | None:
    if not UNITS[q.unit].power:
        return None
    if q.unit in WRITTEN and random.random() < 0.4:
        return Said(f"{plain(q.number)} {q.unit}{random.choice(('²', '³', '2'))}")
    number = random.choice((figure, words))(random, q.number)
    return Said(f"{number} {random.choice(('square', 'cubic'))} {UNITS[q.unit].many}")


SECOND = {
    "hours": ("minutes", 59),
    "feet": ("inches", 11),
    "lb": ("oz", 15),
    "minutes": ("seconds", 59),
}


def two_parts(random: Random, first: Quantity, second: Quantity) -> str:
    joint = random.choice((" ", ", ", " and "))
    if random.random() < 0.3 and first.unit != "minutes":
        a, b = UNITS[first.unit].symbols[0], UNITS[second.unit].symbols[0]
        return f"{plain(first.number)} {a} {plain(second.number)} {b}"
    form = random.choice((figure, words))
    said = (f"{form(random, part.number)} {unit_word(part)}" for part in (first, second))
    return joint.join(said)


def _second_part(random: Random, q: Quantity) -> Said | None:
    """2 hours in "2 hours, 30 minutes"."""
    if q.unit not in SECOND or q.number % 1:
        return None
    unit, most = SECOND[q.unit]
    if q.unit == "hours" and q.number < 24 and random.random() < 0.3:
        minutes = random.randint(1, most)
        return Said(
            random.choice((f"{plain(q.number)}h{minutes:02}", f"{plain(q.number)}h {minutes}m"))
        )
    return Said(two_parts(random, q, Quantity(Decimal(random.randint(1, most)), unit)))


def _as_second_part(random: Random, q: Quantity) -> Said | None:
    """30 minutes in "2 hours and 30 minutes"."""
    first = next(
        (u for u, (unit, most) in SECOND.items() if unit == q.unit and q.number <= most), None
    )
    if first is None or q.number % 1:
        return None
    return Said(two_parts(random, Quantity(Decimal(random.randint(1, 12)), first), q))


def _no_unit(random: Random, q: Quantity) -> Said:
    return Said(random.choice((figure, words))(random, q.number))


def _money(random: Random, q: Quantity) -> Said:
    return Said(
        random.choice((f"${figure(random, q.number)}", f"{words(random, q.number)} dollars"))
    )


def _percent(random: Random, q: Quantity) -> Said:
    return Said(random.choice((f"{plain(q.number)}%", f"{words(random, q.number)} percent")))


def _torque(random: Random, q: Quantity) -> Said | None:
    return Said(f"{words(random, q.number)} foot pounds") if q.unit == "lb" else None


def _sterling(random: Random, q: Quantity) -> Said | None:
    if q.unit != "lb":
        return None
    number = words(random, q.number)
    return Said(random.choice((f"£{figure(random, q.number)}", f"{number} pounds sterling")))


def _measured(random: Random) -> Quantity:
    return Quantity(numbers.drawn(random), random.choice(MEASURED))


def _measured_as(q: Quantity) -> str:
    number = f"{int(q.number):,}" if q.number % 1 == 0 else plain(q.number)
    return f"{number} {q.unit if q.unit in WRITTEN else unit_word(q)}"


MEASUREMENT = Family[Quantity](
    type="measurement",
    value=_measured,
    canonical=_measured_as,
    forms={
        "written: symbol": _symbol,
        **{name: _with_unit(form) for name, form in NUMBERS.items()},
        "adjective": _adjective,
        "half of one": _half_of_one,
        "a rate": _rate,
    },
    also={"half behind": _half_behind},
    shared={"range": _range},
    changes={
        **NUMBER_CHANGES,
        "a sign in front": _negative,
        "another unit": _other_unit,
        "a ratio": _ratio,
        "a power": _power,
        "a second part": _second_part,
        "as second part": _as_second_part,
        "no unit": _no_unit,
        "another kind: money": _money,
        "another kind: percent": _percent,
        "foot pounds": _torque,
        "another kind: pounds sterling": _sterling,
    },
    sentences=SENTENCES,
)


def _dose(random: Random) -> Quantity:
    number = random.choice((1, 2, 5, 10, 12, 20, 25, 40, 50, 100, 125, 250, 400, 500, 750))
    return Quantity(Decimal(number), random.choice(DOSES))


DOSE = Family[Quantity](
    type="measurement",
    value=_dose,
    canonical=_measured_as,
    forms={"written: symbol": _symbol},
    changes={},
    sentences=SENTENCES,
    beside=(
        "take two {} tablets",
        "take three {} doses",
        "{}, 2 tablets",
        "one {} tablet twice a day",
    ),
)


FAMILIES: tuple[Family[Any], ...] = (MEASUREMENT, DOSE)
