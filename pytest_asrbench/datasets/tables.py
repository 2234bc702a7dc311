"""
Parquet files and saved `datasets` folders (extra `hf`), row by row.

Audio inside a table is `{bytes, path}`. Rows are read without the bytes; `audio()` reads those.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_asrbench.errors import InputError

AUDIO = "audio"


def files(path: Path) -> list[Path]:
    """The tables at a path, in order: itself, or those in its folder."""
    files = sorted([*path.glob("*.parquet"), *path.glob("*.arrow")]) if path.is_dir() else [path]
    if not files:
        raise InputError.at(path, None, "no .parquet or .arrow file in this folder")
    return files


def columns(path: Path) -> list[str]:
    """The columns' names. Raises InputError."""
    return list(_schema(files(path)[0]).names)


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Each row as plain data; of the audio only its path. Raises InputError."""
    for file in files(path):
        names = _schema(file).names
        rest = [name for name in names if name != AUDIO]
        for batch in _batches(file, [*rest, f"{AUDIO}.path"] if AUDIO in names else rest):
            yield from batch.to_pylist()


def audio(path: Path) -> Iterator[bytes | None]:
    """The audio bytes of each row, in the order of :func:`rows`. Raises InputError."""
    for file in files(path):
        for batch in _batches(file, [f"{AUDIO}.bytes"]):
            for row in batch.to_pylist():
                yield row[AUDIO]["bytes"]


def _batches(file: Path, names: list[str]) -> Iterator[Any]:
    pyarrow = _pyarrow()
    try:
        if file.suffix == ".parquet":
            table = pyarrow.parquet.ParquetFile(file, memory_map=True)
            yield from table.iter_batches(batch_size=32, columns=names)
        else:
            with pyarrow.memory_map(str(file)) as source, pyarrow.ipc.open_stream(source) as stream:
                yield from (_select(pyarrow, batch, names) for batch in stream)
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError.at(file, None, f"can't be read: {_first_line(error)}") from None


def _select(pyarrow: Any, batch: Any, names: list[str]) -> Any:
    """An Arrow stream has no way to read a part of a column: take it afterwards."""
    parts = {}
    for name in names:
        column, _, part = name.partition(".")
        values = batch.column(column)
        parts[column] = (
            pyarrow.StructArray.from_arrays([values.field(part)], [part]) if part else values
        )
    return pyarrow.RecordBatch.from_pydict(parts)


def _schema(file: Path) -> Any:
    pyarrow = _pyarrow()
    try:
        if file.suffix == ".parquet":
            return pyarrow.parquet.read_schema(file)
        with pyarrow.memory_map(str(file)) as source, pyarrow.ipc.open_stream(source) as stream:
            return stream.schema
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError.at(file, None, f"can't be read: {_first_line(error)}") from None


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.ipc
        import pyarrow.parquet
    except ImportError:
        raise InputError("Parquet and Arrow need pip install 'pytest-asrbench[hf]'") from None
    return pyarrow


def _first_line(error: BaseException) -> str:
    return str(error).split("\n")[0]
