"""
The one reader of what people write: manifests, settings, prices, decisions, thresholds.

Every fault of a file is collected and reported at once, one line each, with its row:

    fields = Fields.of_yaml(path)
    fields.only("schema", "day", "limits")
    day = fields.day("day")                     # None where it is missing, or at fault
    for name, limit in fields.named("limits"):  # {ctem: {min: 0.8}}
        least = limit.number("min")
    fields.faults.check()                       # raises what was found
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from difflib import get_close_matches
from pathlib import Path
from reprlib import repr as shortened
from textwrap import wrap
from typing import Any, Final

from pytest_asrbench.errors import InputError
from pytest_asrbench.files import KeyPath, Rows, read_yaml
from pytest_asrbench.files.schema import LARGEST
from pytest_asrbench.model import Clip, Dataset

MAX_SHOWN = 100
HINT = 200  # characters of a line
QUOTE = "put the value in quotes, or two spaces before a comment and one after its #"
PLACES = 20  # decimal places of a number: more than any count needs to be told from the next
# JSON's numbers: 0132 stays text, as everywhere in our files.
RE_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
RE_SURROGATE = re.compile("[\ud800-\udfff]")


class FaultsError(InputError):
    """Faults of a file's rows. Of a dataset, what could be read all the same goes with them:
    `dataset` holds the clips that have none, `faulty` the others (empty where a field is at
    fault)."""

    def __init__(self, text: str, dataset: Dataset | None, faulty: Sequence[Clip]) -> None:
        super().__init__(text)
        self.dataset = dataset
        self.faulty = faulty


class Faults:
    """Collects `file:row: what; remedy` lines; `check()` raises them together, by row."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.entries: list[tuple[int, str]] = []
        self.hints: dict[str, None] = {}

    def add(self, row: int | None, what: str, hint: str | None = None) -> None:
        """`hint` is a line that many faults share: it stands once, at the end."""
        self.entries.append((row or 0, str(InputError.at(self.path, row, what))))
        if hint:
            self.hints[hint] = None

    def check(self, dataset: Dataset | None = None, faulty: Sequence[Clip] = ()) -> None:
        """Raises FaultsError where a fault was found; the arguments go with it."""
        if self.entries:
            lines = [line for _, line in sorted(self.entries, key=lambda fault: fault[0])]
            more = len(lines) - MAX_SHOWN
            rest = [f"… and {more} more"] if more > 0 else []
            hints = [line for hint in self.hints for line in wrap(hint, HINT)]
            text = "\n".join([*lines[:MAX_SHOWN], *rest, *hints])
            raise FaultsError(text, dataset, faulty)


