"""Keys come from the environment, and leave this process only in a request's header."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from pytest_asrbench.errors import AuthError

RE_SECRET_NAME = re.compile(r"key|token|secret|password|auth", re.IGNORECASE)
SHORTEST = 8  # a shorter value would blot out innocent words
HIDDEN = "***"


def secret(name: str) -> str:
    """The value of an environment variable. Raises AuthError, which names only the variable."""
    value = os.environ.get(name, "").strip()
    if not value:
        raise AuthError(f"environment variable {name} is not set; export the key in it")
    return value


def scrub(text: str, secrets: Iterable[str] = ()) -> str:
    """`text` without these values, nor those of environment variables that sound secret."""
    known = [value for name, value in os.environ.items() if RE_SECRET_NAME.search(name)]
    for value in sorted({*known, *secrets}, key=len, reverse=True):
        if len(value) >= SHORTEST:
            text = text.replace(value, HIDDEN)
    return text
