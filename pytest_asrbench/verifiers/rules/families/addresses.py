"""Postal addresses: every part, abbreviated or not (rules 18, 39, 40)."""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.packs import pack as load_pack
from pytest_asrbench.verifiers.rules import said
from pytest_asrbench.verifiers.rules.alignment import ADDRESS
from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.boundaries import Check, WordBoundaries
from pytest_asrbench.verifiers.rules.families.lexical import between, initials, together, word
from pytest_asrbench.verifiers.rules.family import FamilyCase, FamilyReading, family
from pytest_asrbench.verifiers.rules.pattern import (
    Pattern,
    Phrases,
    choice,
    maybe,
    phrases,
    sequence,
)
from pytest_asrbench.verifiers.rules.sequences import CharacterSequence, Digits
from pytest_asrbench.verifiers.rules.tokens import Tokens

_ZIP = re.compile(r"\b(\d{5})(?:-(\d{4}))?$")
_POSTCODE = re.compile(r"\b(?:[a-z]{1,2}\d[a-z\d]?\s*\d[a-z]{2}|[a-z]\d[a-z]\s*\d[a-z]\d)$")
"""British and Canadian: letters and figures in order (Royal Mail PAF, Canada Post)."""


@family("postal_address", aligned=ADDRESS, written=said.words)
def postal_address(case: FamilyCase) -> list[FamilyReading]:
    """Every part; postal abbreviations and state names are equal both ways (rule 18)."""
    forms = dict.fromkeys((case.folded, _folded(case)))
    pattern = choice(_in_order(form.rstrip(". "), case) for form in forms)
    reading = FamilyReading("parts", pattern, WordBoundaries(case.numbers), (10, 12, 18, 39))
    return [reading.only(_plus_four).only(_quarter(case))]


def _in_order(text: str, case: FamilyCase) -> Pattern:
    tail = _ZIP.search(text) or _POSTCODE.search(text)
    pieces = _parts(text[: tail.start()] if tail else text, case)
    if tail:
        pieces.append(_tail(tail, case))
    gap = between(case.pack)
    number = maybe(phrases("#", "number", "no."))
    link = gap + maybe(Phrases(case.pack.addresses.linking)) + gap + number
    return sequence([p for piece in pieces for p in (link, piece)][1:])


def _tail(code: re.Match[str], case: FamilyCase) -> Pattern:
    """ZIP code, or the letters and figures of a postcode."""
    if code.re is _ZIP:
        digits = "".join(group for group in code.groups() if group)
        return Digits(digits, case.numbers, dashed=True)
    return CharacterSequence("".join(c for c in code[0] if c.isalnum()), case.numbers)


def _folded(case: FamilyCase) -> str:
    """N.W. as NW, P.O. as PO, D.C. as DC: they are one word; other initials stay."""
    known = {"ne", "nw", "se", "sw", "po", *case.pack.regions}
    joined = {apart: word for apart, word in initials(case.folded).items() if word in known}
    return together(case.folded, joined)


def _plus_four(tokens: Tokens, i: int, e: int) -> int:
    longer = tokens.char(e) == "-" and tokens.runs.get(e + 1, "").isdigit()
    return Doubt.LONGER if longer and len(tokens.runs.get(e + 1, "")) == 4 else 0


def _quarter(case: FamilyCase) -> Check:
    """ "5 Elm Street West" is another street; "west of the park" is not in its name."""
    words = case.pack.addresses
    directions = Phrases(words.directions)
    last = re.findall(r"[^\W\d_]+", case.folded)[-1:]

    def check(tokens: Tokens, i: int, e: int) -> int:
        if not any(name in words.streets for name in last):
            return 0
        place = e + (tokens.char(e) == ".")
        ends = directions.ends(tokens, place)
        return Doubt.REFUSED if any(tokens.runs.get(stop) not in case.pack.numbers.shares
                                for stop in ends) else 0  # fmt: skip

    return check


def _parts(head: str, case: FamilyCase) -> list[Pattern]:
    tokens = re.findall(r"\d+(?:st|nd|rd|th)\b|\d+|[^\W\d_]+(?:'[^\W\d_]+)*|[#&]", head)
    last = head.rstrip(", ")
    region = next((r for r in _regions(case.pack.language) if _ends_with(last, r)), None)
    if region is not None:
        tokens = tokens[: len(tokens) - len(region.split())]
    titled = {
        k: case.pack.addresses.short_titles.get(token) for k, token in enumerate(tokens[:2]) if k
    }
    parts = [_address_word(token, case, titled.get(k)) for k, token in enumerate(tokens)]
    if region is not None:
        parts.append(_region(region, case.pack))
    return parts


@lru_cache(maxsize=8)
def _regions(language: str) -> tuple[str, ...]:
    """Codes and names of regions, the longest first."""
    regions = load_pack(language).regions
    return tuple(sorted({*regions, *regions.values()}, key=len, reverse=True))


def _ends_with(text: str, name: str) -> bool:
    return text.endswith(name) and text[: -len(name)][-1:] in ("", " ", ",", "\t")


def _region(region: str, pack: Pack) -> Pattern:
    """Ohio = OH."""
    names = next((pair for pair in pack.regions.items() if region in pair), (region,))
    dotted = [".".join(n) + "." for n in names if len(n) == 2]
    return Phrases([*names, *dotted])


_NUMBER_SIGN = (
    "#", "number", "no", "no.", "pound sign", "hash", "apt", "apartment", "unit", "suite", "ste",
)  # fmt: skip


def _address_word(token: str, case: FamilyCase, title: str | None) -> Pattern:
    """A word and its equals; by its place "Dr." is Doctor or Drive."""
    if title is not None:
        return phrases(token, f"{token}.", title)
    if token == "#":
        return phrases(*_NUMBER_SIGN)
    plain = word(token, case, case.pack.address_words)
    short = next((s for s, long in case.pack.addresses.short_titles.items() if long == token), None)
    if short is not None:
        return plain | phrases(short, f"{short}.")
    if token == "po":
        return plain | phrases("post office", "p.o.")
    return plain
