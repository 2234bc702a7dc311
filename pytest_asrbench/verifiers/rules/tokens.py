"""
The tokens of a transcript, made once a clip.

Text is folded (compatibility form, lower case, no accents, plain quotes and dashes) and loses its
white space. Letters or digits that stand together form a run; a run or a sign is a token. Every
folded character knows its span in the untouched transcript, so evidence is exact.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import Any

# No-break hyphen, figure and en dash, em dash, bar, minus: one "-" each (rule 34).
_SIGNS = dict.fromkeys("‐‑‒–—―−﹣", "-") | {
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "′": "'", "`": "`", "´": "'", "ʼ": "'",
    "“": '"', "”": '"', "„": '"', "‟": '"', "″": '"', "«": '"', "»": '"',
    "⁄": "/", "∕": "/", "×": "x", "µ": "μ", "…": "...", "đ": "d", "ł": "l", "ø": "o", "ı": "i",
    "æ": "ae", "œ": "oe", "þ": "th",
}  # fmt: skip
_MARKS = frozenset(map(chr, range(0x300, 0x370)))
_KEPT = "²³¹¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"  # compatibility form would glue them to the figure before
_FIGURES = frozenset("0123456789")
_RUNS = re.compile(rf"[^\W\d_{_KEPT}]+|[0-9]+|[^\s\x00-\x1f\x7f]")
_WORDS = re.compile(r"[^\s\x00-\x1f\x7f]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_OTHER = re.compile(r"[^\x00-\x7f]+")


@dataclass(slots=True)
class Tokens:
    """Tokens of one transcript; positions count characters of `flat`, `span` those of `text`."""

    text: str
    flat: str
    """The text folded, without white space."""
    gaps: bytearray
    """1 where white space stands before a character of `flat`, and at both ends."""
    runs: dict[int, str]
    """Start of each run of letters or digits -> the run."""
    ends: dict[int, int]
    """End of each run -> its start."""
    index: dict[str, list[int]]
    """Each run and sign -> where it starts."""
    pieces: list[str]
    """Runs and signs in order …"""
    starts: list[int]
    """… and where each starts."""
    words: list[int]
    """Where what stands between white space starts, in `flat` …"""
    places: list[int]
    """… and in the folded text."""
    origin: tuple[str, list[int], list[int]] | None
    """For each folded character: as written, its start and stop; None where they are the same."""
    memo: dict[Hashable, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.flat)

    def span(self, i: int, e: int) -> tuple[int, int]:
        """Characters of the transcript that i to e (not included) were made of."""
        if i >= e:
            return (0, 0)
        first, last = self._place(i), self._place(e - 1)
        if self.origin is None:
            return first, last + 1
        return self.origin[1][first], self.origin[2][last]

    def raw(self, i: int, e: int) -> str:
        """Characters as written: their casing and accents."""
        source = self.text if self.origin is None else self.origin[0]
        return "".join([source[self._place(k)] for k in range(i, e)])

    def spaced(self, i: int, e: int) -> str:
        """The transcript from i to e, white space and all."""
        start, stop = self.span(i, e)
        return self.text[start:stop]

    def _place(self, i: int) -> int:
        k = bisect_right(self.words, i) - 1
        return self.places[k] + i - self.words[k]

    def boundary(self, i: int) -> bool:
        """No run is cut at i."""
        flat = self.flat
        return i in self.runs or i >= len(flat) or not flat[i].isalnum() or flat[i] in _KEPT

    def glued(self, i: int) -> bool:
        """The characters on both sides of i stand together without white space."""
        return 0 < i < len(self.flat) and not self.gaps[i]

    def char(self, i: int) -> str:
        return self.flat[i] if 0 <= i < len(self.flat) else ""

    def all(self, piece: str) -> list[int]:
        """Every place where `piece` stands, white space aside, and cuts no run in front."""
        flat, places = self.flat, []
        i = flat.find(piece)
        while i >= 0:
            if self.boundary(i):
                places.append(i)
            i = flat.find(piece, i + 1)
        return places

    def table(self, key: str) -> dict[int, Any]:
        """The results so far under this key, by place."""
        by_place: dict[int, Any] | None = self.memo.get(key)
        if by_place is None:
            by_place = self.memo[key] = {}
        return by_place

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The result of `make`, made once a transcript."""
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
        str(unicodedata.decimal(c, c))
        for c in unicodedata.normalize("NFD", plain)
        if not "\u0300" <= c <= "\u036f" and unicodedata.category(c) != "Cf"
    )
    return "".join(_SIGNS.get(c, c) for c in unicodedata.normalize("NFC", plain))


