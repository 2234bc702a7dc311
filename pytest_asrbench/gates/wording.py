"""How a gate's one line reads: `0.71 < 0.80 min (15 of 21)`. Counts stand beside every rate."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction

from pytest_asrbench.counts import plural
from pytest_asrbench.gates.measures import Unit
from pytest_asrbench.model import ErrorRate, Measured, Rate

Exact = Fraction | Decimal


def exact(measured: Measured) -> Fraction | None:
    """The value without rounding, for comparisons; None where nothing was measured."""
    if isinstance(measured, Rate):
        return Fraction(measured.hits, measured.total) if measured.total else None
    if isinstance(measured, ErrorRate):
        return Fraction(measured.edits, measured.reference) if measured.reference else None
    return None if measured is None else Fraction(measured)


def pair(value: Exact, limit: Exact, unit: Unit = "rate") -> tuple[str, str]:
    """Both as text, with more digits where two would make different values look equal."""
    if unit == "ms":
        return f"{float(value):.0f} ms", f"{float(limit):.0f} ms"
    first = max(2, _digits(limit))
    for digits in range(first, max(first, 8) + 1):
        shown, bound = number(value, digits), number(limit, digits)
        if shown != bound or value == limit:
            break
    return number(value, first if value == limit else digits), number(limit, first)


def number(value: Exact, digits: int = 2) -> str:
    """`0.71`."""
    return f"{float(value):.{digits}f}"


def _digits(value: Exact) -> int:
    """Decimal places that a person wrote."""
    return -int(value.as_tuple().exponent) if isinstance(value, Decimal) else 2


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
    value, below = Fraction(rate.hits, rate.total), Fraction(rate.hits - 1, rate.total)
    for digits in range(2, 12):
        bound = _rounded(value, digits, ROUND_FLOOR)
        if bound > below:
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
