"""
Take from CLDR (through Babel) what language packs need of it, into committed files.

    python tools/cldr.py            writes pytest_asrbench/verifiers/packs/cldr/<language>.json
    python tools/cldr.py --check    fails where a file is not what Babel's CLDR says
    python tools/cldr.py sv FILE    writes that language into a file, for a pack of your own

A file is taken in by hand, so that no update of a dependency changes a verdict. CLDR is under the
Unicode License v3, whose text is written beside the files.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import babel
from babel import Locale

FOLDER = Path(__file__).parent.parent / "pytest_asrbench" / "verifiers" / "packs" / "cldr"
LANGUAGES = ("en", "es", "fr", "de", "pt", "it", "zh", "vi", "tr", "ja", "hi")
REGIONS = {
    "en": ("", "GB", "IN"), "es": ("", "MX"), "fr": ("", "BE", "CA", "CH"),
    "de": ("", "AT", "CH"), "pt": ("", "PT"), "it": ("", "CH"), "zh": ("", "Hant_TW"), "vi": ("",),
    "tr": ("",), "ja": ("",), "hi": ("",),
}  # fmt: skip
CURRENCIES = """
USD EUR GBP JPY CNY INR CAD AUD NZD SGD HKD TWD MXN BRL ARS CLP COP PEN CHF SEK NOK DKK PLN CZK HUF
TRY RUB KRW ILS THB VND PHP IDR MYR NGN UAH ZAR AED SAR EGP
"""
UNITS = {
    "mass-kilogram": "kg", "mass-gram": "g", "mass-milligram": "mg", "mass-microgram": "µg",
    "mass-tonne": "t", "mass-pound": "lb", "mass-ounce": "oz", "length-kilometer": "km",
    "length-meter": "m", "length-centimeter": "cm", "length-millimeter": "mm", "length-inch": "in",
    "length-foot": "ft", "length-mile": "mi", "volume-liter": "l", "volume-milliliter": "ml",
    "volume-centiliter": "cl", "volume-deciliter": "dl", "volume-hectoliter": "hl",
    "area-square-meter": "m²", "area-square-kilometer": "km²", "area-hectare": "ha",
    "volume-cubic-meter": "m³", "volume-cubic-centimeter": "cm³",
    "temperature-celsius": "°C", "temperature-fahrenheit": "°F", "speed-kilometer-per-hour": "km/h",
    "speed-meter-per-second": "m/s", "speed-mile-per-hour": "mph",
    "duration-second": "s", "duration-millisecond": "ms", "duration-minute": "min",
    "duration-hour": "h", "duration-day": "day", "duration-week": "week", "duration-month": "month",
    "duration-year": "year", "digital-byte": "B", "digital-kilobyte": "kB",
    "digital-megabyte": "MB", "digital-gigabyte": "GB", "digital-terabyte": "TB",
    "power-watt": "W", "power-kilowatt": "kW", "power-megawatt": "MW", "power-horsepower": "hp",
    "energy-kilowatt-hour": "kWh", "energy-kilocalorie": "kcal", "energy-joule": "J",
    "electric-volt": "V", "electric-ampere": "A", "electric-ohm": "Ω", "frequency-hertz": "Hz",
    "frequency-kilohertz": "kHz", "frequency-megahertz": "MHz", "frequency-gigahertz": "GHz",
    "pressure-bar": "bar", "pressure-millibar": "mbar", "pressure-hectopascal": "hPa",
}  # fmt: skip


def taken(language: str) -> dict[str, Any]:
    """What the packs need of one language."""
    locale = Locale.parse(language)
    found: dict[str, Any] = {
        "cldr": "Babel " + babel.__version__,
        "months": _series(locale.months, 12),
        "weekdays": _series(locale.days, 7),
        "currencies": {code: _currency(locale, code) for code in CURRENCIES.split()},
        "units": {short: _unit(locale, name) for name, short in UNITS.items()},
        "marks": {},
    }
    for region in REGIONS.get(language, ("",)):
        there = Locale.parse(f"{language}_{region}" if region else language)
        symbols = there.number_symbols["latn"]
        found["marks"][region.rpartition("_")[2]] = [symbols["decimal"], symbols["group"]]
    return found


def _series(held: Any, count: int) -> list[list[str]]:
    """All names of each month or weekday, the usual one first."""
    first = min(held["format"]["wide"])
    found = []
    for k in range(first, first + count):
        names = [
            held[context][width].get(k, "").lower()
            for width in ("wide", "abbreviated")
            for context in ("format", "stand-alone")
        ]
        found.append(list(dict.fromkeys(n for n in names if n)))
    return found


def _currency(locale: Locale, code: str) -> dict[str, list[str]]:
    plural = locale._data["currency_names_plural"].get(code, {})
    names = [locale.currencies.get(code, ""), *plural.values()]
    signs = [locale.currency_symbols.get(code, "")]
    return {
        "names": list(dict.fromkeys(n.lower() for n in names if n)),
        "signs": [s.lower() for s in dict.fromkeys(signs) if s and s != code],
    }


def _unit(locale: Locale, name: str) -> list[str]:
    """Forms of a unit without its number."""
    patterns = locale._data["unit_patterns"].get(name, {})
    found = []
    for width in ("long", "short"):
        for key, pattern in dict(patterns.get(width, {})).items():
            if key != "per" and "{0}" in pattern:
                form = re.sub(r"\s+", " ", pattern.replace("{0}", " ")).strip().lower()
                found.append(form)
    return list(dict.fromkeys(form for form in found if form and form != " "))


def written(language: str) -> str:
    return json.dumps(taken(language), ensure_ascii=False, indent=0) + "\n"


def main() -> int:
    if len(sys.argv) == 3:
        Path(sys.argv[2]).write_text(written(sys.argv[1]), encoding="utf-8")
        return 0
    FOLDER.mkdir(exist_ok=True)
    wrong = []
    if "--check" not in sys.argv:
        licence = Path(babel.__file__).parent / "locale-data" / "LICENSE.unicode"
        shutil.copyfile(licence, FOLDER / "LICENSE.unicode")
    for language in LANGUAGES:
        path = FOLDER / f"{language}.json"
        text = written(language)
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text("utf-8") != text:
            wrong.append(path.name)
    for name in wrong:
        print(f"{name}: not what {babel.__version__} of Babel says; python tools/cldr.py writes it")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
