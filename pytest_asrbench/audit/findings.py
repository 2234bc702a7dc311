"""
Findings of an audit: agreement with the verifier, and how far the sample can tell.

The sample is drawn by verdict, so what it measures without bias are shares of a verdict: false
accepts of what was judged present, and misses of what was judged absent, each with its 95% Wilson
interval. Rows that people left unsure are counted and not scored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_asrbench.audit.sheet import Checked
from pytest_asrbench.metrics.stats import mcnemar, wilson
from pytest_asrbench.model import Rate
from pytest_asrbench.verifiers.agreement import Agreement, Scored, count

ENOUGH = 20  # below, the interval of even a faultless verdict reaches past 16%


@dataclass(frozen=True, slots=True)
class TypeFinding:
    """Of one type: wrong verdicts among those judged present, and among those judged absent."""

    type: str
    agreement: Agreement
    false_accepts: Rate
    misses: Rate


@dataclass(frozen=True, slots=True)
class Findings:
    """Of a sheet. `agreement` is that of the sample as drawn."""

    rows: int
    unchecked: int
    unsure: int
    agreement: Agreement
    false_accepts: Rate
    misses: Rate
    types: tuple[TypeFinding, ...]


def scored(checked: Sequence[Checked]) -> list[Scored]:
    """The rows that a person decided."""
    return [
        Scored(c.row.id, c.row.entity.type, c.present, c.row.verdict.present, c.row.verdict.sure)
        for c in checked
        if c.present is not None
    ]


def findings(checked: Sequence[Checked]) -> Findings:
    """Counts over a sheet, types by name."""
    decided = scored(checked)
    types = sorted({row.type for row in decided})
    return Findings(
        rows=len(checked),
        unchecked=sum(c.human is None for c in checked),
        unsure=sum(c.human == "unsure" for c in checked),
        agreement=count(decided),
        false_accepts=_wrong(decided, judged_present=True),
        misses=_wrong(decided, judged_present=False),
        types=tuple(_type(name, [r for r in decided if r.type == name]) for name in types),
    )


def _type(name: str, decided: Sequence[Scored]) -> TypeFinding:
    return TypeFinding(
        name,
        count(decided),
        _wrong(decided, judged_present=True),
        _wrong(decided, judged_present=False),
    )


def _wrong(decided: Sequence[Scored], *, judged_present: bool) -> Rate:
    """Wrong verdicts of those that say present (or absent)."""
    said = [row for row in decided if row.present is judged_present]
    return Rate(sum(not row.agrees for row in said), len(said))


def lines(result: Findings, verifier: str) -> Iterator[str]:
    """For a terminal of 80 columns."""
    decided = result.agreement.rate.total
    yield f"verifier {verifier}"
    yield (
        f"{result.rows} rows: {decided} decided, {result.unsure} unsure,"
        f" {result.unchecked} not checked yet"
    )
    if not decided:
        return
    yield f"{'type':<26}{'agreement':>11}{'false accepts':>21}{'misses':>21}"
    for each in result.types:
        yield _row(each.type, each.agreement, each.false_accepts, each.misses)
    yield _row("all", result.agreement, result.false_accepts, result.misses)
    kappa = result.agreement.kappa
    yield f"kappa {kappa:.3f}" if kappa is not None else "kappa: one verdict only"
    yield from _warnings(result)


def _row(name: str, agreement: Agreement, false_accepts: Rate, misses: Rate) -> str:
    rate = agreement.rate
    return (
        f"{name:<26}{f'{rate.hits}/{rate.total}':>11}"
        f"{_interval(false_accepts):>21}{_interval(misses):>21}"
    )


def _interval(rate: Rate) -> str:
    limits = wilson(rate)
    if limits is None:
        return "-"
    low, high = limits
    return f"{rate.hits}/{rate.total} ({low:.2f}-{high:.2f})"


def _warnings(result: Findings) -> Iterator[str]:
    for said, rate in (("present", result.false_accepts), ("absent", result.misses)):
        if rate.total < ENOUGH:
            yield f"too few to say: {rate.total} verdicts of {said} decided, {ENOUGH} are the least"
    few = [t.type for t in result.types if t.agreement.rate.total < ENOUGH]
    if few:
        yield f"too few to say of a type alone (under {ENOUGH} rows): {', '.join(few)}"


def versus(
    names: tuple[str, str], first: Sequence[Scored], second: Sequence[Scored]
) -> Iterator[str]:
    """Two verifiers on the same rows, and whether their difference may be chance (McNemar)."""
    for name, rows in zip(names, (first, second), strict=True):
        whole = count(rows)
        kappa = f", kappa {whole.kappa:.3f}" if whole.kappa is not None else ""
        yield (
            f"{name}: agrees in {whole.rate.hits}/{whole.rate.total}{kappa},"
            f" false accepts {whole.false_accepts}/{whole.absent},"
            f" misses {whole.misses}/{whole.present}"
        )
    pairs = list(zip(first, second, strict=True))
    lost = sum(a.agrees and not b.agrees for a, b in pairs)
    gained = sum(b.agrees and not a.agrees for a, b in pairs)
    chance = min(1.0, 2 * min(mcnemar(lost, gained), mcnemar(gained, lost)))
    yield (
        f"only {names[0]} is right in {lost} rows, only {names[1]} in {gained}:"
        f" p = {chance:.3f} (two-sided exact McNemar test)"
    )
