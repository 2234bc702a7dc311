"""
The folder through which the processes of one run share their work.

    claims               a byte for each clip and repeat, held by the process that works on it
    marks/5f3a…          one mark for each process that is, or died, at work on it
    results/5f3a….json  what became of it
    journal/….jsonl      one file a process: calls begun and ended, for budget and progress
    stop.json            why no further call is made

A claim is a lock of the operating system: when its process dies, another takes the clip over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pytest_asrbench.engine.result import Result, result_from_json, result_to_json
from pytest_asrbench.errors import CallError
from pytest_asrbench.files import schema
from pytest_asrbench.model import Failure
from pytest_asrbench.store.entries import DamagedError
from pytest_asrbench.store.folder import decode, replace
from pytest_asrbench.store.locks import lock_byte, try_lock


class NotCalledError(CallError):
    """The run has stopped calling; carries why."""

    def __init__(self, why: Failure) -> None:
        super().__init__(f"not called: {why.message}", host=why.host, kind=why.kind)


class SharedFolder:
    """All methods raise OSError where the folder can't be used.

    A process that is `alone`, and that no other will take over from, has no use for the folder.
    """

    def __init__(self, folder: Path, *, alone: bool) -> None:
        self.folder = folder
        self.alone = alone
        self._stop = folder / "stop.json"
        self._why: Failure | None = None

    def claim(self, name: str) -> AbstractContextManager[Any] | None:
        """Held while this process works on it; None while another does."""
        if self.alone:
            return nullcontext()
        return try_lock(self.folder / "claims", lock_byte(name))

    @contextmanager
    def at_work(self, name: str) -> Iterator[int]:
        """The number of processes that died while they were at it; this one, which has its claim,
        is counted should it die too."""
        if self.alone:
            yield 0
            return
        marks = self.folder / "marks" / name
        marks.parent.mkdir(exist_ok=True)
        with open(marks, "ab") as file:
            died = file.tell()
            file.write(b".")
        try:
            yield died
        finally:
            with suppress(OSError):  # no paid result is lost over bookkeeping
                os.truncate(marks, died)

    def result(self, name: str) -> Result | None:
        if self.alone:
            return None
        try:
            raw = (self.folder / "results" / f"{name}.json").read_bytes()
        except FileNotFoundError:
            return None
        try:
            return result_from_json(decode(raw))
        except (DamagedError, TypeError, KeyError):
            return None  # as good as absent: whoever holds the claim writes it again

    def put(self, name: str, result: Result) -> None:
        if self.alone:
            return
        replace(
            self.folder / "results" / f"{name}.json",
            json.dumps(result_to_json(result), default=str),
        )

    def stop(self, why: Failure) -> None:
        """No further call in any process of this run; the first reason stays."""
        if self.alone:
            self._why = self._why or why
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        fresh = self._stop.with_name(f".stop-{os.getpid()}")
        fresh.write_text(json.dumps(asdict(why)), encoding="utf-8")
        if self._stop.exists():
            fresh.unlink()
        else:
            os.replace(fresh, self._stop)

    def check(self) -> None:
        """Raises NotCalledError once the run has stopped calling."""
        if (why := self.stopped()) is not None:
            raise NotCalledError(why)

    def stopped(self) -> Failure | None:
        """The reason that the run makes no further call, if there is one."""
        if self.alone or self._why is not None:
            return self._why
        try:
            raw = self._stop.read_bytes()
        except FileNotFoundError:
            return None
        self._why = schema.read(Failure, json.loads(raw))
        return self._why
