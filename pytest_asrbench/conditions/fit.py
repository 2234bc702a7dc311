"""Whether a clip is fit for a condition: whether there is something that it could take away."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_asrbench.conditions.condition import Condition, Step
from pytest_asrbench.conditions.packets import FRAME_S
from pytest_asrbench.conditions.steps import TELEPHONE_HZ

NARROW = ("band", "mulaw", "alaw", "gsm")


def unfit(condition: Condition, rate: int, duration_s: float) -> Iterator[str]:
    """Why a recording of that rate and length is no fit, one line a reason."""
    if rate <= TELEPHONE_HZ and any(step.name in NARROW for step in condition.steps):
        yield f"{rate} Hz already, as a telephone leaves it; give it at 16000 Hz, or leave it out"
    for step in condition.steps:
        yield from _too_short(step, duration_s)


def _too_short(step: Step, duration_s: float) -> Iterator[str]:
    length = f"{duration_s:.2f} s is"
    if step.name == "reverb" and duration_s < step.knobs["rt60"]:
        yield f"{length} shorter than the room's {step.knobs['rt60']:g} s; give it longer"
    if step.name == "cut-start" and duration_s <= step.knobs["ms"] / 1000:
        yield f"{length} all cut off; give it longer, or cut less"
    if step.name == "packet-loss" and 0 < duration_s / FRAME_S * step.knobs["rate"] < 1:
        yield f"{length} so short that hardly a packet is lost; give it longer"
