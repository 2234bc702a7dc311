"""
Word error rate as mu-bench counts it: per locale, and their unweighted mean.

    WER of a locale = sum of word edits / sum of reference words
    overall         = mean of the locales' WER, each rounded to 4 places

Tokens are split at white space; in Chinese, Japanese and Korean each character is one. Where the
reference is empty the words heard count above and below the line, so silence that is transcribed
shows; empty against empty is 0/0. A reference with `<unintelligible>` is left out.

The benchmark counts over text that a language model has normalised towards the reference; over
another normaliser's text the figures are not comparable with its leaderboard.
Source: scoring/metrics.py of github sierra-research/mu-bench.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pytest_asrbench.metrics.wer import Normaliser, intelligible
from pytest_asrbench.model import ClipRecord, ErrorRate

BY_CHARACTER = ("zh", "ja", "ko")
# Han and its extension A, CJK punctuation, full-width forms, kana, Hangul: as the benchmark lists.
RE_CHARACTER = re.compile(
    "[\u4e00-\u9fff\u3400-\u4dbf\u3000-\u303f\uff00-\uffef\u3040-\u309f\u30a0-\u30ff\uac00-\ud7af]"
)

Pair = tuple[str, str]
"""Reference and transcript, normalised."""


def by_locale(records: Iterable[ClipRecord], normalise: Normaliser = str) -> dict[str, ErrorRate]:
    """Word edits per locale over the measured records, in order of appearance."""
    pairs: dict[str, list[Pair]] = defaultdict(list)
    for record in records:
        if record.measured and intelligible(record.reference):
            pair = (normalise(record.reference), normalise(record.transcript or ""))
            pairs[record.language].append(pair)
    return {locale: corpus(own, locale) for locale, own in pairs.items()}


def corpus(pairs: Sequence[Pair], locale: str) -> ErrorRate:
    """Edits and reference words of a locale's pairs."""
    split = [(tokens(reference, locale), tokens(heard, locale)) for reference, heard in pairs]
    invented = sum(len(heard) for reference, heard in split if not reference)
    spoken = [(" ".join(reference), " ".join(heard)) for reference, heard in split if reference]
    return _edits(spoken) + ErrorRate(invented, invented)


def macro(rates: Mapping[str, ErrorRate]) -> float | None:
    """The unweighted mean over locales; None where none has a word."""
    values = [round(rate.value, 4) for rate in rates.values() if rate.value is not None]
    return round(sum(values) / len(values), 4) if values else None


def tokens(text: str, locale: str) -> list[str]:
    """The words of a text, as the locale counts them."""
    if locale.lower().startswith(BY_CHARACTER):
        text = RE_CHARACTER.sub(r" \g<0> ", text)
    return text.split()


def _edits(pairs: Sequence[Pair]) -> ErrorRate:
    import jiwer

    if not pairs:
        return ErrorRate(0, 0)
    references, hypotheses = zip(*pairs, strict=True)
    words = jiwer.process_words(list(references), list(hypotheses))
    return ErrorRate.of(
        substitutions=words.substitutions,
        deletions=words.deletions,
        insertions=words.insertions,
        reference=words.substitutions + words.deletions + words.hits,
    )
