"""Refuses an update for what the store holds: told before any call."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

from pytest_asrbench.audio import Audio
from pytest_asrbench.counts import plural, some
from pytest_asrbench.errors import AsrBenchError, InputError
from pytest_asrbench.model import Clip
from pytest_asrbench.providers.base import Configuration, Description
from pytest_asrbench.store import Store, TranscriptKey


def refuse(
    store: Store,
    clips: Iterable[Clip],
    description: Description,
    configuration: Configuration,
    repeats: int,
    hear: Callable[[Clip], Audio],
) -> None:
    """Raises InputError where this run would use transcripts that a cassette brought.

    Recordings that can't be read are left to the run, which tells of each.
    """
    imported = []
    for clip in clips:
        try:
            sha256 = _sha256(clip, hear)
        except (AsrBenchError, OSError):
            continue
        for repeat in range(1, repeats + 1):
            mode = configuration.mode
            stored = store.transcript(
                TranscriptKey(sha256, description, mode, clip.language, repeat)
            )
            if stored and stored.imported:
                imported.append(clip.key)
    if imported:
        raise InputError(
            f"--asr-update stores what was fetched here, but a cassette brought "
            f"{plural(len(imported), 'transcript')} ({some(dict.fromkeys(imported))}); remove "
            f"these with asrbench cache prune --imported, or add --asr-cache-mode=refresh"
        )


def _sha256(clip: Clip, hear: Callable[[Clip], Audio]) -> str:
    """Of what would be sent; the bytes of a raw recording need no decoding."""
    if clip.condition is None:
        return hashlib.sha256(clip.path.read_bytes()).hexdigest()
    return hear(clip).sha256
