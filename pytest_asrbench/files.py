"""
Reading and writing the project's files.

Scalars of a YAML file stay the text that a person wrote: plain YAML turns `12:30` into 750, `0132`
into 90, `1.10` into 1.1 and `NO` into False, which would corrupt the very values we guard.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from pytest_asrbench.errors import InputError

Row = Mapping[tuple[str | int, ...], int]


def read_text(path: Path) -> str:
    """The file's text, UTF-8 with or without a byte-order mark. Raises InputError."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError.at(path, None, "no such file") from None
    except UnicodeDecodeError as error:
        raise InputError.at(
            path, None, f"not UTF-8 ({error.reason} at byte {error.start})"
        ) from None
    except OSError as error:
        raise InputError.at(path, None, f"can't be read: {error.strerror}") from None


def load_yaml(path: Path) -> Any:
    """The content; every scalar is a str, and only an empty one is None. Raises InputError."""
    return load_yaml_rows(path)[0]


def load_yaml_rows(path: Path) -> tuple[Any, Row]:
    """Content as :func:`load_yaml`, and the 1-based row of each key path, for messages.

    `rows[("clips", 3, "audio")]` is the row of that value.
    """
    try:
        node = yaml.compose(
            read_text(path), Loader=yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
        )
    except yaml.MarkedYAMLError as error:
        row = error.problem_mark.line + 1 if error.problem_mark else None
        raise InputError.at(path, row, f"not YAML: {error.problem}") from None
    except yaml.YAMLError as error:
        raise InputError.at(path, None, f"not YAML: {error}") from None
    rows: dict[tuple[str | int, ...], int] = {}
    return _plain(node, (), rows, path), rows


def _plain(
    node: yaml.Node | None,
    at: tuple[str | int, ...],
    rows: dict[tuple[str | int, ...], int],
    path: Path,
) -> Any:
    if node is None:
        return None
    rows[at] = node.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode):
        return [_plain(child, (*at, i), rows, path) for i, child in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        mapping: dict[str, Any] = {}
        for key, child in node.value:
            row = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise InputError.at(path, row, "a key must be plain text")
            if key.value in mapping:
                raise InputError.at(path, row, f"key {key.value!r} stands twice; keep one")
            mapping[key.value] = _plain(child, (*at, key.value), rows, path)
        return mapping
    # A plain empty scalar is "nothing"; a quoted one is the empty text.
    return None if node.value == "" and node.style is None else str(node.value)


def read_json(path: Path) -> Any:
    """The file's JSON value. Raises InputError with the row."""
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError.at(path, error.lineno, f"not JSON: {error.msg}") from None


def read_jsonl(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(row, object) for each line that is not blank. Raises InputError with the row."""
    # Not splitlines(): U+2028 and friends may stand inside a JSON string.
    for row, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError.at(path, row, f"not JSON: {error.msg}") from None
        if not isinstance(value, dict):
            raise InputError.at(path, row, "expected an object, {…}")
        yield row, value


def write_atomic(path: Path, text: str) -> None:
    """Write the whole file or nothing; a reader never sees half of it. Raises InputError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w",
            encoding="utf-8",
            newline="\n",
            dir=path.parent,
            prefix=f".{path.name}.",
            delete=False,
        ) as file:
            try:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            except BaseException:
                os.unlink(file.name)
                raise
        os.chmod(file.name, 0o666 & ~_umask())
        os.replace(file.name, path)
    except OSError as error:
        raise InputError.at(path, None, f"can't be written: {error.strerror}") from None


def _umask() -> int:
    """NamedTemporaryFile makes private files; ours are as public as the user's other files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
