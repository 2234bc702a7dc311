"""
Marks that tell the layouts apart. Each has one key that no other has; a file without it is not
read, and the message says what the file looks like instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from pytest_asrbench.datasets import tables
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import load_yaml, read_json, read_jsonl

KEYS: Mapping[str, str] = {
    "native": "schema",
    "voicecodebench": "audio_id",
    "mu-bench": "utterances",
    "etb": "entity_offsets",
}
"""Layout -> the key of its file (mu-bench, native) or of its first row that marks it."""

TRANSCRIPTS = ("pred_text", "items")
"""Keys of files that hold what a system heard, not what was said."""

YAML = (".yaml", ".yml")
FILES: Mapping[str, str | None] = {
    "clips.yaml": "native",
    "clips.jsonl": "native",
    "metadata.jsonl": None,  # two benchmarks use this name: the first row decides
    "manifest.json": "mu-bench",
}
"""Names looked for in a folder -> the layout that such a file has."""


def find(folder: Path) -> Path:
    """The one file in a folder that lists clips; the folder where it is tables. InputError."""
    places = [folder / name for name in FILES if (folder / name).is_file()]
    places += _with_tables(folder)
    if not places:  # a clone of a Hugging Face data set, or one saved with its split
        places = [p for p in [folder / "data/metadata.jsonl"] if p.is_file()]
        places += [p for name in ("data", "test") for p in _with_tables(folder / name)]
    if not places:
        names = ", ".join([*FILES, "*.parquet"])
        raise InputError.at(folder, None, f"no dataset in this folder; looked for {names}")
    if len(places) > 1:
        names = ", ".join("tables" if path.is_dir() else path.name for path in places)
        raise InputError.at(folder, None, f"{len(places)} datasets here ({names}); name the file")
    return places[0]


def layout_of(path: Path) -> str:
    """The layout of a file, or of a folder of tables. Raises InputError where it has none."""
    layout = FILES.get(path.name)
    if layout:
        check(path, layout)
        return layout
    if path.suffix in YAML:
        return "native"
    keys = _keys(path)
    if layout_by_keys := _layout(keys):
        return layout_by_keys
    raise InputError.at(path, None, _not_known(keys))


def check(path: Path, layout: str) -> None:
    """Raises InputError where the file is of another layout than the one named."""
    if layout == "native" and path.suffix in YAML:  # its reader says what a header lacks
        return
    keys = _keys(path)
    if KEYS[layout] in keys:
        return
    other = _layout(keys)
    what = f"not {layout}: {KEYS[layout]} is missing"
    if other:
        raise InputError.at(path, None, f"{what}; it looks like {other}, so write {other}:{path}")
    if layout != "native" or _transcripts(keys):
        raise InputError.at(path, None, f"{what}; {_not_known(keys)}")


def _layout(keys: Iterable[str]) -> str | None:
    if _transcripts(keys):
        return None
    return next((layout for layout, key in KEYS.items() if key in keys), None)


def _transcripts(keys: Iterable[str]) -> bool:
    return any(key in TRANSCRIPTS for key in keys)


def _not_known(keys: Iterable[str]) -> str:
    if _transcripts(keys):
        return "it holds transcripts, not clips: give it to --hypotheses"
    known = ", ".join(f"{layout} ({key})" for layout, key in KEYS.items())
    return f"of no known layout, by its keys: {known}"


def _keys(path: Path) -> list[str]:
    """The keys of the file, or of its first row."""
    if path.is_dir() or path.suffix in (".parquet", ".arrow"):
        return tables.columns(path)
    if path.suffix == ".jsonl":
        return list(next(read_jsonl(path), (0, {}))[1])
    if path.suffix == ".json" or path.suffix in YAML:
        data = read_json(path) if path.suffix == ".json" else load_yaml(path)
        return list(data) if isinstance(data, dict) else []
    raise InputError.at(path, None, "not a dataset; one is YAML, JSONL, JSON, Parquet or Arrow")


def _with_tables(folder: Path) -> list[Path]:
    return [folder] if any(folder.glob("*.parquet")) or any(folder.glob("*.arrow")) else []
