"""
Word and character error rate, counted by jiwer over normalised text.

    WER = sum of word edits / sum of reference words, pooled over clips

The normaliser is named beside every figure; rates under different ones are never compared.

    plain        lower case, punctuation off, each Han character a word of its own
    whisper-en   OpenAI's English text normaliser (whisper-normalizer), as most WER tables use it
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from pytest_asrbench.errors import InputError
from pytest_asrbench.model import ClipRecord, ErrorRate

Normaliser = Callable[[str], str]

UNINTELLIGIBLE = "<unintelligible>"
"""A reference that says so has no words that anyone could be held to (mu-bench)."""


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """Lower case words without punctuation, joined by single spaces.

    Marks stay, for vowel signs carry the word in Indic scripts; an apostrophe joins, a dash parts.
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().translate(_PLAIN).split())


class _Plain(dict[int, str]):
    """A table from characters to plain ones, worked out as they are met."""

    def __missing__(self, code: int) -> str:
        self[code] = _plain_character(chr(code))
        return self[code]


_PLAIN = _Plain()


def _plain_character(character: str) -> str:
    if character in "'\u2019":
        return ""
    if "\u4e00" <= character <= "\u9fff" or "\u3400" <= character <= "\u4dbf":
        return f" {character} "
    return character if unicodedata.category(character)[0] in "LMN" else " "


@cache
def _whisper() -> Callable[[Sequence[str]], list[str]]:
    from pytest_asrbench.metrics.whisper import WhisperEnglish

    return WhisperEnglish()


@lru_cache(maxsize=8192)
def whisper_en(text: str) -> str:
    """OpenAI's English normaliser: numbers, spelling, contractions, fillers."""
    return _whisper()([text])[0]


NORMALISERS: dict[str, Normaliser] = {"plain": plain, "whisper-en": whisper_en}


def normaliser_for(languages: Iterable[str]) -> str:
    """`whisper-en` where all is English, else `plain`."""
    return "whisper-en" if all(_is_english(each) for each in languages) else "plain"


def _is_english(language: str) -> bool:
    return language.lower().replace("_", "-").split("-")[0] == "en"


def normaliser(name: str) -> Normaliser:
    """The function of that name. Raises InputError."""
    try:
        return NORMALISERS[name]
    except KeyError:
        known = ", ".join(NORMALISERS)
        raise InputError(f"unknown normaliser {name!r}; known: {known}") from None


def intelligible(reference: str) -> bool:
    """True where the reference can be compared with."""
    return UNINTELLIGIBLE not in reference.lower()


def measure(records: Sequence[ClipRecord], name: str) -> list[ClipRecord]:
    """The records with `words` and `characters` counted.

    Those with an error, or with an unintelligible reference, stay as they are.
    """
    pairs = _pairs(records, name)
    counted = _counted({pair for pair in pairs if pair})
    return [
        replace(record, words=counted[pair][0], characters=counted[pair][1]) if pair else record
        for record, pair in zip(records, pairs, strict=True)
    ]


Pair = tuple[str, str]
"""Reference and transcript, normalised."""


def _pairs(records: Iterable[ClipRecord], name: str) -> list[Pair | None]:
    """Each text is normalised once, and those for which that takes long together."""
    written = [
        (record.reference, record.transcript or "")
        if record.measured and intelligible(record.reference)
        else None
        for record in records
    ]
    texts = list(dict.fromkeys(text for pair in written if pair for text in pair))
    normalise = normaliser(name)
    plain_texts = _whisper()(texts) if normalise is whisper_en else map(normalise, texts)
    made = dict(zip(texts, plain_texts, strict=True))
    return [pair and (made[pair[0]], made[pair[1]]) for pair in written]


def _counted(pairs: Collection[Pair]) -> dict[Pair, tuple[ErrorRate, ErrorRate]]:
    """Errors in words and in characters. Equal texts, most of a good run, need no alignment."""
    counted = {
        (said, heard): (ErrorRate(0, len(said.split())), ErrorRate(0, len(said)))
        for said, heard in pairs
        if said == heard
    }
    different = [pair for pair in pairs if pair not in counted]
    if different:
        references, hypotheses = map(list, zip(*different, strict=True))
        words, characters = _words(references, hypotheses), _characters(references, hypotheses)
        counted.update(zip(different, zip(words, characters, strict=True), strict=True))
    return counted


def _words(references: list[str], hypotheses: list[str]) -> list[ErrorRate]:
    import jiwer

    split = jiwer.Compose([jiwer.ReduceToListOfListOfWords()])
    return _counts(jiwer.process_words(references, hypotheses, split, split))


def _characters(references: list[str], hypotheses: list[str]) -> list[ErrorRate]:
    import jiwer

    split = jiwer.Compose([jiwer.ReduceToListOfListOfChars()])
    return _counts(jiwer.process_characters(references, hypotheses, split, split))


def _counts(output: Any) -> list[ErrorRate]:
    return [
        _rate(chunks, len(reference))
        for chunks, reference in zip(output.alignments, output.references, strict=True)
    ]


def _rate(chunks: Iterable[Any], reference: int) -> ErrorRate:
    edits = Counter[str]()
    for chunk in chunks:
        length = chunk.ref_end_idx - chunk.ref_start_idx
        edits[chunk.type] += max(length, chunk.hyp_end_idx - chunk.hyp_start_idx)
    return ErrorRate.of(
        substitutions=edits["substitute"],
        deletions=edits["delete"],
        insertions=edits["insert"],
        reference=reference,
    )


def wer(records: Iterable[ClipRecord]) -> ErrorRate:
    """Word edits over reference words of the measured records."""
    return sum((r.words for r in records if r.words is not None), ErrorRate(0, 0))


def cer(records: Iterable[ClipRecord]) -> ErrorRate:
    """Character edits over reference characters of the measured records."""
    return sum((r.characters for r in records if r.characters is not None), ErrorRate(0, 0))
