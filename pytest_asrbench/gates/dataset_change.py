"""Which clips are still those that thresholds were stored for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pytest_asrbench.gates.thresholds import Thresholds
from pytest_asrbench.model import ClipRecord
from pytest_asrbench.run import Run, clip_digest


@dataclass(frozen=True, slots=True)
class DatasetChange:
    """Clip ids. Those that are the `same` have the target values that were stored for them."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    same: frozenset[str] = frozenset()

    @classmethod
    def between(
        cls, stored: Thresholds, run: Run, clips: Mapping[str, str] | None = None
    ) -> DatasetChange:
        """From the stored thresholds to a run. `clips` maps the dataset's clip ids to their digests
        (default: those of the records)."""
        if stored.digest == run.dataset.digest:
            return cls(same=frozenset(each.clip for each in run.records).union(clips or ()))
        now = digests(run.records, clips)
        whole = len(now) >= run.dataset.clips  # a part of a run can't know what was removed
        same = frozenset(clip for clip in now if _is_same(now[clip], stored.clips.get(clip)))
        return cls(
            added=tuple(clip for clip in now if clip not in stored.clips),
            removed=tuple(clip for clip in stored.clips if whole and clip not in now),
            changed=tuple(clip for clip in now if clip in stored.clips and clip not in same),
            same=same,
        )

    @property
    def parts(self) -> Mapping[str, tuple[str, ...]]:
        """What is not the same, by what became of it."""
        parts = {"added": self.added, "removed": self.removed, "changed": self.changed}
        return {what: clips for what, clips in parts.items() if clips}


def _is_same(digest: str, stored: str | None) -> bool:
    """Thresholds hold the first digits of a digest, however many."""
    return stored is not None and digest.startswith(stored)


def digests(records: Iterable[ClipRecord], known: Mapping[str, str] | None) -> Mapping[str, str]:
    """Clip ids to digests: those of the dataset, or what the records tell."""
    return known if known is not None else {r.clip: clip_digest(r) for r in records}
