"""From an entry under `providers:` to a provider's configuration."""

from __future__ import annotations

from pytest_asrbench.providers.base import Configuration, Limits
from pytest_asrbench.settings.config import Settings
from pytest_asrbench.settings.file import LIMITS


def configuration(settings: Settings, name: str) -> Configuration:
    """The configuration of that name; a name without an entry is used with its defaults."""
    entry = settings.providers.get(name)
    if entry is None:
        return Configuration(name, use=name, folder=settings.folder, mode=settings.mode)
    options = {k: v for k, v in entry.items() if k not in ("use", "isolate", *LIMITS)}
    limits = Limits(**{k: v for k, v in entry.items() if k in LIMITS})
    folder = settings.file.parent if settings.file else settings.folder
    return Configuration(
        name, entry["use"], options, folder, limits, settings.mode, "isolate" in entry
    )
