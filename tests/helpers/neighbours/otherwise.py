"""Values said in another way: ranges, halves, two-digit years, quarters, twice (rules 52 to 55)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random
from typing import Any

from . import codes, dates, digits, hosts, measurements, money, technical
from .dates import MONTHS, Date
from .digits import Run, spoken_digits
from .family import Family, Said
from .measurements import Quantity
from .money import Money
from .numbers import HALF, cardinal, ordinal, plain, words
from .units import UNITS

# ranges: 5-7 business days


@dataclass(frozen=True, slots=True)
class Span:
    low: int
    high: int
    unit: str


SPANS = ("business days", "days", "weeks", "hours", "minutes", "months")


def _span(random: Random) -> Span:
    low = random.randint(2, 12)
    return Span(low, low + random.randint(1, 8), random.choice(SPANS))


def _figures(random: Random, s: Span) -> str:
    return f"{s.low}{random.choice(('-', '–', ' to ', ' - '))}{s.high} {s.unit}"


def _words(random: Random, s: Span) -> str:
    return f"{cardinal(random, s.low)} to {cardinal(random, s.high)} {s.unit}"


RANGE = Family[Span](
    type="measurement",
    prefix="range: ",
    value=_span,
    canonical=lambda s: f"{s.low}-{s.high} {s.unit}",
    forms={"written": _figures, "spoken": _words},
    changes={
        "one end alone": lambda r, s: Said(
            f"{r.choice((cardinal(r, s.low), str(s.high)))} {s.unit}"
        ),
        "another low end": lambda r, s: replace(s, low=s.low + 1) if s.low + 1 < s.high else None,
        "another high end": lambda r, s: replace(s, high=s.high + r.choice((1, 10))),
        "tens before the low end": lambda r, s: replace(s, low=s.low + 20, high=s.high + 20),
        "another unit": lambda r, s: replace(s, unit=r.choice(SPANS)),
        "run together": lambda r, s: Said(f"{s.low}{s.high} {s.unit}"),
    },
    sentences=("{}", "it takes {} okay", "they said {} please"),
)


# halves


def _unit_and_a_half(random: Random, q: Quantity) -> str | None:
    """ "a week and a half", "week and a half"."""
    if q.number != 1 + HALF:
        return None
    article = "an" if q.unit == "hours" else "a"
    return f"{random.choice((article, article, ''))} {UNITS[q.unit].one} and a half".strip()


WEEK_AND_A_HALF = replace(
    measurements.MEASUREMENT,
    prefix="half: ",
    value=lambda r: Quantity(Decimal(1) + HALF, r.choice(("weeks", "hours", "days", "months"))),
    forms={"a unit and a half": _unit_and_a_half},
    shared={},
    also={"number and unit": measurements.number_and_unit},
    changes={
        "one alone": lambda r, q: replace(q, number=Decimal(1)),
        "half alone": lambda r, q: replace(q, number=HALF),
        "another unit": lambda r, q: replace(q, unit=r.choice(UNITS[q.unit].other)),
        "two and a half": lambda r, q: Said(f"two and a half {UNITS[q.unit].many}"),
    },
)
UNIT_WITH_A_HALF_BEHIND = replace(
    measurements.MEASUREMENT,
    prefix="half: ",
    value=lambda r: Quantity(Decimal(1), r.choice(("weeks", "hours", "days", "months"))),
    forms={"number and unit": measurements.number_and_unit},
    shared={},
    also={"a unit and a half": _unit_and_a_half},
    changes={"a half behind": lambda r, q: replace(q, number=q.number + HALF)},
)


# money


def _grand(random: Random, m: Money) -> str | None:
    if m.currency not in ("USD", "EUR", "GBP") or m.amount % 1000 or not 1000 <= m.amount < 10**6:
        return None
    n = m.amount / 1000
    return f"{random.choice((plain(n), words(random, n)))} grand"


def _oh_cents(random: Random, m: Money) -> str | None:
    """ "twelve dollars oh five cents"."""
    if not 0 < m.cents < 10 or not m.whole or not m.of.part:
        return None
    cents = m.of.part if m.cents == 1 else m.of.parts
    whole = m.of.one if m.whole == 1 else m.of.many
    return f"{cardinal(random, m.whole)} {whole} oh {cardinal(random, m.cents)} {cents}"


def _range_of_scaled(random: Random, m: Money) -> str | None:
    """ "15 to 20 billion dollars" names fifteen billion and twenty."""
    scale, name = next(
        ((s, n) for s, n in ((10**9, "billion"), (10**6, "million")) if m.amount >= s), (1, "")
    )
    n = m.amount / scale
    if not name or n % 1 or n > 90:
        return None
    more = random.randint(2, 9)
    low, high = (n, n + more) if random.random() < 0.5 or n <= more else (n - more, n)
    form = random.choice((lambda random, x: plain(x), words))
    if random.random() < 0.4:
        return f"{m.of.sign}{plain(low)} to {m.of.sign}{plain(high)} {name}"
    return f"{form(random, low)} to {form(random, high)} {name} {m.of.many}"


def _range_scaled_signs(random: Random, m: Money) -> Said | None:
    """$15 in "$15 to $20 billion"."""
    if m.amount % 1 or m.amount > 90:
        return None
    high = m.amount + random.randint(2, 9)
    scale = random.choice(("million", "billion"))
    return Said(f"{m.of.sign}{plain(m.amount)} to {m.of.sign}{plain(high)} {scale}")


MONEY = replace(
    money.MONEY,
    prefix="otherwise: ",
    forms={"grand": _grand, "oh cents": _oh_cents},
    shared={"a range with a scale": _range_of_scaled},
    also=money.MONEY.forms,
    beside=(),
    changes={
        name: money.MONEY.changes[name]
        for name in ("ten times", "a tenth", "tens before units", "a larger scale", "cents changed")
    }
    | {"a scale behind a range of signs": _range_scaled_signs},
)


# basis points


BASIS_POINTS = Family[int](
    type="measurement",
    prefix="basis points: ",
    value=lambda r: r.choice((10, 15, 25, 30, 50, 75, 120, 150)),
    canonical=lambda n: f"{n} bps",
    forms={
        "bps": lambda r, n: f"{n} bps",
        "written": lambda r, n: f"{n} basis points",
        "spoken": lambda r, n: f"{cardinal(r, n)} basis points",
    },
    changes={
        "ten times": lambda r, n: n * 10,
        "a hundred more": lambda r, n: n + 100 if n < 100 else None,
        "teen or ty": lambda r, n: {15: 50, 50: 15, 30: 13}.get(n),
        "percent": lambda r, n: Said(f"{n}%"),
    },
    sentences=("{}", "margins rose {} last year", "it was up {} okay"),
)


# dates


def _short_year(random: Random, d: Date) -> str | None:
    """ "3/5/99", "March 5th, '99", "09 29 83"."""
    if not d.year or d.weekday is not None:
        return None
    year = f"{d.year % 100:02}"
    ways = [
        f"{d.month}/{d.day}/{year}",
        f"{d.month:02}/{d.day:02}/{year}",
        f"{MONTHS[d.month - 1]} {d.day}, '{year}",
        f"the {ordinal(random, d.day)} of {MONTHS[d.month - 1]} '{year}",
    ]
    return random.choice([*ways, f"{d.month:02} {d.day:02} {year}"] if d.day > 12 else ways)


def _iso_figures(random: Random, d: Date) -> str | None:
    """ "1994 02 11", "nineteen ninety four, zero two, eleven"."""
    if not d.year or d.weekday is not None:
        return None
    parts = [f"{d.month:02}", f"{d.day:02}"]
    if random.random() < 0.5:
        return " ".join((str(d.year), *parts))
    said = [spoken_digits(random, p) if p[0] == "0" else cardinal(random, int(p)) for p in parts]
    return ", ".join((dates.year_words(random, d.year), *said))


def _year_first(random: Random, d: Date) -> str | None:
    """ "in 1958 on the 8th of August"."""
    if not d.year or d.weekday is not None:
        return None
    month = MONTHS[d.month - 1]
    day = f"{d.day}{dates.suffix(d.day)}"
    return random.choice(
        (f"in {d.year} on the {day} of {month}", f"on the {day} of {month} in {d.year}",
         f"in {d.year}, on {month} {day}")
    )  # fmt: skip


def _last_part_twice(random: Random, d: Date) -> str | None:
    if not d.year or d.weekday is not None:
        return None
    return f"{d.day} {MONTHS[d.month - 1]} {d.year} {d.year}"


def _other_short_year(random: Random, d: Date) -> Said | None:
    if not d.year or d.weekday is not None:
        return None
    year = (d.year + random.choice((1, 10, -1, -10))) % 100
    return Said(f"{d.month}/{d.day}/{year:02}")


def _other_short_day(random: Random, d: Date) -> Said | None:
    if not d.year or d.weekday is not None or d.day > 18:
        return None
    return Said(f"{MONTHS[d.month - 1]} {d.day + 10}, '{d.year % 100:02}")


DATE = replace(
    dates.DATE,
    prefix="otherwise: ",
    forms={"figures in ISO order": _iso_figures, "year first": _year_first},
    shared={"two-digit year": _short_year, "the year twice": _last_part_twice},
    sentences=("{}", "um {}, thanks", "So it was {}."),
    changes={
        **{
            name: dates.DATE.changes[name]
            for name in ("another day", "another month", "another year", "tens before the day")
        },
        "another two-digit year": _other_short_year,
        "another day, two-digit year": _other_short_day,
    },
)


@dataclass(frozen=True, slots=True)
class Quarter:
    quarter: int
    year: int | None


def _quarter_said(random: Random, q: Quarter) -> str:
    if not q.year:
        return f"Q{q.quarter}"
    year = random.choice((str(q.year), dates.year_words(random, q.year)))
    return f"Q{q.quarter}{random.choice((' ', ' of '))}{year}"


QUARTER = Family[Quarter](
    type="date",
    prefix="quarter: ",
    value=lambda r: Quarter(r.randint(1, 4), r.randint(2019, 2029)),
    canonical=lambda q: f"Q{q.quarter} {q.year}",
    forms={"said": _quarter_said},
    changes={
        "another quarter": lambda r, q: replace(q, quarter=q.quarter % 4 + 1),
        "another year": lambda r, q: replace(q, year=q.year + r.choice((1, -1, 10))),
        "year lost": lambda r, q: replace(q, year=None),
    },
    sentences=("{}", "we saw that in {} okay", "results for {} please"),
)


# said twice, and with a filler between


def _twice(family: Family[Any], *changes: str) -> Family[Any]:
    def said(random: Random, value: Any) -> str | None:
        ways = tuple(family.forms.values())
        one, other = random.choice(ways)(random, value), random.choice(ways)(random, value)
        return f"{one}, {other}" if one and other else None

    return replace(
        family,
        prefix="repeated: ",
        forms=family.forms,
        shared={"twice": said},
        also={},
        beside=(),
        changes={name: family.changes[name] for name in changes},
    )


def _with_filler(random: Random, run: Run) -> str:
    form = random.choice((lambda random, g: g, spoken_digits))
    filler = random.choice((", um, ", " uh ", ", uh, ", " um "))
    return filler.join(form(random, group) for group in run.groups)


PHONE = replace(
    digits.PHONE,
    prefix="fillers: ",
    forms={"between the groups": _with_filler},
    also={},
    beside=(),
    changes={
        name: digits.PHONE.changes[name]
        for name in (
            "a figure more behind",
            "a group more behind",
            "a figure less behind",
            "a figure changed",
        )
    },
)


# www


def _www(random: Random, t: technical.Typed) -> str:
    said = random.choice(("double u double u double u", "triple w", "w w w"))
    rest = technical.Typed(t.parts[1:])
    return f"{said} {_spoken(random, rest)}"


def _spoken(random: Random, t: technical.Typed) -> str:
    return " ".join(technical.part_said(random, part) for part in t.parts)


def _www_url(random: Random) -> technical.Typed:
    return technical.Typed(("www", ".", *hosts.host(random)))


WWW = replace(
    hosts.URL,
    prefix="www: ",
    value=_www_url,
    forms={"double u": _www},
    changes={
        "one w less": lambda r, t: Said(
            f"double u double u {_spoken(r, technical.Typed(t.parts[1:]))}"
        ),
        "www lost": lambda r, t: Said(_spoken(r, technical.Typed(t.parts[2:]))),
        "a dot lost": lambda r, t: Said(f"triple w {_spoken(r, technical.Typed(t.parts[2:]))}"),
        "another ending": lambda r, t: technical.Typed((*t.parts[:-1], r.choice(("co", "biz")))),
    },
)

FAMILIES: tuple[Family[Any], ...] = (
    RANGE,
    WEEK_AND_A_HALF,
    UNIT_WITH_A_HALF_BEHIND,
    MONEY,
    BASIS_POINTS,
    DATE,
    QUARTER,
    PHONE,
    WWW,
    _twice(digits.PHONE, "a figure more behind", "the last group again"),
    _twice(codes.REFERENCE, "a letter more behind", "the last again"),
    _twice(money.MONEY, "ten times", "tens before units"),
)
