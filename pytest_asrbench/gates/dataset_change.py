"""
Compares clips with those that thresholds were stored for.

Gates look at these alone. Clips that were added are shown beside them; removed, renamed and changed
ones fail `thresholds`, so that nobody passes by deleting what fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pytest_asrbench.gates.thresholds import Thresholds
from pytest_asrbench.model import ClipRecord, dataset_digest
from pytest_asrbench.run import Run, clip_digest

ANOTHER = "another digest than its clips give"
UNLISTED = "another digest, and no list of clips"


@dataclass(frozen=True, slots=True)
class DatasetChange:
    """Clip ids. Those that are the `same` have the target values that were stored for them.

    `fault`: why the stored list of clips can't be trusted, or there is none. `told` is false where
    nothing tells the clips apart: gates then look at all of them.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    same: frozenset[str] = frozenset()
    fault: str | None = None
    told: bool = True

    @classmethod
    def between(
        cls, stored: Thresholds, run: Run, clips: Mapping[str, str] | None = None
    ) -> DatasetChange:
        """From the stored thresholds to a run. `clips` maps the dataset's clip ids to their digests
        (default: those of the records)."""
        if stored.digest == run.dataset.digest:
            return cls(same=frozenset(each.clip for each in run.records).union(clips or ()))
        now = digests(run.records, clips)
        if not stored.clips:
            return cls(added=tuple(now), fault=UNLISTED, told=False)
        whole = len(now) >= run.dataset.clips  # a part of a run can't know what was removed
        same = frozenset(clip for clip in now if _is_same(now[clip], stored.clips.get(clip)))
        removed = tuple(clip for clip in stored.clips if whole and clip not in now)
        changed = tuple(clip for clip in now if clip in stored.clips and clip not in same)
        return cls(
            added=tuple(clip for clip in now if clip not in stored.clips),
            removed=removed,
            changed=changed,
            same=same,
            fault=None if removed or changed or not whole else _fault(stored, now, same),
        )

    @property
    def gone(self) -> tuple[str, ...]:
        """Clips that stored outcomes can no longer be compared with."""
        return self.removed + self.changed

    @property
    def stale(self) -> bool:
        """True if thresholds must be renewed: a clip more leaves them as good as they were."""
        return bool(self.gone or self.fault)

    @property
    def parts(self) -> Mapping[str, tuple[str, ...]]:
        """The clips that changed, by what became of them."""
        parts = {"added": self.added, "removed": self.removed, "changed": self.changed}
        return {what: clips for what, clips in parts.items() if clips}

    def known(self, records: Sequence[ClipRecord]) -> Sequence[ClipRecord]:
        """The records that stored thresholds speak of."""
        if not self.told:
            return records
        return [record for record in records if record.clip in self.same]

    def new(self, records: Iterable[ClipRecord]) -> list[ClipRecord]:
        """The records of clips that thresholds don't know, or not as they are now."""
        return [record for record in records if record.clip not in self.same]


def _is_same(digest: str, stored: str | None) -> bool:
    """Thresholds hold the first digits of a digest, however many."""
    return stored is not None and digest.startswith(stored)


def _fault(stored: Thresholds, now: Mapping[str, str], same: Iterable[str]) -> str | None:
    """A line taken out of the list would else make a known clip a new one, which no gate sees."""
    of_list = dataset_digest({clip: now[clip] for clip in same})
    return None if stored.digest in (None, of_list) else ANOTHER


def digests(records: Iterable[ClipRecord], known: Mapping[str, str] | None) -> Mapping[str, str]:
    """Clip ids to digests: those of the dataset, or what the records tell."""
    return known if known is not None else {r.clip: clip_digest(r) for r in records}
