"""
The baseline that an update stores.

With plain floors it is a ratchet, entity by entity: what was once recovered stays expected. With
paired gates it is one whole run, replaced only by a run that is better beyond noise: the best of
many noisy runs would be a baseline that no run holds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from pytest_asrbench.gates.measures import GateName, Views
from pytest_asrbench.gates.paired import compare
from pytest_asrbench.gates.thresholds import Baseline
from pytest_asrbench.metrics import wer
from pytest_asrbench.metrics.recovery import entity_key
from pytest_asrbench.model import ClipRecord, ErrorRate, Rate
from pytest_asrbench.run import Run

NONE = ErrorRate(0, 0)


def of_run(run: Run) -> Baseline:
    """The run's own outcomes."""
    return of_records(run.records, run.repeats)


def of_records(records: Sequence[ClipRecord], repeats: int) -> Baseline:
    """The outcomes of these records, each clip so often."""
    missed: dict[str, list[int]] = defaultdict(list)
    for record in records:
        for miss in record.misses:
            missed[entity_key(record, miss.entity.id)].append(record.repeat)
    errors = {"wer": wer.wer(records), "cer": wer.cer(records)}
    made = Baseline(
        misses=frozenset(key for key, when in missed.items() if len(when) == repeats),
        unstable={key: tuple(when) for key, when in missed.items() if len(when) < repeats},
        repeats=repeats,
        errors={name: rate for name, rate in errors.items() if rate.reference},
        words=_words(records),
    )
    return with_counts(made, records)


def ratcheted(old: Baseline, new: Baseline, unchanged: Collection[str], run: Run) -> Baseline:
    """Missed only where both missed; clips that are new or changed as in the new run."""
    misses = {key for key in new.misses if key in _keys(old) or _clip(key) not in unchanged}
    kept = replace(new, misses=frozenset(misses), unstable={}, repeats=1)
    return with_counts(fewest_errors(old, kept, unchanged, run), run.records)


def extended(old: Baseline, new: Baseline, unchanged: Collection[str], run: Run) -> Baseline:
    """The old outcomes, with those of the new run for clips that are new or changed."""
    stays = {key: when for key, when in _outcomes(old, old).items() if _clip(key) in unchanged}
    comes = {key: when for key, when in _outcomes(new, old).items() if _clip(key) not in unchanged}
    words = _words_of_both(old, new, unchanged)
    errors = {**new.errors, **old.errors}
    for name in errors:
        stayed, came = _parts(name, unchanged, run)
        if errors[name].reference == stayed.reference:
            errors[name] += came
    kept = replace(_joined(old, {**stays, **comes}), errors={**errors, **_wer(words)}, words=words)
    return with_counts(kept, run.records)


def added(old: Baseline, records: Sequence[ClipRecord], repeats: int) -> Baseline:
    """The old outcomes and those of clips that it does not know."""
    new = of_records(records, repeats)
    both = _joined(old, {**_outcomes(old, old), **_outcomes(new, old)})
    more = with_counts(both, records)
    words = _words_of_both(old, new, old.words)
    names = {**old.errors, **new.errors}
    errors = {name: old.errors.get(name, NONE) + new.errors.get(name, NONE) for name in names}
    return replace(
        both,
        rates={
            name: old.rates.get(name, Rate(0, 0)) + more.rates.get(name, Rate(0, 0))
            for name in {**old.rates, **more.rates}
        },
        errors={**errors, **_wer(words)},
        recovered={**old.recovered, **more.recovered} if old.recovered else {},
        words=words,
    )


def _outcomes(baseline: Baseline, as_often_as: Baseline) -> dict[str, tuple[int, ...]]:
    """In which repeats each value was missed, of those that ever were."""
    repeats = range(1, as_often_as.repeats + 1)
    outcomes = {
        key: tuple(r for r in repeats if baseline.missed(key, r)) for key in _keys(baseline)
    }
    return {key: when for key, when in outcomes.items() if when}


def _joined(old: Baseline, missed: Mapping[str, tuple[int, ...]]) -> Baseline:
    """These misses over as many repeats as the old ones had."""
    return Baseline(
        misses=frozenset(key for key, when in missed.items() if len(when) == old.repeats),
        unstable={key: when for key, when in missed.items() if len(when) < old.repeats},
        repeats=old.repeats,
    )


