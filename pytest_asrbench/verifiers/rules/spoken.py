"""The spoken form itself: word for word it is always evidence (rule 32)."""

from __future__ import annotations

from pytest_asrbench.verifiers.rules.casing import bearing
from pytest_asrbench.verifiers.rules.family import Case, Reading
from pytest_asrbench.verifiers.rules.pattern import Pattern, maybe, phrases, sequence
from pytest_asrbench.verifiers.rules.sequences import Digits
from pytest_asrbench.verifiers.rules.signs import Part, Sign, Skip, Spelled, parts
from pytest_asrbench.verifiers.rules.tape import tape


def verbatim(case: Case) -> Pattern | None:
    """The spoken form's words in order, its separators and numbers written or spoken."""
    pieces: list[Pattern] = []
    flat = tape(case.spoken)
    place = 0
    while place < len(flat):
        run = flat.runs.get(place)
        if run is None:
            place += 1
            continue
        pieces.append(_word(run, case))
        place += len(run)
    if not pieces:
        return None
    link = Skip(case.pack) + maybe(phrases("-", "'", "."))
    return sequence([p for piece in pieces for p in (link, piece)][1:])


def _word(run: str, case: Case) -> Pattern:
    word = Spelled(run, case.pack) if run.isalpha() else Digits(run, case.numbers)
    sign = next((s for s, names in case.pack.separators.items() if run in names), None)
    if sign is None or run in ("and", "at", "quote"):
        return word
    return word | Sign(sign, 1, case.pack)


def reading(case: Case, like: Reading) -> Reading | None:
    """The spoken form under the boundaries of the type."""
    pattern = verbatim(case)
    if pattern is None:
        return None
    return Reading("spoken form, word for word", pattern, like.edges, (32,))


__all__ = ["Part", "bearing", "parts", "reading", "verbatim"]
