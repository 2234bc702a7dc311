"""Units of measurement: one unit, all its names (rule 14). Metric units take prefixes."""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.packs import pack as load_pack

_MEASURED = re.compile(
    r"""
    ([-−]?\s*(?:(?:\d+[ ]|\d+-)?\d+/\d+ | \d[\d,]*(?:\.\d+)? | \.\d+))   # figure or fraction
    (?:\s*|-)([^\d\s−-][^\d]*?[²³23]?)                                # unit
    (?=\s+[-−]?\d | \s*$ | (?<=['"])\d)                               # next figure, or the end
    """,
    re.VERBOSE,
)


def measured(folded: str, text: str) -> list[tuple[str, str, str]]:
    """Figures with their units, folded and as written: "6 ft 2 in" has two."""
    figures = []
    place = 0
    for match in _MEASURED.finditer(folded):
        if folded[place : match.start()].strip():
            return []
        place = match.end()
        shown = (
            text.strip()[match.start(2) : match.end(2)] if len(text.strip()) == len(folded) else ""
        )
        figure = match[1].replace("−", "-")
        figures.append((figure, match[2].strip(), shown.strip()))
    return figures if figures and not folded[place:].strip() else []


_PREFIXED = {
    "g": "kmµn", "m": "kcmµn", "L": "mµdc", "s": "mµn", "Hz": "kMGT", "B": "kMGTP", "b": "kMGTP",
    "W": "mkMGµ", "V": "mkMµ", "A": "mkµn", "Ω": "kM", "Pa": "hkMG", "J": "kM", "N": "k",
    "F": "mµnp", "H": "mµ", "T": "mµ", "mol": "mµn", "Wh": "kMG", "Ah": "m", "VA": "k",
    "eV": "kMG", "Bq": "kMG", "Sv": "mµ",
}  # fmt: skip
"""Prefixes in use, so that "mg" is never a megagram."""


@lru_cache(maxsize=1024)
def key(folded: str, shown: str, language: str) -> str | None:
    """The one name of a unit, powers and rates included ("ft^2", "mg/kg"); None if not known.

    Case tells MB from Mb where the unit is written.
    """
    words = load_pack(language)
    simple = _simple(folded, shown, language)
    if simple:
        return simple
    bits = re.fullmatch(r"([kmgt]?)(b|i?b)ps", folded)
    if bits is not None:
        over = key(folded[:-2], (shown or folded)[:-2], language)
        return over and rate_name(over, "s")
    for mark in ("/", " per ", " an ", " a "):
        if mark in folded:
            one, two = folded.partition(mark), (shown or folded).partition(mark)
            over = key(one[0].strip(), two[0].strip(), language)
            under = key(one[2].strip(), two[2].strip(), language)
            return rate_name(over, under) if over and under else None
    return _power(folded, words)


def rate_name(over: str, under: str) -> str:
    """km and h are km/h, which has a name of its own in the table."""
    return _RATES.get((over, under), f"{over}/{under}")


_RATES = {("km", "h"): "kph", ("mi", "h"): "mph", ("lb", "in^2"): "psi"}


def _simple(folded: str, shown: str, language: str) -> str | None:
    exact = table(language)
    if shown in exact:
        return shown
    lower = [sign for sign in exact if sign.lower() == folded]
    if lower:
        return lower[0]
    return next((sign for sign, forms in exact.items() if folded in forms), None)


def _power(folded: str, words: Pack) -> str | None:
    """sq ft, square feet, ft², cubic meters."""
    for power, marks in words.powers.items():
        base = next((folded[len(m) :] for m in marks if folded.startswith(m + " ")), None)
        tail = re.fullmatch(rf"(.+?)(?:\^?{power}|{'²' if power == 2 else '³'})", folded)
        said = next((folded[: -len(m)] for m in marks if folded.endswith(" " + m)), None)
        name = base or (tail and tail[1]) or said
        if name:
            one = key(name.strip(), name.strip(), words.language)
            return one and f"{one}^{power}"
    return None


@lru_cache(maxsize=8)
def table(language: str) -> dict[str, tuple[str, ...]]:
    """Sign as written -> all names; prefixes multiplied out."""
    words = load_pack(language)
    names = dict(words.units.names)
    for sign, forms in words.metric.items():
        for short, longs in words.prefixes.items():
            if short not in _PREFIXED.get(sign, "") and short:
                continue
            spelled = [prefix + form for prefix in longs for form in forms]
            spaced = [f"{prefix} {form}" for prefix in longs for form in forms if prefix]
            signs = _signs(short, sign)
            names.setdefault(short + sign, (*signs, *spelled, *spaced))
    return names


def _signs(short: str, sign: str) -> tuple[str, ...]:
    written = short + sign
    signs = [written.lower(), written.lower() + "s"] if written not in ("m", "s") else [written]
    if short == "µ":
        signs = [f"{p}{sign.lower()}" for p in ("μ", "u")] + (
            ["mcg", "mcgs"] if sign == "g" else []
        )
    if sign == "s" and short:
        signs += [f"{short.lower()}sec", f"{short.lower()}secs"]
    if sign in ("L", "g"):
        signs.append(written.lower() + "s")
    if sign == "Ω":
        signs = [short.lower() + "ω"]
    return tuple(dict.fromkeys(signs))


PARTS = {"ft": ("in",), "lb": ("oz",), "st": ("lb",), "h": ("min",), "min": ("s",)}
"""Unit -> the one that may be said after it as part of one value (rule 42)."""
PART_OF = {("h", "min"): 60, ("min", "s"): 60, ("ft", "in"): 12, ("lb", "oz"): 16, ("st", "lb"): 14}
"""How many of the second make one of the first."""


_SHOWN = {"µg": "mcg"}


@lru_cache(maxsize=8)
def symbols(language: str) -> dict[str, str]:
    """Single words for units -> the unit's sign, for showing misses ("mg -> mcg")."""
    symbols: dict[str, str] = {}
    for sign, forms in table(language).items():
        for form in forms:
            if form.isalpha() and len(form) > 1:
                symbols.setdefault(form, _SHOWN.get(sign, sign))
    return symbols
