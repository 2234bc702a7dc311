"""Decides whether a run is gated, with a line that says why where it isn't."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Gating:
    """`notice` is shown wherever no gate decides; `usage_error` ends the run with exit code 4."""

    gated: bool
    notice: str | None = None
    usage_error: str | None = None


def decide(gate: Literal["auto", "on", "off"], selected: int | None, expected: int) -> Gating:
    """The gating of `selected` clips out of those `expected`.

    None: no process got as far as telling; the run is then gated, and found incomplete.
    """
    if gate == "off":
        return Gating(False, "not gated: --asr-gate off")
    if selected is None or selected == expected:
        return Gating(True)
    if gate == "on" and selected == 0:
        return Gating(
            False,
            usage_error="--asr-gate on, but no selected test asks for a transcript; "
            "select one that does, or use --asr-gate auto",
        )
    if gate == "on":
        return Gating(True)
    if selected == 0:
        return Gating(False, "no asr test selected, nothing gated")
    return Gating(False, f"not gated: {selected} of {expected} clips selected")
