"""Postal addresses, part by part."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from .digits import spoken_digits
from .family import Family, Said
from .numbers import cardinal

STREETS = ("Elm", "Oak", "Maple", "Cedar", "Park", "Lake", "Hill", "Mill", "Garden", "Willow")
KINDS = {"Street": "St", "Avenue": "Ave", "Lane": "Ln", "Road": "Rd", "Drive": "Dr", "Court": "Ct"}
CITIES = (
    ("Reno", "Nevada", "NV"),
    ("Boston", "Massachusetts", "MA"),
    ("Austin", "Texas", "TX"),
    ("Denver", "Colorado", "CO"),
    ("Portland", "Oregon", "OR"),
    ("Tampa", "Florida", "FL"),
)
SIDES = {"North": "N", "South": "S", "East": "E", "West": "W"}


@dataclass(frozen=True, slots=True)
class Address:
    number: int
    side: str
    street: str
    kind: str
    unit: str
    city: int
    zip: str


def _address(random: Random) -> Address:
    return Address(
        number=random.choice((random.randint(1, 99), random.randint(100, 9999))),
        side=random.choice(("", "", *SIDES)),
        street=random.choice(STREETS),
        kind=random.choice(tuple(KINDS)),
        unit=random.choice(("", "", str(random.randint(1, 40)))),
        city=random.randrange(len(CITIES)),
        zip=f"{random.randint(501, 99950):05}",
    )


def _shown(a: Address, number: str, zip_code: str, unit: str, *, short: bool, sep: str) -> str:
    city, state, code = CITIES[a.city]
    side = f"{SIDES[a.side] if short else a.side} " if a.side else ""
    street = f"{number} {side}{a.street} {KINDS[a.kind] if short else a.kind}"
    flat = f"{sep}{'Apt' if short else 'Apartment'} {unit}" if unit else ""
    return f"{street}{flat}{sep}{city}{sep}{code if short else state} {zip_code}".strip()


def _address_as(a: Address) -> str:
    return _shown(a, str(a.number), a.zip, a.unit, short=True, sep=", ")


def _address_written(random: Random, a: Address) -> str:
    sep = random.choice((", ", " "))
    return _shown(a, str(a.number), a.zip, a.unit, short=random.random() < 0.5, sep=sep)


def _house(random: Random, n: int) -> str:
    if n < 100:
        return cardinal(random, n)
    if n < 1000 and n % 100 >= 10 and random.random() < 0.5:
        return f"{cardinal(random, n // 100)} {cardinal(random, n % 100)}"
    return (
        spoken_digits(random, str(n), doubles=False)
        if random.random() < 0.5
        else cardinal(random, n)
    )


def _address_spoken(random: Random, a: Address) -> str:
    unit = cardinal(random, int(a.unit)) if a.unit else ""
    zip_code = spoken_digits(random, a.zip, doubles=False)
    return _shown(
        a, _house(random, a.number), zip_code, unit, short=False, sep=random.choice((" ", ", "))
    )


def street(random: Random, a: Address) -> str:
    """House number, street and unit alone."""
    short = random.random() < 0.5
    number = str(a.number) if short else _house(random, a.number)
    side = f"{SIDES[a.side] if short else a.side} " if a.side else ""
    flat = f", {'Apt' if short else 'Apartment'} {a.unit}" if a.unit else ""
    return f"{number} {side}{a.street} {KINDS[a.kind] if short else a.kind}{flat}"


def _number_changed(random: Random, a: Address) -> Address:
    text = str(a.number)
    at = random.randrange(len(text))
    new = text[:at] + random.choice("123456789") + text[at + 1 :]
    return replace(a, number=int(new))


def _zip_changed(random: Random, a: Address) -> Address:
    at = random.randrange(5)
    other = random.choice((
        a.zip[:at] + random.choice("0123456789") + a.zip[at + 1 :],
        a.zip[1:], a.zip[:-1], a.zip + random.choice("0123456789"),
    ))  # fmt: skip
    return replace(a, zip=other)


def _more_before(size: int, step: int) -> Any:
    """A number below `size` with tens or hundreds in front."""

    def changed(random: Random, a: Address) -> Address | None:
        more = random.randint(2, 9) * step
        return replace(a, number=a.number + more) if a.number < size else None

    return changed


def _unit_changed(random: Random, a: Address) -> Address | None:
    if not a.unit:
        return None
    unit = int(a.unit)
    return replace(a, unit=random.choice(("", str(unit + 10), str(unit * 10), str(unit + 1))))


ADDRESS = Family[Address](
    type="postal_address",
    value=_address,
    canonical=_address_as,
    forms={"written: address": _address_written, "spoken: address": _address_spoken},
    changes={
        "tens before the number": _more_before(10, 10),
        "hundreds before the number": _more_before(100, 100),
        "a figure changed in the number": _number_changed,
        "ten times the number": lambda r, a: replace(a, number=a.number * 10),
        "number lost": lambda r, a: Said(_address_written(r, a).partition(" ")[2]),
        "another street": lambda r, a: replace(a, street=r.choice(STREETS)),
        "another kind of street": lambda r, a: replace(a, kind=r.choice(tuple(KINDS))),
        "another side": lambda r, a: replace(a, side=r.choice(("", *SIDES))),
        "another unit": _unit_changed,
        "another city": lambda r, a: replace(a, city=r.randrange(len(CITIES))),
        "another ZIP": _zip_changed,
        "ZIP lost": lambda r, a: replace(a, zip=""),
        "a word more in the street": lambda r, a: replace(
            a, street=f"{a.street} {r.choice(('Grove', 'Ridge', 'View'))}"
        ),
    },
    sentences=("{}", "please send it to {}", "we moved to {} last week", "The address is {}."),
)

FAMILIES: tuple[Family[Any], ...] = (ADDRESS,)
