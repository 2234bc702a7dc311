"""
The payload that a worker sends to the controller.

Of a test one JSON string, ASCII, of what it measured. A value that execnet can't serialise, or a
lone surrogate, kills the worker, and pytest can then end with exit code 0: so all reports travel as
plain values and well-formed text.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from typing import Any, Final

import pytest

from pytest_asrbench.plugin.session import MeasuredClip

PAYLOAD: Final = "asr_payload"
"""The report's attribute; a crash report lacks it."""


def dumps(measured: MeasuredClip) -> str:
    """`default=str`: a provider may describe itself with a Path."""
    from pytest_asrbench.run import record_to_json  # in a worker, once it has called

    data = {
        "records": [record_to_json(record) for record in measured.records],
        "provider": measured.provider.to_json() if measured.provider else None,
        "verifier": measured.verifier.to_json() if measured.verifier else None,
    }
    return json.dumps(data, ensure_ascii=True, default=str)


def loads(text: str) -> MeasuredClip:
    """The inverse of :func:`dumps`."""
    from pytest_asrbench.run import ProviderInfo, VerifierInfo, record_from_json

    data: dict[str, Any] = json.loads(text)
    return MeasuredClip(
        records=tuple(map(record_from_json, data["records"])),
        provider=ProviderInfo(**data["provider"]) if data["provider"] else None,
        verifier=VerifierInfo(**data["verifier"]) if data["verifier"] else None,
    )


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
