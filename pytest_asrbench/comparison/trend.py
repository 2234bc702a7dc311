"""
Metrics of runs over commits and dates, one line of points for each provider configuration.

A change is told only between runs of the same dataset, verifier and normaliser; where one of them
changed the line breaks, and says what.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from pytest_asrbench.metrics.summary import Figures
from pytest_asrbench.run import Run


@dataclass(frozen=True, slots=True)
class Point:
    """One run. `changed` names what differs from the point before: dataset, verifier, model, …

    `ctem_change` is against the point before; None where there is none to compare with.
    """

    name: str
    started: str
    commit: str | None
    model: str | None
    state: tuple[str, ...]
    figures: Figures
    changed: tuple[str, ...] = ()
    ctem_change: float | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "provider": self.name,
            "started": self.started,
            "git_commit": self.commit,
            "model": self.model,
            "changed": list(self.changed),
            "ctem_change": self.ctem_change,
            "metrics": self.figures.to_json(),
        }


_STATE = ("dataset", "verifier", "normaliser")


def point(run: Run) -> Point:
    """The point that a trend keeps of a run; the records may go."""
    provider = run.provider
    return Point(
        name=provider.name if provider.mode == "batch" else f"{provider.name} {provider.mode}",
        started=run.started,
        commit=run.git_commit,
        model=provider.reported_model or provider.model,
        state=(run.dataset.digest, " ".join(run.verifier.key), run.normaliser),
        figures=run.metrics.all,
    )


def trend(points: Iterable[Point]) -> dict[str, list[Point]]:
    """Points by configuration, sorted by time, each told apart from the one before."""
    lines: dict[str, list[Point]] = defaultdict(list)
    for each in sorted(points, key=lambda each: (each.name, each.started)):
        line = lines[each.name]
        line.append(_after(line[-1], each) if line else each)
    return dict(lines)


def _after(before: Point, now: Point) -> Point:
    breaks = [what for what, a, b in zip(_STATE, before.state, now.state, strict=True) if a != b]
    model = [f"model {before.model} -> {now.model}"] if before.model != now.model else []
    change = None if breaks else _change(before.figures, now.figures)
    return replace(now, changed=(*breaks, *model), ctem_change=change)


def _change(before: Figures, now: Figures) -> float | None:
    a, b = before.ctem.value, now.ctem.value
    return None if a is None or b is None else b - a
