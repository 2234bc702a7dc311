"""
The folder that the processes of a run share; transcripts pass through it, so it is private.

    asrbench-run-x7f3a/alive-4711.lock   held as long as process 4711 lives
                      /…                 the engine's

It goes when the run ends. A run that was killed leaves it, and the same user's next run removes it,
once none of its processes is left.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, suppress
from pathlib import Path
from typing import Any

from pytest_asrbench.clock import now
from pytest_asrbench.errors import InputError
from pytest_asrbench.store.locks import try_lock

PREFIX = "asrbench-run-"
UNLOCKED_S = 3600  # a run's folder has its lock a moment after it is made

Lock = AbstractContextManager[Any]


def make() -> tuple[Path, Callable[[], None]]:
    """A new folder with this process alive in it, and what removes it. Raises InputError."""
    _remove_dead()
    maker = os.getpid()
    try:
        folder, lock = _made()
    except OSError as error:
        raise InputError(
            f"{tempfile.gettempdir()}: no folder for the run can be made ({error.strerror}); make "
            "room, or set TMPDIR"
        ) from error

    def remove() -> None:
        if os.getpid() == maker:  # not a fork of it, which may end through pytest as well
            _remove(folder, lock)

    return folder, remove


def alive(folder: Path) -> ExitStack:
    """Holds this process's lock in the folder until it is closed, or the process ends."""
    held = ExitStack()
    with suppress(OSError):
        if lock := _own_lock(folder):
            held.enter_context(lock)
    return held


def _made() -> tuple[Path, Lock]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        lock = _own_lock(folder)
        # Else another run found the lock before it was held, and took the folder for a dead one's.
        if lock is not None and _is_ours(folder):
            return folder, lock


def _own_lock(folder: Path) -> Lock | None:
    return try_lock(folder / f"alive-{os.getpid()}.lock")


def _remove_dead() -> None:
    """Whatever can't be looked at or removed stays; no run fails for what others left."""
    with suppress(OSError):
        for folder in _folders(Path(tempfile.gettempdir())):
            with suppress(OSError), ExitStack() as locks:
                if _is_dead(folder, locks):
                    _remove(folder, locks)


def _folders(parent: Path) -> Iterator[Path]:
    with os.scandir(parent) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX) and _is_ours(Path(entry.path)):
                yield Path(entry.path)


def _is_ours(folder: Path) -> bool:
    """True if it is a folder, no link to one, that only this user can have put things into."""
    try:
        is_ours = folder.lstat()
    except OSError:
        return False
    if not stat.S_ISDIR(is_ours.st_mode):
        return False
    return os.name == "nt" or (is_ours.st_uid == os.getuid() and not is_ours.st_mode & 0o077)


def _is_dead(folder: Path, locks: ExitStack) -> bool:
    """True if every process's lock could be had; `locks` has them then."""
    files = list(folder.glob("alive-*.lock"))
    if not files:
        return now() - folder.lstat().st_mtime > UNLOCKED_S
    for file in files:
        if (lock := try_lock(file)) is None:
            return False
        locks.enter_context(lock)
    return True


def _remove(folder: Path, locks: Lock) -> None:
    """Held meanwhile, lest a run take it for its own; Windows removes what is held only after."""
    with locks:
        shutil.rmtree(folder, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
