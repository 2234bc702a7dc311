"""One condition of a gate against what was measured. Arithmetic alone, without rounding."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from pytest_asrbench.counts import plural, some
from pytest_asrbench.gates import wording
from pytest_asrbench.gates.measures import Unit
from pytest_asrbench.gates.paired import PairedComparison
from pytest_asrbench.model import Measured


@dataclass(frozen=True, slots=True)
class Check:
    """`status` ungated: the condition can't tell anything here, and `text` says why."""

    status: Literal["passed", "failed", "ungated"]
    kind: str
    limit: Decimal
    text: str


def at_least(measured: Measured, value: Fraction, limit: Decimal) -> Check:
    """`min`. A floor of 0 never fails and is not taken for a gate."""
    if limit == 0:
        text = f"vacuous: a floor of 0 never fails{wording.counts(measured)}"
        return Check("ungated", "min", limit, text)
    held = value >= limit
    shown, bound = wording.pair(value, limit)
    text = f"{shown} {'>=' if held else '<'} {bound} min{wording.counts(measured)}"
    return Check(_status(held), "min", limit, text)


def at_most(measured: Measured, value: Fraction, limit: Decimal, unit: Unit) -> Check:
    """`max`. A system that hears nothing has a rate of 1, which a ceiling on rates must forbid."""
    held = value <= limit
    if held and unit == "rate" and limit >= 1:
        text = f"vacuous: a ceiling of {wording.bound(limit)} holds even where nothing is heard"
        return Check("ungated", "max", limit, text + wording.counts(measured))
    shown, bound = wording.pair(value, limit, unit)
    text = f"{shown} {'<=' if held else '>'} {bound} max{wording.counts(measured)}"
    return Check(_status(held), "max", limit, text)


def max_drop(comparison: PairedComparison, limit: Decimal) -> Check:
    """`max_drop`, in points of a hundred against the baseline. No gate where it may all be lost."""
    if limit >= 100 * (wording.exact(comparison.before) or 0):
        text = f"vacuous: a drop of {limit:f} points may lose all{wording.counts(comparison.now)}"
        return Check("ungated", "max_drop", limit, text)
    return _change("max_drop", _points(comparison.before, comparison.now), limit, comparison.now)


def max_rise(before: Measured, now: Measured, limit: Decimal) -> Check:
    """`max_rise`, in points of a hundred against the baseline."""
    points = _points(now, before)
    if points <= limit and (wording.exact(before) or 0) + Fraction(limit) / 100 >= 1:
        text = f"vacuous: a rise of {limit:f} points holds even where nothing is heard"
        return Check("ungated", "max_rise", limit, text + wording.counts(now))
    return _change("max_rise", _points(now, before), limit, now)


def _points(larger: Measured, smaller: Measured) -> Fraction:
    return 100 * ((wording.exact(larger) or Fraction(0)) - (wording.exact(smaller) or Fraction(0)))


def _change(kind: str, points: Fraction, limit: Decimal, now: Measured) -> Check:
    held = points <= limit
    shown, bound = wording.pair(max(points, Fraction(0)), limit)
    word = kind.removeprefix("max_")
    text = f"{word} {shown} {'<=' if held else '>'} {bound} points{wording.counts(now)}"
    return Check(_status(held), kind, limit, text)


def paired(
    comparison: PairedComparison, p: float, alpha: Decimal, before: str = "baseline"
) -> Check:
    """`paired`, with `p` already corrected over the family of paired gates.

    A drop among entities that flip between repeats is no evidence by itself, so stable ones must
    have been lost as well. `before` says what the other side is.
    """
    if comparison.least_p > alpha:
        text = "vacuous: too few clips for a paired test; use min or max_new_misses"
        return Check("ungated", "paired", alpha, text)
    failed = p <= alpha and comparison.net < 0
    return Check(_status(not failed), "paired", alpha, paired_text(comparison, p, alpha, before))


def paired_text(comparison: PairedComparison, p: float, alpha: Decimal, name: str) -> str:
    """`0.71 < 0.80 baseline, a real drop: p 0.003 (15 of 21, was 17)`"""
    now = wording.exact(comparison.now) or Fraction(0)
    before = wording.exact(comparison.before) or Fraction(0)
    digits = wording.apart(now, before)
    shown, was = wording.number(now, digits), wording.number(before, digits)
    counts = f"({comparison.now.hits} of {comparison.now.total}"
    if comparison.before.total == comparison.now.total:
        counts += f", was {comparison.before.hits}"
    counts += ")"
    if now >= before:
        return f"{shown} >= {was} {name} {counts}"
    held = p > alpha or comparison.net >= 0
    only = ", only unstable entities" if p <= alpha and comparison.net >= 0 else ""
    verdict = "within noise" if held else "a real drop"
    return f"{shown} < {was} {name}, {verdict}: p {wording.chance(p)}{only} {counts}"


def max_new_misses(comparison: PairedComparison, limit: int) -> Check:
    """`max_new_misses`: recovered in the baseline, missed now. No gate where all of them may be."""
    if limit >= comparison.losable:
        text = f"vacuous: {plural(limit, 'new miss', 'new misses')} may lose all"
        text += f" ({comparison.losable} recovered in the baseline)"
        return Check("ungated", "max_new_misses", Decimal(limit), text)
    count = len(comparison.new_misses)
    held = count <= limit
    text = f"{plural(count, 'new miss', 'new misses')} {'<=' if held else '>'} {limit}"
    if comparison.new_misses:
        text += f" ({some(comparison.new_misses)})"
    return Check(_status(held), "max_new_misses", Decimal(limit), text)


def _status(held: bool) -> Literal["passed", "failed"]:
    return "passed" if held else "failed"
