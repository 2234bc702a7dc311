"""Words of reference and transcript side by side, for the eye; WER is measured elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_asrbench.reports.text import columns, pad, printable

_FRAME = ".,;:!?\"'()[]{}\u2018\u2019\u201c\u201d\u2026"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of words: `equal`, `substitute`, `delete` (not heard) or `insert` (not said)."""

    kind: str
    reference: tuple[str, ...]
    heard: tuple[str, ...]


_SPACE = r" \t\n\v\f\r\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_WHOLE = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # a character is a word
_RE_WORD = re.compile(f"[{_WHOLE}]|[^{_SPACE}{_WHOLE}]+")


def words(text: str) -> list[str]:
    """Words between white space; Chinese and Japanese characters one by one, as mu-bench counts.

    The HTML report's script splits the same way.
    """
    return _RE_WORD.findall(text)


def align(reference: str, transcript: str) -> list[Chunk]:
    """Aligned by words, blind to case and to punctuation around a word."""
    said, heard = words(reference), words(transcript)
    if not said or not heard:
        kind = "delete" if said else "insert"
        return [Chunk(kind, tuple(said), tuple(heard))] if said or heard else []
    import jiwer  # here, as only reports of misses need it

    output = jiwer.process_words(" ".join(map(_key, said)), " ".join(map(_key, heard)))
    return [
        Chunk(
            chunk.type,
            tuple(said[chunk.ref_start_idx : chunk.ref_end_idx]),
            tuple(heard[chunk.hyp_start_idx : chunk.hyp_end_idx]),
        )
        for chunk in output.alignments[0]
    ]


def _key(word: str) -> str:
    return word.strip(_FRAME).casefold() or word


def lines(reference: str, transcript: str, width: int) -> Iterator[tuple[str, str, str]]:
    """Said above heard above marks (S, D, I), each at most `width` columns where words allow."""
    rows = ["", "", ""]
    for cell in _cells(align(reference, transcript)):
        if rows[0] and columns(rows[0]) + 1 + columns(cell[0]) > width:
            yield rows[0].rstrip(), rows[1].rstrip(), rows[2].rstrip()
            rows = ["", "", ""]
        rows = [f"{row} {part}" if rows[0] else part for row, part in zip(rows, cell, strict=True)]
    if rows[0]:
        yield rows[0].rstrip(), rows[1].rstrip(), rows[2].rstrip()


def _cells(chunks: Sequence[Chunk]) -> Iterator[tuple[str, str, str]]:
    for chunk in chunks:
        mark = "" if chunk.kind == "equal" else chunk.kind[0].upper()
        for i in range(max(len(chunk.reference), len(chunk.heard))):
            said = printable(chunk.reference[i]) if i < len(chunk.reference) else ""
            heard = printable(chunk.heard[i]) if i < len(chunk.heard) else ""
            wide = max(columns(said), columns(heard))
            yield pad(said or "*" * wide, wide), pad(heard or "*" * wide, wide), pad(mark, wide)
