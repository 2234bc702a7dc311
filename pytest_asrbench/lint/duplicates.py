"""Clips and values that stand twice: they count double and hide how small a set is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from pytest_asrbench.lint.finding import Finding, warning
from pytest_asrbench.model import Clip

NEAR = 95.0
"""Percent of equal characters from which two references are near-duplicates."""
MAX_COMPARED = 5_000
"""Every pair is compared up to this many clips; beyond it only equal ones are found."""
MIN_WORDS = 4
"""Shorter references ("yes please") repeat in any set of calls."""
MAX_USES = 3
"""A value in more clips than this says little about the type."""
RE_LOOSE = re.compile(r"[\W_]+")


def duplicates(clips: Sequence[Clip]) -> Iterator[Finding]:
    """Near-duplicate clips, a value twice in one clip, and one value in many clips."""
    yield from _clips(clips)
    for clip in clips:
        yield from _within(clip)
    yield from _values(clips)


def _clips(clips: Sequence[Clip]) -> Iterator[Finding]:
    first: dict[tuple[str, str], Clip] = {}
    alone: list[Clip] = []
    for clip in clips:
        key = (_loose(clip.reference), clip.language)
        if len(key[0].split()) < MIN_WORDS:
            continue
        if (other := first.setdefault(key, clip)) is not clip:
            yield warning("duplicate", f"says the same as {other.id}; remove one", clip)
        else:
            alone.append(clip)
    if len(alone) <= MAX_COMPARED:
        yield from _near(alone)


def _near(clips: Sequence[Clip]) -> Iterator[Finding]:
    from rapidfuzz import fuzz, process

    texts = [_loose(clip.reference) for clip in clips]
    for index, clip in enumerate(clips):
        later = texts[index + 1 :]
        match = process.extractOne(texts[index], later, scorer=fuzz.ratio, score_cutoff=NEAR)
        # Clips that differ in their values alone are how a set is made, not a mistake.
        if match and _canonicals(clip) == _canonicals(other := clips[index + 1 + match[2]]):
            what = f"says nearly the same as {clip.id} ({match[1]:.0f}%)"
            yield warning("duplicate", f"{what}; remove one", other)


def _within(clip: Clip) -> Iterator[Finding]:
    seen: dict[tuple[str, str], str] = {}
    for entity in clip.entities:
        key = (entity.type, _loose(entity.canonical))
        if key in seen:
            what = f"{entity.canonical!r} is {seen[key]} already, and counts twice"
            yield warning("duplicate-value", f"{what}; remove one", clip, entity)
        seen.setdefault(key, entity.id)


def _values(clips: Sequence[Clip]) -> Iterator[Finding]:
    uses: dict[tuple[str, str], list[Clip]] = defaultdict(list)
    for clip in clips:
        for key in {(e.type, _loose(e.canonical)) for e in clip.entities}:
            uses[key].append(clip)
    for (kind, value), users in uses.items():
        if len(users) > MAX_USES:
            shown = ", ".join(clip.id for clip in users[:MAX_USES])
            what = f"{kind} {value!r} is in {len(users)} clips ({shown}, …)"
            yield warning("duplicate-value", f"{what}; vary it", users[MAX_USES])


def _canonicals(clip: Clip) -> list[str]:
    return sorted(entity.canonical for entity in clip.entities)


def _loose(text: str) -> str:
    return RE_LOOSE.sub(" ", text.casefold()).strip()
