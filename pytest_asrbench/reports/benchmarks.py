"""Figures as the public benchmarks report them, beside our own: with scorer, n and interval."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pytest_asrbench.metrics import etb, wer
from pytest_asrbench.metrics.stats import wilson
from pytest_asrbench.model import Rate
from pytest_asrbench.reports import wording
from pytest_asrbench.run import Run
from pytest_asrbench.run.provenance import short

Pairs = Iterator[tuple[str, str]]


def figures(run: Run) -> tuple[tuple[str, str], ...]:
    """Label and text of each figure of the run's benchmark; none for other datasets."""
    figures = BENCHMARKS.get(run.dataset.layout)
    return tuple(figures(run)) if figures else ()


def _etb(run: Run) -> Pairs:
    subset, tier = etb.HEADLINE
    rate = etb.accuracy(run.records, subset=subset, tier=tier)
    version = run.dataset.revision or short(run.dataset.digest)
    yield "ETB", f"entity accuracy, {subset}, tier {tier}, n={rate.total}: {_accuracy(rate)}"
    yield "", f"scorer {run.verifier.id} {run.verifier.version}, dataset version {version}"
    for name in etb.SUBSETS:
        both = etb.accuracy(run.records, subset=name)
        if both.total:
            yield "", f"entity accuracy, {name}, tiers A+B, n={both.total}: {_accuracy(both)}"
    if (gap := etb.gap(run.records)) is not None:
        yield "", f"{' less '.join(etb.SUBSETS)}, tier A: {100 * gap:+.1f} points"


def _accuracy(rate: Rate) -> str:
    interval = wilson(rate)
    if rate.value is None or interval is None:
        return "not measured"
    low, high = (f"{100 * bound:.1f}" for bound in interval)
    return f"{100 * rate.value:.1f}% ({rate.hits} of {rate.total}, 95% interval {low} to {high})"


def _mubench(run: Run) -> Pairs:
    from pytest_asrbench.metrics import mubench  # here, as other datasets don't need it

    name = run.metrics.normaliser
    rates = mubench.by_locale(run.records, wer.normaliser(name) if name else str)
    label = "mu-bench"
    for locale, rate in rates.items():
        if rate.value is not None:
            counted = wording.edits(rate, "token")
            yield label, f"WER {locale} {rate.value:.4f} ({counted}, {name})"
            label = ""
    if (mean := mubench.macro(rates)) is not None:
        yield label, f"WER {mean:.4f}, unweighted mean of {len(rates)} locales ({name})"
    left_out = sum(not wer.intelligible(record.reference) for record in run.records)
    if left_out:
        yield "", f"{left_out} with {wer.UNINTELLIGIBLE} left out of it"


BENCHMARKS: Mapping[str, Callable[[Run], Pairs]] = {"etb": _etb, "mu-bench": _mubench}
