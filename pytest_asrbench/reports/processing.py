"""The processing used, which benchmarks ask every figure to be published with."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_asrbench.counts import plural
from pytest_asrbench.metrics.measures import MEASURES, Measure
from pytest_asrbench.model import ErrorRate, Measured, Rate, Source
from pytest_asrbench.reports import benchmarks, wording
from pytest_asrbench.run import Run
from pytest_asrbench.run.provenance import short

Pairs = tuple[tuple[str, str], ...]


def processing(run: Run) -> Pairs:
    """Label and text of each; where there is nothing to say, no pair."""
    provider, dataset, verifier = run.provider, run.dataset, run.verifier
    pairs = (
        ("provider", f"{provider.name} ({provider.use}), {provider.mode}"),
        ("model", _model(run)),
        ("protocol", _protocol(provider.protocol, provider.settings)),
        ("dataset", f"{dataset.name}{_revision(dataset.revision)}, {short(dataset.digest)}"),
        ("", f"{plural(dataset.clips, 'clip')}, {_entities(dataset.entities)}"),
        ("verifier", f"{verifier.id} {verifier.version}, {short(verifier.digest)}"),
        ("", _overrides(verifier.overridden)),
        ("", _judging(run)),
        ("normaliser", run.metrics.normaliser or ""),
        ("transcripts", _sources(run)),
        ("started", run.started + (f", commit {run.git_commit[:12]}" if run.git_commit else "")),
        ("selection", _selection(run)),
        *_conditions(run),
        ("measured", wording.of_run(run, sum(part.metrics.all.measured for part in run.parts))),
        ("plugin", _versions(run)),
        *(("note", note) for note in dataset.notes),
    )
    return tuple(pair for pair in pairs if pair[1])


def _conditions(run: Run) -> Iterator[tuple[str, str]]:
    """Each with its steps, and the libraries that the samples depend on."""
    for number, part in enumerate(run.conditions):
        if (each := part.condition) is not None:
            steps = ", ".join(map(_step, each.steps))
            yield "" if number else "conditions", f"{each.name}: {steps}; {short(each.digest)}"
    versions = next((part.condition.versions for part in run.conditions if part.condition), {})
    if versions:
        yield "", ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))


def _step(step: Mapping[str, Any]) -> str:
    """`noise (snr 10, colour pink)`"""
    knobs = ", ".join(
        f"{name} {_setting(value)}"
        for name, value in step.items()
        if name not in ("step", "content", "from")
    )
    return f"{step.get('step')} ({knobs})" if knobs else str(step.get("step"))


def _model(run: Run) -> str:
    requested, reported = run.provider.model, run.provider.reported_model
    if reported and reported != requested:
        return f"{requested or 'not requested'}, reported as {reported}"
    return requested or ""


def _protocol(protocol: str, settings: Mapping[str, Any]) -> str:
    shown = ", ".join(f"{name}={_setting(value)}" for name, value in sorted(settings.items()))
    return f"{protocol}, {shown}" if shown else protocol


def _setting(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def _revision(revision: str | None) -> str:
    return f" {revision}" if revision else ""


def _entities(count: int) -> str:
    return plural(count, "entity", "entities")


def _overrides(count: int) -> str:
    return f"{plural(count, 'verdict')} decided by verdicts.yaml" if count else ""


def _judging(run: Run) -> str:
    """`4 of 118 entities asked of judge-2026-11-01 in 3 calls, 4,800 tokens (2,000 cached), …`"""
    judgings = [record.judging for record in run.records if record.judging]
    if not judgings:
        return ""
    total = sum(judgings[1:], judgings[0])
    judged = sum(len(r.entities) for r in run.records if r.measured or r.judging)
    asked = f"{total.asked} of {_entities(judged)} asked of {', '.join(total.models) or 'a model'}"
    if not total.calls:
        return f"{asked}, verdicts stored"
    tokens = f"{total.input_tokens + total.output_tokens:,} tokens ({total.cached_tokens:,} cached)"
    parts = [f"{asked} in {plural(total.calls, 'call')}", tokens]
    parts += [] if total.cost is None else [f"cost {total.cost:.4f}"]
    parts += [f"{_entities(total.split)} with split votes"] if total.split else []
    parts += [f"{total.rejected} rejected for their evidence"] if total.rejected else []
    parts += [f"not accepted: {', '.join(total.dropped)}"] if total.dropped else []
    return ", ".join(parts)


def _selection(run: Run) -> str:
    parts: list[str] = [] if run.selection == "full" else [run.selection]
    parts += [f"shard {run.shard}"] if run.sharded else []
    parts += [f"tags {' '.join(run.tags)}"] if run.tags else []
    parts += [f"{run.repeats} repeats of each clip"] if run.repeats > 1 else []
    return ", ".join(parts)


def _versions(run: Run) -> str:
    known = [f"{name} {version}" for name, version in sorted(run.environment.items())]
    return ", ".join([run.plugin, *known])


def _sources(run: Run) -> str:
    """`20 live, 4 cache (oldest 2026-11-29T…Z)`."""
    counts = Counter(record.source for record in run.records if record.source)
    oldest = min(
        (r.recorded_at for r in run.records if r.source == "cache" and r.recorded_at), default=""
    )
    since = f" (oldest {oldest})" if oldest else ""
    named: dict[Source, str]
    named = {"live": "live", "cache": f"cached{since}", "recorded": "recorded"}
    return ", ".join(
        f"{counts[source]} {label}" for source, label in named.items() if counts[source]
    )


def figures(run: Run) -> Pairs:
    """Word and character error rate, latency, cost, and how the repeats spread."""
    all_ = run.metrics.all
    intervals = all_.intervals
    pairs = [
        *(
            (each.label, _measured(all_.values[name], each, intervals.get(name)))
            for name, each in MEASURES.items()
            if each.label
        ),
        ("empty", wording.counts(all_.empty_rate) + " transcripts" if all_.empty_rate.hits else ""),
        ("latency", _latency(run)),
        ("cost", "" if all_.cost is None else f"{all_.cost:.4f} by the price table"),
        ("spread", _spread(run)),
        *benchmarks.figures(run),
    ]
    return tuple(pair for pair in pairs if pair[1])


def _measured(value: Measured, measure: Measure, interval: tuple[float, float] | None) -> str:
    if value is None or (isinstance(value, Rate | ErrorRate) and value.value is None):
        return ""
    if isinstance(value, Rate):
        return f"{wording.figure(value)} ({wording.counts(value)}){_interval(interval)}"
    if isinstance(value, ErrorRate):
        counts = wording.edits(value, measure.edits)
        return f"{wording.figure(value)} ({counts}){_interval(interval)}"
    return wording.milliseconds(value) if measure.unit == "ms" else f"{value:.2f}"


def _interval(interval: tuple[float, float] | None) -> str:
    return f", 95% interval {wording.interval(interval)}" if interval else ""


def _latency(run: Run) -> str:
    all_ = run.metrics.all
    parts = []
    if all_.latency_ms:
        p50, p95 = map(wording.milliseconds, (all_.latency_ms.p50, all_.latency_ms.p95))
        parts.append(f"p50 {p50}, p95 {p95} (n={all_.latency_ms.n})")
    if all_.after_speech_ms:
        p50, p95 = map(wording.milliseconds, (all_.after_speech_ms.p50, all_.after_speech_ms.p95))
        parts.append(f"after speech p50 {p50}, p95 {p95}")
    if all_.first_text_ms:
        p50, p95 = map(wording.milliseconds, (all_.first_text_ms.p50, all_.first_text_ms.p95))
        parts.append(f"first text p50 {p50}, p95 {p95}")
    if all_.real_time_factor is not None:
        parts.append(f"real-time factor {all_.real_time_factor:.2f}")
    return ", ".join(parts)


def _spread(run: Run) -> str:
    spread = run.metrics.spread
    parts = [f"{name} {low:.2f}-{high:.2f}" for name, (low, high) in spread.items()]
    if run.metrics.unstable:
        parts.append(f"{_entities(len(run.metrics.unstable))} unstable")
    return ", ".join(parts)
