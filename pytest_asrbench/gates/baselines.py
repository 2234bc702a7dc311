"""
The baseline that an update stores.

With plain floors it is a ratchet, entity by entity: what was once recovered stays expected. With
paired gates it is one whole run, replaced only by a run that is better beyond noise: the best of
many noisy runs would be a baseline that no run holds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import replace

from pytest_asrbench.gates.measures import Name, Views
from pytest_asrbench.gates.paired import compare
from pytest_asrbench.gates.thresholds import Baseline
from pytest_asrbench.metrics.recovery import entity_key
from pytest_asrbench.model import ErrorRate
from pytest_asrbench.run import Run


def of_run(run: Run) -> Baseline:
    """The run's own outcomes."""
    figures = run.metrics.all
    missed: dict[str, list[int]] = defaultdict(list)
    for record in run.records:
        for miss in record.misses:
            missed[entity_key(record, miss.entity.id)].append(record.repeat)
    errors = {"wer": figures.wer, "cer": figures.cer}
    return with_rates(
        Baseline(
            misses=frozenset(k for k, repeats in missed.items() if len(repeats) == run.repeats),
            unstable={k: tuple(r) for k, r in missed.items() if len(r) < run.repeats},
            repeats=run.repeats,
            errors={name: rate for name, rate in errors.items() if rate.reference},
        ),
        run,
    )


def ratcheted(old: Baseline, new: Baseline, unchanged: Collection[str], run: Run) -> Baseline:
    """Missed only where both missed; clips that are new or changed as in the new run."""
    misses = {key for key in new.misses if key in _keys(old) or _clip(key) not in unchanged}
    errors = fewer(old.errors, new.errors)
    kept = replace(new, misses=frozenset(misses), unstable={}, repeats=1, errors=errors)
    return with_rates(kept, run)


def extended(old: Baseline, new: Baseline, unchanged: Collection[str], run: Run) -> Baseline:
    """The old outcomes, with those of the new run for clips that are new or changed."""
    repeats = range(1, old.repeats + 1)
    missed = {key: tuple(r for r in repeats if old.missed(key, r)) for key in _keys(old)}
    stays = {key: when for key, when in missed.items() if _clip(key) in unchanged}
    fresh = {key: tuple(r for r in repeats if new.missed(key, r)) for key in _keys(new)}
    comes = {key: when for key, when in fresh.items() if when and _clip(key) not in unchanged}
    both = {**stays, **comes}
    kept = Baseline(
        misses=frozenset(key for key, when in both.items() if len(when) == old.repeats),
        unstable={key: when for key, when in both.items() if len(when) < old.repeats},
        repeats=old.repeats,
        errors={**new.errors, **old.errors},
    )
    return with_rates(kept, run)


def _keys(baseline: Baseline) -> frozenset[str]:
    return baseline.misses | baseline.unstable.keys()


def with_rates(baseline: Baseline, run: Run) -> Baseline:
    """The baseline with the rates that its outcomes give over this run's clips."""
    views = Views(run.records)
    names = [Name("ctem"), Name("tsr"), *(Name("recovery", type_) for type_ in views.types(None))]
    rates = {str(name): compare(name, views.of(name), baseline).before for name in names}
    return replace(baseline, rates=rates)


def fewer(old: Mapping[str, ErrorRate], new: Mapping[str, ErrorRate]) -> dict[str, ErrorRate]:
    """Of each error rate the lower one; the counts of unlike datasets are compared as rates."""
    return {name: _lower(old.get(name, rate), rate) for name, rate in new.items()}


def _lower(old: ErrorRate, new: ErrorRate) -> ErrorRate:
    return old if old.edits * new.reference < new.edits * old.reference else new


def _clip(key: str) -> str:
    """The clip of `clip/entity`; clip ids may hold slashes, entity ids do not."""
    return key.rpartition("/")[0]
