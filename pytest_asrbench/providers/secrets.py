"""Keys come from the environment, and leave this process only in a request's header."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from urllib.parse import unquote

from pytest_asrbench.errors import InputError

RE_SECRET_NAME = re.compile(r"key|token|secret|password|auth", re.IGNORECASE)
# What a setting's name ends in, as lower-case words, and which texts are secrets under it. Other
# names and texts change transcripts (`monkey`, `suppress_token`), so they stay in the store's key.
RE_PLAIN_NAME = re.compile(
    r"(?:^|_)(?:(?:api|access|account|licen[cs]e|private|secret|service|signing|subscription)_?keys?"
    r"|(?:access|api|auth|bearer|refresh|secret|security|session)_?tokens?"
    r"|secrets?|passwords?|passwd|passphrases?|credentials?|auth|authorization|bearer|jwts?)$"
    r"|^(?:token|signature|sig)$"
)
RE_PLAIN_SECRET = re.compile(r".{8,}", re.DOTALL)
RE_DOUBTFUL_NAME = re.compile(r"(?:^|_)(?:key|token|signature|sig)$")
RE_DOUBTFUL_SECRET = re.compile(r"(?=.*[A-Za-z])(?=.*\d)[\w.%~+=-]{16,}")
RE_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")  # of apiKey
RE_USER = re.compile(r"(?<=://)([^\s/?#]*)@")
RE_SCHEME = re.compile(r"(?:basic|bearer|token|key|apikey) ", re.IGNORECASE)
_VALUE = r"""((?<=")[^"]+|(?<=')[^']+|\S+?(?=["';)]*(?:\s|$)))"""  # quoted, or up to white space
FORMS = (  # (name)(sign)(value), anywhere in a text
    re.compile(r"""(?<=[?&])([^?&=#\s]+)(=)([^?&#\s"']+)"""),  # of an address's query
    re.compile(r"""(?<![\w?&.-])(-*[A-Za-z][\w.-]*)(=["']?)""" + _VALUE),
    re.compile(r"""(?<![^\s"'])(--?[A-Za-z][\w-]*)(\s+["']?)(?!--)""" + _VALUE),
    re.compile(  # a header: a line of its own, or in quotes
        r"""(?:^|(?<=["']))([A-Za-z][\w-]*)(["']?:[ \t]*["']?"""
        rf"""(?:{RE_SCHEME.pattern})?)([^\s"']{{8,}})(?=["']|\s*$)""",
        re.IGNORECASE | re.MULTILINE,
    ),
)
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
    """True if stored transcripts are replayed, so that nothing is needed for calls."""
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
    """A setting with *** for each secret in it: what stands under such a name, in an address as its
    user, or in a text behind such a name as one writes options, headers and queries.

    Nothing of a secret stays, no digest either: machines with other keys share their transcripts.
    """
    if _is_secret(name, value):
        return _hide(value)
    if isinstance(value, Mapping):
        return {key: masked(part, str(key)) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_argument(part, before) for before, part in zip(("", *value), value, strict=False)]
    if isinstance(value, str):
        return functools.reduce(_without_secrets, FORMS, RE_USER.sub(_user, value))
    return value


def _is_secret(name: str, value: Any) -> bool:
    """Texts alone are: a number is a weight or an index."""
    words = re.sub(r"[^a-z0-9]+", "_", RE_HUMP.sub("_", name).lower()).strip("_")
    if RE_PLAIN_NAME.search(words):
        return any(map(RE_PLAIN_SECRET.fullmatch, _texts(value)))
    if RE_DOUBTFUL_NAME.search(words):
        return any(map(RE_DOUBTFUL_SECRET.fullmatch, _texts(value)))
    return False


def _argument(part: Any, before: Any) -> Any:
    """Of a list, which may be a command: `--api-key …` are two parts of it."""
    is_value = str(before).startswith("-") and not str(part).startswith("--")
    return masked(part, before if is_value else "")


def _without_secrets(text: str, form: re.Pattern[str]) -> str:
    at = 0
    while match := form.search(text, at):
        at = match.start(3)  # `--data=api_key=…`: another may begin there
        if _is_secret(match[1], match[3]):
            text = text[:at] + _hide(match[3]) + text[match.end(3) :]
            at += len(HIDDEN)
    return text


def _user(match: re.Match[str]) -> str:
    _hide(match[1].rpartition(":")[2])
    return ""


def _hide(value: Any) -> str:
    for text in _texts(value):
        _hidden.update((text, unquote(text), RE_SCHEME.sub("", text)))
    return HIDDEN


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        value = [*value.values()]
    if isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, str):
        yield value
