"""
A transcript as one alphabet of atoms, made once a clip.

An atom is one letter, digit or sign, folded (compatibility form, lower case, no accents, plain
quotes and dashes) and without white space. Letters or digits that stand together form a run. Every
atom knows its span in the untouched transcript, so evidence is exact.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

# No-break hyphen, figure and en dash, em dash, bar, minus: one "-" each (rule 34).
_SIGNS = dict.fromkeys("‐‑‒–—―−﹣", "-") | {
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "′": "'", "`": "`", "´": "'", "ʼ": "'",
    "“": '"', "”": '"', "„": '"', "‟": '"', "″": '"', "«": '"', "»": '"',
    "⁄": "/", "∕": "/", "×": "x", "µ": "μ", "…": "...", "đ": "d", "ł": "l", "ø": "o", "ı": "i",
    "æ": "ae", "œ": "oe", "þ": "th",
}  # fmt: skip
_KEPT = "²³¹¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"  # compatibility form would glue them to the figure before
_RUNS = re.compile(rf"[^\W\d_{_KEPT}]+|[0-9]+|[^\s\x00-\x1f\x7f]")


@dataclass(slots=True)
class Tape:
    """Atoms of one transcript. Positions count atoms; `span` turns them into characters."""

    text: str
    flat: str
    """The atoms, folded."""
    raw: str
    """The same atoms as written, for casing and accents."""
    start: list[int]
    stop: list[int]
    gaps: bytearray
    """1 where white space stands before an atom, and at both ends."""
    runs: dict[int, str]
    """Start of each run of letters or digits -> the run."""
    ends: dict[int, int]
    """End of each run -> its start."""
    index: dict[str, list[int]]
    """Each run and sign -> where it starts."""
    memo: dict[Hashable, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.flat)

    def span(self, i: int, e: int) -> tuple[int, int]:
        """Characters of the transcript that atoms i to e (not included) were made of."""
        return (self.start[i], self.stop[e - 1]) if i < e else (0, 0)

    def edge(self, i: int) -> bool:
        """No run is cut at i."""
        return i >= len(self.flat) or i in self.runs or not self.flat[i].isalnum()

    def glued(self, i: int) -> bool:
        """Atoms on both sides of i stand together without white space."""
        return 0 < i < len(self.flat) and not self.gaps[i]

    def char(self, i: int) -> str:
        return self.flat[i] if 0 <= i < len(self.flat) else ""

    def all(self, piece: str) -> Iterator[int]:
        """Every place where `piece` stands, white space aside."""
        i = self.flat.find(piece)
        while i >= 0:
            yield i
            i = self.flat.find(piece, i + 1)

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` returns, made once a transcript."""
        if key not in self.memo:
            self.memo[key] = make()
        return self.memo[key]


@lru_cache(maxsize=4096)
def _fold_char(char: str) -> str:
    """Folded form of one base character with its marks; "" for what is not seen."""
    if char in _KEPT:
        return char
    plain = unicodedata.normalize("NFKC", char)
    plain = "".join(_SIGNS.get(c, c) for c in plain).casefold()
    plain = "".join(
        str(unicodedata.decimal(c, None) if unicodedata.decimal(c, None) is not None else c)
        for c in unicodedata.normalize("NFD", plain)
        if not "\u0300" <= c <= "\u036f" and unicodedata.category(c) != "Cf"
    )
    return "".join(_SIGNS.get(c, c) for c in unicodedata.normalize("NFC", plain))


def _clusters(text: str) -> Iterator[tuple[str, int, int]]:
    """Base characters with the combining marks that follow them."""
    i, n = 0, len(text)
    while i < n:
        e = i + 1
        while e < n and e - i < 8 and "\u0300" <= text[e] <= "\u036f":
            e += 1
        yield text[i:e], i, e
        i = e


def _folded(text: str) -> tuple[str, str, list[int], list[int]]:
    """Folded text, text as written, and for each folded character its span in `text`."""
    folded: list[str] = []
    raw: list[str] = []
    start: list[int] = []
    stop: list[int] = []
    for cluster, i, e in _clusters(text):
        plain = _fold_char(cluster)
        written = unicodedata.normalize("NFC", cluster)[0]
        folded.append(plain)
        raw.append(written * len(plain))
        start += [i] * len(plain)
        stop += [e] * len(plain)
    return "".join(folded), "".join(raw), start, stop


def tape(text: str) -> Tape:
    """Atoms of `text`. Never raises; linear in its length."""
    if text.isascii():
        folded, raw, start, stop = text.lower(), text, None, None
    else:
        folded, raw, start, stop = _folded(text)
    pieces: list[str] = []
    places: list[int] = []
    breaks: list[int] = [0]
    runs: dict[int, str] = {}
    ends: dict[int, int] = {}
    index: dict[str, list[int]] = {}
    at, last = 0, -1
    for found in _RUNS.finditer(folded):
        piece = found[0]
        begin = found.start()
        if begin != last:
            breaks.append(at)
        last = found.end()
        pieces.append(piece)
        places += range(begin, last)
        if piece in index:
            index[piece].append(at)
        else:
            index[piece] = [at]
        after = at + len(piece)
        if piece.isalnum() and piece not in _KEPT:
            runs[at] = piece
            ends[after] = at
        at = after
    gaps = bytearray(at + 1)
    for i in breaks:
        gaps[i] = 1
    gaps[at] = 1
    if start is None or stop is None:
        starts, stops = places, [p + 1 for p in places]
    else:
        starts, stops = [start[p] for p in places], [stop[p] for p in places]
    return Tape(
        text, "".join(pieces), "".join([raw[p] for p in places]), starts, stops, gaps,
        runs, ends, index,
    )  # fmt: skip


def fold(text: str) -> str:
    """Folded form of a value, white space kept: what a family parses."""
    return text.lower() if text.isascii() else _folded(text)[0]
