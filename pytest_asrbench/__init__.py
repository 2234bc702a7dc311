"""Gate speech recognition in CI: pytest fails when values are no longer recoverable.

What is listed here is public (docs/api.md); the rest may change in any version.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_asrbench.audio import Audio
    from pytest_asrbench.datasets.load import load
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
    from pytest_asrbench.model import (
        Clip,
        ClipRecord,
        Dataset,
        Difference,
        Entity,
        Nearest,
        Outcome,
        Transcript,
        Verdict,
    )
    from pytest_asrbench.providers.base import Description, Frames, Provider, Streaming
    from pytest_asrbench.providers.registry import provider
    from pytest_asrbench.reports.schema import run_schema
    from pytest_asrbench.run.build import Run
    from pytest_asrbench.run.file import read as read_run
    from pytest_asrbench.verifiers.base import Identity, Judgement, Verifier
    from pytest_asrbench.verifiers.values import judge

__all__ = [
    "AsrBenchError",
    "Audio",
    "AudioError",
    "AuthError",
    "CallError",
    "Clip",
    "ClipRecord",
    "Dataset",
    "Description",
    "Difference",
    "Entity",
    "Frames",
    "Identity",
    "InputError",
    "Judgement",
    "Nearest",
    "Outcome",
    "Provider",
    "ProviderError",
    "QuotaError",
    "Run",
    "Streaming",
    "Transcript",
    "TransientError",
    "Verdict",
    "Verifier",
    "VerifierError",
    "judge",
    "load",
    "provider",
    "read_run",
    "run_schema",
]

# pytest imports this package in every run, also where the plugin stays inactive: names load on use.
_HOMES = {
    "audio": ("Audio",),
    "datasets.load": ("load",),
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
    "model": (
        "Clip",
        "ClipRecord",
        "Dataset",
        "Difference",
        "Entity",
        "Nearest",
        "Outcome",
        "Transcript",
        "Verdict",
    ),
    "providers.base": ("Description", "Frames", "Provider", "Streaming"),
    "providers.registry": ("provider",),
    "reports.schema": ("run_schema",),
    "run.build": ("Run",),
    "run.file": ("read_run",),
    "verifiers.base": ("Identity", "Judgement", "Verifier"),
    "verifiers.values": ("judge",),
}
_NAMES = {"read_run": "read"}  # of those that are called otherwise at home


def __getattr__(name: str) -> object:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), _NAMES.get(name, name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
