"""A sound under a condition: each step's function, with random numbers of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pytest_asrbench.conditions import own_code
from pytest_asrbench.conditions.condition import Condition, Step
from pytest_asrbench.conditions.steps import CLIPS, FUNCTION, STEPS
from pytest_asrbench.conditions.waveform import Waveform

if TYPE_CHECKING:
    from pytest_asrbench.conditions.waveform import Random

Recordings = Callable[[Sequence[str], int], Sequence[Waveform]]
"""Recordings at the names that a noise comes `from`, at a rate."""


def applied(condition: Condition, sound: Waveform, of: str, recordings: Recordings) -> Waveform:
    """`of` is what the clip's own randomness is drawn from: the digest of its raw PCM.

    The same clip, condition and libraries give the same samples, whatever was made before.
    """
    for number, step in enumerate(condition.steps):
        sound = _step(step, sound, random_of(condition.seed, number, of), recordings)
    return sound


def random_of(seed: int, step: int, of: str) -> Random:
    """A generator for one step of one clip."""
    import numpy as np

    digest = hashlib.sha256(f"{seed} {step} {of}".encode()).digest()
    return np.random.RandomState(np.frombuffer(digest, "<u4"))


def _step(step: Step, sound: Waveform, random: Random, recordings: Recordings) -> Waveform:
    if step.name == FUNCTION:
        return own_code.applied(sound, random, step.knobs)
    module, _, attribute = STEPS[step.name].function.partition(":")
    function: Callable[..., Waveform] = getattr(import_module(module), attribute)
    knobs: dict[str, Any] = dict(step.knobs)
    if names := knobs.pop("from", ()):
        knobs |= {"recordings": recordings(names, sound.rate), "together": names == (CLIPS,)}
    return function(sound, random, **knobs)
