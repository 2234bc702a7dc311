"""Clips that `asrbench add` was asked for, completed: ids, spoken forms, reference, audio file."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_asrbench.datasets.spoken import spoken
from pytest_asrbench.datasets.types import ENTITY_TYPES

PLAIN = ("id", "reference", "language", "domain", "difficulty", "tags")
ENTITY = ("id", "type", "canonical", "acoustic", "accept")
RE_UNUSABLE = re.compile(r"[^A-Za-z0-9._-]+")


Say = Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class Draft:
    """A recording and its row of the manifest; `proposed` says what nobody wrote."""

    source: Path
    row: Mapping[str, Any]
    proposed: tuple[str, ...] = ()
    convert: bool = False


def complete(
    source: Path,
    row: Mapping[str, Any],
    taken: Collection[str],
    types: Mapping[str, str],
    heard: str | None = None,
    say: Say = spoken,
) -> Draft:
    """The row with id, spoken forms and reference, proposed where they are missing.

    `heard` is what a provider made of the recording. A spoken form is proposed only where the
    reference has it. `say` proposes one for a type and a value.
    """
    full = dict(row)
    if heard is not None:
        row = {**row, "reference": row.get("reference", heard)}
    proposed = []
    full["id"] = row.get("id") or _free(readable_id(source.stem), taken)
    entities = [dict(entity) for entity in row.get("entities", ())]
    for entity in entities:
        if not entity.get("acoustic"):
            kind = types.get(entity["type"], entity["type"])
            if kind in ENTITY_TYPES:  # an unknown type is told when the row is checked
                form = say(kind, entity["canonical"])
                if _said(form, row.get("reference", form)):
                    entity["acoustic"] = form
                    proposed.append(f"spoken form of {entity['canonical']}: {form}")
    if heard is not None and "reference" not in full:
        full["reference"] = heard
        proposed.append("reference: what was heard; correct it where that is not what was said")
    elif "reference" not in full:
        full["reference"] = ", ".join(e["acoustic"] for e in entities if e.get("acoustic"))
        proposed.append("reference: the spoken forms alone; whatever else is said counts in WER")
    if entities:
        full["entities"] = [ordered(entity, ENTITY) for entity in entities]
    keys = ("id", "audio", *PLAIN[1:], "entities")
    return Draft(source, ordered(full, keys), tuple(proposed))


def _said(form: str, reference: str) -> bool:
    """Whether the reference has these words, and not as the beginning of others: `thirteen` is not
    in `thirteenth`. Scripts without spaces have no words to end."""
    bound = r"\b" if form.isascii() else ""
    pattern = f"{bound}{re.escape(form.casefold())}{bound}"
    return re.search(pattern, reference.casefold()) is not None


def readable_id(name: str) -> str:
    """A name in any script, in the characters of an id: `电话 7` is `DianHua_7`."""
    from anyascii import anyascii

    return RE_UNUSABLE.sub("_", anyascii(name)).strip("_.-") or "clip"


def ordered(data: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    return {key: data[key] for key in keys if data.get(key) is not None}


def _free(name: str, taken: Collection[str]) -> str:
    """The name, or the first of name-2, name-3, … that no clip has."""
    number, candidate = 1, name
    while candidate in taken:
        number += 1
        candidate = f"{name}-{number}"
    return candidate
