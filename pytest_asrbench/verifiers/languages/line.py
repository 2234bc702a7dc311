"""
A transcript as one line of folded text, made once a clip.

White space is one space; letters are folded as the language's script says (compatibility form,
lower case, marks kept or not). Every character knows its span in the untouched transcript.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from pytest_asrbench.verifiers.packs.pack import Pack
from pytest_asrbench.verifiers.packs.parts import Script

_SIGNS: Final = dict.fromkeys("‐‑‒–—―−﹣", "-") | {
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "′": "'", "´": "'", "ʼ": "'", "“": '"', "”": '"',
    "„": '"', "‟": '"', "″": '"', "«": '"', "»": '"', "⁄": "/", "∕": "/", "×": "x", "µ": "μ",
    "…": "...", "、": ",", "，": ",", "。": ".", "．": ".", "：": ":", "・": " ", "·": ".",
    "～": "~", "〜": "~", "।": ".", "॥": ".", "º": "º", "ª": "ª", "℃": "°c", "㎡": "m²", "℉": "°f",
    "（": "(", "）": ")", "「": '"', "」": '"', "【": "(", "】": ")", "№": "no",
}  # fmt: skip
_KEPT: Final = frozenset("²³¼½¾⅓⅔⅛⅜⅝⅞º°ª™")
_WIDE: Final = frozenset("、，。．")
_SPACE: Final = re.compile(r"[\s\x00-\x1f\x7f\u200b\ufeff]")


@dataclass(slots=True)
class Line:
    """Folded text with what is remembered of it."""

    text: str
    flat: str
    start: list[int]
    """For each folded character, where it begins in the text …"""
    stop: list[int]
    """… and where it ends."""
    memo: dict[Hashable, Any] = field(default_factory=dict)

    def span(self, i: int, e: int) -> tuple[int, int]:
        """Characters of the transcript that stand behind flat[i:e]."""
        while e > i and self.flat[e - 1] == " ":
            e -= 1
        return (self.start[i], self.stop[e - 1]) if e > i else (0, 0)

    def char(self, i: int) -> str:
        return self.flat[i] if 0 <= i < len(self.flat) else ""

    def edge(self, i: int) -> bool:
        """No word or figure is cut at i."""
        flat = self.flat
        if i <= 0 or i >= len(flat):
            return True
        left, right = self.kind(i - 1), self.kind(i)
        return left != right or left in ("", "han")

    def next(self, i: int) -> int:
        """Past white space."""
        return i + 1 if self.flat.startswith(" ", i) else i

    def back(self, i: int) -> int:
        """Before white space."""
        return i - 1 if i > 0 and self.flat[i - 1] == " " else i

    def kind(self, i: int) -> str:
        """The kind of the character at i; a lengthening mark is what it lengthens."""
        while i > 0 and self.flat[i] == "ー":
            i -= 1
        return kind(self.flat[i])

    def run(self, i: int) -> int:
        """The end of the run of letters or figures at i; i where there is none."""
        flat, e = self.flat, i
        first = self.kind(i) if i < len(flat) else ""
        if not first:
            return i
        if first == "han":
            return i + 1
        while e < len(flat) and self.kind(e) == first:
            e += 1
        return e

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        if key not in self.memo:
            self.memo[key] = make()
        return self.memo[key]


@lru_cache(maxsize=8192)
def kind(char: str) -> str:
    """The kind of character that may form one run: letters, figures, kana of one kind; Han stands
    alone; "" is a sign."""
    if char.isascii():
        return "letter" if char.isalpha() else "figure" if char.isdigit() else ""
    code = ord(char)
    if 0x3041 <= code <= 0x309F:
        return "hiragana"
    if 0x30A1 <= code <= 0x30FF and char != "・":
        return "katakana"
    if 0x4E00 <= code <= 0x9FFF or 0x3400 <= code <= 0x4DBF or code >= 0x20000 or char in "〇々":
        return "han"
    if char in _KEPT:
        return ""
    if 0x0900 <= code <= 0x097F:
        return "nagari"
    return "letter" if unicodedata.category(char)[0] in "LM" else ""


def line(text: str, pack: Pack) -> Line:
    """`text` folded as the pack's script says."""
    chars, start, stop = _folded(text, pack.script)
    for pattern, instead in pack.script.rules:
        chars, start, stop = _replaced(chars, start, stop, pattern, instead)
    return Line(text, chars, start, stop)


