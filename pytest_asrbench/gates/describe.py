"""A thresholds file as a person reads it."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_asrbench.gates import changes
from pytest_asrbench.gates.thresholds import Exemption, Thresholds


def lines(thresholds: Thresholds) -> Iterator[str]:
    """Provenance, one line a gate, baseline and exemptions."""
    provider = " ".join(thresholds.provider.values()) or "any"
    yield f"provider  {provider}"
    yield f"dataset   {thresholds.dataset or 'unnamed'}, {len(thresholds.clips)} clips"
    if thresholds.verifier:
        yield f"verifier  {thresholds.verifier.id} {thresholds.verifier.version}"
    if thresholds.recorded:
        yield f"recorded  {thresholds.recorded}"
    yield ""
    yield from _gates("gates" if thresholds.gates else "no gates", thresholds)
    for condition, under in thresholds.conditions.items():
        yield ""
        yield from _gates(f"condition {condition}, {len(under.clips)} clips", under)
    yield from _exemptions("quarantine", thresholds.quarantine)
    yield from _exemptions("expected misses", thresholds.expected_misses)


def _gates(title: str, thresholds: Thresholds) -> Iterator[str]:
    yield title
    width = max(map(len, thresholds.gates), default=0)
    for name, policy in thresholds.gates.items():
        baseline = thresholds.baseline.rates.get(name) if thresholds.baseline else None
        was = f"  baseline {baseline.hits} of {baseline.total}" if baseline else ""
        yield f"  {name:<{width}}  {changes.conditions(policy)}{was}"
    if thresholds.drop:
        yield f"  drop  {changes.conditions(thresholds.drop)}"


def _exemptions(title: str, entries: tuple[Exemption, ...]) -> Iterator[str]:
    if entries:
        yield ""
        yield title
        for entry in entries:
            yield f"  {entry.key}  until {entry.until}: {entry.reason}"
