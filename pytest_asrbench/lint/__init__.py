"""
Faults of a dataset, told before any system is measured on it.

Errors make a figure wrong (a value that nobody could recover, silent audio); warnings are for a
person to look at (near-duplicates, real-looking personal data).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pytest_asrbench.conditions import Condition
from pytest_asrbench.datasets import missing_audio
from pytest_asrbench.lint.duplicates import duplicates
from pytest_asrbench.lint.finding import Finding, error
from pytest_asrbench.lint.privacy import personal
from pytest_asrbench.lint.sound import sound
from pytest_asrbench.lint.values import possible, recoverable, spoken_in_reference, unclean
from pytest_asrbench.model import Clip, Dataset
from pytest_asrbench.verifiers.base import SyncVerifier

__all__ = ["Finding", "check_clip", "lint"]


def lint(
    dataset: Dataset,
    verifier: SyncVerifier,
    *,
    audio: bool = True,
    faulty: Sequence[Clip] = (),
    conditions: Sequence[Condition] = (),
) -> Iterator[Finding]:
    """Everything found, clip by clip, then what concerns several. Audio is read unless told not.

    Recordings are held against the `conditions` that they are to be measured under.
    `faulty` are clips that could not be read in full: of these the recording alone is looked at.
    """
    named = [clip for clip in faulty if clip.path != dataset.folder]  # else the name is at fault
    every = replace(dataset, clips=(*dataset.clips, *named))
    gone = {clip.path for clip in missing_audio(every)} if audio else set()
    for clip in dataset.clips:
        yield from check_clip(clip, dataset, verifier)
        if audio:
            yield from _recording(clip, gone, conditions)
    for clip in named if audio else ():
        yield from _recording(clip, gone, conditions)
    yield from duplicates(dataset.clips)
    yield from _unused_types(replace(dataset, clips=(*dataset.clips, *faulty)))


def _recording(
    clip: Clip, gone: Collection[Path], conditions: Sequence[Condition]
) -> Iterator[Finding]:
    if clip.path in gone:
        yield error("audio", f"no audio at {clip.path}; add it or correct the path", clip)
    else:
        yield from sound(clip, conditions)


def check_clip(clip: Clip, dataset: Dataset, verifier: SyncVerifier) -> Iterator[Finding]:
    """Findings in one clip's text, its audio unread."""
    yield from possible(clip, verifier)
    yield from recoverable(clip, verifier)
    yield from spoken_in_reference(clip)
    yield from unclean(clip)
    yield from personal(clip, dataset.types)


def _unused_types(dataset: Dataset) -> Iterator[Finding]:
    if dataset.layout != "native":
        return
    used = {entity.type for clip in dataset.clips for entity in clip.entities}
    for name in dataset.types:
        if name not in used:
            what = f"type {name} is declared, but no value has it; remove it or correct the types"
            yield Finding("warning", "type", what)
