"""The spoken form itself: word for word it is always evidence (rule 32)."""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_asrbench.verifiers.packs import pack as load_pack
from pytest_asrbench.verifiers.rules.family import FamilyCase, FamilyReading
from pytest_asrbench.verifiers.rules.pattern import Ends, Pattern, Test, sequence
from pytest_asrbench.verifiers.rules.separators import Sign, Skip, spelled
from pytest_asrbench.verifiers.rules.sequences import Digits
from pytest_asrbench.verifiers.rules.tokens import Tokens, tokenise


class Joint(Pattern):
    """A hyphen, stop or apostrophe that only joins two spoken words."""

    nullable = True

    def ends(self, tokens: Tokens, i: int) -> Ends:
        joins = tokens.char(i) in ("-", ".", "'") and tokens.runs.get(i + 1, "").isalpha()
        return {i: 0, i + 1: 0} if joins and tokens.flat[i - 1 : i].isalnum() else {i: 0}


def verbatim(case: FamilyCase, *, exact: bool) -> Pattern | None:
    """The spoken form's words in order, its separators and numbers written or spoken.

    Where separators count (`exact`), no written hyphen may join two words (rule 39).
    """
    pieces: list[Pattern] = []
    flat = tokenise(case.spoken)
    apart = _apart(case, flat) if exact else frozenset()
    letters = _letters(case, flat)
    place = 0
    while place < len(flat):
        run = flat.runs.get(place)
        if run is None:
            place += 1
            continue
        chunks = [] if run in letters else case.numbers.chunks(flat, place)
        figures = max(chunks, key=lambda c: c[1], default=None)
        if figures is not None and figures[1] > place:
            pieces.append(_number(case.spoken, figures, place, flat, case))
            place = figures[1]
            continue
        run = _spelled(flat, place, case) or run
        pieces.append(_word(run, case, apart=place in apart))
        place += len(run)
    if not pieces:
        return None
    link = Skip(case.pack) if exact else Skip(case.pack) + Joint()
    return sequence([p for piece in pieces for p in (link, piece)][1:])


def _letters(case: FamilyCase, flat: Tokens) -> frozenset[str]:
    """Words for zero that are letters here: the "o" of NPO, as a 0 would be another value."""
    names = case.pack.zero_letters
    zeros = not flat.index.keys().isdisjoint(case.numbers.zeros - names)
    held = [name for name in names if name in case.folded]
    return frozenset(held) if zeros or "0" not in case.folded else frozenset()


def _spelled(flat: Tokens, i: int, case: FamilyCase) -> str:
    """Letters read out one by one that the value writes together: "t s x" of "app.tsx"."""
    letters = ""
    while (letter := flat.runs.get(i + len(letters), "")).isalpha() and len(letter) == 1:
        letters += letter
    whole = letters and re.search(rf"(?<![^\W\d_]){letters}(?![^\W\d_])", case.folded)
    return letters if whole else ""


def _number(
    spoken: str, figures: tuple[str, int], place: int, flat: Tokens, case: FamilyCase
) -> Pattern:
    """The words as they are, or the figures that they say (rule 10)."""
    words = [flat.runs[k] for k in sorted(flat.runs) if place <= k < figures[1]]
    language = case.pack.language
    said = sequence([p for w in words for p in (Joint(), spelled(w, language))][1:])
    return said | Digits(figures[0], case.numbers)


def _apart(case: FamilyCase, flat: Tokens) -> frozenset[int]:
    """Places where a hyphen is spoken before which the value has white space (rule 22)."""
    spoken = [i for i in sorted(flat.runs) if flat.runs[i] in case.pack.separators["-"]]
    written = [k for k, sign in enumerate(case.folded) if sign == "-"]
    if len(spoken) != len(written):
        return frozenset()
    pairs = zip(spoken, written, strict=True)
    return frozenset(i for i, k in pairs if case.folded[k - 1 : k].isspace())


def _opens(tokens: Tokens, i: int) -> bool:
    """Nothing is joined in front of a flag."""
    return bool(tokens.gaps[i]) or not tokens.flat[i - 1].isalnum() or tokens.char(i) != "-"


def _word(run: str, case: FamilyCase, *, apart: bool) -> Pattern:
    if run.isalpha():
        return _said(run, case.pack.language, apart=apart)
    return Digits(run, case.numbers)


@lru_cache(maxsize=4096)
def _said(run: str, language: str, *, apart: bool) -> Pattern:
    """A word, or the sign that it names."""
    pack = load_pack(language)
    sign = next((s for s, names in pack.separators.items() if run in names), None)
    if sign is None or run in ("and", "at", "quote"):
        return spelled(run, language)
    shown: Pattern = Sign(sign, 1, pack)
    return spelled(run, language) | (Test(_opens) + shown if apart else shown)


def reading(case: FamilyCase, like: FamilyReading) -> FamilyReading | None:
    """The spoken form under the boundaries of the type."""
    pattern = verbatim(case, exact=7 in like.rules)
    if pattern is None:
        return None
    return FamilyReading("spoken form, word for word", pattern, like.boundaries, (32,))
