"""
The usual spoken form of a value: a proposal that a person approves, never evidence.

Digits of codes and telephone numbers one by one, quantities as numbers, symbols by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from pytest_asrbench.datasets.types import TypeKind, of_kind

ONES, TENS, MONTHS = (
    line.split()
    for line in (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen",
        "zero ten twenty thirty forty fifty sixty seventy eighty ninety",
        "january february march april may june july august september october november december",
    )
)
SCALES = ((10**9, "billion"), (10**6, "million"), (10**3, "thousand"), (100, "hundred"))
ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
SYMBOLS: Mapping[str, str] = {
    "@": "at",
    ".": "dot",
    "-": "dash",
    "_": "underscore",
    "+": "plus",
    "/": "slash",
    "\\": "backslash",
    ":": "colon",
    "=": "equals",
    "#": "hash",
    "~": "tilde",
    "*": "star",
    "?": "question mark",
    "&": "ampersand",
    "%": "percent sign",
    "|": "pipe",
    ">": "greater than",
    "<": "less than",
    "$": "dollar sign",
    "(": "open paren",
    ")": "close paren",
}
CURRENCIES: Mapping[str, tuple[str, str, str]] = {
    "$": ("dollar", "dollars", "cents"),
    "€": ("euro", "euros", "cents"),
    "£": ("pound", "pounds", "pence"),
}
UNITS: Mapping[str, str] = {
    "mg": "milligrams",
    "g": "grams",
    "kg": "kilograms",
    "ml": "milliliters",
    "l": "liters",
    "mm": "millimeters",
    "cm": "centimeters",
    "m": "meters",
    "km": "kilometers",
    "mb": "megabytes",
    "gb": "gigabytes",
    "tb": "terabytes",
    "ms": "milliseconds",
    "kwh": "kilowatt hours",
    "lb": "pounds",
    "ft": "feet",
    "mph": "miles per hour",
}


def spoken(kind: str, canonical: str) -> str:
    """A spoken form of a value of a known type; its own words where nothing better is known."""
    return SAYINGS.get(kind, words)(canonical) or words(canonical)


def cardinal(number: int) -> str:
    """`1243` -> one thousand two hundred forty three."""
    if number < 20:
        return ONES[number]
    if number < 100:
        rest = number % 10
        return TENS[number // 10] + (f" {ONES[rest]}" if rest else "")
    scale, name = next((scale, name) for scale, name in SCALES if number >= scale)
    rest = number % scale
    return f"{cardinal(number // scale)} {name}" + (f" {cardinal(rest)}" if rest else "")


def ordinal(number: int) -> str:
    """`21` -> twenty first."""
    *start, last = cardinal(number).split()
    ending = ORDINALS.get(last) or (last[:-1] + "ieth" if last.endswith("y") else f"{last}th")
    return " ".join([*start, ending])


def quantity(text: str) -> str:
    """`1,243.5` -> one thousand two hundred forty three point five."""
    whole, _, part = text.replace(",", "").partition(".")
    said = cardinal(int(whole or 0))
    return f"{said} point {digits(part)}" if part else said


def digits(text: str) -> str:
    """`0132` -> zero one three two."""
    return " ".join(ONES[int(character)] for character in text)


def words(text: str) -> str:
    """Its words in lower case; five digits and more one by one, shorter numbers as numbers."""
    parts = re.findall(r"\d+|[^\W\d_]+(?:['’][^\W\d_]+)*", text)
    return " ".join(_word(part) for part in parts).lower()


def _word(part: str) -> str:
    if not part.isdecimal():
        return part
    return digits(part) if len(part) > 4 or part[0] == "0" else cardinal(int(part))


def _characters(text: str) -> str:
    return " ".join(ONES[int(c)] if c in "0123456789" else c.lower() for c in text if c.isalnum())


def _symbols(text: str) -> str:
    parts = re.findall(r"\d|[^\W\d_]+|\s+|[\W_]", text)
    said = [SYMBOLS.get(p, digits(p) if p.isdecimal() else p.lower()) for p in parts]
    return " ".join(" ".join(said).split())


def _version(text: str) -> str:
    parts = re.findall(r"\d+|[^\W\d_]+|[\W_]", text.removeprefix("v"))
    return " ".join(quantity(p) if p.isdecimal() else SYMBOLS.get(p, p.lower()) for p in parts)


def _symbol(text: str) -> str:
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", text)
    if len(parts) < 2 or not text.isalpha() or text.isupper() or text.islower():
        return _symbols(text)
    case = "pascal case" if text[0].isupper() else "camel case"
    return f"{case} {' '.join(parts).lower()}"


def _amount(text: str) -> str:
    match = re.fullmatch(r"([$€£])([\d,]+)(?:\.(\d\d))?", text)
    if not match:
        return ""
    one, many, small = CURRENCIES[match[1]]
    whole, part = int(match[2].replace(",", "")), int(match[3] or 0)
    said = f"{cardinal(whole)} {one if whole == 1 else many}"
    return f"{said} and {cardinal(part)} {small}" if part else said


def _measure(text: str) -> str:
    match = re.fullmatch(r"([\d,]+(?:\.\d+)?)\s*(.+)", text)
    return f"{quantity(match[1])} {UNITS.get(match[2].lower(), match[2].lower())}" if match else ""


def _percentage(text: str) -> str:
    match = re.fullmatch(r"([\d,]+(?:\.\d+)?)\s*(?:%|percent)", text)
    return f"{quantity(match[1])} percent" if match else ""


def _number(text: str) -> str:
    return quantity(text) if re.fullmatch(r"\d[\d,]*(\.\d+)?", text) else ""


def _date(text: str) -> str:
    if match := re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", text):
        year, month, day = (int(part) for part in match.groups())
    elif match := re.fullmatch(r"([A-Za-z]+) (\d{1,2}),? (\d{4})", text):
        month = next((n for n, m in enumerate(MONTHS, 1) if m == match[1].lower()), 0)
        day, year = int(match[2]), int(match[3])
    else:
        return ""
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return ""
    return f"{MONTHS[month - 1]} {ordinal(day)} {_year(year)}"


def _year(year: int) -> str:
    high, low = divmod(year, 100)
    if year < 1000 or (high % 10 == 0 and low < 10):
        return cardinal(year)
    return f"{cardinal(high)} {_after_hundreds(low)}"


def _after_hundreds(low: int) -> str:
    if low == 0:
        return "hundred"
    return f"oh {ONES[low]}" if low < 10 else cardinal(low)


def _time(text: str) -> str:
    match = re.fullmatch(r"(\d{1,2}):(\d\d)\s*(?:([AaPp])\.?[Mm]\.?)?", text)
    if not match:
        return ""
    minute = int(match[2])
    said = [cardinal(int(match[1]))]
    said += [f"oh {ONES[minute]}" if minute < 10 else cardinal(minute)] if minute else []
    said += [f"{match[3].lower()} m"] if match[3] else []
    return " ".join(said)


SAYINGS: Mapping[str, Callable[[str], str]] = {
    **dict.fromkeys(of_kind(TypeKind.CHARACTERS), _characters),
    **dict.fromkeys(of_kind(TypeKind.SYMBOLS), _symbols),
    "code_symbol": _symbol,
    "version": _version,
    "currency_amount": _amount,
    "percentage": _percentage,
    "measurement": _measure,
    "plain_number": _number,
    "date": _date,
    "time": _time,
}
"""Type -> how its values are said, "" where the value has another form; the rest are words."""
