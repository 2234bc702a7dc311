"""
Checks that code can be called as a mode calls it, before the run and not for each clip.

    batch   transcribe(audio), or the code itself   sync or async; returns the text
    stream  stream(frames)                          async; returns the text once frames have ended

What Python does not show, as of compiled code, is left to the first call.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, Final, Literal

from pytest_asrbench.errors import InputError

Mode = Literal["batch", "stream"]
ARGUMENTS: Final = {"transcribe": "audio", "stream": "frames"}
FRAMES: Final = {"stream_rate": "Hz", "frame_ms": "milliseconds"}


def check(target: Any, mode: Mode, who: str) -> None:
    """Raises InputError in one line where this mode can't measure a function or an object."""
    _check(lambda name: called(target, name), mode, who)
    if mode == "stream":
        _check_frames(
            {name: getattr(target, name) for name in FRAMES if hasattr(target, name)}, who
        )


def check_class(target: type, mode: Mode, who: str) -> None:
    """The same of what will be made of a class, as far as that is known before it is made."""
    made_later = not any(callable(_of_class(target, name)) for name in ARGUMENTS)
    if not made_later and not hasattr(target, "__getattr__") and not hasattr(target, "lookup"):
        _check(lambda name: _of_class(target, name), mode, who)
    if mode == "stream":
        own = {name: _static(target, name) for name in FRAMES}
        known = {k: v for k, v in own.items() if isinstance(v, int | float | str)}
        _check_frames(known, who)


def called(target: Any, name: str) -> Callable[..., Any] | None:
    """The method; code that can be called is its own `transcribe`."""
    method = getattr(target, name, target if name == "transcribe" else None)
    return method if callable(method) else None


def is_async(call: Callable[..., Any]) -> bool:
    """True if it is known to give an awaitable: an async function, or an object that is called
    like one."""
    return inspect.iscoroutinefunction(call) or inspect.iscoroutinefunction(
        getattr(call, "__call__", None)  # noqa: B004 (an object whose __call__ is async)
    )


def _of_class(target: type, name: str) -> Any:
    """The method as an instance will have it; what else stands under that name as it is."""
    own = _static(target, name)
    if own is None and name == "transcribe":
        own = _static(target, "__call__")
    bound = isinstance(own, FunctionType | staticmethod | classmethod)
    return own.__get__(object(), target) if bound else own


def _static(target: type, name: str) -> Any:
    """Not inspect.getattr_static(): that finds the `__call__` of the class's own class."""
    return next((vars(each)[name] for each in target.__mro__ if name in vars(each)), None)


def _check(method: Callable[[str], Any], mode: Mode, who: str) -> None:
    name, other = ("stream", "transcribe") if mode == "stream" else ("transcribe", "stream")
    call = method(name)
    if call is None and method(other) is None:
        raise InputError(
            f"{who} can't be called and has no transcribe() or stream(); give a function, or a "
            "class with one of these methods"
        )
    if call is None:
        mode = "batch" if mode == "stream" else "stream"
        raise InputError(f"{who} has no {name}(); use --asr-mode={mode}")
    if callable(call) and (fault := _fault(call, name)):
        raise InputError(f"{who}: {name}({ARGUMENTS[name]}) {fault}")


def _check_frames(values: Mapping[str, object], who: str) -> None:
    """Raises InputError: with a length below 0, say, nothing would be sent, and all be missed."""
    for name, value in values.items():
        if type(value) is not int or value <= 0:
            wanted = f"a whole number of {FRAMES[name]} above 0"
            raise InputError(f"{who}: {name} must be {wanted}, not {value!r}")


def _fault(call: Callable[..., Any], name: str) -> str | None:
    code = _code(call)
    if inspect.isasyncgenfunction(code) or inspect.isgeneratorfunction(code):
        return "yields, but must return the text"
    if name == "stream" and isinstance(code, FunctionType) and not is_async(code):
        return "must be async; write async def stream"
    try:
        signature = inspect.signature(call)
    except (TypeError, ValueError):
        return None
    try:
        signature.bind(None)
    except TypeError:
        return f"must take that one argument, and takes {signature}"
    return None


def _code(call: Any) -> Any:
    """The function that does the work, without what was wrapped around it."""
    while isinstance(call, functools.partial):
        call = call.func
    if not inspect.isroutine(call):
        call = call.__call__
    return inspect.unwrap(getattr(call, "__func__", call))
