"""Counts in sentences."""

from __future__ import annotations


def plural(count: int, noun: str, many: str | None = None) -> str:
    """`1 clip`, `1,200 clips`."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"
