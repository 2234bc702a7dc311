"""
Checks that data which others wrote is what a dataclass declares.

Run files, stored transcripts, cassettes: what is read is checked once, against the annotations of
the model, so that nothing behind the reader meets a value of another kind.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from functools import cache
from reprlib import repr as shortened
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

Data = TypeVar("Data")
Fits = Callable[[Any], bool]
Make = Callable[[Any], Any]

LARGEST: Final = 2**53  # no count, time or price comes near; beyond it sums overflow
RE_TIME: Final = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
DEEPEST: Final = 32  # what JSON can nest and the next step of a run could not follow


def read(kind: type[Data], data: Any) -> Data:
    """The dataclass that `asdict()` made `data` of. Raises TypeError, naming the field.

    What it hasn't got is ignored, what is missing takes its default.
    """
    if not isinstance(data, Mapping):
        raise TypeError(f"expected an object, not {shortened(data)}")
    declared: Any = kind
    made: Data = _make(declared)(data)
    check(made)
    return made


def check(value: object) -> None:
    """Raises TypeError, naming the field, where a dataclass doesn't hold what it declares."""
    kind: Any = type(value)
    for name, fits in _fields(kind):
        held = getattr(value, name)
        if not fits(held):
            raise TypeError(f"{name} can't be {shortened(held)}")


def check_time(name: str, text: str) -> None:
    """Raises ValueError, naming the field, for a time that is not as we write it: in UTC, with Z
    and whole seconds. Such times are compared as text."""
    if RE_TIME.fullmatch(text):
        with suppress(ValueError):
            datetime.fromisoformat(text)
            return
    raise ValueError(f"{name} can't be {shortened(text)}, but as 2026-11-29T21:04:05Z")


@cache
def _make(declared: Any) -> Make:
    """A function that turns JSON's objects and lists into the declared type."""
    if is_dataclass(declared):
        return _object(declared)
    origin, inner = get_origin(declared), get_args(declared)
    if origin in (Union, UnionType):
        return _make(inner[0])  # `X | None`
    if origin is tuple:
        item = _make(inner[0])
        return lambda data: tuple(map(item, data)) if isinstance(data, list) else data
    if origin is Mapping:
        held = _make(inner[1])
        return lambda data: (
            {name: held(value) for name, value in data.items()} if isinstance(data, dict) else data
        )
    return lambda data: data


def _object(kind: Any) -> Make:
    """An object becomes a dataclass; anything else stays what it is, and is found not to fit."""
    hints = get_type_hints(kind)
    parts = tuple((each.name, _make(hints[each.name])) for each in fields(kind))
    needed = [f.name for f in fields(kind) if f.default is f.default_factory is MISSING]

    def made(data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        for name in needed:
            if name not in data:
                raise TypeError(f"{name} is missing")
        return kind(**{name: make(data[name]) for name, make in parts if name in data})

    return made


@cache
def _fields(kind: type) -> tuple[tuple[str, Fits], ...]:
    hints = get_type_hints(kind)
    return tuple((each.name, _fits(hints[each.name])) for each in fields(kind))


def _fits(declared: Any) -> Fits:
    """The check that a value of this annotation must pass."""
    if declared in _PLAIN:
        return _PLAIN[declared]
    if is_dataclass(declared):
        return _dataclass(declared)
    origin, inner = get_origin(declared), get_args(declared)
    if origin is Literal:
        return lambda value: type(value) is str and value in inner
    if origin is tuple:
        item = _fits(inner[0])
        return lambda value: type(value) is tuple and all(map(item, value))
    if origin is Mapping:
        key, item = map(_fits, inner)
        return lambda value: (
            isinstance(value, dict)
            and all(key(name) and item(held) for name, held in value.items())
        )
    choices = tuple(map(_fits, inner))  # what is left is a union
    return lambda value: any(fits(value) for fits in choices)


def _dataclass(kind: Any) -> Fits:
    def fits(value: Any) -> bool:
        if not isinstance(value, kind):
            return False
        check(value)
        return True

    return fits


def _json(value: Any, levels: int = DEEPEST) -> bool:
    """True if it can be written again, by whatever goes on to hold it."""
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list):
        return levels > 0 and all(_json(each, levels - 1) for each in value)
    return type(value) is not float or math.isfinite(value)


_PLAIN: dict[Any, Fits] = {
    Any: _json,
    str: lambda value: type(value) is str,
    bool: lambda value: type(value) is bool,
    int: lambda value: type(value) is int and abs(value) <= LARGEST,
    float: lambda value: type(value) in (int, float) and abs(value) <= LARGEST,
    NoneType: lambda value: value is None,
}
