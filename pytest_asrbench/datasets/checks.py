"""Checks that every layout shares: ids, types, languages, audio paths. A fault names its row."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

from pytest_asrbench.datasets.folder import DatasetFolder
from pytest_asrbench.datasets.types import ENTITY_TYPES, remedy, type_fault
from pytest_asrbench.files.fields import Fields
from pytest_asrbench.model import Entity

RE_ID = re.compile(r"[A-Za-z0-9._+@=,:~#-]+")
RE_CLIP_ID = re.compile(rf"{RE_ID.pattern}(/{RE_ID.pattern})*")
RE_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")

ENTITY = ("id", "type", "canonical", "acoustic", "accept")
KNOWN = frozenset(ENTITY_TYPES)

Seen = dict[str, int | None]
"""Ids met so far, with their rows."""


def clip_id(fields: Fields, key: str, seen: Seen) -> str:
    """A clip's id; it may have parts joined by `/`."""
    return _claim(fields, key, fields.text(key), RE_CLIP_ID, seen)


def entities(clip: Fields, types: Mapping[str, str]) -> tuple[Entity, ...]:
    """The targets of a clip in our own form: id?, type, canonical, acoustic?, accept?."""
    seen: Seen = {}
    return tuple(_entity(fields, types, seen) for fields in clip.objects("entities", "entity"))


def _entity(fields: Fields, types: Mapping[str, str], seen: Seen) -> Entity:
    fields.only(*ENTITY)
    return Entity(
        id=entity_id(fields, "id", seen),
        type=entity_type(fields, types),
        canonical=fields.text("canonical"),
        acoustic=fields.optional("acoustic"),
        accept=fields.texts("accept"),
    )


def entity_id(fields: Fields, key: str, seen: Seen) -> str:
    """An entity's id, unique in its clip: e01, e02, … by its place where none is given."""
    name = fields.optional(key) if key in fields.data else f"e{len(seen) + 1:02d}"
    return sys.intern(_claim(fields, key, name or "", RE_ID, seen))


def entity_type(fields: Fields, types: Mapping[str, str]) -> str:
    """A known type, or one that `types` declares; a fault where it is neither."""
    name = sys.intern(fields.text("type"))
    if name and name not in KNOWN and (fault := type_fault(name, types)):
        fields.fault("type", fault, remedy(types))
    return name


def language(fields: Fields, default: str | None) -> str:
    """The clip's language tag, or the dataset's."""
    tag = fields.optional("language") or default
    if tag is None:
        fields.fault(None, "language is missing; add it here or to the header")
        return ""
    if tag is not default:
        check_language(fields, tag)
    return tag


def check_language(fields: Fields, tag: str) -> None:
    """A fault where it has not the form of a language tag."""
    if not RE_LANGUAGE.fullmatch(tag):
        fields.fault("language", f"language {tag!r} is no language tag; write en, es-MX, …")


def audio_file(fields: Fields, key: str, folder: DatasetFolder) -> Path:
    """The path where audio is expected; a fault where that is outside the dataset's folder."""
    name = fields.text(key)
    try:
        return folder.file(name) if name else folder.path
    except ValueError as error:
        fields.fault(key, str(error))
        return folder.path


def _claim(fields: Fields, key: str, name: str, form: re.Pattern[str], seen: Seen) -> str:
    if not name:
        return name
    if not form.fullmatch(name):
        fields.fault(key, f"id {name!r}: letters, digits and ._+@=,:~#- only, no spaces")
    if name in seen:
        where = f" (row {seen[name]})" if seen[name] else ""
        fields.fault(key, f"id {name!r} is taken{where}; give each its own")
    seen.setdefault(name, fields.row())
    return name
