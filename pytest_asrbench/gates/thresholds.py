"""
Stored thresholds: one committed YAML file for each provider configuration.

    schema: 2
    provider: {name: nova3, use: deepgram, model: nova-3}
    dataset:
      name: example
      digest: sha256:…
      clips:
        refund_03: {digest: 5f3a9c21, recovered: [2, 3], words: [1, 9]}
    verifier: {id: rules, version: 1, digest: sha256:…}
    recorded: 2026-11-29
    gates:
      ctem: {min: 0.62}
      recovery:
        phone_number: {min: 0.80, max_new_misses: 0}
        "*": {paired: true, min_n: 20}
      wer: {max: 0.24}
      slices:
        domain=finance_ops: {ctem: {max_drop: 3}}
    baseline: {ctem: [60, 96], tsr: [9, 29], misses: [refund_03/e01]}
    conditions:
      phone:
        condition: sha256:…
        dataset: {digest: sha256:…, clips: {…}}
        gates: {ctem: {min: 0.40}}
        baseline: {ctem: [40, 96], tsr: [5, 29], misses: […]}
        drop: {max_drop: 25}
    quarantine: [{entity: refund_07/e02, reason: clipped audio, until: 2027-01-31}]
    expected_misses: [{entity: refund_09/e01, reason: known vendor fault, until: 2027-01-31}]

All of it is of the clips that it lists, each with the first digits of its digest, what the baseline
recovered of its entities, and its word edits and reference words. Schema 1 had the digests alone
(`refund_03: 5f3a9c21`); it is read, and becomes schema 2 when it is written again.

What stands under a condition is all of the same kind, of the clips under it; `drop` holds the drop
from the raw clips of the same run to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from pathlib import Path

from pytest_asrbench.model import ErrorRate, Rate
from pytest_asrbench.verifiers.base import Identity

SCHEMA = 2
READABLE = ("1", "2")
ALPHA = Decimal("0.05")


@dataclass(frozen=True, slots=True)
class Policy:
    """The conditions of one gate; None where one is not asked for.

    `min` and `max` are values; `max_drop` and `max_rise` are points (3 is 0.03) against the
    baseline; `paired` tests the baseline's outcomes at `alpha`; under `min_n` counted entities (or
    clips for TSR) the gate only reports.
    """

    min: Decimal | None = None
    max: Decimal | None = None
    max_drop: Decimal | None = None
    max_rise: Decimal | None = None
    paired: bool = False
    alpha: Decimal | None = None
    max_new_misses: int | None = None
    min_n: int | None = None

    @property
    def conditions(self) -> dict[str, Decimal | int | bool]:
        """Conditions that are set, by name; `alpha` and `min_n` are none by themselves."""
        conditions = {
            "min": self.min,
            "max": self.max,
            "max_drop": self.max_drop,
            "max_rise": self.max_rise,
            "paired": self.paired or None,
            "max_new_misses": self.max_new_misses,
        }
        return {key: value for key, value in conditions.items() if value is not None}

    @property
    def needs_baseline(self) -> bool:
        return not self.conditions.keys() <= {"min", "max"}


@dataclass(frozen=True, slots=True)
class Baseline:
    """The outcomes that later runs are compared with.

    `misses` were missed in every repeat, `unstable` in the repeats named. Everything else in the
    dataset of that time was recovered.
    """

    misses: frozenset[str]
    unstable: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    repeats: int = 1
    rates: Mapping[str, Rate] = field(default_factory=dict)
    """ctem, tsr and recovery:TYPE, for readers; gates count `misses` again."""
    errors: Mapping[str, ErrorRate] = field(default_factory=dict)
    """wer and cer."""
    recovered: Mapping[str, Rate] = field(default_factory=dict)
    """By clip, pooled over the repeats; a file of schema 1 has none."""
    words: Mapping[str, ErrorRate] = field(default_factory=dict)
    """Word edits by clip, likewise."""

    def missed(self, key: str, repeat: int) -> bool:
        return key in self.misses or repeat in self.unstable.get(key, ())


@dataclass(frozen=True, slots=True)
class Exemption:
    """A clip or `clip/entity` that does not count, why, and up to which day (inclusive)."""

    key: str
    reason: str
    until: date

    def holds(self, day: date) -> bool:
        return day <= self.until


@dataclass(frozen=True)
class Thresholds:
    """Gates and the baseline that a run is held to. `clips` maps clip ids to the first 8 hex digits
    of their digests."""

    gates: Mapping[str, Policy] = field(default_factory=dict)
    provider: Mapping[str, str] = field(default_factory=dict)
    dataset: str | None = None
    digest: str | None = None
    clips: Mapping[str, str] = field(default_factory=dict)
    verifier: Identity | None = None
    recorded: date | None = None
    normaliser: str | None = None
    alpha: Decimal = ALPHA
    baseline: Baseline | None = None
    quarantine: tuple[Exemption, ...] = ()
    expected_misses: tuple[Exemption, ...] = ()
    left_out: tuple[str, ...] = ()
    """Gates that an update could not write for want of clips; a later one with enough does."""
    path: Path | None = None
    condition: str | None = None
    """Digest of the condition that these are for; None for the raw clips."""
    drop: Policy | None = None
    """Of a condition: how far it may lie under the raw clips of the same run."""
    conditions: Mapping[str, Thresholds] = field(default_factory=dict)

    @property
    def name(self) -> str | None:
        """The provider configuration that these are for."""
        return self.provider.get("name")

    def under(self, condition: str) -> Thresholds | None:
        """What the clips must hold under a condition. Clips and values that don't count raw, or are
        known to be missed, don't count there either."""
        under = self.conditions.get(condition)
        if under is None:
            return None
        exempt = (*self.quarantine, *self.expected_misses, *under.quarantine)
        return replace(under, alpha=self.alpha, quarantine=exempt, path=self.path)

    def model_change(self, model: str | None) -> str | None:
        """`model nova-3 -> nova-4`: what a gate is for, and worth a line."""
        stored = self.provider.get("model")
        return f"model {stored} -> {model}" if stored and model and stored != model else None
