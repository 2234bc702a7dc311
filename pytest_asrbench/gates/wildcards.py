"""Wildcards in gate names: `recovery:*`, `ctem:domain=*`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pytest_asrbench.gates.measures import GateName, Views
from pytest_asrbench.gates.thresholds import Policy
from pytest_asrbench.metrics import recovery
from pytest_asrbench.model import ClipRecord


def expand(gates: Mapping[str, Policy], views: Views) -> dict[str, Policy]:
    """Wildcards replaced by what they stand for in these records; exact entries win.

    A wildcard that stands for nothing stays, so that its gate fails for want of data.
    """
    exact = {name: policy for name, policy in gates.items() if "*" not in name}
    for name, policy in gates.items():
        if "*" in name:
            for match in matches(GateName.parse(name), views) or [GateName.parse(name)]:
                exact.setdefault(str(match), policy)
    return exact


def matches(name: GateName, views: Views) -> list[GateName]:
    """The names that this one stands for in these records. A slice comes first, then its types."""
    parts = [replace(name, slice=slice_) for slice_ in _slices(name.slice, views.records)]
    if name.type != "*":
        return parts
    return [replace(part, type=type_) for part in parts for type_ in views.types(part.slice)]


def _slices(pattern: str | None, records: Sequence[ClipRecord]) -> list[str | None]:
    if pattern is None or not pattern.endswith("=*"):
        return [pattern]
    dimension = pattern.removesuffix("*")
    return [name for name in recovery.slice_names(records) if name.startswith(dimension)]
