"""Finds the stored transcripts of a configuration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from pytest_asrbench.errors import InputError
from pytest_asrbench.providers import registry
from pytest_asrbench.providers.base import Description
from pytest_asrbench.providers.entries import configuration
from pytest_asrbench.settings.config import Settings, resolve
from pytest_asrbench.store import Entry, TranscriptKey

MODES: Final[tuple[Literal["batch", "stream"], ...]] = ("batch", "stream")


@dataclass(frozen=True, slots=True)
class System:
    """Transcripts of a configuration in one mode, made while it was described in one way: what a
    replay needs whole."""

    name: str
    mode: str
    entries: Sequence[Entry]

    @property
    def latest(self) -> str:
        return max((entry.recorded_at for entry in self.entries), default="")

    @property
    def label(self) -> str:
        """`deepgram nova-3, version 2, batch`."""
        provider = self.entries[0].key.provider
        version = f"version {provider.version}" if provider.version else None
        return ", ".join(filter(None, (use_and_model(provider), version, self.mode)))


def systems(entries: Iterable[Entry], settings: Settings | None, name: str | None) -> list[System]:
    """Systems of the configuration `name`, by default of all that stored something; each once.

    What a configuration is now is preferred: a transcript keeps the name under which it was first
    stored, and a configuration may have been set back. Where it can't be told, as for code that
    only a conftest registers, any description stored under the name may be the one.
    """
    stored: dict[str, list[Entry]] = {}
    for entry in entries:
        stored.setdefault(entry.key.system, []).append(entry)
    names = [name] if name else sorted({name_of(e) for group in stored.values() for e in group})
    systems: dict[str, System] = {}
    for each in names:
        for mode in MODES:
            for system in _described(each, mode, stored, settings):
                named = [replace(entry, name=each) for entry in stored[system]]
                systems.setdefault(system, System(each, mode, in_order(named)))
    return [*systems.values()]


def name_of(entry: Entry) -> str:
    """The configuration that stored it."""
    return entry.name or entry.key.provider.use


def use_and_model(provider: Description) -> str:
    """`deepgram nova-3`."""
    return " ".join(filter(None, (provider.use, provider.model)))


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda e: (e.clip or "", e.key.language, e.key.repeat))


def settings_for(start: Path) -> Settings | None:
    """Settings that hold for a dataset's folder; None where it can't be told which are meant."""
    here = Path.cwd()
    try:
        return resolve(option={}, start=start.resolve(), invocation=here, rootdir=here)
    except InputError:
        return None


def _described(
    name: str,
    mode: Literal["batch", "stream"],
    stored: Mapping[str, Sequence[Entry]],
    settings: Settings | None,
) -> list[str]:
    """The systems in `stored` that the configuration may be: by what it is, by its name, and as
    all that was stored may have been under another name, by what it uses."""
    now = settings and _description(settings, name, mode)
    if now and (system := TranscriptKey("", now, mode, "").system) in stored:
        return [system]
    same = {system: group for system, group in stored.items() if group[0].key.mode == mode}
    named = [s for s, group in same.items() if any(name_of(entry) == name for entry in group)]
    if named or now or not settings:
        return named
    use = configuration(settings, name).use
    return [s for s, group in same.items() if group[0].key.provider.use == use]


def _description(
    settings: Settings, name: str, mode: Literal["batch", "stream"]
) -> Description | None:
    try:
        wanted = replace(configuration(settings, name), mode=mode)
        return registry.create(wanted, settings.providers, replay=True).describe()
    except Exception:  # it may be a user's code, whatever it is
        return None
