"""
Which layout a path holds, and its reader.

A layout is named (`mu-bench:PATH`) or read from a marker, never guessed from content that merely
resembles it; where it does not fit, the message says what it looks like.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from pytest_asrbench.errors import InputError
from pytest_asrbench.files import read_jsonl
from pytest_asrbench.model import Clip, Dataset

LAYOUTS: Mapping[str, str] = {
    "native": "pytest_asrbench.datasets.native",
    "voicecodebench": "pytest_asrbench.datasets.voicecodebench",
    "mu-bench": "pytest_asrbench.datasets.mubench",
    "etb": "pytest_asrbench.datasets.etb",
}
"""Layout -> the module whose `read(path, types)` knows it."""

MARKERS: Mapping[str, str | None] = {
    "clips.yaml": "native",
    "clips.jsonl": "native",
    "metadata.jsonl": None,  # two benchmarks use this name: the first row decides
    "manifest.json": "mu-bench",
}
ROW_MARKERS: Mapping[str, str] = {"audio_id": "voicecodebench", "entity_offsets": "etb"}


def load(spec: str, base: Path, types: Mapping[str, str] | None = None) -> Dataset:
    """The dataset at `[LAYOUT:]PATH`, relative to `base`; `types` are own types of the settings.

    Reads no audio. Raises InputError: one line for each fault of the file.
    """
    layout, path = locate(spec, base)
    read: Callable[[Path, Mapping[str, str]], Dataset] = import_module(LAYOUTS[layout]).read
    with _no_collection():
        dataset = read(path, types or {})
    if not dataset.clips:
        raise InputError.at(path, None, "no clips; add one, for instance with asrbench add")
    return dataset


def locate(spec: str, base: Path) -> tuple[str, Path]:
    """(layout, file) of a `[LAYOUT:]PATH`. Raises InputError."""
    named, _, rest = spec.partition(":")
    if rest and named in LAYOUTS:
        return named, _of_layout(named, base / rest)
    path = base / spec
    if not path.exists():
        if rest and "/" not in named:
            known = ", ".join(LAYOUTS)
            raise InputError.at(
                spec, None, f"no such file, and no layout {named!r}; known: {known}"
            )
        raise InputError.at(path, None, "no such file or folder; give the dataset's path")
    if path.is_dir():
        path = _marker(path)
    return _layout(path), path


def missing_audio(dataset: Dataset) -> list[Clip]:
    """The clips whose audio file isn't there, for a message that lists them all at once."""
    return [clip for clip in dataset.clips if not clip.path.is_file()]


def check_audio(dataset: Dataset) -> None:
    """Raises InputError, one line for each missing audio file."""
    lines = [
        str(
            InputError.at(
                dataset.path, c.row, f"{c.id}: no audio at {c.path}; add it or correct it"
            )
        )
        for c in missing_audio(dataset)
    ]
    if lines:
        raise InputError("\n".join(lines))


@contextmanager
def _no_collection() -> Iterator[None]:
    """All that is read stays alive: the collector would walk it again and again, a third of the
    time for a large set, and free nothing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _marker(folder: Path) -> Path:
    """The one file in a folder that lists clips."""
    found = [folder / name for name in MARKERS if (folder / name).is_file()]
    found += _tables(folder)
    if not found and (folder / "data").is_dir():  # a clone of a Hugging Face data set
        found = [p for p in [folder / "data/metadata.jsonl"] if p.is_file()]
        found += _tables(folder / "data")
    if not found:
        names = ", ".join([*MARKERS, "*.parquet"])
        raise InputError.at(folder, None, f"no dataset in this folder; looked for {names}")
    if len(found) > 1:
        names = ", ".join(path.name for path in found)
        raise InputError.at(folder, None, f"{len(found)} datasets here ({names}); name the file")
    return found[0]


def _tables(folder: Path) -> list[Path]:
    """The folder itself where it holds Parquet files or an Arrow data set."""
    return [folder] if any(folder.glob("*.parquet")) or any(folder.glob("*.arrow")) else []


def _of_layout(layout: str, path: Path) -> Path:
    """The file of a layout that the user named."""
    if not path.exists():
        raise InputError.at(path, None, "no such file or folder; give the dataset's path")
    return _marker(path) if path.is_dir() else path


def _layout(path: Path) -> str:
    if path.is_dir() or path.suffix in (".parquet", ".arrow"):
        return "etb"
    layout = MARKERS.get(path.name)
    if layout:
        return layout
    if path.suffix in (".yaml", ".yml"):
        return "native"
    if path.suffix == ".jsonl":
        return _of_first_row(path)
    kinds = "YAML, JSONL, manifest.json or Parquet"
    raise InputError.at(path, None, f"not a dataset ({kinds}); or name it: native:{path.name}")


def _of_first_row(path: Path) -> str:
    row: dict[str, Any]
    _, row = next(read_jsonl(path), (0, {}))
    for key, layout in ROW_MARKERS.items():
        if key in row:
            return layout
    if path.name != "metadata.jsonl":
        return "native"
    known = " nor ".join(f"{key} ({layout})" for key, layout in ROW_MARKERS.items())
    raise InputError.at(path, 1, f"the first row has neither {known}; name the layout")
