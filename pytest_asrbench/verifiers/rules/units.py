"""Units of measurement: one unit, all its names (rule 14). Metric units take prefixes."""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.packs import pack as load_pack
from pytest_asrbench.verifiers.rules import doubts as d
from pytest_asrbench.verifiers.rules.pattern import Doubtful, Pattern, Phrases

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
    found = []
    place = 0
    for match in _MEASURED.finditer(folded):
        if folded[place : match.start()].strip():
            return []
        place = match.end()
        shown = (
            text.strip()[match.start(2) : match.end(2)] if len(text.strip()) == len(folded) else ""
        )
        figure = match[1].replace("−", "-")
        found.append((figure, match[2].strip(), shown.strip()))
    return found if found and not folded[place:].strip() else []


def unit(folded: str, shown: str, words: Pack) -> Pattern:
    """Every name of the unit; a unit that the pack lacks is read as it is written."""
    exact = names(folded, shown, words.language)
    signs = [sign for sign in words.loose_units if _table(words.language)[sign] == exact]
    loose = [name for sign in signs for name in words.loose_units[sign]]
    return Phrases(exact) | Doubtful(Phrases(loose), d.IMPLIED) if loose else Phrases(exact)


_PREFIXED = {
    "g": "kmµn", "m": "kcmµn", "L": "mµdc", "s": "mµn", "Hz": "kMGT", "B": "kMGTP", "b": "kMGTP",
    "W": "mkMGµ", "V": "mkMµ", "A": "mkµn", "Ω": "kM", "Pa": "hkMG", "J": "kM", "N": "k",
    "F": "mµnp", "H": "mµ", "T": "mµ", "mol": "mµn", "Wh": "kMG", "Ah": "m", "VA": "k",
    "eV": "kMG", "Bq": "kMG", "Sv": "mµ",
}  # fmt: skip
"""Prefixes in use, so that "mg" is never a megagram."""


@lru_cache(maxsize=1024)
def names(folded: str, shown: str, language: str) -> tuple[str, ...]:
    """All names, folded. Case tells MB from Mb where the unit is written."""
    words = load_pack(language)
    simple = _simple(folded, shown, words)
    if simple:
        return simple
    for split in (_rate, _power):
        found = split(folded, shown, words)
        if found:
            return found
    plural = folded + "s" if folded.isalpha() and len(folded) > 2 else folded
    return tuple(
        dict.fromkeys((folded, plural, folded.removesuffix("s") if len(folded) > 3 else folded))
    )


def _simple(folded: str, shown: str, words: Pack) -> tuple[str, ...]:
    exact = _table(words.language)
    if shown in exact:
        return exact[shown]
    lower = [forms for key, forms in exact.items() if key.lower() == folded]
    if lower:
        return lower[0]
    return next((forms for forms in exact.values() if folded in forms), ())


def _rate(folded: str, shown: str, words: Pack) -> tuple[str, ...]:
    """L/min, mg per kg, Mbps."""
    bits = re.fullmatch(r"([kmgt]?)(b|i?b)ps", folded)
    if bits is not None:
        shown = shown or folded
        return _joined(shown[:-2], "s", words)
    for mark in ("/", " per ", " an ", " a "):
        if mark in folded:
            over, _, under = folded.partition(mark)
            shown_over = shown.partition(mark)[0] if mark in shown else over
            shown_under = shown.partition(mark)[2] if mark in shown else under
            return _joined(shown_over.strip(), shown_under.strip(), words)
    return ()


def _joined(over: str, under: str, words: Pack) -> tuple[str, ...]:
    first = names(over.lower(), over, words.language)
    second = names(under.lower(), under, words.language)
    found = [f"{a} {per} {b}" for a in first for per in ("per", "/", "a", "an") for b in second]
    if under in ("s", "sec", "second"):
        found += [a + "ps" for a in first if len(a) <= 3]
    if under in ("h", "hr", "hour"):
        found += [a + "ph" for a in first if len(a) <= 3]
    return tuple(found)


def _power(folded: str, shown: str, words: Pack) -> tuple[str, ...]:
    """sq ft, square feet, ft², cubic meters."""
    for power, marks in words.powers.items():
        for mark in marks:
            if folded.startswith(mark + " "):
                return _raised(folded[len(mark) :].strip(), power, words)
        tail = re.fullmatch(rf"(.+?)[{power}{'²' if power == 2 else '³'}]", folded)
        if tail:
            return _raised(tail[1].strip(), power, words)
    return ()


def _raised(base: str, power: int, words: Pack) -> tuple[str, ...]:
    first = names(base, base, words.language)
    found = [f"{mark} {name}" for mark in words.powers[power] for name in first]
    found += [f"{name} {mark}" for mark in words.powers[power] for name in first]
    return (*found, *(f"{name}{'²' if power == 2 else '³'}" for name in first),
            *(f"{name}{power}" for name in first))  # fmt: skip


@lru_cache(maxsize=8)
def _table(language: str) -> dict[str, tuple[str, ...]]:
    """Sign as written -> all names; prefixes multiplied out."""
    words = load_pack(language)
    table = dict(words.units.names)
    for sign, forms in words.metric.items():
        for short, longs in words.prefixes.items():
            if short not in _PREFIXED.get(sign, "") and short:
                continue
            spelled = [prefix + form for prefix in longs for form in forms]
            spaced = [f"{prefix} {form}" for prefix in longs for form in forms if prefix]
            signs = _signs(short, sign)
            table.setdefault(short + sign, (*signs, *spelled, *spaced))
    return table


def _signs(short: str, sign: str) -> tuple[str, ...]:
    written = short + sign
    found = [written.lower(), written.lower() + "s"] if written not in ("m", "s") else [written]
    if short == "µ":
        found = [f"{p}{sign.lower()}" for p in ("μ", "u")] + (
            ["mcg", "mcgs"] if sign == "g" else []
        )
    if sign == "s" and short:
        found += [f"{short.lower()}sec", f"{short.lower()}secs"]
    if sign in ("L", "g"):
        found.append(written.lower() + "s")
    if sign == "Ω":
        found = [short.lower() + "ω"]
    return tuple(dict.fromkeys(found))


_PARTS = (("ft", "in"), ("lb", "oz"), ("st", "lb"), ("h", "min"), ("min", "s"))
"""Units that are said one after the other as one value."""


def neighbours(folded: str, words: Pack) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the unit that may follow this one in one value, and of that which may precede."""
    own = set(names(folded, folded, words.language))
    smaller: tuple[str, ...] = ()
    larger: tuple[str, ...] = ()
    for big, small in _PARTS:
        if own & set(_table(words.language)[big]):
            smaller += _table(words.language)[small]
        if own & set(_table(words.language)[small]):
            larger += _table(words.language)[big]
    return smaller, larger


_SHOWN = {"µg": "mcg"}


@lru_cache(maxsize=8)
def symbols(language: str) -> dict[str, str]:
    """Single words for units -> the unit's sign, for showing misses ("mg -> mcg")."""
    found: dict[str, str] = {}
    for sign, forms in _table(language).items():
        for form in forms:
            if form.isalpha() and len(form) > 1:
                found.setdefault(form, _SHOWN.get(sign, sign))
    return found
