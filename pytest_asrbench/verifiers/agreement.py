"""
A verifier's agreement with labels: per type, and over all.

Agreement is rows judged as labelled / rows scored. A false accept is an absent value judged
present; a miss is a present value judged absent. Kappa is Cohen's: (agreement - chance) /
(1 - chance), with chance from both sides' share of present rows (Cohen 1960).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pytest_asrbench.model import Rate


@dataclass(frozen=True, slots=True)
class Scored:
    """One labelled row with its verdict."""

    id: str
    type: str
    wanted: bool
    present: bool
    sure: bool

    @property
    def agrees(self) -> bool:
        return self.wanted == self.present


@dataclass(frozen=True, slots=True)
class Agreement:
    """Counts over some scored rows."""

    present: int = 0
    """Rows labelled present …"""
    misses: int = 0
    """… and how many of them were judged absent."""
    absent: int = 0
    false_accepts: int = 0

    @property
    def rate(self) -> Rate:
        total = self.present + self.absent
        return Rate(total - self.misses - self.false_accepts, total)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None where nothing was scored or one side never varies."""
        total = self.rate.total
        if not total:
            return None
        judged = self.present - self.misses + self.false_accepts
        chance = (self.present * judged + self.absent * (total - judged)) / total**2
        if chance == 1:
            return None
        return (self.rate.hits / total - chance) / (1 - chance)


def count(rows: Iterable[Scored]) -> Agreement:
    """Counts of the rows."""
    scored = list(rows)
    wanted = [row for row in scored if row.wanted]
    others = [row for row in scored if not row.wanted]
    return Agreement(
        len(wanted),
        sum(not row.present for row in wanted),
        len(others),
        sum(row.present for row in others),
    )


def by_type(rows: Sequence[Scored]) -> Mapping[str, Agreement]:
    """Counts for each type, worst first."""
    types = {row.type for row in rows}
    counts = {kind: count(row for row in rows if row.type == kind) for kind in types}
    return dict(sorted(counts.items(), key=lambda item: (item[1].rate.value, item[0])))


def summary(rows: Sequence[Scored], *, judged: int, verifier: str) -> Iterator[str]:
    """Lines for a terminal of 80 columns: a row a type, worst first, then the whole."""
    yield f"verifier {verifier}: {judged} rows judged, {len(rows)} scored"
    if not rows:
        return
    yield f"{'type':<26}{'agreement':>18}{'false accepts':>16}{'misses':>14}"
    for kind, part in by_type(rows).items():
        yield _row(kind, part)
    whole = count(rows)
    yield _row("all", whole)
    kappa = whole.kappa
    yield f"kappa {kappa:.3f}" if kappa is not None else "kappa: one verdict only"
    yield from _sureness(rows)
    yield from _disagreements(rows)


def _row(kind: str, part: Agreement) -> str:
    rate = part.rate
    agreement = f"{rate.value or 0:.3f} ({rate.hits}/{rate.total})"
    accepts = f"{part.false_accepts}/{part.absent}"
    return f"{kind:<26}{agreement:>18}{accepts:>16}{f'{part.misses}/{part.present}':>14}"


def _sureness(rows: Sequence[Scored]) -> Iterator[str]:
    sure = [row for row in rows if row.sure]
    wrong = [row for row in rows if not row.agrees]
    right = sum(row.agrees for row in sure)
    unsure_wrong = sum(not row.sure for row in wrong)
    yield (
        f"sure in {len(sure)}/{len(rows)}, of which {right} agree;"
        f" unsure in {unsure_wrong} of {len(wrong)} disagreements"
    )


_SHOWN = 20


def _disagreements(rows: Sequence[Scored]) -> Iterator[str]:
    wrong = [row for row in rows if not row.agrees]
    for row in wrong[:_SHOWN]:
        kind = "false accept" if row.present else "miss"
        yield f"  {kind}: {row.id}" + ("" if row.sure else " (unsure)")
    if len(wrong) > _SHOWN:
        yield f"  and {len(wrong) - _SHOWN} more"
