"""Separators that are described, not read out, where that leaves no doubt (rule 35)."""

from __future__ import annotations

import re

from pytest_asrbench.verifiers.rules.ambiguity import Doubt
from pytest_asrbench.verifiers.rules.casing import bearing, cased
from pytest_asrbench.verifiers.rules.family import FamilyCase
from pytest_asrbench.verifiers.rules.pattern import Doubtful, Pattern, Phrases, maybe, phrases
from pytest_asrbench.verifiers.rules.separators import Skip, code, parts

_BETWEEN = (
    "between", "in between", "between them", "between the words", "between the two words",
    "between the two", "between each word", "in the middle",
)  # fmt: skip


def dashes_in_front(case: FamilyCase) -> Pattern | None:
    """Dry-run with two dashes in front."""
    dashes = re.match(r"--?(?=\w)", case.folded)
    if dashes is None:
        return None
    count = (
        ("one", "a", "1", "single") if len(dashes[0]) == 1 else ("two", "double", "a double", "2")
    )
    names = ("dashes", "hyphens", "dash", "hyphen")
    ends = [
        f"{link} {number} {name}"
        for link in ("with", "and", "preceded by", "after")
        for number in count
        for name in names
    ]
    place = maybe(phrases("in front", "in front of it", "before it", "at the front", "first"))
    plain = code(case.folded[len(dashes[0]) :], case.numbers)
    return Doubtful(plain + maybe(phrases(",")) + phrases(*ends) + place, Doubt.DESCRIBED)


def signs_between(case: FamilyCase) -> Pattern | None:
    """Redis url, all caps, with an underscore between."""
    pieces = parts(case.folded)
    inner = {part.text for part in pieces[1::2]}
    words = " ".join(part.text for part in pieces[::2])
    if len(inner) != 1 or len(pieces) % 2 == 0 or any(p.kind == "sign" for p in pieces[::2]):
        return None
    told = _told(inner.pop(), len(pieces) > 3, case)
    if told is None:
        return None
    skip, plain = Skip(case.pack), code(words, case.numbers)
    if not bearing(case):
        return Doubtful(plain + skip + told, Doubt.DESCRIBED)
    shown = cased(re.sub(r"[^\w\s]|_", " ", case.text), case.numbers) + skip + told
    if case.text != case.text.upper():
        return Doubtful(shown, Doubt.DESCRIBED)
    caps = Phrases(name for name in case.pack.all_caps if name != "capital")
    later = plain + skip + ((caps + skip + told) | (told + skip + caps))
    return Doubtful(shown | later | (caps + skip + plain + skip + told), Doubt.DESCRIBED)


def _told(sign: str, several: bool, case: FamilyCase) -> Pattern | None:
    """With an underscore between, joined by underscores."""
    if several:
        amounts = list(case.pack.plural_separators.get(sign, ()))
    else:
        names = case.pack.separators.get(sign, ())
        amounts = [f"{article} {name}" for name in names for article in ("a", "an", "one")]
    joined = [f"{how} {amount}" for how in ("joined by", "separated by") for amount in amounts]
    placed = [f"with {amount} {place}" for amount in amounts for place in _BETWEEN]
    return Phrases([*joined, *placed]) if amounts else None
