"""
The payload of a test report, for the controller: one JSON string, ASCII, of what a test measured.
"""

from __future__ import annotations

import json
from typing import Any, Final

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
