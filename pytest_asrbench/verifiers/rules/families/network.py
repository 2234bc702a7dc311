"""URLs and IP addresses (rules 7, 20, 36, 38)."""

from __future__ import annotations

import re

from pytest_asrbench.verifiers.rules import said
from pytest_asrbench.verifiers.rules.alignment import CODE
from pytest_asrbench.verifiers.rules.boundaries import Code
from pytest_asrbench.verifiers.rules.casing import bearing, cased
from pytest_asrbench.verifiers.rules.family import FamilyCase, FamilyReading, family
from pytest_asrbench.verifiers.rules.separators import code

_SPOKEN = frozenset({"dot", "dash", "hyphen", "underscore", "slash", "forward", "colon"})
_HOST = re.compile(r"^(?:[a-z][a-z0-9+.-]*://)?[^/]*", re.IGNORECASE)


@family("url", aligned=CODE, written=said.machine("."))
def url(case: FamilyCase) -> list[FamilyReading]:
    """Scheme, host, port, path and query as in the value; casing only in the path."""
    host = _HOST.match(case.text)
    end = host.end() if host else 0
    boundaries = Code(
        case.numbers, "-_./:@?&=#%~", _SPOKEN, frozenset({"slash", "colon", ":"}), doubtful=":"
    )
    if bearing(case) and end < len(case.text):
        pattern = code(case.folded[:end], case.numbers) + cased(case.text[end:], case.numbers)
    else:
        pattern = code(case.folded, case.numbers, respelled=True)
    return [FamilyReading("address", pattern, boundaries, (7, 9, 20, 36, 38))]


@family("ip_address", aligned=CODE, written=said.machine(".", ":"))
def ip(case: FamilyCase) -> list[FamilyReading]:
    """Octets as numbers, every dot and colon shown."""
    boundaries = Code(
        case.numbers, ".:/-", frozenset({"dot", "slash", "colon", "point"}),
        frozenset({"slash", "colon", "/", ":", "-"}), doubtful=":",
    )  # fmt: skip
    return [FamilyReading("address", code(case.folded, case.numbers), boundaries, (7, 10, 36, 38))]
