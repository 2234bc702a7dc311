"""
Values that can't be: what no form of their type says (`date=2026-13-45`, `phone_number=banana`).

Told where a value enters a dataset, by `asrbench add` and `asrbench lint`.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Mapping
from ipaddress import ip_address, ip_interface

from pytest_asrbench.datasets.types import TypeKind, of_kind
from pytest_asrbench.verifiers.rules.families.calendar import parse_date
from pytest_asrbench.verifiers.rules.family import Family, FamilyCase

_FEWEST_DIGITS = 3
_MOST_DIGITS = 15
"""Of an international number, country code included (ITU-T E.164)."""
_PORTS = 65535
_RE_MAIL = re.compile(r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+")
_RE_HOST = re.compile(r"\S*(?:\.\S|://\S|localhost)\S*")
_RE_PORT = re.compile(r"(?:port\W+)?(\d+)")


def fault(case: FamilyCase, kind: str, family: Family) -> str | None:
    """The reason why the value can't be one of its type; None where it can, or where nothing is
    known."""
    said = list(family.written(case)) if family.written else []
    if kind in _READ:
        read = any(reading.look is not None for reading in family.make(case)) or said
        return None if read and not _no_day(case, kind) else _READ[kind]
    check = _CHECKS.get(kind)
    if check is None or said:
        return None
    return check(case.folded)


def vacuous(case: FamilyCase) -> str | None:
    """The little that a value of one letter or digit would prove; None for a longer one."""
    plain = [c for c in case.folded if c.isalnum()]
    if len(plain) != 1:
        return None
    what = "digit" if plain[0].isdigit() else "letter"
    return f"one {what}: it is recovered by chance wherever that is said"


_READ: Mapping[str, str] = {
    "date": "is no date, quarter or day of the week",
    "time": "is no clock time",
    "currency_amount": "is no amount with its currency",
    "percentage": "is no percentage",
    "measurement": "is no number with its unit",
    "plain_number": "is no number",
}
"""Types whose values are read whole -> what a value is that can't be read."""


def _no_day(case: FamilyCase, kind: str) -> bool:
    """February 30."""
    date = parse_date(case.folded, case.pack) if kind == "date" else None
    if date is None or not (date.month and date.day):
        return False
    year = int(date.year) if date.year.isdigit() and int(date.year) else 2024
    return date.day > monthrange(year, date.month)[1]


def _phone(text: str) -> str | None:
    digits = sum(c.isdigit() for c in text)
    if digits < _FEWEST_DIGITS:
        return "has no digits" if not digits else "has too few digits"
    extension = re.search(r"x|ext", text)
    return "has too many digits" if digits > _MOST_DIGITS and not extension else None


def _digits(text: str) -> str | None:
    return None if any(c.isdigit() for c in text) else "has no digits"


def _port(text: str) -> str | None:
    match = _RE_PORT.fullmatch(text)
    fits = match is not None and 0 < int(match[1]) <= _PORTS
    return None if fits else f"is no port (1 to {_PORTS})"


def _mail(text: str) -> str | None:
    return None if _RE_MAIL.fullmatch(text) else "is no e-mail address (name@host.domain)"


def _host(text: str) -> str | None:
    return None if _RE_HOST.fullmatch(text) else "is no web address (a host with a dot)"


def _address(text: str) -> str | None:
    bare = re.sub(r":\d+$", "", text) if text.count(":") == 1 else text.strip("[]")
    for parse in (ip_address, ip_interface):
        try:
            parse(bare)
        except ValueError:
            continue
        return None
    return "is no IP address"


def _letters(text: str) -> str | None:
    return None if any(c.isalnum() for c in text) else "has neither letters nor digits"


_CHECKS: Mapping[str, Callable[[str], str | None]] = {
    **dict.fromkeys(of_kind(TypeKind.CHARACTERS), _letters),
    "phone_number": _phone,
    "phone_extension": _digits,
    "port_number": _port,
    "version": _digits,
    "email_address": _mail,
    "url": _host,
    "ip_address": _address,
}
