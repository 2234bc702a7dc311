"""The wording of a gate's one line: `0.71 < 0.80 min (15 of 21)`. Counts stand beside every
rate."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from itertools import count

from pytest_asrbench.counts import plural
from pytest_asrbench.gates.measures import Unit
from pytest_asrbench.model import ErrorRate, Measured, Rate

Exact = Fraction | Decimal

_SUFFIX: dict[Unit, str] = {"rate": "", "ratio": "", "money": "", "ms": " ms"}


def exact(measured: Measured) -> Fraction | None:
    """The value without rounding, for comparisons; None where nothing was measured."""
    if isinstance(measured, Rate):
        return Fraction(measured.hits, measured.total) if measured.total else None
    if isinstance(measured, ErrorRate):
        return Fraction(measured.edits, measured.reference) if measured.reference else None
    return None if measured is None else Fraction(measured)


def pair(value: Exact, limit: Decimal, unit: Unit = "rate") -> tuple[str, str]:
    """Both as text; the value with more digits where it would else look equal to a limit that it
    is not."""
    digits = apart(value, limit, _places(limit, unit))
    return number(value, digits) + _SUFFIX[unit], bound(limit, unit)


def apart(value: Exact, other: Exact, least: int = 2) -> int:
    """The fewest decimal places, from `least`, with which unequal values read as unequal."""
    if value == other:
        return least
    return next(n for n in count(least) if number(value, n) != number(other, n))


def bound(limit: Decimal, unit: Unit = "rate") -> str:
    """The limit as a person wrote it: `0.80`, `900 ms`."""
    return number(limit, _places(limit, unit)) + _SUFFIX[unit]


def number(value: Exact, digits: int = 2) -> str:
    """`0.71`; rounded from the exact value, so that any number of digits is right."""
    scaled = round(Fraction(value) * 10**digits)
    whole, part = divmod(abs(scaled), 10**digits)
    sign = "-" if scaled < 0 else ""
    return f"{sign}{whole}.{part:0{digits}}" if digits else f"{sign}{whole}"


def _places(limit: Decimal, unit: Unit) -> int:
    """Decimal places that a person wrote; two at least, but for milliseconds."""
    return max(0 if unit == "ms" else 2, -int(limit.as_tuple().exponent))


def counts(measured: Measured) -> str:
    """` (15 of 21)`, ` (50 edits in 208)`, or nothing."""
    if isinstance(measured, Rate):
        return f" ({measured.hits:,} of {measured.total:,})"
    if isinstance(measured, ErrorRate):
        return f" ({plural(measured.edits, 'edit')} in {measured.reference:,})"
    return ""


def chance(p: float) -> str:
    """A p-value; never 0, and near 0.05 with the digits that tell on which side it lies."""
    if p < 0.0001:
        return "<0.0001"
    return f"{p:.4f}" if p < 0.01 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def floor(rate: Rate) -> Decimal:
    """The rate rounded down, with the fewest digits (from 2) that one hit less falls below."""
    return floor_above(Fraction(rate.hits - 1, rate.total), Fraction(rate.hits, rate.total))


def floor_above(below: Fraction, value: Fraction) -> Decimal:
    """`value` rounded down, with the fewest digits (from 2) that stay above `below`."""
    for digits in range(2, 12):
        bound = _rounded(value, digits, ROUND_FLOOR)
        if bound > below:
            break
    return bound


def least_above(below: Fraction, most: Fraction) -> Decimal:
    """The least bound above `below` with the fewest digits (from 2), none above `most`."""
    for digits in range(2, 12):
        bound = _rounded(below, digits, ROUND_FLOOR) + Decimal(1).scaleb(-digits)
        if bound <= most:
            break
    return bound


def ceiling(value: Fraction, above: Fraction) -> Decimal:
    """`value` rounded up, with the fewest digits (from 2) that stay below `above`."""
    for digits in range(2, 12):
        bound = _rounded(value, digits, ROUND_CEILING)
        if bound < above:
            break
    return bound


def _rounded(value: Fraction, digits: int, rounding: str) -> Decimal:
    scaled = value * 10**digits
    whole = (
        -(-scaled.numerator // scaled.denominator)
        if rounding == ROUND_CEILING
        else (scaled.numerator // scaled.denominator)
    )
    return Decimal(whole).scaleb(-digits)
