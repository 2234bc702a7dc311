"""Clips that `asrbench add` was asked for, completed: ids, spoken forms, reference, audio file."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_asrbench.datasets.spoken import spoken
from pytest_asrbench.datasets.types import ENTITY_TYPES
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import read_json, read_jsonl

PLAIN = ("id", "reference", "language", "domain", "difficulty", "tags")
ENTITY = ("id", "type", "canonical", "acoustic", "accept")
RE_UNUSABLE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Draft:
    """A recording and its row of the manifest; `proposed` says what nobody wrote."""

    source: Path
    row: Mapping[str, Any]
    proposed: tuple[str, ...] = ()
    convert: bool = False


def from_json(path: Path) -> list[tuple[Path, dict[str, Any]]]:
    """(audio, row) of a call log: JSON or JSONL, one object a call.

    {"audio": "call.wav", "reference": "…", "entities": {"phone_number": "415-555-0132"}}; audio is
    relative to the file, `transcript` is another name of `reference`, `entities` may also be a
    list of {type, canonical, acoustic}. Raises InputError.
    """
    calls = list(_calls(path))
    if not calls:
        raise InputError.at(path, None, "no calls in it; expected objects with audio and entities")
    return [_call(path, row, call) for row, call in calls]


def complete(
    source: Path, row: Mapping[str, Any], taken: Collection[str], types: Mapping[str, str]
) -> Draft:
    """The row with id, spoken forms and reference, proposed where they are missing."""
    full = dict(row)
    proposed = []
    full["id"] = row.get("id") or _free(RE_UNUSABLE.sub("_", source.stem), taken)
    entities = [dict(entity) for entity in row.get("entities", ())]
    for entity in entities:
        if not entity.get("acoustic"):
            kind = types.get(entity["type"], entity["type"])
            if kind in ENTITY_TYPES:  # an unknown type is told when the row is checked
                entity["acoustic"] = spoken(kind, entity["canonical"])
                proposed.append(f"spoken form of {entity['canonical']}: {entity['acoustic']}")
    if "reference" not in row:
        full["reference"] = ", ".join(e["acoustic"] for e in entities if e.get("acoustic"))
        proposed.append("reference: the spoken forms alone; whatever else is said counts in WER")
    if entities:
        full["entities"] = [_ordered(entity, ENTITY) for entity in entities]
    keys = ("id", "audio", *PLAIN[1:], "entities")
    return Draft(source, _ordered(full, keys), tuple(proposed))


def _ordered(data: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    return {key: data[key] for key in keys if data.get(key) is not None}


def _free(name: str, taken: Collection[str]) -> str:
    """The name, or the first of name-2, name-3, … that no clip has."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}-{number}"
    return found


def _calls(path: Path) -> Iterator[tuple[int | None, Mapping[str, Any]]]:
    if path.suffix == ".jsonl":
        yield from read_jsonl(path, as_text=True)
        return
    data = read_json(path)
    for index, call in enumerate(data if isinstance(data, list) else [data], start=1):
        if not isinstance(call, dict):
            raise InputError.at(path, None, f"call {index}: expected an object, {{…}}")
        yield None, call


def _call(path: Path, row: int | None, call: Mapping[str, Any]) -> tuple[Path, dict[str, Any]]:
    audio = call.get("audio")
    if not isinstance(audio, str) or not audio:
        raise InputError.at(path, row, "audio is missing; write the recording's path")
    found = {key: call[key] for key in PLAIN if call.get(key) is not None}
    if "reference" not in found and call.get("transcript") is not None:
        found["reference"] = call["transcript"]
    return path.parent / audio, {**found, "entities": _entities(path, row, call.get("entities"))}


def _entities(path: Path, row: int | None, value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        value = [
            {"type": kind, "canonical": one}
            for kind, many in value.items()
            for one in (many if isinstance(many, list) else [many])
        ]
    entities = value or []
    if not isinstance(entities, list) or not all(_whole(entity) for entity in entities):
        what = 'entities must be {type: value} or [{"type": …, "canonical": …}], values as text'
        raise InputError.at(path, row, what)
    return [_ordered(entity, ENTITY) for entity in entities]


def _whole(entity: Any) -> bool:
    return isinstance(entity, dict) and all(
        isinstance(entity.get(key), str) and entity[key] for key in ("type", "canonical")
    )
