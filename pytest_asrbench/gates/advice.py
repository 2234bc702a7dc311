"""
Advice from a type's recovery for the agent that uses the transcripts.

    accept                  use the value as it was heard
    confirm back            read it back to the caller before using it
    constrain or validate   offer choices, check digits, look it up; do not take free speech
    human review            a person hears it

The 95% Wilson interval decides and not the point: the lower bound gives the advice, and where the
upper bound would advise less caution, more clips may show it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pytest_asrbench.metrics.stats import Interval, wilson
from pytest_asrbench.model import Rate

LEVELS = (
    (0.95, "accept"),
    (0.80, "confirm back"),
    (0.50, "constrain or validate"),
    (0.0, "human review"),
)


@dataclass(frozen=True, slots=True)
class Advice:
    """`now` is what these clips allow; `perhaps` what more of them may, if that is less caution."""

    rate: Rate
    interval: Interval
    now: str
    perhaps: str | None

    def __str__(self) -> str:
        more = f", perhaps {self.perhaps}" if self.perhaps else ""
        low, high = self.interval
        return f"{self.now}{more} ({self.rate.hits} of {self.rate.total}, {low:.2f}-{high:.2f})"


def advise(recovery: Mapping[str, Rate]) -> dict[str, Advice]:
    """Advice for each type that was measured, in the same order."""
    advice = {}
    for name, rate in recovery.items():
        interval = wilson(rate)
        if interval is not None:
            now, best = _level(interval[0]), _level(interval[1])
            advice[name] = Advice(rate, interval, now, best if best != now else None)
    return advice


def _level(value: float) -> str:
    return next(advice for least, advice in LEVELS if value >= least)
