"""
Whether a dataclass holds what it declares.

A run file is data that others wrote. What is read from it is checked once, against the
annotations of the model, so that nothing behind the reader meets a value of another kind.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from reprlib import repr as shortened
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

Fits = Callable[[Any], bool]


def check(value: object) -> None:
    """Raises TypeError, naming the field, where a dataclass doesn't hold what it declares."""
    kind: Any = type(value)
    for name, fits in _fields(kind):
        held = getattr(value, name)
        if not fits(held):
            raise TypeError(f"{name} can't be {shortened(held)}")


@cache
def _fields(kind: type) -> tuple[tuple[str, Fits], ...]:
    hints = get_type_hints(kind)
    return tuple((each.name, _fits(hints[each.name])) for each in fields(kind))


def _fits(declared: Any) -> Fits:
    """What a value of this annotation must pass."""
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


def _number(value: Any) -> bool:
    # JSON's 1e400 is read as infinity, which can't be written again.
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


_PLAIN: dict[Any, Fits] = {
    Any: lambda value: True,
    str: lambda value: type(value) is str,
    bool: lambda value: type(value) is bool,
    int: lambda value: type(value) is int,
    float: _number,
    NoneType: lambda value: value is None,
}
