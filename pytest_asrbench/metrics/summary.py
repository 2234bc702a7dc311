"""All metrics of a run, as reports and gates read them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pytest_asrbench.metrics import latency, recovery, stats, wer
from pytest_asrbench.metrics.latency import Percentiles
from pytest_asrbench.metrics.measures import MEASURES
from pytest_asrbench.metrics.stats import Interval
from pytest_asrbench.model import ClipRecord, ErrorRate, Measured, Rate


@dataclass(frozen=True)
class Figures:
    """The figures of a set of records: of all, or of one slice. Latencies are in milliseconds."""

    measured: int
    total: int
    values: Mapping[str, Measured]
    """Each measure of the table that is a figure, by its name."""
    recovery: Mapping[str, Rate]
    miss_share: Mapping[str, Rate]
    latency_ms: Percentiles | None = None
    first_text_ms: Percentiles | None = None
    after_speech_ms: Percentiles | None = None
    records: Sequence[ClipRecord] = field(default=(), repr=False, compare=False)

    @property
    def ctem(self) -> Rate:
        return self._rate("ctem")

    @property
    def tsr(self) -> Rate:
        return self._rate("tsr")

    @property
    def wer(self) -> ErrorRate:
        return self._error_rate("wer")

    @property
    def cer(self) -> ErrorRate:
        return self._error_rate("cer")

    @property
    def empty_rate(self) -> Rate:
        return self._rate("empty_rate")

    @property
    def error_rate(self) -> Rate:
        return self._rate("error_rate")

    @property
    def real_time_factor(self) -> float | None:
        return self._number("real_time_factor")

    @property
    def cost(self) -> float | None:
        return self._number("cost")

    def _rate(self, name: str) -> Rate:
        value = self.values[name]
        assert isinstance(value, Rate)
        return value

    def _error_rate(self, name: str) -> ErrorRate:
        value = self.values[name]
        assert isinstance(value, ErrorRate)
        return value

    def _number(self, name: str) -> float | None:
        value = self.values[name]
        assert not isinstance(value, Rate | ErrorRate)
        return value

    @cached_property
    def intervals(self) -> Mapping[str, Interval]:
        """The 95% interval of each rate by its gate name (`ctem`, `recovery:time`).

        By clip bootstrap for ctem and wer, else Wilson; none for cer. Made when first asked for:
        gates and brief reports do without.
        """
        return _intervals(self)

    def to_json(self) -> dict[str, Any]:
        rates: dict[str, Any] = {
            name: self._with_interval(name, value)
            for name, value in self.values.items()
            if isinstance(value, Rate | ErrorRate)
        }
        rates["recovery"] = {
            name: self._with_interval(f"recovery:{name}", rate)
            for name, rate in self.recovery.items()
        }
        return {
            "measured": self.measured,
            "total": self.total,
            **rates,
            "miss_share": {name: rate.to_json() for name, rate in self.miss_share.items()},
            "latency_ms": self.latency_ms and self.latency_ms.to_json(),
            "first_text_ms": self.first_text_ms and self.first_text_ms.to_json(),
            "after_speech_ms": self.after_speech_ms and self.after_speech_ms.to_json(),
            **{name: value for name, value in self.values.items() if name not in rates},
        }

    def _with_interval(self, name: str, rate: Rate | ErrorRate) -> dict[str, Any]:
        interval = self.intervals.get(name)
        return {**rate.to_json(), "interval": list(interval) if interval else None}


@dataclass(frozen=True, slots=True)
class Metrics:
    """Figures over all records, per slice (`domain=finance_ops`), and over repeats.

    `spread` is, where clips were repeated, the lowest and highest value among the repeats by metric
    name; `unstable` the entities that flipped, with the repeats that missed them.
    """

    all: Figures
    normaliser: str | None
    slices: Mapping[str, Figures] = field(default_factory=dict)
    spread: Mapping[str, Interval] = field(default_factory=dict)
    unstable: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        figures = self.all.to_json()
        figures["wer"]["normaliser"] = figures["cer"]["normaliser"] = self.normaliser
        return {
            **figures,
            "slices": {name: each.to_json() for name, each in self.slices.items()},
            "spread": {name: list(pair) for name, pair in self.spread.items()},
            "unstable": {key: list(repeats) for key, repeats in self.unstable.items()},
        }


def figures(records: Sequence[ClipRecord]) -> Figures:
    """The figures of these records."""
    by_type = recovery.recovery_by_type(records)
    return Figures(
        measured=sum(record.measured for record in records),
        total=len(records),
        values={name: each.count(records) for name, each in MEASURES.items() if each.figure},
        recovery=by_type,
        miss_share=recovery.miss_share(by_type),
        latency_ms=latency.latency(records),
        first_text_ms=latency.first_text(records),
        after_speech_ms=latency.after_speech(records),
        records=records,
    )


def summarise(records: Sequence[ClipRecord], normaliser: str | None) -> Metrics:
    """All metrics of a run. `words` and `characters` were counted under that normaliser."""
    repeats: dict[int, list[ClipRecord]] = defaultdict(list)
    for record in records:
        repeats[record.repeat].append(record)
    return Metrics(
        all=figures(records),
        normaliser=normaliser,
        slices={name: figures(part) for name, part in recovery.by_slice(records).items()},
        spread=_spread(list(repeats.values())) if len(repeats) > 1 else {},
        unstable=recovery.unstable(records) if len(repeats) > 1 else {},
    )


def _intervals(figures: Figures) -> dict[str, Interval]:
    rates = {name: value for name, value in figures.values.items() if isinstance(value, Rate)}
    rates |= {f"recovery:{name}": rate for name, rate in figures.recovery.items()}
    intervals = {name: stats.wilson(rate) for name, rate in rates.items()}
    intervals["ctem"] = stats.bootstrap(by_clip(figures.records, recovered))
    intervals["wer"] = stats.bootstrap(by_clip(figures.records, word_edits))
    return {name: interval for name, interval in intervals.items() if interval}


Count = Callable[[ClipRecord], tuple[int, int]]


def recovered(record: ClipRecord) -> tuple[int, int]:
    """Recovered entities and entities."""
    return len(record.recovered), len(record.entities)


def word_edits(record: ClipRecord) -> tuple[int, int]:
    """Word edits and reference words."""
    return (record.words.edits, record.words.reference) if record.words else (0, 0)


def by_clip(records: Sequence[ClipRecord], count: Count) -> list[tuple[int, int]]:
    """Counts summed over each clip's repeats, so that a clip is drawn with all of them."""
    sums: dict[str, tuple[int, int]] = {}
    for record in records:
        if record.measured:
            a, b = count(record)
            before = sums.get(record.clip, (0, 0))
            sums[record.clip] = (before[0] + a, before[1] + b)
    return list(sums.values())


def _spread(repeats: Sequence[Sequence[ClipRecord]]) -> dict[str, Interval]:
    rates: dict[str, Callable[[Sequence[ClipRecord]], Rate | ErrorRate]]
    rates = {"ctem": recovery.ctem, "tsr": recovery.tsr, "wer": wer.wer}
    spread = {}
    for name, rate in rates.items():
        values = [value for part in repeats if (value := rate(part).value) is not None]
        if values:
            spread[name] = (min(values), max(values))
    return spread
