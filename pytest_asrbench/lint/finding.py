"""One thing that lint found."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Clip, Entity

Level = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """`rule` is a word to search for; `message` says what is wrong and the remedy.

    `row` is the 1-based row of the clip in the dataset's file, where rows are known.
    """

    level: Level
    rule: str
    message: str
    clip: str | None = None
    entity: str | None = None
    row: int | None = None

    def line(self, path: Path) -> str:
        """`clips.yaml:17: error: refund_03/email: what; remedy [rule]`"""
        name = "/".join(part for part in (self.clip, self.entity) if part)
        subject = f"{name}: " if name else ""
        return f"{InputError.at(path, self.row, self.level)}: {subject}{self.message} [{self.rule}]"

    def to_json(self, path: Path) -> dict[str, Any]:
        return {
            "level": self.level,
            "rule": self.rule,
            "file": str(path),
            "row": self.row,
            "clip": self.clip,
            "entity": self.entity,
            "message": self.message,
        }


def error(rule: str, message: str, clip: Clip, entity: Entity | None = None) -> Finding:
    """A finding that makes the clip wrong."""
    return Finding("error", rule, message, clip.id, entity.id if entity else None, clip.row)


def warning(rule: str, message: str, clip: Clip, entity: Entity | None = None) -> Finding:
    """A finding that a person should look at."""
    return Finding("warning", rule, message, clip.id, entity.id if entity else None, clip.row)
