"""
The parts that packs share: data taken from CLDR, signs that are the same everywhere, and the English words
that people use in every language (dot, underscore, gmail).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from pytest_asrbench.verifiers.packs.parts import Currency, Groups, Names

ENGLISH_SIGNS: Final[Names] = {
    ".": ("dot", "point"), "-": ("dash", "hyphen"), "_": ("underscore", "under score"),
    "/": ("slash",), "@": ("at", "at sign", "at the rate"), ":": ("colon",), "+": ("plus",),
    "#": ("hash",), "\\": ("backslash",),
}  # fmt: skip

SIGNS_OF_UNITS: Final[Names] = {
    "kg": ("kg",), "g": ("g", "gr"), "mg": ("mg",), "µg": ("μg", "mcg"), "t": ("t",),
    "km": ("km",), "m": ("m",), "cm": ("cm",), "mm": ("mm",), "l": ("l", "lt"), "ml": ("ml",),
    "cl": ("cl",), "dl": ("dl",), "m²": ("m²", "m2", "qm"), "km²": ("km²", "km2"),
    "m³": ("m³", "m3"), "cm³": ("cm³", "cm3"), "ha": ("ha",), "°C": ("°c", "° c", "c"),
    "°F": ("°f", "° f", "f"), "km/h": ("km/h", "kmh", "km / h"), "m/s": ("m/s",),
    "h": ("h",), "min": ("min", "min."), "s": ("s", "sec", "seg"), "ms": ("ms",),
    "kWh": ("kwh", "kw/h", "kw h"), "kW": ("kw",), "W": ("w",), "V": ("v",), "A": ("a",),
    "MW": ("mw",), "MB": ("mb", "mega", "megas"), "GB": ("gb", "giga", "gigas"), "TB": ("tb",),
    "kB": ("kb",), "Hz": ("hz",), "kHz": ("khz",), "MHz": ("mhz",), "GHz": ("ghz",),
    "Mbps": ("mbps", "mbit/s"), "bar": ("bar",), "hPa": ("hpa",), "kcal": ("kcal",),
    "ft": ("ft",), "in": ("in", "inch"), "lb": ("lb", "lbs"), "oz": ("oz",), "dB": ("db",),
}  # fmt: skip

SIGNS_OF_MONEY: Final[Names] = {
    "USD": ("$", "us$", "usd$"), "EUR": ("€",), "GBP": ("£",), "JPY": ("¥", "jp¥"),
    "CNY": ("cn¥", "rmb"), "INR": ("₹", "rs", "rs."), "BRL": ("r$",), "MXN": ("mx$",),
    "CHF": ("fr.", "sfr", "sfr."), "TRY": ("₺", "tl"), "VND": ("₫", "vnđ"), "KRW": ("₩",),
    "CAD": ("ca$", "c$"), "AUD": ("a$", "au$"), "HKD": ("hk$",), "RUB": ("₽",), "THB": ("฿",),
}  # fmt: skip

DATES: Final = ("{y}-{mn}-{d}", "{y}/{mn}/{d}", "{y}.{mn}.{d}", "{y} {mn} {d}", "{ymd}")
DAY_FIRST: Final = (
    *DATES, "{d}/{mn}/{y}", "{d}-{mn}-{y}", "{d}.{mn}.{y}", "{d}/{mn}/{yy}", "{d}.{mn}.{yy}",
    "{d}-{mn}-{yy}", "{d}/{mn}", "{d}.{mn}.", "{d} {mn} {y}",
)  # fmt: skip
MONTH_FIRST: Final = (*DATES, "{mn}/{d}/{y}", "{mn}-{d}-{y}", "{mn}/{d}", "{mn}-{d}")
TIMES: Final = ("{hh}:{mm}", "{hh}:{mm}:{s}", "{hh}.{mm}", "{hh} h {mm}", "{hh} h", "{h} {part}")
HALVES: Final = {
    "am": "am", "a.m.": "am", "a. m.": "am", "a m": "am", "pm": "pm", "p.m.": "pm",
    "p. m.": "pm", "p m": "pm",
}  # fmt: skip


def cldr(language: str | Path) -> dict[str, Any]:
    """What CLDR says in this language, or in a file of your own; tools/cldr.py writes both."""
    folder = files("pytest_asrbench.verifiers.packs") / "cldr"
    path = language if isinstance(language, Path) else folder / f"{language}.json"
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def series(held: list[list[str]], more: Mapping[int, tuple[str, ...]] | None = None) -> Groups:
    """Months or weekdays, with further names by their number, and without stops of cut ones."""
    return tuple(
        tuple(dict.fromkeys([*names, *(n.rstrip(".") for n in names), *(more or {}).get(k, ())]))
        for k, names in enumerate(held, 1)
    )


def units(data: Mapping[str, Any], more: Names) -> Names:
    """Units with their signs, CLDR's names and those written by hand."""
    keys = dict.fromkeys((*SIGNS_OF_UNITS, *data["units"], *more))
    units = {}
    for key in keys:
        names = [n for n in data["units"].get(key, ()) if len(n) > 1]
        forms = (*SIGNS_OF_UNITS.get(key, ()), *names, *more.get(key, ()))
        units[key] = tuple(dict.fromkeys(forms))
    return units


def currencies(
    data: Mapping[str, Any],
    more: Names,
    minor: Names,
    *,
    signs: Names | None = None,
    tenth: Names | None = None,
) -> tuple[Currency, ...]:
    """Currencies with CLDR's names, those written by hand first."""
    currencies = []
    for code, held in data["currencies"].items():
        own = (signs or {}).get(code)
        written = SIGNS_OF_MONEY.get(code, ()) if own is None else own
        words = tuple(dict.fromkeys((*more.get(code, ()), *held["names"])))
        currencies.append(
            Currency(code, written, words, minor.get(code, ()), (tenth or {}).get(code, ()))
        )
    return tuple(currencies)


def signs(more: Names, english: Names = ENGLISH_SIGNS) -> Names:
    """A language's names of signs, the English ones behind them."""
    keys = dict.fromkeys((*more, *english))
    return {k: tuple(dict.fromkeys((*more.get(k, ()), *english.get(k, ())))) for k in keys}


def sequence(*parts: str) -> dict[str, int]:
    """Words for 0, 1, 2 … in order; "|" parts other words for one value."""
    words = " ".join(parts).split()
    return {form: n for n, forms in enumerate(words) for form in forms.split("|")}


def spelled(lines: str) -> Names:
    """Letter names from lines "b be be_larga": a letter and its names; "_" is a space."""
    names_of = {}
    for line in lines.strip().splitlines():
        letter, *names = line.split()
        names_of[letter] = tuple(name.replace("_", " ") for name in names)
    return names_of
