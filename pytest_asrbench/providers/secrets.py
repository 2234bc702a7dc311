"""Keys come from the environment, and leave this process only in a request's header."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pytest_asrbench.errors import InputError

RE_SECRET_NAME = re.compile(r"key|token|secret|password|auth", re.IGNORECASE)
RE_KEY = re.compile(r"[!-~]*")  # printable ASCII
SHORTEST = 8  # a shorter value would blot out innocent words
HIDDEN = "***"
_read: set[str] = set()
"""Names of the variables that held a key, whatever they are called."""
_replaying = ContextVar("replaying", default=False)


def secret(name: str, use: str) -> str:
    """The value of an environment variable that provider `use` needs. Raises InputError."""
    value = os.environ.get(name, "").strip()
    if not value and not replaying():
        raise InputError(
            f"provider {use}: environment variable {name} is not set; put the key in it"
        )
    if not RE_KEY.fullmatch(value):
        # A header can't carry it, and the libraries' errors would quote it.
        raise InputError(
            f"provider {use}: environment variable {name} holds a space, a line end or a letter "
            "that no key has; copy the key again"
        )
    _read.add(name)
    return value


def replaying() -> bool:
    """Whether stored transcripts are replayed, so that nothing is needed for calls."""
    return _replaying.get()


@contextmanager
def no_calls() -> Iterator[None]:
    """Inside, keys may be missing: stored transcripts are replayed on machines that have none."""
    token = _replaying.set(True)
    try:
        yield
    finally:
        _replaying.reset(token)


def scrub(text: str, secrets: Iterable[str] = ()) -> str:
    """`text` without these values, nor those of environment variables that were read as keys or
    sound secret."""
    known = [
        value.strip()
        for name, value in os.environ.items()
        if name in _read or RE_SECRET_NAME.search(name)
    ]
    for value in sorted({*known, *secrets}, key=len, reverse=True):
        if len(value) >= SHORTEST:
            text = text.replace(value, HIDDEN)
    return text
