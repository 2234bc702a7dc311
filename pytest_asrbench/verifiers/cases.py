"""Rows of values and transcripts to judge, with or without labels: what `asrbench verify` reads."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_asrbench.errors import InputError
from pytest_asrbench.files import read_jsonl
from pytest_asrbench.model import Entity

LANGUAGE = "en"
"""Of a row that names none."""
_NEEDED = ("id", "type", "canonical", "transcript")


@dataclass(frozen=True, slots=True)
class VerifierCase:
    """One value to judge against one transcript; `present` is its label, where it has one."""

    id: str
    row: int
    entity: Entity
    transcript: str
    language: str
    present: bool | None = None
    certain: bool = True


def read_cases(path: Path, *, acoustic: bool = True) -> list[VerifierCase]:
    """Cases in file order; `acoustic=False` withholds the spoken forms.

    Raises InputError naming file and row for a key that is missing or of the wrong kind, and for a
    file without rows: nothing was agreed on in it.
    """
    cases = [_case(path, row, data, acoustic=acoustic) for row, data in read_jsonl(path)]
    if not cases:
        raise InputError.at(path, None, "no rows; write {id, type, canonical, transcript} in each")
    return cases


def _case(path: Path, row: int, data: dict[str, Any], *, acoustic: bool) -> VerifierCase:
    for key in _NEEDED:
        if not isinstance(data.get(key), str):
            raise InputError.at(path, row, f"{key} is missing or no text; give it")
    if not data["canonical"].strip():
        raise InputError.at(path, row, "canonical is empty; give the exact written value")
    for key in ("acoustic", "language"):
        if not isinstance(data.get(key), str | None):
            raise InputError.at(path, row, f"{key} is no text; correct or drop it")
    for key in ("present", "certain"):
        if not isinstance(data.get(key), bool | None):
            raise InputError.at(path, row, f"{key} must be true or false")
    accept = data.get("accept") or []
    if not isinstance(accept, list) or not all(isinstance(form, str) for form in accept):
        raise InputError.at(path, row, "accept must be a list of texts")
    spoken = data.get("acoustic") if acoustic else None
    entity = Entity(data["id"], data["type"], data["canonical"], spoken, tuple(accept))
    certain = data.get("certain") is not False
    language = data.get("language") or LANGUAGE
    return VerifierCase(
        data["id"], row, entity, data["transcript"], language, data.get("present"), certain
    )
