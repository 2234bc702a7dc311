"""
Finds the layout of a path, and reads it.

A layout is named (`mu-bench:PATH`) or read from a marker, never guessed from content that merely
resembles it; where it does not fit, the message says what it looks like.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

from pytest_asrbench.datasets import markers
from pytest_asrbench.datasets.types import installed_types
from pytest_asrbench.errors import InputError, one_line
from pytest_asrbench.model import Clip, Dataset

LAYOUTS: Mapping[str, str] = {
    "native": "pytest_asrbench.datasets.native",
    "voicecodebench": "pytest_asrbench.datasets.voicecodebench",
    "mu-bench": "pytest_asrbench.datasets.mubench",
    "etb": "pytest_asrbench.datasets.etb",
}
"""Layout -> the module whose `read(path, types)` knows it."""
GROUP = "pytest_asrbench.layouts"
"""Entry points of other packages: layout -> the function `read(path, types)`."""


def load(spec: str | Path, base: Path = Path(), types: Mapping[str, str] | None = None) -> Dataset:
    """The dataset at `[LAYOUT:]PATH`, relative to `base`; `types` are custom types of the settings.

    Reads no audio. Raises InputError: one line for each fault of the file.
    """
    layout, path = locate(str(spec), base)
    installed = installed_types()
    with _no_collection():
        dataset = _reader(layout)(path, {**installed, **(types or {})})
    if not dataset.clips:
        raise InputError.at(path, None, "no clips; add one, for instance with asrbench add")
    return _without_unused(dataset, installed)


def _reader(layout: str) -> Callable[[Path, Mapping[str, str]], Dataset]:
    """`read(path, types)` of a layout. Raises InputError where another package's is faulty."""
    if layout in LAYOUTS:
        built_in: Callable[[Path, Mapping[str, str]], Dataset] = import_module(LAYOUTS[layout]).read
        return built_in
    [point] = entry_points(group=GROUP, name=layout)
    try:
        read: Callable[[Path, Mapping[str, str]], Dataset] = point.load()
    except (Exception, SystemExit) as error:
        what = f"layout {layout!r}: loading {point.value} raised {one_line(error)}"
        raise InputError(what) from error
    return read


def _without_unused(dataset: Dataset, installed: Mapping[str, str]) -> Dataset:
    """Types of other packages count where they are used: others' thresholds stay what they are."""
    used = {entity.type for clip in dataset.clips for entity in clip.entities}
    types = {k: v for k, v in dataset.types.items() if k not in installed or k in used}
    return dataset if types == dict(dataset.types) else replace(dataset, types=types)


def locate(spec: str, base: Path) -> tuple[str, Path]:
    """(layout, file) of a `[LAYOUT:]PATH`. Raises InputError."""
    named, _, rest = spec.partition(":")
    if rest and named in LAYOUTS:
        path = _file(base / rest)
        markers.check(path, named)
        return named, path
    if rest and entry_points(group=GROUP, name=named):
        return named, base / rest
    if rest and "/" not in named and not (base / spec).exists():
        known = ", ".join([*LAYOUTS, *sorted(entry_points(group=GROUP).names)])
        raise InputError.at(spec, None, f"no such file, and no layout {named!r}; known: {known}")
    path = _file(base / spec)
    return markers.layout_of(path), path


def _file(path: Path) -> Path:
    if not path.exists():
        raise InputError.at(path, None, "no such file or folder; give the dataset's path")
    return markers.find(path) if path.is_dir() else path


def missing_audio(dataset: Dataset) -> list[Clip]:
    """The clips whose audio file isn't there, for a message that lists them all at once.

    Audio that lies inside a Parquet or Arrow file is unpacked first.
    """
    missing = [clip for clip in dataset.clips if not clip.path.is_file()]
    if missing and dataset.layout == "etb":
        import_module(LAYOUTS["etb"]).unpack(dataset, missing)
        return [clip for clip in missing if not clip.path.is_file()]
    return missing


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