def _keys(baseline: Baseline) -> frozenset[str]:
    return baseline.misses | baseline.unstable.keys()


def with_counts(baseline: Baseline, records: Sequence[ClipRecord]) -> Baseline:
    """The baseline with the rates that its outcomes give over the clips of these records."""
    views = Views(records)
    names = [
        GateName("ctem"),
        GateName("tsr"),
        *(GateName("recovery", type_) for type_ in views.types(None)),
    ]
    rates = {str(name): compare(name, views.of(name), baseline).before for name in names}
    return replace(baseline, rates=rates, recovered=_recovered(baseline, records))


def _recovered(baseline: Baseline, records: Iterable[ClipRecord]) -> dict[str, Rate]:
    """The recovery of each clip that has values, from the outcomes."""
    rates = {}
    for record in records:
        if record.entities and record.clip not in rates:
            keys = [entity_key(record, judged.entity.id) for judged in record.entities]
            repeats = range(1, baseline.repeats + 1)
            missed = sum(baseline.missed(key, repeat) for key in keys for repeat in repeats)
            total = len(keys) * baseline.repeats
            rates[record.clip] = Rate(total - missed, total)
    return rates


def fewest_errors(old: Baseline, new: Baseline, unchanged: Collection[str], run: Run) -> Baseline:
    """The run's baseline; with the old errors of unchanged clips where those were fewer."""
    errors = {
        name: _fewer(old.errors.get(name, rate), rate, *_parts(name, unchanged, run))
        for name, rate in new.errors.items()
    }
    if not old.words:  # of schema 1
        kept = errors.get("wer") != new.errors.get("wer")
        return replace(new, errors=errors, words={} if kept else new.words)
    before, now = of_clips(old.words, unchanged), of_clips(new.words, unchanged)
    words = _words_of_both(old, new, unchanged) if _lower(before, now) is before else new.words
    return replace(new, errors={**errors, **_wer(words)}, words=words)


def _fewer(old: ErrorRate, new: ErrorRate, stayed: ErrorRate, came: ErrorRate) -> ErrorRate:
    """Unlike datasets are compared as rates, where nothing tells the parts of the old one."""
    if old.reference == stayed.reference:
        return _lower(old, stayed) + came
    return _lower(old, new)


def _parts(name: str, unchanged: Collection[str], run: Run) -> tuple[ErrorRate, ErrorRate]:
    """The run's errors in clips that are unchanged, and in the others."""
    count = wer.wer if name == "wer" else wer.cer
    stayed = count(record for record in run.records if record.clip in unchanged)
    return stayed, count(record for record in run.records if record.clip not in unchanged)


def _words_of_both(
    old: Baseline, new: Baseline, unchanged: Collection[str]
) -> dict[str, ErrorRate]:
    """The old word edits of unchanged clips, and the new ones of the others; none where the old
    ones are not known by clip."""
    if not old.words:
        return {}
    stays = {clip: rate for clip, rate in old.words.items() if clip in unchanged}
    return {**stays, **{c: rate for c, rate in new.words.items() if c not in unchanged}}


def of_clips(words: Mapping[str, ErrorRate], clips: Collection[str]) -> ErrorRate:
    """The counts of these clips together."""
    return sum((rate for clip, rate in words.items() if clip in clips), NONE)


def _words(records: Iterable[ClipRecord]) -> dict[str, ErrorRate]:
    words: dict[str, ErrorRate] = {}
    for record in records:
        if record.words is not None and record.words != NONE:
            words[record.clip] = words.get(record.clip, NONE) + record.words
    return words


def _wer(words: Mapping[str, ErrorRate]) -> dict[str, ErrorRate]:
    """That of these clips together, where it is known."""
    return {"wer": sum(words.values(), NONE)} if words else {}


def _lower(old: ErrorRate, new: ErrorRate) -> ErrorRate:
    return old if old.edits * new.reference < new.edits * old.reference else new


def _clip(key: str) -> str:
    """The clip of `clip/entity`; clip ids may hold slashes, entity ids do not."""
    return key.rpartition("/")[0]
