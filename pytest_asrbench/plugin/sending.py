"""
The payload that a worker sends. A value that execnet can't serialise, or a lone surrogate, kills
it, and pytest can then end with exit code 0: so reports travel as plain values and well-formed
text.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest


def well_formed(text: str) -> str:
    """The text as a plain str, each lone surrogate as its escape: `\\udcff`."""
    return str(text).encode("utf-8", "backslashreplace").decode("utf-8")


def plain(value: Any) -> Any:
    """The value in types that execnet knows; whatever else it is becomes text."""
    if value is None or isinstance(value, bool | bytes):
        return value
    for kind in (int, float):
        if isinstance(value, kind):  # numpy's float64 and an IntEnum are such
            return kind(value)
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, dict):
        return {plain(key): plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [plain(part) for part in value]
    if isinstance(value, tuple):
        return tuple(plain(part) for part in value)
    return well_formed(str(value))


class Sending:
    """In a worker: makes every report safe to send."""

    @pytest.hookimpl(wrapper=True)
    def pytest_report_to_serializable(self) -> Generator[None, Any, Any]:
        return plain((yield))
