"""Which stored transcripts are those of a configuration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from pytest_asrbench.config import Settings, resolve
from pytest_asrbench.errors import AsrBenchError, InputError
from pytest_asrbench.providers import registry
from pytest_asrbench.providers.base import Description
from pytest_asrbench.providers.entries import configuration
from pytest_asrbench.store import Entry, TranscriptKey

MODES: Final[tuple[Literal["batch", "stream"], ...]] = ("batch", "stream")


@dataclass(frozen=True, slots=True)
class System:
    """What a configuration transcribed in one mode while it was described in one way: what a
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
        system = " ".join(filter(None, (provider.use, provider.model)))
        version = f"version {provider.version}" if provider.version else None
        return ", ".join(filter(None, (system, version, self.mode)))


def systems(entries: Iterable[Entry], settings: Settings | None, name: str | None) -> list[System]:
    """Those of the configuration `name`, by default of all that stored something; each once.

    What a configuration is now is preferred: a transcript keeps the name under which it was first
    stored, and a configuration may have been set back. Where it can't be told, as for code that
    only a conftest registers, any description stored under the name may be the one.
    """
    stored: dict[str, list[Entry]] = {}
    for entry in entries:
        stored.setdefault(entry.key.system, []).append(entry)
    names = [name] if name else sorted({_name(e) for group in stored.values() for e in group})
    found: dict[str, System] = {}
    for each in names:
        for mode in MODES:
            for system in _described(each, mode, stored, settings):
                named = [replace(entry, name=each) for entry in stored[system]]
                found.setdefault(system, System(each, mode, in_order(named)))
    return [*found.values()]


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda e: (e.clip or "", e.key.language, e.key.repeat))


def settings_for(start: Path) -> Settings | None:
    """Those that hold for a dataset's folder; None where it can't be told which are meant."""
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
) -> Iterator[str]:
    """The systems in `stored` that the configuration may be."""
    now = settings and _description(settings, name, mode)
    if now and (system := TranscriptKey("", now, mode, "").system) in stored:
        yield system
        return
    for system, group in stored.items():
        if group[0].key.mode == mode and any(_name(entry) == name for entry in group):
            yield system


def _description(
    settings: Settings, name: str, mode: Literal["batch", "stream"]
) -> Description | None:
    try:
        wanted = replace(configuration(settings, name), mode=mode)
        return registry.create(wanted, settings.providers, replay=True).describe()
    except AsrBenchError:
        return None


def _name(entry: Entry) -> str:
    return entry.name or entry.key.provider.use
