"""
Journals of the calls that a run's processes made: one append-only file a process, read by all.

    {"begin": "5f3a…", "at": 1764450000.1, "cost": 0.0007, "audio_s": 4.2}
    {"end": "5f3a…", "cost": 0.0007, "audio_s": 4.2, "kind": null, "host": null, "judges": false}
    {"drop": "5f3a…"}
    {"judged": "5f3a…", "kind": null, "host": null}

A call that has begun counts with its estimate until it ends, so that a budget also covers the
calls in flight, and those of a process that died: they may well have been answered.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from uuid import uuid4

from pytest_asrbench.clock import now
from pytest_asrbench.model import Failure


@dataclass(slots=True)
class Calls:
    """The ends of one service's calls; `failed` by kind and host. `useful` answers were of use: of
    a verifier's, those that gave verdicts."""

    answered: int = 0
    useful: int = 0
    failed: Counter[tuple[str, str | None]] = field(default_factory=Counter)

    @property
    def done(self) -> int:
        return self.answered + self.failed.total()


@dataclass(slots=True)
class Tally:
    """Sums over all processes; money is in the price table's currency.

    `transcripts` and `verdicts` are calls of provider and verifier; `reused` transcripts came from
    the store, and for `refused` ones no call was made. `open` has cost and seconds of audio of the
    calls that have begun, by process and name.
    """

    begun_at: float | None = None
    transcripts: Calls = field(default_factory=Calls)
    verdicts: Calls = field(default_factory=Calls)
    reused: int = 0
    refused: int = 0
    cost: float = 0.0
    audio_s: float = 0.0
    open: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)

    @property
    def done(self) -> int:
        """Clips (times repeats) whose transcript is there, or will not be."""
        return self.transcripts.done + self.reused + self.refused

    @property
    def calls(self) -> int:
        """Answered, or perhaps answered yet."""
        return self.transcripts.answered + self.verdicts.answered + len(self.open)

    @property
    def in_flight(self) -> int:
        """Calls that last; not those of a dead process, once another has seen to them."""
        return len({name for _, name in self.open} - self.ended)

    @property
    def committed_cost(self) -> float:
        """Spent, and promised to calls in flight."""
        return self.cost + sum(cost for cost, _ in self.open.values())

    @property
    def committed_audio_s(self) -> float:
        return self.audio_s + sum(audio_s for _, audio_s in self.open.values())

    def add(self, process: str, line: dict[str, Any]) -> None:
        """Lines of one process come in their order, those of several in any."""
        if "begin" in line:
            if self.begun_at is None or line["at"] < self.begun_at:
                self.begun_at = line["at"]
            self._begin(process, line)
        elif "judged" in line:
            self._judged(line)
        elif "drop" in line:
            self.open.pop((process, line["drop"]), None)
        else:
            self._end(process, line)

    def _begin(self, process: str, line: dict[str, Any]) -> None:
        name = line["begin"]
        self.begun.add(name)
        if (before := self.open.get((process, name))) is not None:  # it may have been answered
            self.cost += before[0]
            self.audio_s += before[1]
        self.open[process, name] = (line["cost"], line["audio_s"])

    def _judged(self, line: dict[str, Any]) -> None:
        if line["kind"] is None:
            self.verdicts.useful += 1
        else:
            self.verdicts.failed[line["kind"], line["host"]] += 1

    def _end(self, process: str, line: dict[str, Any]) -> None:
        called = self.open.pop((process, line["end"]), None) is not None
        self.ended.add(line["end"])
        self.cost += line["cost"]
        self.audio_s += line["audio_s"]
        calls = self.verdicts if line["judges"] else self.transcripts
        if line["kind"] is None:
            calls.answered += called
            calls.useful += called and not line["judges"]
            self.reused += not called
        elif called:
            calls.failed[line["kind"], line["host"]] += 1
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
        self._write({"begin": name, "at": now(), "cost": cost, "audio_s": audio_s})

    def end(
        self,
        name: str,
        *,
        cost: float = 0.0,
        audio_s: float = 0.0,
        failure: Failure | None = None,
        judges: bool = False,
    ) -> None:
        """Never raises: no paid result is lost over bookkeeping, and the next begin() raises."""
        kind, host = (failure.kind, failure.host) if failure else (None, None)
        line = {"end": name, "cost": cost, "audio_s": audio_s, "kind": kind, "host": host}
        with suppress(OSError):
            self._write({**line, "judges": judges})

    def judged(self, name: str, failure: Failure | None) -> None:
        """Note that the answers that came gave verdicts, or why not. Never raises."""
        kind, host = (failure.kind, failure.host) if failure else (None, None)
        with suppress(OSError):
            self._write({"judged": name, "kind": kind, "host": host})

    def drop(self, name: str) -> None:
        """The call was given up between two attempts; whoever makes it begins anew."""
        with suppress(OSError):
            self._write({"drop": name})

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
                self.tally.add(name, json.loads(line))
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
