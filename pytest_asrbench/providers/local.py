"""
Models and programs on this machine, known by what they are and not by where they lie.

A path differs from machine to machine and tells who works there; a file may change in its place. So
an identity holds the last part of the path and a fingerprint of the content: `ggml.bin@3f1c…`.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

END = 1 << 20  # bytes of a file's end that are read: hashing gigabytes would cost every run seconds
DIGITS = 12
RE_KEYS = re.compile(r"key|credential|secret|token|auth|cert|password", re.IGNORECASE)
MOST_FILES = 200  # a folder with more is no model


def known_by_content(value: Any, folder: Path, *, folders: bool = False) -> Any:
    """The value with each path in it that leads to a file told by its content; whatever is no path
    stays. `folder` is what relative ones are relative to; `folders`: folders are models too, of
    whose files all count, else a folder is told by its name alone."""
    if isinstance(value, Mapping):
        return {name: _option(str(name), part, folder, folders) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [known_by_content(part, folder, folders=folders) for part in value]
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if not isinstance(value, str):
        return value
    head, equals, path = value.partition("=")  # --model=PATH
    if equals and head.startswith("-"):
        return f"{head}={_option(head, path, folder, folders)}"
    return _told(value, folder, folders=folders) or value


def _option(name: str, value: Any, folder: Path, folders: bool) -> Any:
    """A file of keys is another one on each machine, and leaves no digest."""
    if RE_KEYS.search(name) and isinstance(value, str) and os.sep in value:
        return os.path.basename(value)
    return known_by_content(value, folder, folders=folders)


def name_of(path: Path) -> str:
    """`ggml.bin@3f1c8d02ab77`, of a file or of a folder with all that it holds."""
    return f"{path.resolve().name}@{_content(*_states(path))}"


def _told(text: str, folder: Path, *, folders: bool) -> str | None:
    try:
        path = (folder / Path(text).expanduser()) if text else None
        if path is None or not path.exists():
            return None
        if path.is_file():
            return name_of(path)
        if not os.path.isabs(text) and os.sep not in text and not folders:
            return None  # a word that happens to be a folder's name
        return name_of(path) if folders else f"{path.resolve().name}{os.sep}"
    except (OSError, ValueError, RuntimeError):  # too long for a path, or nobody's home
        return None


def _states(path: Path) -> Iterator[tuple[str, str, int, int]]:
    """Name, place, size and time of each file: what tells whether it has to be read again."""
    files = [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.is_file())
    for file in files[:MOST_FILES]:
        status = file.stat()
        yield str(file.relative_to(path.parent)), str(file), status.st_size, status.st_mtime_ns


@cache
def _content(*states: tuple[str, str, int, int]) -> str:
    digest = hashlib.sha256()
    for name, place, size, _ in states:
        inner = name.partition(os.sep)[2]  # less the model's own name
        digest.update(f"{inner}\0{size}\0".encode())
        with open(place, "rb") as file:
            file.seek(max(0, size - END))
            digest.update(file.read())
    return digest.hexdigest()[:DIGITS]
