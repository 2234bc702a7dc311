"""The entity types: the 26 of VoiceCodeBench, and custom types that behave like one of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from enum import StrEnum
from importlib.metadata import entry_points

from pytest_asrbench.errors import InputError


class TypeKind(StrEnum):
    """A kind of entity types: how values of it are said, and by what they are told apart."""

    CHARACTERS = "characters"  # letters and digits in order; signs are formatting
    SYMBOLS = "symbols"  # signs count: addresses, code
    VERSION = "version"
    WORDS = "words"
    QUANTITY = "quantity"  # what is said in another way is the same: numbers, dates


ENTITY_TYPES: Mapping[str, TypeKind] = {
    "email_address": TypeKind.SYMBOLS,
    "phone_number": TypeKind.CHARACTERS,
    "phone_extension": TypeKind.CHARACTERS,
    "person_or_team_name": TypeKind.WORDS,
    "postal_address": TypeKind.WORDS,
    "url": TypeKind.SYMBOLS,
    "ip_address": TypeKind.SYMBOLS,
    "port_number": TypeKind.CHARACTERS,
    "command": TypeKind.SYMBOLS,
    "cli_flag": TypeKind.SYMBOLS,
    "file_path": TypeKind.SYMBOLS,
    "environment_variable": TypeKind.SYMBOLS,
    "code_symbol": TypeKind.SYMBOLS,
    "version": TypeKind.VERSION,
    "reference_id": TypeKind.CHARACTERS,
    "product_code": TypeKind.CHARACTERS,
    "account_or_record_number": TypeKind.CHARACTERS,
    "currency_amount": TypeKind.QUANTITY,
    "percentage": TypeKind.QUANTITY,
    "measurement": TypeKind.QUANTITY,
    "plain_number": TypeKind.QUANTITY,
    "date": TypeKind.QUANTITY,
    "time": TypeKind.QUANTITY,
    "acronym_or_initialism": TypeKind.CHARACTERS,
    "spelled_sequence": TypeKind.CHARACTERS,
    "domain_term": TypeKind.WORDS,
}
"""Each type and its kind: languages, proposals and checks go by the kind."""


def of_kind(kind: TypeKind) -> frozenset[str]:
    """The types of one kind."""
    return frozenset(name for name, its in ENTITY_TYPES.items() if its is kind)


TRIED: Mapping[str, str] = {
    "order_id": "reference_id", "order_number": "reference_id", "booking_id": "reference_id",
    "confirmation_number": "reference_id", "confirmation_code": "reference_id",
    "ticket_number": "reference_id", "tracking_number": "reference_id", "code": "reference_id",
    "id": "reference_id", "person_name": "person_or_team_name", "name": "person_or_team_name",
    "full_name": "person_or_team_name", "first_name": "person_or_team_name",
    "last_name": "person_or_team_name", "person": "person_or_team_name",
    "amount": "currency_amount", "money": "currency_amount", "price": "currency_amount",
    "currency": "currency_amount", "email": "email_address", "mail": "email_address",
    "phone": "phone_number", "telephone": "phone_number", "address": "postal_address",
    "street_address": "postal_address", "account_number": "account_or_record_number",
    "account": "account_or_record_number", "number": "plain_number", "percent": "percentage",
    "website": "url", "link": "url", "ip": "ip_address", "port": "port_number",
    "extension": "phone_extension", "unit": "measurement", "dose": "measurement",
    "sku": "product_code", "part_number": "product_code", "acronym": "acronym_or_initialism",
    "spelling": "spelled_sequence", "term": "domain_term", "path": "file_path",
    "flag": "cli_flag", "env_var": "environment_variable",
}  # fmt: skip
"""Names that people try -> the type that they mean."""

GROUP = "pytest_asrbench.entity_types"
"""Entry points of other packages: type -> the built-in one that it is like."""
RE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def installed_types() -> dict[str, str]:
    """Types that installed packages declare, and what each is like. Raises InputError."""
    types = {point.name: point.value for point in entry_points(group=GROUP)}
    for name, like in types.items():
        if fault := declaration_fault(name, like):
            raise InputError(f"entry point of {GROUP}: {fault}")
    return types


def base_type(name: str, types: Mapping[str, str]) -> str:
    """The known type that `name` behaves like; itself where it is known. Raises KeyError."""
    return name if name in ENTITY_TYPES else types[name]


def type_fault(name: str, types: Mapping[str, str]) -> str | None:
    """The fault of a type's name; None where it may be used. See also :func:`remedy`."""
    known = [*ENTITY_TYPES, *types]
    if name in known:
        return None
    near = [TRIED[name.lower()]] if name.lower() in TRIED else []
    near = near or get_close_matches(name, known, n=1, cutoff=0.75)
    return f"unknown type {name!r}" + (f"; did you mean {near[0]}?" if near else "")


def remedy(types: Mapping[str, str]) -> str:
    """The known types, and how to declare another."""
    known = ", ".join([*ENTITY_TYPES, *types])
    return f"known types: {known}; declare your own: types: {{my_code: {{like: reference_id}}}}"


def declaration_fault(name: str, like: object) -> str | None:
    """The fault of a custom type's declaration; None where it stands."""
    if name in ENTITY_TYPES:
        return f"type {name} is built in; give your own another name"
    if not RE_NAME.fullmatch(name):
        return f"type {name!r}: a name has letters, digits, _ and - only"
    if not isinstance(like, str) or like not in ENTITY_TYPES:
        return f"type {name}: like: {like!r} is not known; one of {', '.join(ENTITY_TYPES)}"
    return None
