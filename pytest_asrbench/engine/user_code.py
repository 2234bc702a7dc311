"""
The user's code: where it raised what cost a clip its transcript, and what it printed.

Calls are made ahead and beside the tests, so both have to be brought to the test of their clip.
"""

from __future__ import annotations

import logging
import os
import sys
import sysconfig
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from io import StringIO
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from pytest_asrbench.errors import AsrBenchError, TransientError
from pytest_asrbench.providers import user_code as wrapper

PACKAGE = f"{Path(__file__).parents[1]}{os.sep}"
LIBRARIES = tuple({sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")})
LAST_LINES = 8
LOG_FORMAT = "%(levelname)-8s %(name)s:%(filename)s:%(lineno)d %(message)s"


def raised_by_user(error: BaseException | None) -> tuple[BaseException, TracebackType] | None:
    """The exception that the user's code raised, and its traceback from that code on.

    None where there is none: a time-out, a broken connection, an error that the code raised with
    words for the report, or one of our own code.
    """
    while isinstance(error, AsrBenchError):
        error = None if isinstance(error, TransientError) else error.__cause__
    frames = own_frames(error.__traceback__) if error else None
    return (error, frames) if error and frames else None


def last_lines(error: BaseException | None) -> tuple[str, ...]:
    """The end of the user's traceback, for a file: where and what."""
    user_error = raised_by_user(error)
    if user_error is None:
        return ()
    raised, trace = user_error
    told = traceback.format_exception(type(raised), raised, trace, chain=False)
    lines = "".join(told).rstrip().splitlines()
    return tuple(lines[-LAST_LINES:])


def own_frames(trace: TracebackType | None) -> TracebackType | None:
    """The traceback from where the user's code was called."""
    steps = []
    while trace is not None:
        steps.append(trace)
        trace = trace.tb_next
    entered = [n for n, step in enumerate(steps) if _file(step.tb_frame) == wrapper.__file__]
    if entered:
        first = entered[-1] + 1
    else:
        first = next((n for n, s in enumerate(steps) if _is_users(s.tb_frame)), len(steps))
    return steps[first] if first < len(steps) else None


def _is_users(frame: FrameType) -> bool:
    file = _file(frame)
    return not file.startswith((PACKAGE, *LIBRARIES, "<"))


def _file(frame: FrameType) -> str:
    return frame.f_code.co_filename


_printing: ContextVar[StringIO | None] = ContextVar("asrbench_printing", default=None)


class Printed:
    """The lines that calls print and log, by the name of the call. Inactive, everything goes where
    it would.

    `sys.stdout` is another object from one moment to the next under pytest, so each that is met is
    given a `write` that looks whose code it is called by.
    """

    def __init__(self) -> None:
        self.active = False
        self._texts: dict[str, StringIO] = {}

    def of(self, name: str) -> str:
        """The lines that calls for this work printed."""
        text = self._texts.get(name) if self._texts else None
        return text.getvalue() if text else ""

    @contextmanager
    def during(self, name: str) -> Iterator[None]:
        """In the thread or task that makes the call."""
        if not self.active:
            yield
            return
        tap()
        text = self._texts.setdefault(name, StringIO())
        token = _printing.set(text)
        try:
            yield
        finally:
            with suppress(ValueError):  # closed from elsewhere, with another context
                _printing.reset(token)
            if not text.tell():  # as of nearly every call
                self._texts.pop(name, None)


def tap() -> None:
    """Let the streams and log handlers of this moment leave to us what calls print."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        if stream is not None and not hasattr(stream, "_asrbench_write"):
            _divert(stream)
    for handler in logging.root.handlers:
        if type(handler).__module__.startswith("_pytest."):
            handler.addFilter(_elsewhere)  # adds it once
    if _log not in logging.root.handlers:
        logging.root.addHandler(_log)


def untap() -> None:
    """Undo that."""
    logging.root.removeHandler(_log)
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        if stream is not None and hasattr(stream, "_asrbench_write"):
            del stream.write, stream._asrbench_write


def _divert(stream: Any) -> None:
    write = stream.write

    def diverted(text: str) -> Any:
        buffer = _printing.get()
        return write(text) if buffer is None else buffer.write(text)

    try:
        stream._asrbench_write, stream.write = write, diverted
    except AttributeError:  # it takes no attributes: what is printed goes where it would
        return


def _elsewhere(record: logging.LogRecord) -> bool:
    return _printing.get() is None


class _Log(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        if (buffer := _printing.get()) is not None:
            buffer.write(self.format(record) + "\n")


_log = _Log()
_log.setFormatter(logging.Formatter(LOG_FORMAT))