def fold(text: str, pack: Pack) -> str:
    """Folded form of a word or value, without outer white space."""
    return line(text, pack).flat.strip()


def _folded(text: str, script: Script) -> tuple[str, list[int], list[int]]:
    chars: list[str] = []
    start: list[int] = []
    stop: list[int] = []
    i = 0
    while i < len(text):
        e = i + 1
        while e < len(text) and e - i < 8 and "\u0300" <= text[e] <= "\u036f":
            e += 1
        if _SPACE.match(text[i]):
            if chars and chars[-1] != " ":
                chars.append(" ")
                start.append(i)
                stop.append(e)
        else:
            folded = _fold(text[i:e], script)
            if text[i] == "・" and _between_numerals(text, i):
                folded = "."
            if folded in ",." and text[i] in _WIDE and not _in_figure(text, i):
                folded += " "  # full-width marks bring their own white space
            for char in folded:
                if char == " " and chars and chars[-1] == " ":
                    continue
                chars.append(char)
                start.append(i)
                stop.append(e)
        i = e
    return "".join(chars), start, stop


def _between_numerals(text: str, i: int) -> bool:
    """一・五: a decimal point."""
    beside = text[max(0, i - 1) : i], text[i + 1 : i + 2]
    return all(unicodedata.numeric(c, None) is not None for c in beside if c) and all(beside)


def _in_figure(text: str, i: int) -> bool:
    return text[i - 1 : i].isdigit() and text[i + 1 : i + 2].isdigit()


@lru_cache(maxsize=16384)
def _fold(cluster: str, script: Script) -> str:
    """Folded form of one character with its marks; "" for what is not seen."""
    if cluster in _KEPT:
        return cluster
    plain = "".join(_SIGNS.get(c, c) for c in cluster)
    plain = unicodedata.normalize("NFKC", plain) if plain == cluster else plain
    plain = "".join(_SIGNS.get(c, c) for c in plain)
    known, keep = script.swaps, script.keep
    plain = "".join(known.get(c, c) for c in unicodedata.normalize("NFC", plain))
    plain = plain.casefold() if "ß" not in keep else plain.lower()
    plain = "".join(known.get(c, c) for c in unicodedata.normalize("NFC", plain))
    stripped = ""
    for char in plain:
        kept = keep == "*" or char in keep
        stripped += char if kept else _bare(char)
    return "".join(c for c in stripped if unicodedata.category(c) != "Cf")


def _bare(char: str) -> str:
    """Without marks; figures of other scripts as ours. Kana keep theirs, which are other sounds."""
    if kind(char) in ("hiragana", "katakana", "han"):
        return char
    if unicodedata.category(char) == "Nd":
        return str(unicodedata.decimal(char))
    apart = unicodedata.normalize("NFD", char)
    return "".join(c for c in apart if not "\u0300" <= c <= "\u036f") or char


def _replaced(
    chars: str, start: list[int], stop: list[int], pattern: str, instead: str
) -> tuple[str, list[int], list[int]]:
    pieces: list[str] = []
    starts: list[int] = []
    stops: list[int] = []
    last = 0
    for match in re.finditer(pattern, chars):
        i, e = match.span()
        new = match.expand(instead)
        pieces.append(chars[last:i] + new)
        starts += start[last:i]
        stops += stop[last:i]
        if e > i:
            for k in range(len(new)):
                same = len(new) == e - i
                starts.append(start[i + k] if same else start[i])
                stops.append(stop[i + k] if same else stop[e - 1])
        last = e
    if not last:
        return chars, start, stop
    pieces.append(chars[last:])
    return "".join(pieces), starts + start[last:], stops + stop[last:]


def bare(word: str, pack: Pack) -> str:
    """A folded word as it is written in addresses of machines: no marks."""
    machine = pack.script.machine
    plain = (machine.get(c) or (_bare(c) if kind(c) == "letter" else c) for c in word)
    return "".join(plain)
