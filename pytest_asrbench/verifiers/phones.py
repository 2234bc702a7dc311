"""
National forms of telephone numbers that are given with their country code (ITU-T E.164).

The trunk prefixes are libphonenumber's, taken in by `tools/phones.py`.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).parent / "packs" / "phones" / "trunks.json"
_LONGEST_CODE = 3
_SHORTEST = 4
"""Digits behind the country code, at least."""


@cache
def _trunks() -> dict[str, str | list[list[str]]]:
    trunks: dict[str, str | list[list[str]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return trunks


def split(digits: str) -> tuple[str, str] | None:
    """Country code and the rest of an international number's digits; None where no country has it.

    >>> split("442079460958")
    ('44', '2079460958')
    """
    for size in range(1, _LONGEST_CODE + 1):
        code, rest = digits[:size], digits[size:]
        if code in _trunks() and len(rest) >= _SHORTEST:
            return code, rest
    return None


@cache
def national(digits: str) -> str | None:
    """The number as it is dialled inside its country: with the trunk prefix that it really uses.

    >>> national("442079460958"), national("390612345678"), national("14155550132")
    ('02079460958', '0612345678', '4155550132')
    """
    parts = split(digits)
    if parts is None:
        return None
    code, rest = parts
    trunk = _trunks()[code]
    return (trunk if isinstance(trunk, str) else _prefix(rest, trunk)) + rest


def _prefix(rest: str, forms: list[list[str]]) -> str:
    for whole, lead, prefix in forms:
        if re.fullmatch(whole, rest) and re.match(lead, rest):
            return prefix
    return ""
