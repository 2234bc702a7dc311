"""Counts in sentences."""

from __future__ import annotations

from collections.abc import Iterable


def plural(count: int, noun: str, many: str | None = None) -> str:
    """`1 clip`, `1,200 clips`."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def results(count: int, repeats: int) -> str:
    """`3 clips`; where each is transcribed several times, `3 transcriptions`."""
    return plural(count, "transcription" if repeats > 1 else "clip")


def of_clips(part: int, clips: int, repeats: int) -> str:
    """`9 of 10 clips`, `29 of 30 transcriptions (10 clips x 3 repeats)`."""
    told = f"{part:,} of {results(clips * repeats, repeats)}"
    return f"{told} ({plural(clips, 'clip')} x {repeats} repeats)" if repeats > 1 else told


def some(names: Iterable[str], most: int = 3) -> str:
    """`a, b, c and 4 more`."""
    listed = list(names)
    shown = ", ".join(listed[:most])
    return f"{shown} and {len(listed) - most:,} more" if len(listed) > most else shown
