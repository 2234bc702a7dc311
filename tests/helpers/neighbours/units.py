"""Numbers with a unit, and the units that stand near one another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Quantity:
    number: Decimal
    unit: str


@dataclass(frozen=True, slots=True)
class Unit:
    symbols: tuple[str, ...]
    one: str
    many: str
    other: tuple[str, ...]
    """Units that a listener takes it for."""
    ratio: tuple[str, ...] = ()
    power: bool = False


UNITS: Mapping[str, Unit] = {
    "mg": Unit(
        ("mg",),
        "milligram",
        "milligrams",
        ("mcg", "g", "mL"),
        ("/kg", "/mL", " per kilogram", " per mL"),
    ),
    "mcg": Unit(
        ("mcg", "µg"), "microgram", "micrograms", ("mg", "g"), ("/kg", "/mL", " per kilogram")
    ),
    "g": Unit(("g",), "gram", "grams", ("mg", "kg"), ("/L", " per litre", "/kg")),
    "kg": Unit(("kg",), "kilogram", "kilograms", ("g", "lb"), (" per cubic meter", "/m3")),
    "mL": Unit(("mL", "ml"), "milliliter", "milliliters", ("L", "mg"), ("/kg", " per kilogram")),
    "L": Unit(("L",), "liter", "liters", ("mL",)),
    "km": Unit(
        ("km",),
        "kilometer",
        "kilometers",
        ("cm", "miles", "mm"),
        ("/h", " per hour", " an hour", "/s", " per second"),
        True,
    ),
    "cm": Unit(
        ("cm",), "centimeter", "centimeters", ("mm", "km", "inches"), (" per second", "/s"), True
    ),
    "mm": Unit(("mm",), "millimeter", "millimeters", ("cm", "km"), (" per second", "/s"), True),
    "miles": Unit(("mi",), "mile", "miles", ("km", "feet"), (" per hour", " an hour"), True),
    "hours": Unit(("h", "hrs"), "hour", "hours", ("minutes", "days", "weeks")),
    "minutes": Unit(("min",), "minute", "minutes", ("hours", "seconds", "months")),
    "seconds": Unit(("sec",), "second", "seconds", ("minutes",)),
    "days": Unit(("days",), "day", "days", ("hours", "weeks", "months")),
    "weeks": Unit(("wks",), "week", "weeks", ("days", "months")),
    "months": Unit(("months",), "month", "months", ("weeks", "years")),
    "years": Unit(("yrs",), "year", "years", ("months",)),
    "feet": Unit(
        ("ft",), "foot", "feet", ("inches", "miles"), (" per second", " per minute"), True
    ),
    "inches": Unit(("inches",), "inch", "inches", ("feet", "cm"), (" per second",), True),
    "lb": Unit(
        ("lb", "lbs"), "pound", "pounds", ("kg", "oz"), (" per square inch", " per cubic foot")
    ),
    "oz": Unit(("oz",), "ounce", "ounces", ("lb", "g")),
    "GB": Unit(("GB",), "gigabyte", "gigabytes", ("MB", "TB"), ("/s", " per second")),
    "MB": Unit(("MB",), "megabyte", "megabytes", ("GB", "kW"), ("/s", " per second")),
    "TB": Unit(("TB",), "terabyte", "terabytes", ("GB",)),
    "kW": Unit(("kW",), "kilowatt", "kilowatts", ("MB",)),
    "°C": Unit(("°C", "C"), "degree Celsius", "degrees Celsius", ("°F",)),
    "°F": Unit(("°F", "F"), "degree Fahrenheit", "degrees Fahrenheit", ("°C",)),
}
MEASURED = tuple(UNITS)
DOSES = ("mg", "mcg", "g", "mL")
WRITTEN = frozenset(
    (
        "mg",
        "mcg",
        "g",
        "kg",
        "mL",
        "L",
        "km",
        "cm",
        "mm",
        "lb",
        "oz",
        "GB",
        "MB",
        "TB",
        "kW",
        "°C",
        "°F",
    )
)
