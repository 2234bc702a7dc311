"""Keys come from the environment, and leave this process only in a request's header."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from urllib.parse import unquote

from pytest_asrbench.errors import InputError

RE_SECRET_NAME = re.compile(r"key|token|secret|password|auth", re.IGNORECASE)
RE_SECRET_SETTING = re.compile(
    # Narrower, as what a vendor calls `keyterms` or `max_tokens` changes its transcripts.
    r"secret|passw|passphrase|credential|signature|auth(?!or(?!i))|(?:keys?|token|^sig)$",
    re.IGNORECASE,
)
RE_USER = re.compile(r"(?<=://)([^/?#]*)@")
RE_FIELD = re.compile(r"([?&])([^?&=#]+)=([^&#]+)")  # of an address's query
RE_ARGUMENT = re.compile(r"(-*[\w-]+)(=|:\s+)(.+)")  # `--api-key=…`, `KEY=…`, `X-Api-Key: …`
RE_KEY = re.compile(r"[!-~]*")  # printable ASCII
SHORTEST = 8  # a shorter value would blot out innocent words
HIDDEN = "***"
_read: set[str] = set()
"""Names of the variables that held a key, whatever they are called."""
_hidden: set[str] = set()
"""Values that stood among the settings."""
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
    """`text` without these values, those that :func:`masked` hid, and those of environment
    variables that were read as keys or sound secret."""
    known = [
        value.strip()
        for name, value in os.environ.items()
        if name in _read or RE_SECRET_NAME.search(name)
    ]
    for value in sorted({*known, *_hidden, *secrets}, key=len, reverse=True):
        if len(value) >= SHORTEST:
            text = text.replace(value, HIDDEN)
    return text


def masked(value: Any, name: str = "") -> Any:
    """A setting with *** for each part of it that sounds secret: what stands under such a name, in
    an address as its user or under such a name in its query, or behind such an option of a command.
    """
    if RE_SECRET_SETTING.search(name):
        return _hide(value)
    if isinstance(value, Mapping):
        return {key: masked(part, str(key)) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_argument(part, before) for before, part in zip(("", *value), value, strict=False)]
    if isinstance(value, str) and "://" in value:
        return RE_FIELD.sub(_field, RE_USER.sub(_user, value))
    return value


def _argument(part: Any, before: Any) -> Any:
    """Of a list, which may be a command: `--api-key …` are two parts of it."""
    if isinstance(part, str) and (named := RE_ARGUMENT.fullmatch(part)):
        name, sign, value = named.groups()
        return f"{name}{sign}{masked(value, name)}"
    return masked(part, before if str(before).startswith("-") else "")


def _field(match: re.Match[str]) -> str:
    sign, name, value = match.groups()
    return f"{sign}{name}={masked(value, name)}"


def _user(match: re.Match[str]) -> str:
    _hide(match[1].rpartition(":")[2])
    return ""


def _hide(value: Any) -> Any:
    """A flag or nothing at all is no secret."""
    if value is None or isinstance(value, bool):
        return value
    for text in _texts(value):
        _hidden.update((text, unquote(text), text.split(" ")[-1]))  # `Bearer …`
    return HIDDEN


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        value = [*value.values()]
    if isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
    else:
        yield str(value)
