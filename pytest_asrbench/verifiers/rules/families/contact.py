"""E-mail addresses (rules 7, 21). Phones are identifiers, addresses are lexical."""

from __future__ import annotations

from pytest_asrbench.verifiers.rules import said
from pytest_asrbench.verifiers.rules.alignment import CODE
from pytest_asrbench.verifiers.rules.boundaries import Code
from pytest_asrbench.verifiers.rules.family import FamilyCase, FamilyReading, family
from pytest_asrbench.verifiers.rules.separators import code

_SPOKEN = frozenset({"dot", "dash", "hyphen", "underscore", "at", "plus"})


@family("email_address", aligned=CODE, written=said.machine("@"))
def email(case: FamilyCase) -> list[FamilyReading]:
    """Every separator as in the value, written or spoken; casing never counts (rules 7, 9, 21)."""
    boundaries = Code(case.numbers, "-_.@+", _SPOKEN, frozenset({"at", "plus"}))
    return [
        FamilyReading(
            "address", code(case.folded, case.numbers, respelled=True), boundaries, (7, 9, 21, 49)
        )
    ]
