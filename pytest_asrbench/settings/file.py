"""
`asrbench.yaml`: settings, named provider configurations, custom types and policy options.

    data: clips.yaml
    providers:
      nova3: {use: deepgram, model: nova-3, params: {smart_format: true}, timeout_s: 60}
    verifiers: {llm: {model: gpt-6-luna, params: {reasoning_effort: none}}}
    types: {confirmation_code: {like: reference_id}}
    policy: {date: {date_order: day-first}}
    packs: {sw: swahili.py:SWAHILI}
    conditions: {kitchen: {steps: [{noise: {snr: 10, from: [kitchen.wav]}}, phone]}}

Scalars are text, typed by the settings' table; inside `params`, true, false and numbers are what
they look like, unless quoted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pytest_asrbench.files.fields import Fields
from pytest_asrbench.settings.options import OPTIONS

FILE_NAME: Final = "asrbench.yaml"
SECTIONS: Final = ("providers", "verifiers", "types", "policy", "packs", "conditions")
KEYS: Final = tuple(o.name for o in OPTIONS if "file" in o.places)
LIMITS: Final[Mapping[str, type]] = {
    "concurrency": int,
    "requests_per_minute": float,
    "timeout_s": float,
    "loading_s": float,
    "attempts": int,
    "backoff_s": float,
    "price_per_minute": float,
}
FROM_ZERO: Final = ("loading_s",)

VERIFIER: Final = ("model", "base_url", "api_key_env", "timeout_s", "votes", "params", "price")
VERIFIERS: Final = {"llm": VERIFIER, "cascade": (*VERIFIER, "fallback")}
VERIFIER_NUMBERS: Final[Mapping[str, type]] = {"timeout_s": float, "votes": int}


@dataclass(frozen=True, slots=True)
class ConditionEntry:
    """An entry of `conditions:` as it was written, its scalars typed; paths are from `folder`."""

    value: Any
    where: str
    folder: Path


@dataclass(frozen=True)
class SettingsFile:
    """The file's content; `rows` are for messages."""

    path: Path
    values: Mapping[str, str]
    providers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    verifiers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    policy: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    packs: Mapping[str, str] = field(default_factory=dict)
    conditions: Mapping[str, ConditionEntry] = field(default_factory=dict)
    rows: Mapping[str, int] = field(default_factory=dict)

    def where(self, key: str) -> str:
        return f"{self.path}:{self.rows.get(key, 1)}: {key}"


def read_settings_file(path: Path) -> SettingsFile:
    """Read and check the whole file. Raises InputError with every fault: file, row and remedy."""
    fields = Fields.of_yaml(path)
    if "provider" in fields.data:
        what = "provider is chosen by --asr-provider or ASRBENCH_PROVIDER, not here"
        fields.fault("provider", what)
    fields.only(*KEYS, *SECTIONS, "provider")
    content = SettingsFile(
        path=path,
        values={key: _text(fields, key) for key in KEYS if key in fields},
        providers={name: _provider(entry) for name, entry in fields.named("providers")},
        verifiers=_verifiers(fields.inner("verifiers")),
        types=dict(_own_types(fields)),
        policy={name: _texts(options) for name, options in fields.named("policy")},
        packs=_packs(fields.inner("packs"), path.parent),
        conditions=_conditions(fields.inner("conditions"), path),
        rows={key: row for key in fields.data if (row := fields.row(key))},
    )
    fields.faults.check()
    return content


def _text(fields: Fields, key: str) -> str:
    """A scalar; a list of scalars is a comma-separated text (tags)."""
    if isinstance(fields.data[key], list):
        return ",".join(fields.texts(key))
    return fields.text(key, empty=True)


def _texts(fields: Fields) -> dict[str, str]:
    return {key: _text(fields, key) for key in fields.data if key in fields}


def _provider(entry: Fields) -> dict[str, Any]:
    if not entry.data.get("use"):
        entry.fault(None, "add `use:`, the provider that this configures")
        return {}
    if entry.data.get("isolate") not in (None, "process"):
        entry.wrong("isolate", "process", entry.data["isolate"])
    return {"use": entry.text("use"), **{k: _option(entry, k) for k in entry.data if k != "use"}}


def _option(entry: Fields, key: str) -> Any:
    """One key of a provider: a limit, the vendor's `params`, or text."""
    if key == "params":
        entry.mapping(key)
        return entry.typed(key) or {}
    return _limit(entry, key, LIMITS[key]) if key in LIMITS else entry.data[key]


def _limit(entry: Fields, key: str, kind: type) -> int | float | None:
    if kind is int:
        return entry.whole(key, least=1)
    number = entry.number(key, above=None if key in FROM_ZERO else 0)
    return None if number is None else float(number)


def _verifiers(section: Fields) -> dict[str, dict[str, Any]]:
    """Settings of `llm` or `cascade`; other verifiers take no settings."""
    section.only(*VERIFIERS)
    entries = {name: section.inner(name) for name in section.data if name in VERIFIERS}
    for name, entry in entries.items():
        entry.only(*VERIFIERS[name])
    return {
        name: {key: _asked_with(entry, key) for key in entry.data if key in VERIFIERS[name]}
        for name, entry in entries.items()
    }


def _asked_with(entry: Fields, key: str) -> Any:
    if key in ("params", "price"):
        return _option(entry, "params") if key == "params" else _price(entry)
    if key in VERIFIER_NUMBERS:
        return _limit(entry, key, VERIFIER_NUMBERS[key])
    return entry.flag(key) if key == "fallback" else entry.text(key, empty=True)


def _price(entry: Fields) -> Any:
    entry.mapping("price")
    return entry.typed("price") or {}


def _packs(section: Fields, folder: Path) -> dict[str, str]:
    """Language -> `module:NAME`, or `path.py:NAME` from the folder of this file."""
    packs = {}
    for language in section.data:
        place, _, name = section.text(language).partition(":")
        if not (place and name):
            section.wrong(language, "module:NAME or path.py:NAME", section.data[language])
            continue
        place = str(folder / place) if place.endswith(".py") else place
        packs[language] = f"{place}:{name}"
    return packs


def _conditions(section: Fields, path: Path) -> dict[str, ConditionEntry]:
    """Checked where conditions are made (`conditions.parse`)."""
    return {
        name: ConditionEntry(
            section.typed(name), f"{path}:{section.row(name)}: conditions.{name}", path.parent
        )
        for name in section.data
    }


def _own_types(fields: Fields) -> Iterator[tuple[str, str]]:
    for name, entry in fields.named("types"):
        if set(entry.data) == {"like"}:
            yield name, entry.text("like")
        elif not entry.data and name in fields.mapping("types"):
            continue  # told already: it is no mapping
        else:
            entry.fault(None, "write {like: reference_id}, naming the type that it is like")
