"""Phone numbers in their national and international forms (rules 19, 51)."""

from __future__ import annotations

from typing import Final

from pytest_asrbench.verifiers.packs.pack import Pack
from pytest_asrbench.verifiers.rules import ambiguity as d

TRUNK: Final = {
    "44": "0", "33": "0", "49": "0", "43": "0", "41": "0", "81": "0", "90": "0", "84": "0",
    "55": "0", "91": "0", "32": "0", "31": "0", "61": "0", "86": "0", "62": "0", "63": "0",
}  # fmt: skip
"""Country code -> the trunk prefix that a national form has there; none elsewhere."""
_CODES: Final = frozenset({*TRUNK, "1", "34", "52", "39", "351", "352", "353", "48", "420"})


def national(text: str, pack: Pack, region: str) -> list[tuple[str, int]]:
    """Digits that carry the number, each with its doubts."""
    digits = "".join(c for c in text if c.isdigit())
    if text.strip().startswith("+"):
        return [(digits, 0), ("00" + digits, 0), *_national(digits)]
    found = [(digits, 0)]
    phones = pack.addresses.phones
    code, trunk = phones.get(region) or phones.get("", ("", ""))
    if not code:
        return found
    if trunk and digits.startswith(trunk):
        inside = digits.removeprefix(trunk)
        return [*found, (code + inside, 0), ("00" + code + inside, 0)]
    return [*found, (code + digits, 0), ("00" + code + digits, 0)]


def _national(digits: str) -> list[tuple[str, int]]:
    """Of an international form: without the country code, under its trunk prefix."""
    for length in (1, 2, 3):
        code = digits[:length]
        if code in _CODES:
            return [(TRUNK.get(code, "") + digits[length:], d.OTHERWISE)]
    return []
