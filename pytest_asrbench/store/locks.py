"""
Locks between processes: bytes of a file, each of which one process at a time has.

Thousands of keys share a file: one for each would take longer to make than what it guards. The
system frees a process's locks when it dies. It knows no threads, so that a byte which is held here
is refused here; and it drops all locks of a process on a file that the process closes, so that the
file stays open while any is held. Nothing else may open it.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ASK_AGAIN_S = 0.002

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int, byte: int) -> None:
        os.lseek(descriptor, byte, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    def _unlock(descriptor: int, byte: int) -> None:
        os.lseek(descriptor, byte, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int, byte: int) -> None:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)

    def _unlock(descriptor: int, byte: int) -> None:
        fcntl.lockf(descriptor, fcntl.LOCK_UN, 1, byte)


_Key = tuple[int, int]  # device and file


@dataclass(frozen=True, slots=True)
class _File:
    """An open one, and the bytes of it that this process has."""

    descriptor: int
    held: set[int] = field(default_factory=set)


_files: dict[_Key, _File] = {}
_guard = threading.Lock()


def _forked() -> None:
    """A fork has none of its parent's locks; and of its threads, one may have been in here."""
    global _guard
    _guard = threading.Lock()
    _files.clear()  # and not closed: what was being closed may be another file by now


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def try_lock(path: Path, byte: int = 0) -> ExitStack | None:
    """The byte, until the lock is closed; None while anyone has it. Raises OSError."""
    with _guard:
        key, file = _opened(path)
        if byte in file.held or not _granted(file.descriptor, byte):
            _close_if_idle(key, file)
            return None
        file.held.add(byte)
    lock = ExitStack()
    lock.callback(_release, key, file, byte)
    return lock


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """Waits for the whole file, which is for work of a moment. Raises OSError."""
    while (held := try_lock(path)) is None:
        time.sleep(ASK_AGAIN_S)
    with held:
        yield


def lock_byte(digest: str) -> int:
    """A key's own byte in a file for all keys, by its SHA-256 in hex: no two are likely to meet,
    and those that did would wait for each other."""
    return int(digest[:12], 16)


def _opened(path: Path) -> tuple[_Key, _File]:
    try:
        key = _key(os.stat(path))
        if (file := _files.get(key)) is not None:
            return key, file
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    key = _key(os.fstat(descriptor))
    file = _files[key] = _File(descriptor)
    return key, file


def _key(status: os.stat_result) -> _Key:
    return status.st_dev, status.st_ino


def _granted(descriptor: int, byte: int) -> bool:
    try:
        _lock(descriptor, byte)
    except (BlockingIOError, PermissionError):  # which one depends on the system
        return False
    return True


def _close_if_idle(key: _Key, file: _File) -> None:
    if not file.held:
        os.close(file.descriptor)
        del _files[key]


def _release(key: _Key, file: _File, byte: int) -> None:
    with _guard:
        if _files.get(key) is not file:  # its parent's, in a fork
            return
        file.held.discard(byte)
        if file.held:
            _unlock(file.descriptor, byte)
        _close_if_idle(key, file)
