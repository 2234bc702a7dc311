"""
Reading and writing the project's files.

Scalars of a YAML file stay the text that a person wrote: plain YAML turns `12:30` into 750, `0132`
into 90, `1.10` into 1.1 and `NO` into False, which would corrupt the very values we guard.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from errno import EISDIR
from pathlib import Path
from typing import Any, Final

import yaml

from pytest_asrbench.errors import InputError

KeyPath = tuple[str | int, ...]
Rows = Mapping[KeyPath, int]

# What ends an unquoted value: in a comment as one writes them, two spaces stand before the sign and
# one after it; other signs were meant as text.
RE_COMMENT: Final = re.compile(r"[ \t]+#")
RE_PLAIN_COMMENT: Final = re.compile(r"(?: {2,}|[ \t]*\t[ \t]*)#(?:[ \t]|$)", re.MULTILINE)
RE_CONFLICT: Final = re.compile(r"(<{7}|\|{7}|={7}|>{7})(\s|$)")  # git's markers, `diff3` too
MAX_YAML_VALUES = 500_000


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


def load_yaml_rows(path: Path) -> tuple[Any, Rows]:
    """Content as :func:`load_yaml`, and the 1-based row of each key path, for messages.

    `rows[("clips", 3, "audio")]` is the row of that value.
    """
    data, reader = _read_yaml(path)
    return data, reader.rows


@dataclass(frozen=True, slots=True)
class YamlContent:
    """A file's data, the 1-based row of each key path, and the key paths of scalars in quotes and
    of those that ` #` cuts short."""

    data: Any
    rows: Rows
    quoted: Collection[KeyPath]
    cut: Collection[KeyPath]


def read_yaml(path: Path) -> YamlContent:
    """The content with all that :class:`~pytest_asrbench.files.fields.Fields` tells of it. Raises
    InputError."""
    data, reader = _read_yaml(path)
    return YamlContent(data, reader.rows, reader.quoted, reader.cut)


def _read_yaml(path: Path) -> tuple[Any, _YamlReader]:
    text = read_text(path)
    reader = _YamlReader(path, text)
    try:
        node = yaml.compose(
            text, Loader=yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
        )
        return reader.plain(node, ()), reader
    except yaml.MarkedYAMLError as error:
        row = error.problem_mark.line + 1 if error.problem_mark else None
        raise InputError.at(path, row, f"not YAML: {error.problem}") from None
    except yaml.YAMLError as error:
        raise InputError.at(path, None, f"not YAML: {' '.join(str(error).split())}") from None
    except RecursionError:  # brackets without end, or an alias that holds itself
        raise InputError.at(path, None, "nested too deeply; write it flat") from None


class _YamlReader:
    """Turns YAML nodes into plain data and notes their rows."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text
        self.cut: set[KeyPath] = set()
        self.rows: dict[KeyPath, int] = {}
        self.quoted: set[KeyPath] = set()

    def plain(self, node: yaml.Node | None, at: KeyPath) -> Any:
        if node is None:
            return None
        self.rows[at] = node.start_mark.line + 1
        if len(self.rows) > MAX_YAML_VALUES:  # a few aliases of aliases would fill the memory
            raise InputError.at(
                self.path, None, f"more than {MAX_YAML_VALUES:,} values; use JSONL, without aliases"
            )
        if isinstance(node, yaml.SequenceNode):
            return [self.plain(child, (*at, i)) for i, child in enumerate(node.value)]
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node, at)
        assert isinstance(node, yaml.ScalarNode)  # YAML has no fourth kind
        if node.style:
            self.quoted.add(at)
        elif self.is_cut(node):
            self.cut.add(at)
        # A plain empty scalar is "nothing"; a quoted one is the empty text.
        return None if node.value == "" and not node.style else str(node.value)

    def is_cut(self, node: yaml.ScalarNode) -> bool:
        """True where the rest of the row looks like the value's own."""
        end = node.end_mark.index
        if not RE_COMMENT.match(self.text, end):
            return False
        if node.value == "":  # `key: # a comment`
            return not self.text[end:].lstrip().startswith(("# ", "#\n"))
        return not RE_PLAIN_COMMENT.match(self.text, end)

    def mapping(self, node: yaml.MappingNode, at: KeyPath) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        for key, child in node.value:
            row = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise InputError.at(self.path, row, "a key must be plain text")
            if key.value in mapping:
                raise InputError.at(self.path, row, f"key {key.value!r} stands twice; keep one")
            mapping[key.value] = self.plain(child, (*at, key.value))
        return mapping


