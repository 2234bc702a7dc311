"""
What the processes of a run have called for: one append-only file a process, read by all.

    {"begin": "5f3a…", "at": 1764450000.1, "cost": 0.0007, "audio_s": 4.2}
    {"end": "5f3a…", "cost": 0.0007, "audio_s": 4.2, "kind": null, "host": null}
    {"spent": 0.0002}

A call that has begun counts with its estimate until it ends, so that a budget also covers the
calls in flight, and those of a process that died.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from uuid import uuid4

from pytest_asrbench.model import Failure


@dataclass(slots=True)
class Tally:
    """Sums over all processes; money is in the price table's currency.

    `answered` and `failed` (by kind and host) are calls, `reused` came from the store, and for
    `refused` no call was made.
    """

    begun_at: float | None = None
    answered: int = 0
    failed: Counter[tuple[str, str | None]] = field(default_factory=Counter)
    reused: int = 0
    refused: int = 0
    cost: float = 0.0
    audio_s: float = 0.0
    open: dict[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def done(self) -> int:
        return self.answered + self.failed.total() + self.reused + self.refused

    @property
    def committed_cost(self) -> float:
        """Spent, and promised to calls in flight."""
        return self.cost + sum(cost for cost, _ in self.open.values())

    @property
    def committed_audio_s(self) -> float:
        return self.audio_s + sum(audio_s for _, audio_s in self.open.values())

    def add(self, line: dict[str, Any]) -> None:
        if "begin" in line:
            if self.begun_at is None or line["at"] < self.begun_at:
                self.begun_at = line["at"]
            self.open[line["begin"]] = (line["cost"], line["audio_s"])
            return
        if "spent" in line:
            self.cost += line["spent"]
            return
        called = self.open.pop(line["end"], None) is not None
        self.cost += line["cost"]
        self.audio_s += line["audio_s"]
        if line["kind"] is None:
            self.answered += called
            self.reused += not called
        elif called:
            self.failed[line["kind"], line["host"]] += 1
        else:
            self.refused += 1


class Journal:
    """Writes this process's lines and sums up those of all. begin() and read() raise OSError."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "journal"
        self.tally = Tally()
        self._offsets: dict[str, int] = {}
        self._file: IO[bytes] | None = None

    def begin(self, name: str, cost: float, audio_s: float) -> None:
        self._write({"begin": name, "at": time.time(), "cost": cost, "audio_s": audio_s})

    def end(
        self,
        name: str,
        *,
        cost: float = 0.0,
        audio_s: float = 0.0,
        failure: Failure | None = None,
    ) -> None:
        """Never raises: no paid result is lost over bookkeeping, and the next begin() raises."""
        kind, host = (failure.kind, failure.host) if failure else (None, None)
        with suppress(OSError):
            self._write({"end": name, "cost": cost, "audio_s": audio_s, "kind": kind, "host": host})

    def spend(self, cost: float) -> None:
        """Money that no transcription took: a verifier's. Never raises."""
        with suppress(OSError):
            if cost:
                self._write({"spent": cost})

    def read(self) -> Tally:
        """Everything written so far; only what is new is read."""
        try:
            names = os.listdir(self.folder)
        except FileNotFoundError:
            return self.tally
        for name in names:
            with open(self.folder / name, "rb") as file:
                file.seek(self._offsets.get(name, 0))
                whole, newline, _ = file.read().rpartition(b"\n")
            for line in whole.splitlines():
                self.tally.add(json.loads(line))
            self._offsets[name] = self._offsets.get(name, 0) + len(whole) + len(newline)
        return self.tally

    def close(self) -> None:
        if self._file:
            self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        if self._file is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            name = f"{os.getpid()}-{uuid4().hex}.jsonl"
            self._file = open(self.folder / name, "ab", buffering=0)  # noqa: SIM115 (close())
        self._file.write(json.dumps(line).encode() + b"\n")
