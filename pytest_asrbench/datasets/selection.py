"""The selection of clips that a run measures: those with a tag, and of these one shard."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import replace

from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Clip, Dataset


def with_tags(dataset: Dataset, tags: Collection[str]) -> Dataset:
    """The clips with at least one of the tags; no tags: all. Raises InputError where none is left.

    The result is a dataset of its own, with its own digest and so with thresholds of its own.
    """
    if not tags:
        return dataset
    clips = tuple(clip for clip in dataset.clips if not set(tags).isdisjoint(clip.tags))
    if not clips:
        known = sorted({tag for clip in dataset.clips for tag in clip.tags})
        listed = f"tags here: {', '.join(known)}" if known else "no clip here has tags"
        raise InputError.at(dataset.path, None, f"no clip has tag {' or '.join(tags)}; {listed}")
    return replace(dataset, clips=clips)


def shard(dataset: Dataset, part: int, parts: int) -> tuple[Clip, ...]:
    """The clips of one part out of `parts`, in file order. Raises InputError where it has none.

    A clip's id alone decides its part, so clips that are added move no other.
    """
    clips = tuple(clip for clip in dataset.clips if _part(clip.id, parts) == part)
    if not clips:
        raise InputError.at(
            dataset.path,
            None,
            f"shard {part}/{parts} holds none of the {len(dataset.clips)} clips; use fewer shards",
        )
    return clips


def _part(clip_id: str, parts: int) -> int:
    return int.from_bytes(hashlib.sha256(clip_id.encode()).digest()[:8]) % parts + 1
