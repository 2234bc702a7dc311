"""Postal addresses: every part, abbreviated or not (rules 18, 39, 40)."""

from __future__ import annotations

import re

from pytest_asrbench.verifiers.packs import Pack
from pytest_asrbench.verifiers.rules import doubts as d
from pytest_asrbench.verifiers.rules.alignment import ADDRESS
from pytest_asrbench.verifiers.rules.edges import Words
from pytest_asrbench.verifiers.rules.families.lexical import between, initials, together, word
from pytest_asrbench.verifiers.rules.family import Case, Reading, family
from pytest_asrbench.verifiers.rules.pattern import (
    Pattern,
    Phrases,
    choice,
    maybe,
    phrases,
    sequence,
)
from pytest_asrbench.verifiers.rules.sequences import Digits
from pytest_asrbench.verifiers.rules.tape import Tape

_ZIP = re.compile(r"\b(\d{5})(?:-(\d{4}))?$")
_ZIP_NAMES = ("zip", "zip is", "zip code", "zip code is", "postal code", "postal code is")


@family("postal_address", aligned=ADDRESS)
def postal_address(case: Case) -> list[Reading]:
    """Every part; postal abbreviations and state names are equal both ways (rule 18)."""
    forms = dict.fromkeys((case.folded, _folded(case)))
    pattern = choice(_in_order(form.rstrip(". "), case) for form in forms)
    return [Reading("parts", pattern, Words(case.numbers), (10, 12, 18, 39)).only(_plus_four)]


def _in_order(text: str, case: Case) -> Pattern:
    zip_code = _ZIP.search(text)
    head = text[: zip_code.start()] if zip_code else text
    pieces = _parts(head, case)
    if zip_code:
        pieces.append(
            maybe(Phrases(f"{name}{verb}" for name in _ZIP_NAMES for verb in ("", " is")))
        )
        digits = "".join(group for group in zip_code.groups() if group)
        pieces.append(Digits(digits, case.numbers, dashed=True))
    link = between(case.pack) + maybe(phrases("in", "#", "number", "no."))
    return sequence([p for piece in pieces for p in (link, piece)][1:])


def _folded(case: Case) -> str:
    """N.W. as NW, P.O. as PO, D.C. as DC: they are one word; other initials stay."""
    known = {"ne", "nw", "se", "sw", "po", *case.pack.regions}
    joined = {apart: word for apart, word in initials(case.folded).items() if word in known}
    return together(case.folded, joined)


def _plus_four(tape: Tape, i: int, e: int) -> int:
    longer = tape.char(e) == "-" and tape.runs.get(e + 1, "").isdigit()
    return d.LONGER if longer and len(tape.runs.get(e + 1, "")) == 4 else 0


def _parts(head: str, case: Case) -> list[Pattern]:
    tokens = re.findall(r"\d+(?:st|nd|rd|th)\b|\d+|[^\W\d_]+(?:'[^\W\d_]+)*|[#&]", head)
    last = head.rstrip(", ")
    region = next((r for r in sorted(_regions(case.pack), key=len, reverse=True)
                   if re.search(rf"(?:^|[\s,]){re.escape(r)}$", last)), None)  # fmt: skip
    if region is not None:
        tokens = tokens[: len(tokens) - len(region.split())]
    found = [_address_word(token, case) for token in tokens]
    if region is not None:
        found.append(_region(region, case.pack))
    return found


def _regions(pack: Pack) -> set[str]:
    return {*pack.regions, *pack.regions.values()}


def _region(region: str, pack: Pack) -> Pattern:
    """Ohio = OH."""
    names = next((pair for pair in pack.regions.items() if region in pair), (region,))
    dotted = [".".join(n) + "." for n in names if len(n) == 2]
    return Phrases([*names, *dotted])


_NUMBER_SIGN = (
    "#", "number", "no", "no.", "pound sign", "hash", "apt", "apartment", "unit", "suite", "ste",
)  # fmt: skip


def _address_word(token: str, case: Case) -> Pattern:
    if token == "#":
        return phrases(*_NUMBER_SIGN)
    plain = word(token, case, case.pack.address_words)
    if token == "po":
        return plain | phrases("post office", "p.o.")
    return plain
