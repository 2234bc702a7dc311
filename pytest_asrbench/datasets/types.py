"""The entity types: the 26 of VoiceCodeBench, and own types that behave like one of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from importlib.metadata import entry_points

from pytest_asrbench.errors import InputError

ENTITY_TYPES: tuple[str, ...] = (
    "email_address",
    "phone_number",
    "phone_extension",
    "person_or_team_name",
    "postal_address",
    "url",
    "ip_address",
    "port_number",
    "command",
    "cli_flag",
    "file_path",
    "environment_variable",
    "code_symbol",
    "version",
    "reference_id",
    "product_code",
    "account_or_record_number",
    "currency_amount",
    "percentage",
    "measurement",
    "plain_number",
    "date",
    "time",
    "acronym_or_initialism",
    "spelled_sequence",
    "domain_term",
)

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
    """What is wrong with a type's name; None where it may be used. See also :func:`remedy`."""
    known = [*ENTITY_TYPES, *types]
    if name in known:
        return None
    near = get_close_matches(name, known, n=1, cutoff=0.75)
    return f"unknown type {name!r}" + (f"; did you mean {near[0]}?" if near else "")


def remedy(types: Mapping[str, str]) -> str:
    """The known types, and how to declare another."""
    known = ", ".join([*ENTITY_TYPES, *types])
    return f"known types: {known}; declare your own: types: {{my_code: {{like: reference_id}}}}"


def declaration_fault(name: str, like: object) -> str | None:
    """What is wrong with an own type's declaration; None where it stands."""
    if name in ENTITY_TYPES:
        return f"type {name} is built in; give your own another name"
    if not RE_NAME.fullmatch(name):
        return f"type {name!r}: a name has letters, digits, _ and - only"
    if like not in ENTITY_TYPES:
        return f"type {name}: like: {like!r} is not known; one of {', '.join(ENTITY_TYPES)}"
    return None
