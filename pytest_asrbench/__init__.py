"""Gate speech recognition in CI: pytest fails when values are no longer recoverable."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_asrbench.audio import Audio
    from pytest_asrbench.errors import (
        AsrBenchError,
        AudioError,
        AuthError,
        CallError,
        InputError,
        ProviderError,
        QuotaError,
        TransientError,
        VerifierError,
    )
    from pytest_asrbench.model import Clip, ClipRecord, Entity, Nearest, Transcript, Verdict
    from pytest_asrbench.providers.base import Description
    from pytest_asrbench.providers.registry import provider
    from pytest_asrbench.verifiers.base import Identity

__all__ = [
    "AsrBenchError",
    "Audio",
    "AudioError",
    "AuthError",
    "CallError",
    "Clip",
    "ClipRecord",
    "Description",
    "Entity",
    "Identity",
    "InputError",
    "Nearest",
    "ProviderError",
    "QuotaError",
    "Transcript",
    "TransientError",
    "Verdict",
    "VerifierError",
    "provider",
]

# pytest imports this package in every run, also where the plugin stays inactive: names load on use.
_HOMES = {
    "audio": ("Audio",),
    "errors": (
        "AsrBenchError",
        "AudioError",
        "AuthError",
        "CallError",
        "InputError",
        "ProviderError",
        "QuotaError",
        "TransientError",
        "VerifierError",
    ),
    "model": ("Clip", "ClipRecord", "Entity", "Nearest", "Transcript", "Verdict"),
    "providers.base": ("Description",),
    "providers.registry": ("provider",),
    "verifiers.base": ("Identity",),
}


def __getattr__(name: str) -> object:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
