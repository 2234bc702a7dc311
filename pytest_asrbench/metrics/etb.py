"""
Entity accuracy as the Entity Transcription Benchmark reports it.

    entity accuracy, MLCommons, tier A, n=1086

The headline is tier A of the MLCommons subset; a figure over both tiers is another one and is
named so. Scorers differ, so the scorer and the dataset's version stand beside every figure.
"""

from __future__ import annotations

from collections.abc import Iterable

from pytest_asrbench.model import ClipRecord, Rate

SUBSETS = {
    "MLCommons": "MLCommons_TestPortion",
    "Belebele/FLEURS": "Belebele_Fleurs_TestPortion",
}
"""Name in print -> value of the slice `subset`."""
HEADLINE = ("MLCommons", "A")


def accuracy(
    records: Iterable[ClipRecord], *, subset: str | None = None, tier: str | None = None
) -> Rate:
    """Entities recovered, of one subset's (a name of SUBSETS) and one tier's, or of all."""
    verdicts = [
        judged.verdict.present
        for record in records
        if subset is None or record.slices.get("subset") == SUBSETS[subset]
        for judged in record.entities
        if judged.verdict is not None
        and (tier is None or judged.entity.attributes.get("tier") == tier)
    ]
    return Rate(sum(verdicts), len(verdicts))


def gap(records: Iterable[ClipRecord]) -> float | None:
    """Accuracy on MLCommons less that on Belebele/FLEURS, in the headline's tier.

    None where one of them was not measured.
    """
    measured = list(records)
    _, tier = HEADLINE
    first, second = (accuracy(measured, subset=name, tier=tier).value for name in SUBSETS)
    return None if first is None or second is None else first - second
