"""The needs of a provider before its first call, and whether they are met."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from pytest_asrbench.errors import InputError
from pytest_asrbench.providers.secrets import replaying

# The module that tells whether an extra is installed.
EXTRAS: Mapping[str, str] = {
    "faster-whisper": "faster_whisper",
    "google": "google.auth",
    "google-stream": "google.cloud.speech_v2",
    "livekit": "livekit.agents",
    "moonshine": "moonshine_voice",
    "nemo": "nemo",
    "onnx-asr": "onnx_asr",
    "pipecat": "pipecat",
    "nvidia": "riva.client",
    "pocketsphinx": "pocketsphinx",
    "pywhispercpp": "pywhispercpp",
    "sherpa-onnx": "sherpa_onnx",
    "stream": "websockets",
    "transformers": "transformers",
    "vosk": "vosk",
    "wyoming": "wyoming",
}


@dataclass(frozen=True, slots=True)
class Need:
    """A variable, an extra or a setting, in the user's words."""

    text: str
    met: bool


def variable(name: str) -> Need:
    """An environment variable that is set."""
    return Need(name, bool(os.environ.get(name, "").strip()))


def extra(name: str) -> Need:
    """An installed extra, `[stream]`."""
    return Need(f"[{name}]", _installed(EXTRAS[name]))


def either(*needs: Need) -> Need:
    """One of these is enough."""
    return Need(" or ".join(need.text for need in needs), any(need.met for need in needs))


def need_extra(name: str, use: str) -> None:
    """Raises InputError where the extra is missing; replaying needs none."""
    if not extra(name).met and not replaying():
        raise InputError(
            f"provider {use}: a package is missing; pip install 'pytest-asrbench[{name}]'"
        )


def needs(target: Any) -> list[Need]:
    """Packages, keys and programs that a provider class needs, beside a server that answers."""
    if hasattr(target, "needs"):
        own: list[Need] = target.needs()
        return own
    needs = [Need(f"{name}:", False) for name in _settings(target)]
    if key := getattr(target, "KEY", None):
        needs.append(variable(key))
    if package := getattr(target, "EXTRA", None):
        needs.append(extra(package))
    return needs


def _settings(target: Any) -> list[str]:
    """Options without a default."""
    parameters = inspect.signature(target).parameters.values()
    missing = [p.name for p in parameters if p.default is p.empty]
    missing += ["base_url"] * (getattr(target, "BASE_URL", "") is None)
    missing += ["model"] * (getattr(target, "NEEDS_MODEL", False) and target.MODEL is None)
    return missing


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ModuleNotFoundError, ValueError):  # the package around it, or a module set to None
        return False
