"""The stored results that this run may use: modes, age, and what to do when a file is no good."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from shlex import quote
from typing import Any, Literal, TypeVar

from pytest_asrbench.clock import now
from pytest_asrbench.errors import InputError
from pytest_asrbench.store.cassette import SUFFIX, CassetteReader
from pytest_asrbench.store.entries import (
    DamagedError,
    Entry,
    TranscriptKey,
    VerdictKey,
    entry_from_json,
    entry_to_json,
    judgement_from_json,
    judgement_to_json,
)
from pytest_asrbench.store.folder import Kind, StoreFolder, decode
from pytest_asrbench.verifiers.base import Judgement

Mode = Literal["fill", "replay", "refresh", "off"]

Stored = TypeVar("Stored")
Parse = Callable[[dict[str, Any], str], Stored]

FOLDER = ".asrbench"
MAX_AGE_S = 12 * 3600.0
SKEW_S = 300.0  # clocks of machines that share a store differ; more is a clock that jumped


class Store:
    """Transcripts and verdicts of earlier runs.

    fill     use what is stored and at most `max_age_s` seconds old, call for the rest
    replay   use what is stored, however old; never call
    refresh  call for everything and store it
    off      neither read nor write

    `path` is a folder, or in replay mode a cassette. In a run only its making raises
    InputError, and nothing because of the disk: a result that can't be stored is still a result.
    `notes` holds a line for each such thing, for the report.
    """

    def __init__(self, path: Path, *, mode: Mode = "fill", max_age_s: float = MAX_AGE_S) -> None:
        self.path = path
        self.mode = mode
        self.max_age_s = max_age_s
        self.notes: list[str] = []
        self.is_cassette = path.suffix == SUFFIX
        if self.is_cassette and mode != "replay":
            raise InputError.at(
                path, None, "a cassette is only read; give --asr-cache-mode=replay with it"
            )
        self._folder = StoreFolder(path)
        self._objects = CassetteReader(path) if self.is_cassette else self._folder
        self._writable = mode in ("fill", "refresh")

    def check(self, provider: str) -> None:
        """Raises InputError for a path that is no folder, or nothing that a replay could read."""
        if self.path.is_file() and not self.is_cassette:
            what = f"neither a folder nor a {SUFFIX} cassette; give another --asr-cache"
            raise InputError.at(self.path, None, what)
        if self.mode == "replay" and not self.path.exists():
            remedy = f"record it with {self.recorded_by(provider)}"
            what = f"nothing stored to replay; {remedy} (code without version= is never stored)"
            raise InputError.at(self.path, None, what)

    def recorded_by(self, provider: str | None = None) -> str:
        """The command that records what a replay lacks: the run's own command, as settings, folders
        and options may each be needed, with options that win over all of them."""
        if not self.is_cassette:
            return "this run's command and --asr-cache-mode=fill"
        export = f"asrbench cache export {quote(str(self.path))} --cache {FOLDER}"
        export += f" --provider {quote(provider)}" if provider else ""
        return (
            f"this run's command and --asr-cache={FOLDER} --asr-cache-mode=fill, then in the same "
            f"folder {export}"
        )

    def transcript(self, key: TranscriptKey) -> Entry | None:
        """The stored transcript that this run may use."""
        if self.mode in ("refresh", "off") or not key.provider.reusable:
            return None
        entry = self.stored(key)
        if entry is None or (self.mode == "fill" and not self._fresh(entry.recorded_at)):
            return None
        return entry

    def stored(self, key: TranscriptKey) -> Entry | None:
        """The entry that is stored for the key, whether or not this run may use it."""
        return self._get("transcripts", key.digest, _entry)

    def keep(self, entry: Entry) -> bool:
        """Store a transcript, in place of an older one. False where this run won't get it back."""
        return entry.key.provider.reusable and self._kept(lambda: self.put(entry))

    def put(self, entry: Entry) -> None:
        """The same for who must know. Raises OSError."""
        self._folder.put("transcripts", entry.key.digest, entry_to_json(entry))

    def judgement(self, key: VerdictKey) -> Judgement | None:
        """Stored verdicts. They do not age: the digest says which verifier gave them."""
        if self.mode in ("refresh", "off"):
            return None
        entry = self._get("verdicts", key.digest, _judgement)
        return entry and entry[1]

    def keep_judgement(self, key: VerdictKey, judgement: Judgement) -> bool:
        """Likewise for verdicts."""
        return self._kept(lambda: self.put_judgement(key, judgement))

    def put_judgement(self, key: VerdictKey, judgement: Judgement) -> None:
        """Raises OSError."""
        self._folder.put("verdicts", key.digest, judgement_to_json(key, judgement))

    def try_lock(self, key: TranscriptKey | VerdictKey) -> AbstractContextManager[Any] | None:
        """Held while this run calls for the key; None while another run does. Raises OSError."""
        return self._folder.try_lock(key.digest)

    def shares(self, key: TranscriptKey | VerdictKey) -> bool:
        """True where a result under this key is stored for other runs."""
        return self._writable and (isinstance(key, VerdictKey) or key.provider.reusable)

    def entries(self) -> Iterator[tuple[Path, Entry]]:
        """All stored transcripts, each with its file; what can't be read is noted, and set aside
        where it is damaged. Raises InputError for a folder that can't be listed."""
        return self._all("transcripts", _entry)

    def judgements(self) -> Iterator[tuple[Path, tuple[VerdictKey, Judgement]]]:
        """All stored verdicts, likewise."""
        return self._all("verdicts", _judgement)

    def _all(self, kind: Kind, parse: Parse[Stored]) -> Iterator[tuple[Path, Stored]]:
        for file in self._listed(kind):
            try:
                yield file, parse(decode(file.read_bytes()), file.stem)
            except FileNotFoundError:
                continue  # another process has pruned it or set it aside
            except DamagedError as why:
                self._set_aside(file, why)
            except OSError as error:
                self._unreadable(file, error)

    def _listed(self, kind: Kind) -> Sequence[Path]:
        try:
            return self._folder.files(kind)
        except OSError as error:
            what = f"can't be read: {error.strerror}; make it readable, or give another --cache"
            raise InputError.at(error.filename, None, what) from None

    def _get(self, kind: Kind, digest: str, parse: Parse[Stored]) -> Stored | None:
        file = self._folder.file(kind, digest)
        try:
            value = self._objects.get(kind, digest)
            return None if value is None else parse(value, digest)
        except DamagedError as why:
            self._set_aside(file, why)
        except OSError as error:
            self._unreadable(file, error)
        return None

    def _unreadable(self, file: Path, error: OSError) -> None:
        self.note(f"{file}: can't be read ({error.strerror}); treated as not stored")

    def _kept(self, put: Callable[[], None]) -> bool:
        if not self._writable:
            return False
        try:
            put()
        except OSError as error:
            self.give_up(error)
            return False
        return self.mode == "fill"

    def without_lock(self, error: OSError) -> None:
        """Note that no key can be locked there, perhaps as nothing can be written."""
        if not os.access(self.path, os.W_OK):
            return self.give_up(error)
        return self.note(
            f"{error.filename or self.path}: can't be used as a lock ({error.strerror}); another "
            "run may call for the same clips; make it writable or give another --asr-cache"
        )

    def give_up(self, error: OSError) -> None:
        """Note that nothing can be written there."""
        self.note(
            f"{self.path}: can't be written ({error.strerror}); results are used but not stored; "
            "make room or give another --asr-cache"
        )

    def _set_aside(self, file: Path, why: DamagedError) -> None:
        try:
            where = f"moved to {self._folder.set_aside(file).parent}"
        except OSError as error:
            where = f"left there ({error.strerror})"
        self.note(f"{file}: damaged ({why}); {where}, treated as not stored")

    def note(self, line: str) -> None:
        """A line for the report, once."""
        if line not in self.notes:
            self.notes.append(line)

    def _fresh(self, recorded_at: str) -> bool:
        """A time in the future tells nothing of the age, so such an entry is not fresh."""
        return -SKEW_S <= age_s(recorded_at) <= self.max_age_s


def _entry(value: dict[str, Any], digest: str) -> Entry:
    entry = entry_from_json(value)
    _check_place(entry.key, digest)
    return entry


def _judgement(value: dict[str, Any], digest: str) -> tuple[VerdictKey, Judgement]:
    key, judgement = judgement_from_json(value)
    _check_place(key, digest)
    return key, judgement


def _check_place(key: TranscriptKey | VerdictKey, digest: str) -> None:
    """Raises DamagedError for an entry that lies where another belongs."""
    if key.digest != digest:
        raise DamagedError("its content belongs to another key")


def age_s(recorded_at: str) -> float:
    """Seconds since the time of an entry."""
    return now() - datetime.fromisoformat(recorded_at).timestamp()
