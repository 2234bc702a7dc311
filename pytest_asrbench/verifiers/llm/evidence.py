"""
Places a span that a model quoted in the transcript.

Models set quotation marks, dashes and spaces straight while they copy; that is typographic and
allowed. Letters and digits are not: what they changed is no evidence.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "…": ".",
        "\u00ad": "",
        "\u200b": "",
        "\u200c": "",
        "\u200d": "",
        "\ufeff": "",
    }
)


def locate(evidence: str, transcript: str) -> tuple[int, int] | None:
    """Start and end of the evidence in the transcript, or None where it does not stand there.

    Where it stands more than once, a place that reads exactly so goes before the others.
    """
    wanted = evidence.strip()
    if wanted and (start := transcript.find(wanted)) >= 0:
        return start, start + len(wanted)
    return next(occurrences(evidence, transcript), None)


def occurrences(evidence: str, transcript: str) -> Iterator[tuple[int, int]]:
    """Start and end of each place where the evidence stands in the transcript."""
    folded, offsets = _fold(transcript)
    needle = _fold(evidence)[0].strip()
    start = folded.find(needle) if needle else -1
    while start >= 0:
        yield offsets[start], offsets[start + len(needle) - 1] + 1
        start = folded.find(needle, start + 1)


def _fold(text: str) -> tuple[str, list[int]]:
    """The text with straight typography and single spaces, and each character's old offset."""
    characters: list[str] = []
    offsets: list[int] = []
    for match in re.finditer(r"\s+|\S", text):
        piece = match.group()
        new = " " if piece.isspace() else unicodedata.normalize("NFKC", piece.translate(TYPOGRAPHY))
        characters.extend(new)
        offsets.extend([match.start()] * len(new))
    return "".join(characters), offsets
