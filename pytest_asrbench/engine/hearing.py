"""The sound that a provider is called with: what lies in the clip's file, or what becomes of it."""

from __future__ import annotations

from collections.abc import Callable

from pytest_asrbench import audio
from pytest_asrbench.audio import Audio
from pytest_asrbench.model import Clip

Hear = Callable[[Clip], Audio]
"""Raises AudioError, InputError."""


def recording(clip: Clip) -> Audio:
    """The recording as it is. Raises AudioError."""
    return audio.read(clip.path, clip.language)
