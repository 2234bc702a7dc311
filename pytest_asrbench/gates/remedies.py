"""Remedies that a gate's message names: each front end has options of its own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Remedies:
    """Parts of sentences: `renew them with {update}`, `or explore {explore}`. Default: pytest's."""

    update: str = "--asr-update"
    lower: str = "--asr-update-lower"
    explore: str = "with --asr-gate off"
    refresh: str = "--asr-cache-mode refresh"
    thresholds: str = "--asr-thresholds"


PYTEST = Remedies()
