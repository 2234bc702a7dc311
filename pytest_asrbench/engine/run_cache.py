"""
The calls that a run pays for: each once, whatever the store gives back.

A store that is refreshed or switched off does not return what this run has put there, nor is code
without a version stored at all. Such results are kept for the run alone: in its folder where
several processes share that, else in memory.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, Protocol, TypeVar

from pytest_asrbench.store import Entry, Store, TranscriptKey, VerdictKey
from pytest_asrbench.store.entries import (
    DamagedError,
    entry_from_json,
    entry_to_json,
    judgement_from_json,
    judgement_to_json,
)
from pytest_asrbench.store.folder import Kind
from pytest_asrbench.verifiers.base import Judgement

LOOK_AGAIN_S = 0.05

Lock = AbstractContextManager[Any]
Value = TypeVar("Value")


class ObjectStore(Protocol):
    """A place where stored objects lie by kind and digest, as in a store's folder. Raises
    OSError."""

    def get(self, kind: Kind, digest: str) -> dict[str, Any] | None: ...
    def put(self, kind: Kind, digest: str, value: dict[str, Any]) -> None: ...
    def try_lock(self, digest: str) -> Lock | None: ...


class Memory:
    """Objects of this process alone."""

    def __init__(self) -> None:
        self._values: dict[tuple[Kind, str], dict[str, Any]] = {}
        self._held: set[str] = set()
        self._guard = threading.Lock()

    def get(self, kind: Kind, digest: str) -> dict[str, Any] | None:
        return self._values.get((kind, digest))

    def put(self, kind: Kind, digest: str, value: dict[str, Any]) -> None:
        self._values[kind, digest] = value

    def try_lock(self, digest: str) -> Lock | None:
        with self._guard:
            if digest in self._held:
                return None
            self._held.add(digest)
        return self._holding(digest)

    @contextmanager
    def _holding(self, digest: str) -> Iterator[None]:
        try:
            yield
        finally:
            self._held.discard(digest)


class RunCache:
    """The store, and what the run keeps beside it. Raises OSError where that can't be used.

    Who finds no result takes the lock; who gets neither waits LOOK_AGAIN_S for another that is
    about to pay.
    """

    def __init__(self, store: Store, own: ObjectStore) -> None:
        self._store = store
        self._own = own

    def transcript(self, key: TranscriptKey) -> Entry | None:
        if (stored := self._store.transcript(key)) is not None:
            return stored
        return self._of_this_run("transcripts", key.digest, entry_from_json)

    def transcript_or_lock(self, key: TranscriptKey) -> Entry | Lock | None:
        return self._or_lock(key, self.transcript)

    def keep(self, entry: Entry) -> None:
        if not self._store.keep(entry):
            self._keep("transcripts", entry.key.digest, entry_to_json(entry))

    def judgement(self, key: VerdictKey) -> Judgement | None:
        if (stored := self._store.judgement(key)) is not None:
            return stored
        pair = self._of_this_run("verdicts", key.digest, judgement_from_json)
        return pair and pair[1]

    def judgement_or_lock(self, key: VerdictKey) -> Judgement | Lock | None:
        return self._or_lock(key, self.judgement)

    def keep_judgement(self, key: VerdictKey, judgement: Judgement) -> None:
        if not self._store.keep_judgement(key, judgement):
            self._keep("verdicts", key.digest, judgement_to_json(key, judgement))

    def _or_lock(self, key: Any, look: Callable[[Any], Value | None]) -> Value | Lock | None:
        """Looks under the lock: who held it until now may have put a result there."""
        if (lock := self._try_lock(key)) is None:
            return None
        if (value := look(key)) is None:
            return lock
        with lock:
            return value

    def _try_lock(self, key: TranscriptKey | VerdictKey) -> Lock | None:
        if self._store.shares(key):
            try:
                return self._store.try_lock(key)
            except OSError as error:
                self._store.without_lock(error)
        return self._own.try_lock(key.digest)

    def _keep(self, kind: Kind, digest: str, value: dict[str, Any]) -> None:
        with suppress(OSError):  # what was paid for is still a result
            self._own.put(kind, digest, value)

    def _of_this_run(
        self, kind: Kind, digest: str, parse: Callable[[dict[str, Any]], Value]
    ) -> Value | None:
        try:
            value = self._own.get(kind, digest)
            return None if value is None else parse(value)
        except DamagedError:
            return None  # whoever holds the lock puts it there again
