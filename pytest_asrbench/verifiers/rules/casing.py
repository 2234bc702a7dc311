"""
Casing (rule 9): it counts only where the spoken form cues it, and may then be shown by written
case or by the cue words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.family import FamilyCase
from pytest_asrbench.verifiers.rules.names import named, table
from pytest_asrbench.verifiers.rules.numbers import NumberReader
from pytest_asrbench.verifiers.rules.pattern import (
    Doubtful,
    Ends,
    Pattern,
    Phrases,
    choice,
    maybe,
    merge,
)
from pytest_asrbench.verifiers.rules.separators import (
    Skip,
    code,
    joined,
    parts,
    piece,
)
from pytest_asrbench.verifiers.rules.tokens import Tokens

_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|.")
_MIXED = re.compile(r"[a-z][A-Z]|(?<=-)[A-Z](?![A-Za-z])")


def bearing(case: FamilyCase) -> bool:
    """True if casing counts for this value."""
    if case.options.case != "cue":
        return case.options.case == "exact"
    if case.acoustic is not None:
        return _cued(case)
    return guessed(case.text)


def guessed(text: str) -> bool:
    """Without a spoken form: capitals that must have been cued, as nobody hears them."""
    words = re.findall(r"[A-Za-z]+", text)
    titled = [word for word in words if word[1:].islower() and word[0].isupper()]
    capitals = [word for word in words if len(word) > 1 and word.isupper() and " " not in text]
    lower = [word for word in words if word.islower()]
    return bool(_MIXED.search(text) or ((titled or capitals) and lower))


def _cued(case: FamilyCase) -> bool:
    spoken = f" {case.spoken.replace(',', ' ')} "
    pack = case.pack
    styles = [name for names in pack.case_styles.values() for name in names]
    cues = [*pack.all_caps, *pack.capital, *pack.lower, *styles]
    vague = {"big", "small", "little"}
    return any(f" {cue} " in spoken for cue in cues if cue not in vague)


class Cased(Pattern):
    """A word whose capitals must show: written so, or cued by "capital" (rule 9)."""

    def __init__(self, word: str, pack: Pack, *, strict_lower: bool) -> None:
        self.humps = _HUMPS.findall(word)
        self.capital = table(pack.capital)
        self.all_caps = table(pack.all_caps)
        self.lower_cued = strict_lower
        self.strict_lower = strict_lower or any(c.isupper() for c in word)
        self.lower = table(pack.lower)

    def ends(self, tokens: Tokens, i: int) -> Ends:
        reached = {i: 0}
        for hump in self.humps:
            ends: Ends = {}
            for place, doubts in reached.items():
                for end in self._hump(tokens, place, hump):
                    merge(ends, end, doubts)
            reached = ends
        return reached

    def _hump(self, tokens: Tokens, i: int, hump: str) -> Iterable[int]:
        low = hump.lower()
        if tokens.flat.startswith(low, i) and self._shown(tokens, i, hump):
            yield i + len(low)
        if hump == low:
            for end in named(tokens, i, self.lower):
                if tokens.flat.startswith(low, end):
                    yield end + len(low)
            return
        for end in named(tokens, i, self.capital if len(hump) == 1 or hump != hump.upper() else {}):
            yield from self._cued(tokens, end, low)
        if hump == hump.upper():
            for end in named(tokens, i, self.all_caps):
                if tokens.flat.startswith(low, end):
                    yield end + len(low)
            yield from self._each(tokens, i, low)

    def _each(self, tokens: Tokens, i: int, low: str) -> Iterable[int]:
        """capital i capital d."""
        places = {i}
        for letter in low:
            places = {
                end + 1
                for place in places
                for end in named(tokens, place, self.capital)
                if tokens.char(end) == letter
            }
        yield from places

    def _cued(self, tokens: Tokens, i: int, low: str) -> Iterable[int]:
        """capital release, or capital r release."""
        if tokens.flat.startswith(low, i):
            yield i + len(low)
        if tokens.runs.get(i) == low[0] and tokens.flat.startswith(low, i + 1):
            yield i + 1 + len(low)

    def _shown(self, tokens: Tokens, i: int, hump: str) -> bool:
        shown = tokens.raw(i, i + len(hump))
        if shown == hump:
            return True
        if self.lower_cued or hump != hump.lower():
            return False
        spelled = all(len(tokens.runs.get(k, "")) == 1 for k in range(i, i + len(hump)))
        return spelled or not self.strict_lower

    def starts(self, tokens: Tokens) -> Iterable[int]:
        first = self.humps[0].lower()
        starts = tokens.all(first)
        for word in {*self.capital, *self.lower, *self.all_caps}:
            starts += tokens.index.get(word, ())
        return starts


def cased(text: str, numbers: NumberReader, *, strict_lower: bool = False) -> Pattern:
    """As `code`, with casing shown."""
    pieces: list[Pattern] = [
        Cased(part.text, numbers.pack, strict_lower=strict_lower)
        if part.kind == "word"
        else piece(part, numbers)
        for part in parts(text)
    ]
    return joined(pieces, numbers.pack)


def by_cue(case: FamilyCase) -> list[Pattern]:
    """The whole value read out behind a cue: "all caps database underscore url"."""
    pack, text = case.pack, case.text
    patterns: list[Pattern] = []
    plain = code(case.folded, case.numbers)
    if text == text.upper() and text != text.lower():
        patterns.append(Phrases(pack.all_caps) + Skip(pack) + plain)
        suffix = Phrases(name for name in pack.all_caps if name != "capital")
        patterns.append(Doubtful(plain + Skip(pack) + suffix, Doubt.DESCRIBED))
    if text == text.lower() and text != text.upper():
        patterns.append(
            Phrases((*pack.lower, "all lowercase", "all lower case")) + Skip(pack) + plain
        )
    patterns += [
        Phrases(pack.case_styles[style]) + Skip(pack) + words(case) for style in _styles(text)
    ]
    return patterns


def _styles(text: str) -> list[str]:
    """The case styles that give this value."""
    styles = []
    if re.fullmatch(r"[a-z]+[a-z0-9]*([A-Z][a-z0-9]*)+", text):
        styles.append("camel")
    if re.fullmatch(r"([A-Z][a-z0-9]*)+", text):
        styles.append("pascal")
    if re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)+", text):
        styles.append("snake")
    if re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", text):
        styles.append("kebab")
    return styles


def words(case: FamilyCase) -> Pattern:
    """The value's words, its separators optional: the cue has said them."""
    pieces = [
        maybe(piece(part, case.numbers)) if part.kind == "sign" else piece(part, case.numbers)
        for part in parts(case.folded)
    ]
    return joined(pieces, case.pack)


def readings(case: FamilyCase, *, strict: bool) -> Pattern:
    """The value with casing as the policy asks: shown or cued where it counts, else free."""
    cued = by_cue(case)
    if not strict:
        hinted = [cased(case.text, case.numbers)] if case.text != case.text.lower() else []
        return choice([code(case.folded, case.numbers), *hinted, *cued])
    lower = case.options.case == "exact" or "lower" in case.spoken
    return choice([cased(case.text, case.numbers, strict_lower=lower), *cued])
