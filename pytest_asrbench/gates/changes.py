"""The changes that an update makes to stored thresholds, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pytest_asrbench.counts import plural, some
from pytest_asrbench.gates import completeness
from pytest_asrbench.gates.dataset_change import DatasetChange
from pytest_asrbench.gates.remedies import Remedies
from pytest_asrbench.gates.thresholds import Policy, Thresholds
from pytest_asrbench.model import Outcome


def lines(
    stored: Thresholds | None,
    new: Thresholds,
    change: DatasetChange,
    judged: Sequence[Outcome],
    remedies: Remedies,
) -> Iterator[str]:
    """`ctem min 0.62 -> 0.58`, `recovery:url new: min 0.75`, and what keeps its threshold."""
    before = stored or Thresholds()
    changed = [
        *_dataset(before, change),
        *_verifier(before, new),
        *_gates(before.gates, new.gates, change if before.digest else DatasetChange()),
        *_baseline(before, new),
    ]
    yield from changed or ["thresholds unchanged" if new == before else "no gate changed"]
    for outcome in judged:
        if outcome.failed and outcome.name in new.gates:
            yield f"{outcome.name} still fails, {remedies.lower} accepts it: {outcome.detail}"
        elif outcome.status == "ungated" and outcome.detail.startswith("vacuous"):
            yield f"{outcome.name} {outcome.detail}"


def _gates(
    before: Mapping[str, Policy], new: Mapping[str, Policy], change: DatasetChange
) -> Iterator[str]:
    for name, policy in new.items():
        if name not in before:
            yield f"{name} new: {conditions(policy)}"
        else:
            yield from _moves(name, before[name], policy, change)
    for name in before:
        if name not in new:
            yield f"{name} removed: nothing is left that it could fail on"


def _moves(name: str, before: Policy, new: Policy, change: DatasetChange) -> Iterator[str]:
    old, now = before.conditions, new.conditions
    why = "".join(f", {plural(len(clips), 'clip')} {what}" for what, clips in change.parts.items())
    for key in old:
        if key not in now:
            yield f"{name} {key} removed: a floor of 0 never fails"
        elif old[key] != now[key]:
            looser = old[key] > now[key] if key == "min" else old[key] < now[key]
            yield f"{name} {key} {old[key]} -> {now[key]}{why if looser else ''}"
    yield from (f"{name} {key} new" for key in now if key not in old)


def conditions(policy: Policy) -> str:
    """`min 0.80, max_new_misses 0, min_n 20`."""
    conditions = [
        key if value is True else f"{key} {value}" for key, value in policy.conditions.items()
    ]
    conditions += [f"alpha {policy.alpha}"] if policy.alpha is not None else []
    conditions += [f"min_n {policy.min_n}"] if policy.min_n is not None else []
    return ", ".join(conditions)


def _dataset(before: Thresholds, change: DatasetChange) -> Iterator[str]:
    if before.digest is not None:
        for what, clips in change.parts.items():
            yield f"{plural(len(clips), 'clip')} {what}: {some(clips)}"


def _verifier(before: Thresholds, new: Thresholds) -> Iterator[str]:
    if before.verifier and new.verifier and before.verifier != new.verifier:
        yield completeness.verifier_change(before.verifier, new.verifier)


def _baseline(before: Thresholds, new: Thresholds) -> Iterator[str]:
    if new.baseline is None:
        return
    old = before.baseline.rates if before.baseline else {}
    for name, rate in new.baseline.rates.items():
        if ":" not in name and old.get(name) != rate:
            was = f"{old[name].hits} of {old[name].total} -> " if name in old else ""
            yield f"baseline {name} {was}{rate.hits} of {rate.total}"
    if before.baseline and not before.baseline.recovered and new.baseline.recovered:
        yield "the counts of each clip are stored now (schema 2)"
