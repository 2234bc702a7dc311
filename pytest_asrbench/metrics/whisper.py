"""
OpenAI's English normaliser (whisper-normalizer) at a fraction of its time, to the letter.

It sends a text through some sixty patterns, though most of its words are none of its business: they
stay what they are, save for their spelling. Between two of those, nothing of the text depends on
what stands beyond. So each run of such plain words is left out, a mark in its place; the library is
given the rest, of many texts at once, and the words go back to the marks. What a pattern sees
beyond a single space (brackets, "and a half", an apostrophe that moves to the word before), and
what it takes for its own at the ends of a text, is left to the library whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

AT_ONCE: Final = 200
MARK: Final = "\u0298"
"""A letter that no pattern is about, in hardly anybody's text."""

_FILLER: Final = "(?:hmm|mm|mhm|mmm|uh|um)"
_FAR: Final = re.compile(rf"[<\[(]|[^\S ]|  |\bhalf\b|(?:^| ){_FILLER}?'|{MARK}")
"""What the library looks for across plain words; a filler goes, which leaves its apostrophe."""
_ENDS: Final = re.compile(
    rf"(?!{_FILLER}\b)[$£€]?[a-z0-9]"
    rf"(?:.* (?!{_FILLER}\b)[$£€]?[a-z0-9])?(?:[a-z0-9.,:/@-]*[a-z0-9])?%?[.,?!]?"
)
"""A text with no lone sign at an end, nor one that a filler leaves there."""
_FIGURES: Final = re.compile("[1-9][0-9]+|[2-9]")
"""A number that is written as the library writes it."""
_BOUND: Final = frozenset({"st", "nd", "rd", "th", "s", "been", "gone", "done", "got"})
"""What belongs to the word before: "2 nd", "he's been"."""


class WhisperEnglish:
    """The library's normaliser, called with what it changes."""

    def __init__(self) -> None:
        from whisper_normalizer.english import EnglishTextNormalizer

        self._library: Any = EnglishTextNormalizer()
        self._spelling: dict[str, str] = self._library.standardize_spellings.mapping
        self._own: frozenset[str] = _BOUND.union(
            self._library.standardize_numbers.words,
            re.findall(r"[a-z]+", self._library.ignore_patterns.replace(r"\b", "")),
            re.findall(r"[a-z]+", " ".join(self._library.replacers).replace(r"\b", "")),
        )
        self._plain = lru_cache(maxsize=65_536)(self._spelled)

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """The texts, normalised, the words of each joined by single spaces."""
        chunks = (texts[at : at + AT_ONCE] for at in range(0, len(texts), AT_ONCE))
        return [text for chunk in chunks for text in self._together(chunk)]

    def _together(self, texts: Sequence[str]) -> Iterator[str]:
        """By one call of the library; a mark stands between two texts."""
        parted = [self._parted(text.lower()) for text in texts]
        near = [each for each in parted if each is not None]
        marks = sum(len(runs) + 1 for _, runs in near)
        try:
            words = self._library(" ".join(w for kept, _ in near for w in (*kept, MARK))).split()
        except Exception:  # the library's, at one of them; which, its own call tells
            words = []
        if words.count(MARK) != marks:
            yield from map(self._whole, texts)
            return
        made = iter(words)
        for text, each in zip(texts, parted, strict=True):
            yield self._whole(text) if each is None else " ".join(_filled(made, each[1]))

    def _parted(self, text: str) -> tuple[list[str], list[str]] | None:
        """The words with a mark for each run of plain ones; and those runs, spelled. None for a
        text that can't be taken apart."""
        text = text.strip()
        if _FAR.search(text) or not _ENDS.fullmatch(text):
            return None
        words = text.split()
        kept: list[str] = []
        runs: list[str] = []
        for word, plain in zip(
            words, _with_figures(words, [*map(self._plain, words)]), strict=True
        ):
            if plain is None:
                kept.append(word)
            elif kept and kept[-1] is MARK:
                runs[-1] += " " + plain
            else:
                kept.append(MARK)
                runs.append(plain)
        return kept, runs

    def _spelled(self, word: str) -> str | None:
        """A plain word in American spelling; None for one that the library may do more with."""
        if not (word.isascii() and word.isalpha()) or word in self._own:
            return None
        return self._spelling.get(word, word)

    def _whole(self, text: str) -> str:
        return " ".join(self._library(text).split())


def _with_figures(words: Sequence[str], plain: list[str | None]) -> list[str | None]:
    """Figures between plain words are as plain as they."""
    for at, word in enumerate(words):
        if plain[at] is None and _FIGURES.fullmatch(word):
            beside = (*plain[at - 1 : at], *plain[at + 1 : at + 2])
            if None not in beside:
                plain[at] = word
    return plain


def _filled(made: Iterator[str], runs: Sequence[str]) -> Iterator[str]:
    """The next text that the library made, its plain words back in it."""
    for run in (*runs, None):
        for word in made:
            if word == MARK:
                break
            yield word
        if run is not None:
            yield run
