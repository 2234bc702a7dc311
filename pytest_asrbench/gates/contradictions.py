"""
Checks that a stored baseline doesn't contradict itself.

Its counts, its lists of misses and the counts of each clip are three tellings of the same outcomes.
Where they differ somebody changed one of them, and a gate would hold by the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from pytest_asrbench.gates.thresholds import Baseline
from pytest_asrbench.model import ErrorRate, Rate

At = tuple[str, ...]
Fault = tuple[At, str]
"""The line in the file, and what is wrong there."""


def of_baseline(baseline: Baseline, clips: Mapping[str, str]) -> Iterator[Fault]:
    """Every fault. `clips` are those that the file lists; none where it lists none."""
    if not baseline.repeats:
        yield ("baseline", "repeats"), "a baseline of no repeats"
        return
    yield from _unstable(baseline)
    if clips:
        for key in sorted(baseline.misses | baseline.unstable.keys()):
            if key.rpartition("/")[0] not in clips:
                yield ("baseline", "misses"), f"misses name {key}, of no clip in dataset.clips"
    yield from _rates(baseline)
    yield from _by_clip(baseline)


def _unstable(baseline: Baseline) -> Iterator[Fault]:
    every = set(range(1, baseline.repeats + 1))
    for key, repeats in baseline.unstable.items():
        at = ("baseline", "unstable", key)
        if key in baseline.misses:
            yield at, f"{key} is always missed and unstable; keep one"
        elif not set(repeats) <= every or len({*repeats}) < len(repeats):
            yield at, f"{key}: repeats {[*repeats]} of {baseline.repeats}"
        elif not 0 < len(repeats) < baseline.repeats:
            always = "always missed" if repeats else "never missed"
            yield at, f"{key} was {always}, which is not unstable"


def _rates(baseline: Baseline) -> Iterator[Fault]:
    missed, broken = _missed(baseline), _broken(baseline)
    for name, counted in (("ctem", missed), ("tsr", broken)):
        rate = baseline.rates.get(name)
        if rate is not None and rate.total - rate.hits != counted:
            told = f"{name} says {rate.hits} of {rate.total}, its misses {rate.total - counted}"
            yield ("baseline", name), told
    ctem = baseline.rates.get("ctem")
    types = [rate for name, rate in baseline.rates.items() if name.startswith("recovery:")]
    by_type = sum(types, Rate(0, 0))
    if ctem and types and (by_type.hits > ctem.hits or by_type.total > ctem.total):
        told = f"its types add up to {by_type.hits} of {by_type.total}, ctem says {ctem.hits}"
        yield ("baseline", "recovery"), f"{told} of {ctem.total}"


def _by_clip(baseline: Baseline) -> Iterator[Fault]:
    missed = _missed_by_clip(baseline)
    if baseline.recovered:
        for clip, rate in baseline.recovered.items():
            if rate.total - rate.hits != missed[clip]:
                told = f"{rate.hits} of {rate.total} recovered, its misses say "
                yield ("dataset", "clips", clip), f"{clip}: {told}{rate.total - missed[clip]}"
        total, ctem = sum(baseline.recovered.values(), Rate(0, 0)), baseline.rates.get("ctem")
        if ctem is not None and total != ctem:
            told = f"its clips add up to {total.hits} of {total.total}"
            yield ("baseline", "ctem"), f"ctem says {ctem.hits} of {ctem.total}, {told}"
    if baseline.words:
        words, wer = sum(baseline.words.values(), ErrorRate(0, 0)), baseline.errors.get("wer")
        if wer is not None and words != wer:
            told = f"its clips add up to {words.edits} of {words.reference}"
            yield ("baseline", "wer"), f"wer says {wer.edits} of {wer.reference}, {told}"


def _missed(baseline: Baseline) -> int:
    """Misses over all repeats."""
    return sum(_missed_by_clip(baseline).values())


def _missed_by_clip(baseline: Baseline) -> Counter[str]:
    missed: Counter[str] = Counter()
    for key in baseline.misses:
        missed[key.rpartition("/")[0]] += baseline.repeats
    for key, repeats in baseline.unstable.items():
        missed[key.rpartition("/")[0]] += len(repeats)
    return missed


def _broken(baseline: Baseline) -> int:
    """Clips with a miss, in each repeat."""
    always = range(1, baseline.repeats + 1)
    missed = {**baseline.unstable, **dict.fromkeys(baseline.misses, always)}
    return len({(key.rpartition("/")[0], n) for key, repeats in missed.items() for n in repeats})