def read_json(path: Path) -> Any:
    """The file's JSON value. Raises InputError with the row."""
    try:
        return decode_json(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError.at(path, error.lineno, f"not JSON: {error.msg}") from None
    except ValueError as error:
        raise InputError.at(path, None, f"not JSON: {error}") from None


def read_jsonl(path: Path, *, as_text: bool = False) -> Iterator[tuple[int, dict[str, Any]]]:
    """(row, object) for each line that is not blank, one at a time. Raises InputError with the row.

    `as_text` keeps each number as it is written ("1.10", "0132" is no JSON).
    """
    for row, line in _lines(path):
        try:
            value = decode_json(line, as_text=as_text)
        except json.JSONDecodeError as error:
            what = f"not JSON: {error.msg}"
            if RE_CONFLICT.match(line):
                what = "looks like an unresolved merge; keep what is right and remove the markers"
            raise InputError.at(path, row, what) from None
        except ValueError as error:
            raise InputError.at(path, row, f"not JSON: {error}") from None
        if not isinstance(value, dict):
            raise InputError.at(path, row, "expected an object, {…}")
        yield row, value


def decode_json(text: str, *, as_text: bool = False) -> Any:
    """The value, of which no key was lost and no NaN made. Raises ValueError."""
    try:
        return (_TEXTS if as_text else _VALUES).decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def json_value(text: str | bytes) -> Any:
    """JSON that another system wrote, which may know NaN or say a key twice. Raises ValueError."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """(row, text) of the lines that are not blank; only a line feed ends one, U+2028 does not."""
    try:
        with path.open("rb") as file:
            for row, raw in enumerate(file, start=1):
                try:
                    line = raw.decode("utf-8-sig" if row == 1 else "utf-8")
                except UnicodeDecodeError as error:
                    raise InputError.at(path, row, f"not UTF-8 ({error.reason})") from None
                if not line.isspace() and line:
                    yield row, line
    except FileNotFoundError:
        raise InputError.at(path, None, "no such file") from None
    except OSError as error:
        raise InputError.at(path, None, f"can't be read: {error.strerror}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"key {twice!r} stands twice; keep one")
    return value


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON value")


# Made once: json.loads would make a new decoder for each row.
_VALUES = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse)
_TEXTS = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_refuse, parse_int=str, parse_float=str
)


def dump_json(value: Any, **options: Any) -> str:
    """Readable in any language; with a lone surrogate of a broken recogniser, which no file in
    UTF-8 holds, in ASCII. `options` are those of json.dumps()."""
    try:
        text = json.dumps(value, ensure_ascii=False, **options)
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, **options)
    return text


def write_atomic(path: Path, content: str | bytes | Iterable[str]) -> None:
    """Write the whole file or nothing; a reader never sees half of it. Raises InputError.

    Pieces of text are written one by one, for files too large to hold twice. A link stays a link:
    the file that it leads to is replaced. A pipe or a device is written to and never replaced.
    """
    pieces = [content] if isinstance(content, str | bytes) else content
    encoded = (piece.encode() if isinstance(piece, str) else piece for piece in pieces)
    try:
        if path.is_dir():
            raise IsADirectoryError(EISDIR, "it is a folder; name a file in it")
        if path.exists() and not path.is_file():
            with path.open("wb") as stream:
                stream.writelines(encoded)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(Path(os.path.realpath(path)), encoded)
    except UnicodeEncodeError as error:
        what = f"{error.object[error.start]!r} can't be written as UTF-8; remove it"
        raise InputError.at(path, None, what) from None
    except OSError as error:
        raise InputError.at(path, None, f"can't be written: {error.strerror}") from None


def check_writable(path: Path) -> None:
    """Raises InputError where :func:`write_atomic` would; leaves nothing behind, no folder even.

    Tried for real: what permissions say is not what a read-only or a full disk does.
    """
    try:
        with suppress(FileNotFoundError):
            path.stat()  # raises for a name that is too long, which exists() may take for missing
        if path.is_dir():
            raise IsADirectoryError(EISDIR, "it is a folder; name a file in it")
        if path.exists() and not path.is_file():
            return
        folder = Path(os.path.realpath(path)).parent
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent
        with tempfile.NamedTemporaryFile(dir=folder, prefix=f".{path.name[:99]}."):
            pass
    except OSError as error:
        raise InputError.at(path, None, f"can't be written: {error.strerror}") from None


def _replace(path: Path, content: Iterable[bytes]) -> None:
    with tempfile.NamedTemporaryFile(
        dir=path.parent, prefix=f".{path.name[:99]}.", delete=False
    ) as file:
        try:
            file.writelines(content)
            file.flush()
            os.fsync(file.fileno())
            os.chmod(file.name, 0o666 & ~_umask())
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def _umask() -> int:
    """NamedTemporaryFile makes private files; ours are as public as the user's other files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