class Fields:
    """One object of a file. A missing or wrong field becomes a fault and reads as empty.

    `rows` is the object's row, or the rows of a YAML file with `at` as the object's place in it.
    `label` goes before each message: `refund_03: `, or `providers.nova3.` which keys are joined to.
    """

    __slots__ = ("at", "data", "faults", "label", "quoted", "rows")

    def __init__(
        self,
        data: Mapping[str, Any],
        faults: Faults,
        rows: Rows | int,
        at: KeyPath = (),
        label: str = "",
        quoted: Collection[KeyPath] = (),
    ) -> None:
        self.data = data
        self.faults = faults
        self.rows = rows
        self.at = at
        self.label = label
        self.quoted = quoted

    @classmethod
    def of_yaml(
        cls, path: Path, faults: Faults | None = None, *, uncut: Collection[str] = ()
    ) -> Fields:
        """A YAML file's keys; nothing for an empty file. Raises InputError for anything else.

        `uncut` are keys whose text ` #` must not end: YAML takes what follows for a comment.
        """
        content = read_yaml(path)
        faults = faults or Faults(path)
        if not isinstance(content.data or {}, dict):
            raise InputError.at(path, content.rows.get(()), "expected keys and values")
        for place in content.cut:
            if (key := next(part for part in reversed(place) if isinstance(part, str))) in uncut:
                what = f"{key} ends before ` #`, which YAML takes for a comment; {QUOTE}"
                faults.add(content.rows[place], what)
        return cls(content.data or {}, faults, content.rows, quoted=content.quoted)

    def __contains__(self, key: str) -> bool:
        """True where the key has a value."""
        return self.data.get(key) is not None

    def row(self, key: str | int | None = None) -> int | None:
        """The row of a key's value, or of the object."""
        if isinstance(self.rows, int):
            return self.rows
        place = self.at if key is None else (*self.at, key)
        return self.rows.get(place) or self.rows.get(self.at)

    def name(self, key: str | int) -> str:
        """The name in messages of what is under a key."""
        return f"{self.label}{key}"

    def fault(self, key: str | int | None, what: str, hint: str | None = None) -> None:
        """A fault of the object, told at the row of a key."""
        label = f"{self.label[:-1]}: " if self.label.endswith(".") else self.label
        self.faults.add(self.row(key), f"{label}{what}", hint)

    def wrong(self, key: str | int, wanted: str, value: object = None) -> None:
        """The fault that what is under a key is not what is `wanted`."""
        given = "" if value is None else f", not {shortened(value)}"
        self.faults.add(self.row(key), f"{self.name(key)} must be {wanted}{given}")

    def need(self, *keys: str, hint: str = "") -> None:
        """A fault for each of the keys that has no value."""
        for key in keys:
            if key not in self:
                self.fault(None, f"{key} is missing{hint}")

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
                at = (*self.at, key, index)
                yield Fields(item, self.faults, self.rows, at, label, self.quoted)
            else:
                self.fault(key, f"{one} {index + 1} must have keys and values")

    def number(self, key: str, *, above: int | None = None) -> Decimal | None:
        """A number of at least 0, or `above` one; as it was written, digit by digit."""
        value = self.data.get(key)
        if value is None:
            return None
        wanted = "a number" if above is None else f"a number above {above}"
        number = Decimal(value) if isinstance(value, str) and RE_NUMBER.fullmatch(value) else None
        if number is None:
            self.wrong(key, f"{wanted}, like 0.80", value)
        elif number < 0 or (above is not None and number <= above):
            self.wrong(key, "0 or more" if above is None else wanted, value)
        elif number > LARGEST or -int(number.as_tuple().exponent) > PLACES:
            self.wrong(key, "a number of fewer digits", value)
        else:
            return number
        return None

    def whole(self, key: str, *, least: int = 0) -> int | None:
        """A whole number of at least `least`."""
        value = self.data.get(key)
        if value is None:
            return None
        digits = isinstance(value, str) and value.isascii() and value.isdigit()
        if digits and len(value) <= 18 and int(value) >= least:
            return int(value)
        self.wrong(key, f"a whole number from {least}", value)
        return None

    def flag(self, key: str) -> bool | None:
        """`true` or `false`."""
        value = self.data.get(key)
        if value in ("true", "false"):
            return bool(value == "true")
        if value is not None:
            self.wrong(key, "true or false", value)
        return None

    def day(self, key: str) -> date | None:
        """A day, as ISO 8601 writes it."""
        value = self.data.get(key)
        try:
            return None if value is None else date.fromisoformat(value)
        except (TypeError, ValueError):
            self.wrong(key, "a day, like 2027-01-31", value)
            return None

    def typed(self, key: str) -> Any:
        """As JSON holds it: plain true, false and numbers are what they look like, text in quotes
        is text."""
        return self._typed(self.data.get(key), (key,))

    def _typed(self, value: Any, at: KeyPath) -> Any:
        if isinstance(value, dict):
            return {key: self._typed(part, (*at, key)) for key, part in value.items()}
        if isinstance(value, list):
            return [self._typed(part, (*at, n)) for n, part in enumerate(value)]
        if not isinstance(value, str) or (*self.at, *at) in self.quoted:
            return value
        if not RE_NUMBER.fullmatch(value):
            return {"true": True, "false": False}.get(value, value)
        if not math.isfinite(float(value)):
            place = ".".join(map(str, at))
            row = self.rows if isinstance(self.rows, int) else self.rows.get((*self.at, *at))
            says = f"{self.name(place)}: {shortened(value)} is too large; correct it, or quote it"
            self.faults.add(row, says)
            return None
        return json.loads(value)

    def mapping(self, key: str) -> Mapping[str, Any]:
        """The keys and values under a key, none where it is missing."""
        value = self.data.get(key)
        if value is None or isinstance(value, dict):
            return value or {}
        self.wrong(key, "keys and values", value)
        return {}

    def inner(self, key: str, *, needed: bool = False) -> Fields:
        """The object under a key; an empty one where it is missing."""
        value = self.mapping(key)
        if needed and not value and not isinstance(self.data.get(key), list | str):
            self.fault(key, f"{key} is missing or has no keys")
        label = f"{self.name(key)}."
        return Fields(value, self.faults, self.rows, (*self.at, key), label, self.quoted)

    def named(self, key: str) -> Iterator[tuple[str, Fields]]:
        """(name, object) of each entry under a key, nothing where it is missing."""
        entries = self.inner(key)
        return ((name, entries.inner(name)) for name in entries.data)

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
            self.faults.add(self.row(key), f"{self.name(key)} must be text, {_not_text(value)}")
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
