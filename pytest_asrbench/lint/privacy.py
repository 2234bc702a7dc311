"""
Values that look like a real person's: such data does not belong in a repository.

Fictional ones are free: telephone numbers 555-0100 to 555-0199 and domains set aside by RFC 2606.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pytest_asrbench.datasets.types import base_type
from pytest_asrbench.lint.finding import Finding, warning
from pytest_asrbench.model import Clip, Entity

RE_EMAIL = re.compile(r"[\w.+-]+@([\w-]+(?:\.[\w-]+)+)")
RE_PHONE = re.compile(r"(?<![\d.-])\+?(?:\d[ ().-]{0,2}){9,14}\d(?![\d-])")
RE_FICTIONAL = re.compile(r"(?:^|\d)55501\d\d$")
RE_CARD = re.compile(r"(?<!\d)(?:\d[ -]?){12,18}\d(?!\d)")
MAX_PHONE = 12  # digits, country code included
SAFE_DOMAINS = ("example.com", "example.org", "example.net", "example.edu")
SAFE_ENDINGS = ("example", "test", "invalid", "localhost")


def personal(clip: Clip, types: Mapping[str, str]) -> Iterator[Finding]:
    """Telephone numbers, mail addresses and payment cards that may be somebody's."""
    told: set[str] = set()
    for entity in clip.entities:
        kind = base_type(entity.type, types)
        for what in _suspicions(entity.canonical, phone=kind == "phone_number"):
            told.add(what)
            yield _finding(clip, what, entity)
    for what in _suspicions(clip.reference, phone=False):
        if what not in told:
            yield _finding(clip, what, None)


def _finding(clip: Clip, what: str, entity: Entity | None) -> Finding:
    return warning("personal", f"{what}; use a fictional one", clip, entity)


def _suspicions(text: str, *, phone: bool) -> Iterator[str]:
    for mail in RE_EMAIL.finditer(text):
        if not _safe_domain(mail[1]):
            yield f"{mail[0]!r} may be a real mail address (not at example.com)"
    if phone and not _fictional(text):
        yield f"{text!r} may be a real telephone number (not 555-01xx)"
    elif not phone:
        yield from _numbers(text)


def _numbers(text: str) -> Iterator[str]:
    """Numbers in running text: only what is written like a telephone number or a card."""
    for number in RE_CARD.finditer(text):
        if _luhn(_digits(number[0])):
            yield f"{number[0]!r} may be a real payment card (its check digit is right)"
    for number in RE_PHONE.finditer(RE_CARD.sub(" ", text)):
        written = re.search(r"[ ().-]|^\+", number[0])
        if written and len(_digits(number[0])) <= MAX_PHONE and not _fictional(number[0]):
            yield f"{number[0]!r} may be a real telephone number (not 555-01xx)"


def _safe_domain(domain: str) -> bool:
    name = domain.casefold().rstrip(".")
    return name.rsplit(".", 1)[-1] in SAFE_ENDINGS or any(
        name == safe or name.endswith(f".{safe}") for safe in SAFE_DOMAINS
    )


def _fictional(phone: str) -> bool:
    """555-01xx, or too short to reach anybody."""
    digits = _digits(phone)
    return bool(RE_FICTIONAL.search(digits)) or len(digits) < 7


def _digits(text: str) -> str:
    return "".join(character for character in text if character in "0123456789")


def _luhn(digits: str) -> bool:
    doubled = [int(d) * (1 + at % 2) for at, d in enumerate(reversed(digits))]
    return len(set(digits)) > 1 and sum(n - 9 * (n > 9) for n in doubled) % 10 == 0
