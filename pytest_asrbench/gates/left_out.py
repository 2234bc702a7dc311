"""Measures that an update leaves without a gate, why, and what it would take."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date

from pytest_asrbench.counts import plural, some
from pytest_asrbench.gates import defaults, wording
from pytest_asrbench.gates.dataset_change import DatasetChange
from pytest_asrbench.gates.exemptions import exempt
from pytest_asrbench.gates.measures import GateName, Views, measured
from pytest_asrbench.gates.thresholds import Thresholds
from pytest_asrbench.model import Rate
from pytest_asrbench.run import Run


def names(run: Run, stored: Thresholds, gates: Collection[str], views: Views) -> tuple[str, ...]:
    """Gates to be written once there are clips enough: of those that no one took out. `ctem` is
    among them where it has a wide floor for want of a test."""
    if defaults.steady(run):
        return ()
    testable = defaults.policies(run, views, stored.alpha)
    known = stored.baseline.rates if stored.baseline else {}
    return tuple(
        name
        for name in map(str, defaults.rates(views))
        if name not in testable or (name == "ctem" and not testable[name].paired)
        if name not in gates or name == "ctem"
        if not stored.gates or name in stored.left_out or name not in known
    )


def lines(run: Run, new: Thresholds, views: Views) -> Iterator[str]:
    """A line on types that were never recovered; for a provider that wavers, on what is left to
    chance."""
    lost = [
        f"{name} (0 of {rate.total} recovered)"
        for name in defaults.rates(views)
        if name.type
        and not _gated(name, new)
        and isinstance(rate := measured(name, views.of(name)), Rate)
        and not rate.hits
    ]
    if lost:
        yield f"gated by nothing: {', '.join(lost)}"
    if not defaults.steady(run):
        yield from _wavering(run, new, views)


def beside(run: Run, thresholds: Thresholds, strict: bool = False) -> str | None:
    """`in no gate of its own: date (0 of 3 recovered), url (1 of 4, before 4 of 4)`: what a green
    build would not tell of types that thresholds know. None where all is well."""
    if thresholds.baseline is None:
        return None
    known = DatasetChange.between(thresholds, run).known(run.records)
    views = Views(exempt(known, thresholds, date.today(), strict=strict).records)
    told = [
        _lost(name.type, rate, before)
        for name in defaults.rates(views)
        if name.type and not _gated(name, thresholds)
        if (before := thresholds.baseline.rates.get(str(name))) is not None
        if isinstance(rate := measured(name, views.of(name)), Rate) and rate.total
        if not rate.hits or rate.hits * before.total < before.hits * rate.total
    ]
    return f"in no gate of its own: {some(told)}" if told else None


def _lost(kind: str, rate: Rate, before: Rate) -> str:
    was = f", before {before.hits} of {before.total}" if before.hits else " recovered"
    return f"{kind} ({rate.hits} of {rate.total}{was})"


def _wavering(run: Run, new: Thresholds, views: Views) -> Iterator[str]:
    counts = {name: defaults.clips_with_hits(GateName.parse(name), views) for name in new.left_out}
    few = {name: count for name, count in counts.items() if count and name != "ctem"}
    wide = "ctem" in new.left_out
    if wide:
        least = defaults.clips_for_ctem(run.repeats, new.alpha)
        told = f"; left out: {', '.join(few)}" if few else ""
        yield (
            f"ctem has a wide floor alone, as telling noise from a loss takes {least} clips with a "
            f"recovered value, here are {counts['ctem']}{told}"
        )
    elif few:
        needed = plural(defaults.clips_for(run.repeats, new.alpha), "clip")
        told = ", ".join(f"{name} ({count})" for name, count in few.items())
        yield f"left out, as each takes {needed} with a recovered value: {told}"
    wer = run.metrics.all.wer
    low = _below(new, views, aside={"ctem"} if wide else ())
    if low:
        yield f"lower than what was measured, as one run tells of no noise: {', '.join(low)}"
    unheard = "wer" not in new.gates and wer.reference and not wer.edits
    if unheard:
        yield f"left out: wer, as no edit in {plural(wer.reference, 'word')} tells of no noise"
    if run.repeats < defaults.PROOF and (wide or few or unheard or low):
        yield _repeats(run, new, wide=wide)


def _below(new: Thresholds, views: Views, aside: Collection[str]) -> list[str]:
    """`ctem min 0.92 (1.00)`: floors that would rise if the provider were known to be steady."""
    lower: list[str] = []
    for name, policy in new.gates.items():
        if policy.min is None or "*" in name or name in aside:
            continue
        parsed = GateName.parse(name)
        rate = measured(parsed, views.of(parsed))
        if isinstance(rate, Rate) and rate.hits and policy.min < (now := wording.floor(rate)):
            lower.append(f"{name} min {policy.min} ({now})")
    return lower


def _repeats(run: Run, new: Thresholds, *, wide: bool) -> str:
    """The effect of three repeats, and what they cost."""
    more = defaults.PROOF - run.repeats
    clips = len({record.clip for record in run.records})
    seconds = sum(record.duration_s or 0.0 for record in run.records) / run.repeats
    price = run.metrics.all.cost
    costs = [plural(more * clips, "transcription")]
    costs += [f"{more * seconds / 60:.1f} min of audio"] if seconds else []
    costs += [f"{more * price / run.repeats:.2f} by the price table"] if price else []
    needed = (defaults.clips_for_ctem if wide else defaults.clips_for)(defaults.PROOF, new.alpha)
    return (
        f"--asr-repeat {defaults.PROOF} takes {plural(needed, 'clip')} instead, and gives plain "
        f"floors where all repeats are equal; it costs {', '.join(costs)} more"
    )


def _gated(name: GateName, new: Thresholds) -> bool:
    return str(name) in new.gates or (name.type is not None and "recovery:*" in new.gates)
