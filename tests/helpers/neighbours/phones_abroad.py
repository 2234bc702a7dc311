"""Phone numbers in E.164 form, said with their country's code or as at home (rule 51)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from .digits import spoken_digits
from .family import Family, Said


@dataclass(frozen=True, slots=True)
class Country:
    code: str
    trunk: str
    groups: tuple[int, ...]
    """Lengths of the groups of a national number."""
    starts: str


COUNTRIES: Mapping[str, Country] = {
    "US": Country("1", "", (3, 3, 4), "415"),
    "GB": Country("44", "0", (2, 4, 4), "20"),
    "DE": Country("49", "0", (2, 6), "30"),
    "FR": Country("33", "0", (1, 2, 2, 2, 2), "1"),
    "ES": Country("34", "", (3, 3, 3), "912"),
    "MX": Country("52", "", (2, 4, 4), "55"),
    "IT": Country("39", "", (2, 4, 4), "06"),
}


@dataclass(frozen=True, slots=True)
class Number:
    country: str
    groups: tuple[str, ...]

    @property
    def of(self) -> Country:
        return COUNTRIES[self.country]

    @property
    def digits(self) -> str:
        return "".join(self.groups)


def _number(random: Random) -> Number:
    country = random.choice(tuple(COUNTRIES))
    of = COUNTRIES[country]
    first = of.starts
    rest = [str(random.randint(10 ** (n - 1), 10**n - 1)) for n in of.groups[1:]]
    return Number(country, (first, *rest))


def _international(random: Random, n: Number) -> str:
    joint = random.choice((" ", "-", ""))
    return f"+{n.of.code}{random.choice((' ', joint))}{joint.join(n.groups)}"


def _international_spoken(random: Random, n: Number) -> str:
    groups = (n.of.code, *n.groups)
    return "plus " + random.choice((" ", ", ")).join(spoken_digits(random, g) for g in groups)


def _national(random: Random, n: Number) -> str:
    groups = (n.of.trunk + n.groups[0], *n.groups[1:])
    return random.choice((" ", "-", "")).join(groups)


def _national_spoken(random: Random, n: Number) -> str:
    groups = (n.of.trunk + n.groups[0], *n.groups[1:])
    return random.choice((" ", ", ")).join(spoken_digits(random, g) for g in groups)


def _other_country(random: Random, n: Number) -> Said:
    code = random.choice([c.code for c in COUNTRIES.values() if c.code != n.of.code] + ["353", "7"])
    return Said(f"+{code} {' '.join(n.groups)}")


def _trunk_where_none(random: Random, n: Number) -> Said | None:
    if n.of.trunk:
        return None
    groups = ("0" + n.groups[0], *n.groups[1:])
    return Said(
        random.choice((" ".join(groups), " ".join(spoken_digits(random, g) for g in groups)))
    )


def _zero_lost(random: Random, n: Number) -> Said | None:
    """Italy's 0 belongs to the number."""
    if n.country != "IT":
        return None
    return Said(" ".join((n.groups[0][1:], *n.groups[1:])))


def _last_group(edit: Any) -> Any:
    def changed(random: Random, n: Number) -> Number:
        return replace(n, groups=(*n.groups[:-1], edit(random, n.groups[-1])))

    return changed


ABROAD = Family[Number](
    type="phone_number",
    prefix="E.164: ",
    value=_number,
    canonical=lambda n: f"+{n.of.code}{n.digits}",
    forms={
        "international": _international,
        "international, spoken": _international_spoken,
        "national": _national,
        "national, spoken": _national_spoken,
    },
    changes={
        "a figure more behind": _last_group(lambda r, g: g + r.choice("0123456789")),
        "a figure less behind": _last_group(lambda r, g: g[:-1]),
        "a figure changed": _last_group(lambda r, g: g[:-1] + r.choice("0123456789")),
        "figures swapped": _last_group(lambda r, g: g[:-2] + g[-1] + g[-2]),
        "another country": _other_country,
        "a trunk prefix where there is none": _trunk_where_none,
        "a zero lost": _zero_lost,
    },
    sentences=("{}", "my number is {}", "you can call {} please", "The number is {}."),
)

FAMILIES: tuple[Family[Any], ...] = (ABROAD,)
