"""
Reading a dataset's rows: every fault of a file is collected and reported at once, one line each.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pytest_asrbench.errors import InputError
from pytest_asrbench.files import KeyPath, Rows
from pytest_asrbench.model import Clip, Dataset

MAX_SHOWN = 100
RE_SURROGATE = re.compile("[\ud800-\udfff]")


class FaultsError(InputError):
    """Faults of a dataset's rows, and what could be read all the same: `dataset` holds the clips
    that have none, `faulty` the others (empty where a field is at fault)."""

    def __init__(self, text: str, dataset: Dataset | None, faulty: Sequence[Clip]) -> None:
        super().__init__(text)
        self.dataset = dataset
        self.faulty = faulty


class Faults:
    """Collects `file:row: what; remedy` lines; `check()` raises them together, by row."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: list[tuple[int, str]] = []
        self.hints: dict[str, None] = {}

    def add(self, row: int | None, what: str, hint: str | None = None) -> None:
        """`hint` is a line that many faults share: it stands once, at the end."""
        self.found.append((row or 0, str(InputError.at(self.path, row, what))))
        if hint:
            self.hints[hint] = None

    def check(self, dataset: Dataset | None = None, faulty: Sequence[Clip] = ()) -> None:
        """Raises FaultsError where a fault was found; the arguments go with it."""
        if self.found:
            lines = [line for _, line in sorted(self.found, key=lambda fault: fault[0])]
            more = len(lines) - MAX_SHOWN
            rest = [f"… and {more} more"] if more > 0 else []
            text = "\n".join([*lines[:MAX_SHOWN], *rest, *self.hints])
            raise FaultsError(text, dataset, faulty)


class Fields:
    """One object of a file. A missing or wrong field becomes a fault and reads as empty.

    `rows` is the object's row, or the rows of a YAML file with `at` as the object's place in it.
    """

    __slots__ = ("at", "data", "faults", "label", "rows")

    def __init__(
        self,
        data: Mapping[str, Any],
        faults: Faults,
        rows: Rows | int,
        at: KeyPath = (),
        label: str = "",
    ) -> None:
        self.data = data
        self.faults = faults
        self.rows = rows
        self.at = at
        self.label = label

    def row(self, key: str | None = None) -> int | None:
        """The row of a key's value, or of the object."""
        if isinstance(self.rows, int):
            return self.rows
        return self.rows.get((*self.at, key) if key else self.at) or self.rows.get(self.at)

    def fault(self, key: str | None, what: str, hint: str | None = None) -> None:
        self.faults.add(self.row(key), f"{self.label}{what}", hint)

    def text(self, key: str, *, empty: bool = False) -> str:
        """A text that must be there; `empty` allows "", which must still be written."""
        value = self.data.get(key)
        if value is None:
            hint = '; write "" where nothing is said' if empty else ""
            self.fault(None, f"{key} is missing{hint}")
            return ""
        return self._checked(key, value, empty)

    def optional(self, key: str) -> str | None:
        value = self.data.get(key)
        return None if value is None else self._checked(key, value, False) or None

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts, or one alone; empty where the key is missing."""
        value = self.data.get(key)
        if value is None:
            return ()
        items = value if isinstance(value, list) else [value]
        return tuple(self._checked(key, item, False) for item in items)

    def objects(self, key: str, one: str) -> Iterator[Fields]:
        """The objects of a list, nothing where the key is missing; messages call each `one`."""
        value = self.data.get(key)
        if value is None:
            return
        if not isinstance(value, list):
            self.fault(key, f"{key} must be a list")
            return
        for index, item in enumerate(value):
            if isinstance(item, dict):
                label = f"{self.label}{one} {index + 1}: "
                yield Fields(item, self.faults, self.rows, (*self.at, key, index), label)
            else:
                self.fault(key, f"{one} {index + 1} must have keys and values")

    def inner(self, key: str) -> Fields:
        """The object under a key; an empty one where it is missing, with a fault."""
        value = self.data.get(key)
        if not isinstance(value, dict):
            self.fault(key, f"{key} is missing or has no keys")
            value = {}
        return Fields(value, self.faults, self.rows, (*self.at, key), f"{self.label}{key}: ")

    def only(self, *known: str) -> None:
        """A fault for each other key: a misspelt `entites` would empty a clip unseen."""
        for key in self.data:
            if key not in known:
                near = get_close_matches(key, known, n=1)
                self.fault(
                    key,
                    f"unknown key {key!r}; "
                    + (f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}"),
                )

    def _checked(self, key: str, value: object, empty: bool) -> str:
        if not isinstance(value, str):
            self.fault(key, f"{key} must be text, {_not_text(value)}")
            return ""
        if not (value and not value.isspace()) and not empty:
            self.fault(key, f"{key} is empty")
        if not value.isascii() and RE_SURROGATE.search(value):
            self.fault(key, f"{key} holds half a character (a lone surrogate); write it whole")
            return ""
        return value


def _not_text(value: object) -> str:
    if isinstance(value, list):
        return "not a list"
    if isinstance(value, dict):
        return "not keys and values"
    return f"not {json.dumps(value)}; put it in quotes"