def _clusters(text: str, i: int, stop: int) -> Iterator[tuple[str, int, int]]:
    """Base characters from i on with the combining marks that follow them."""
    while i < stop:
        e = i + 1
        while e < stop and e - i < 8 and "\u0300" <= text[e] <= "\u036f":
            e += 1
        yield text[i:e], i, e
        i = e


def _folded(text: str) -> tuple[str, str, list[int], list[int]]:
    """Folded text, text as written, and for each folded character its span in `text`."""
    folded: list[str] = []
    raw: list[str] = []
    start: list[int] = []
    stop: list[int] = []
    last = 0
    for other in _OTHER.finditer(text):
        i, e = other.span()
        if text[i] in _MARKS and i > last:
            i -= 1  # the base letter of a combining mark
        folded.append(text[last:i].lower())
        raw.append(text[last:i])
        start += range(last, i)
        stop += range(last + 1, i + 1)
        for cluster, begin, end in _clusters(text, i, e):
            plain = _fold_char(cluster)
            folded.append(plain)
            raw.append(unicodedata.normalize("NFC", cluster)[0] * len(plain))
            start += [begin] * len(plain)
            stop += [end] * len(plain)
        last = e
    folded.append(text[last:].lower())
    raw.append(text[last:])
    start += range(last, len(text))
    stop += range(last + 1, len(text) + 1)
    return "".join(folded), "".join(raw), start, stop


def tokenise(text: str) -> Tokens:
    """Tokens of `text`. Never raises; linear in its length."""
    origin: tuple[str, list[int], list[int]] | None = None
    if text.isascii():
        folded = text.lower()
    else:
        folded, raw, start, stop = _folded(text)
        origin = raw, start, stop
    texts, places = _split(folded)
    if "..." in folded:
        texts, places = _stopped(texts, places)
    words = [0, *accumulate(map(len, texts))]
    size = words.pop()
    pieces: list[str] = []
    starts: list[int] = []
    runs: dict[int, str] = {}
    ends: dict[int, int] = {}
    index: dict[str, list[int]] = {}
    for word, at in zip(texts, words, strict=True):
        if word.isalpha():
            pieces.append(word)
            starts.append(at)
            runs[at] = word
            ends[at + len(word)] = at
            continue
        for piece in _RUNS.findall(word):
            pieces.append(piece)
            starts.append(at)
            end = at + len(piece)
            if piece[0].isalpha() or piece[0] in _FIGURES:
                runs[at] = piece
                ends[end] = at
            at = end
    for piece, at in zip(pieces, starts, strict=True):
        if piece in index:
            index[piece].append(at)
        else:
            index[piece] = [at]
    gaps = bytearray(size + 1)
    for at in words:
        gaps[at] = 1
    gaps[0] = gaps[size] = 1
    flat = "".join(texts)
    return Tokens(text, flat, gaps, runs, ends, index, pieces, starts, words, places, origin)


def _split(folded: str) -> tuple[list[str], list[int]]:
    """Words between white space (control characters are), and their places."""
    if _CONTROL.search(folded) is None:
        texts = folded.split()
        if len(folded) == sum(map(len, texts)) + len(texts) - 1:  # one space between, as usual
            lengths = map(len, texts)
            return texts, [k + at for k, at in enumerate(accumulate(lengths, initial=0))][:-1]
    words = [(match[0], match.start()) for match in _WORDS.finditer(folded)]
    return [word for word, _ in words], [place for _, place in words]


_ELLIPSIS = re.compile(r"(?<=[^\W_])\.{3,}(?![/\\])")


def _stopped(texts: list[str], places: list[int]) -> tuple[list[str], list[int]]:
    """An ellipsis behind a word is a stop, with white space behind it."""
    words: list[tuple[str, int]] = []
    for text, place in zip(texts, places, strict=True):
        start = 0
        for ellipsis in _ELLIPSIS.finditer(text):
            words.append((text[start : ellipsis.start() + 1], place + start))
            start = ellipsis.end()
        if start < len(text):
            words.append((text[start:], place + start))
    return [text for text, _ in words], [place for _, place in words]


def fold(text: str) -> str:
    """Folded form of a value, white space kept: what a family parses."""
    return text.lower() if text.isascii() else _folded(text)[0]
