"""Phone numbers in their national and international forms (rules 19, 51)."""

from __future__ import annotations

from pytest_asrbench.verifiers import phones
from pytest_asrbench.verifiers.packs.pack import Pack
from pytest_asrbench.verifiers.rules.ambiguity import Doubt


def forms(text: str, pack: Pack, region: str) -> list[tuple[str, int]]:
    """Digits that carry the number, each with its doubts."""
    digits = "".join(c for c in text if c.isdigit())
    if text.strip().startswith("+"):
        inside = phones.national(digits)
        forms = [(digits, 0), ("00" + digits, 0)]
        return [*forms, (inside, Doubt.OTHERWISE)] if inside else forms
    country = pack.addresses.phones.get(region) or pack.addresses.phones.get("", ("", ""))
    code, trunk = country
    if not code:
        return [(digits, 0)]
    abroad = code + (digits.removeprefix(trunk) if trunk else digits)
    return [(digits, 0), (abroad, 0), ("00" + abroad, 0)]
