"""
Entries as files in a folder: one JSON file a key, written whole or not at all.

    transcripts/5/5f3a….json   verdicts/0/09c1….json   lock   damaged/…

A file appears by renaming a finished one, so a process that is killed leaves none half written.
There is no fsync: a kill loses nothing without it, and what a power cut truncates is found damaged.
"""

from __future__ import annotations

import json
import os
import threading
import time
from contextlib import AbstractContextManager, suppress
from errno import ELOOP
from pathlib import Path
from typing import Any, Literal

from pytest_asrbench.files import decode_json
from pytest_asrbench.store.entries import DamagedError
from pytest_asrbench.store.locks import lock_byte, try_lock

Kind = Literal["transcripts", "verdicts"]


class StoreFolder:
    """Reads and writes entries; knows nothing of their meaning or age."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._prepared = False
        self._real: set[Path] = set()

    def get(self, kind: Kind, digest: str) -> dict[str, Any] | None:
        """The stored object, None where there is none. Raises DamagedError, OSError."""
        try:
            raw = self._owned(kind, digest).read_bytes()
        except FileNotFoundError:
            return None
        return decode(raw)

    def put(self, kind: Kind, digest: str, value: dict[str, Any]) -> None:
        """Raises OSError (full disk, read-only folder)."""
        self._prepare()
        replace(self._owned(kind, digest), json.dumps(value, default=str) + "\n")

    def own(self, *names: str) -> Path:
        """A folder or file of the store. Raises OSError for a link on the way: what is written,
        moved or deleted behind it is another's, and who can commit a link is not who runs this."""
        place = self.path
        for name in names:
            place = place / name
            if place not in self._real and place.is_symlink():
                raise OSError(
                    ELOOP, "it is a link, which leads out of the store; remove it", str(place)
                )
            self._real.add(place)
        return place

    def files(self, kind: Kind) -> list[Path]:
        """Files that are whole: a name with a dot in front is still being written, perhaps by
        another process, or was left by one that was killed. Raises OSError, as glob() would not."""
        folders = (path for path in _inside(self.own(kind)) if path.is_dir())
        every = [file for each in folders for file in _inside(self.own(kind, each.name))]
        return sorted(f for f in every if f.suffix == ".json" and not f.name.startswith("."))

    def file(self, kind: Kind, digest: str) -> Path:
        """The path of the key's entry."""
        return self.path / kind / digest[:1] / f"{digest}.json"

    def _owned(self, kind: Kind, digest: str) -> Path:
        return self.own(kind, digest[:1]) / f"{digest}.json"

    def set_aside(self, file: Path) -> Path:
        """Move a damaged file out of the way, for a person to look at. Raises OSError."""
        target = self.own("damaged") / file.name
        self.own(*file.parent.relative_to(self.path).parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):  # another process has done it
            os.replace(file, target)
        return target

    def try_lock(self, digest: str) -> AbstractContextManager[Any] | None:
        """The lock of a key, held; None while another run holds it. Raises OSError."""
        self._prepare()
        return try_lock(self.own("lock"), lock_byte(digest))

    def _prepare(self) -> None:
        """Make the folder; git ignores it, as its content is no part of the user's project."""
        ignore = self.path / ".gitignore"
        if not self._prepared and not ignore.exists():
            replace(ignore, "# Made by pytest-asrbench: stored transcripts and verdicts.\n*\n")
        self._prepared = True


def _inside(folder: Path) -> list[Path]:
    """Raises OSError; a folder that is missing holds nothing."""
    try:
        return [*folder.iterdir()]
    except FileNotFoundError:
        return []


def decode(raw: bytes) -> dict[str, Any]:
    """Raises DamagedError."""
    try:
        value = decode_json(raw.decode())
    except ValueError as error:
        raise DamagedError(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise DamagedError("not an object")
    return value


def replace(path: Path, text: str) -> None:
    """Write the whole file or nothing. Raises OSError."""
    # Not mkstemp(): its files are private, and a cache may be shared.
    fresh = path.with_name(f".{os.getpid()}-{threading.get_ident()}-{path.name}")
    try:
        _write(fresh, text)
        _rename(fresh, path)
    except BaseException:
        with suppress(OSError):
            fresh.unlink()
        raise


def _write(path: Path, text: str) -> None:
    """The folder is made where it is missing, which it seldom is."""
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def _rename(fresh: Path, path: Path) -> None:
    """Windows refuses while another process has the target open, which lasts a moment."""
    for left in reversed(range(20)):
        try:
            os.replace(fresh, path)
            return
        except PermissionError:
            if os.name != "nt" or not left:
                raise
            time.sleep(0.01)
