"""How one clip and repeat comes to its transcript: a stored one, or a call if the run allows it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from pytest_asrbench import audio as audio_files
from pytest_asrbench.audio import Audio
from pytest_asrbench.engine.budget import Spending
from pytest_asrbench.engine.calls import Caller
from pytest_asrbench.engine.journal import Journal
from pytest_asrbench.engine.outage import breaker
from pytest_asrbench.engine.result import Result, failure
from pytest_asrbench.engine.retry import Tried
from pytest_asrbench.engine.share import Share
from pytest_asrbench.engine.threads import DaemonThreads
from pytest_asrbench.engine.turns import Turns
from pytest_asrbench.errors import (
    AsrBenchError,
    AuthError,
    BudgetError,
    CallError,
    InputError,
    QuotaError,
    ReplayError,
)
from pytest_asrbench.model import Clip, Failure, Transcript
from pytest_asrbench.providers.base import Configuration, Description
from pytest_asrbench.store import Entry, Store, TranscriptKey
from pytest_asrbench.store.store import utc_now

LOOK_AGAIN_S = 0.05
READ_LATER_S = 0.06

Lock = AbstractContextManager[Any]


@dataclass(frozen=True, slots=True)
class Recording:
    """A clip's audio, its key in the store, and what is stored there, else the key's lock; neither
    while another run holds that."""

    audio: Audio
    key: TranscriptKey
    about: Result
    found: Entry | Lock | None


class Transcribing:
    """Gets one clip's transcript, with whatever that needs.

    Files are read in threads: on the loop that would delay the calls in flight and their clocks.
    """

    def __init__(
        self,
        configuration: Configuration,
        description: Description,
        store: Store,
        share: Share,
        journal: Journal,
        spending: Spending,
        caller: Caller,
        turns: Turns,
        files: DaemonThreads,
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._configuration = configuration
        self._description = description
        self._store = store
        self._share = share
        self._journal = journal
        self._spending = spending
        self._caller = caller
        self._turns = turns
        self._sleep = sleep
        self._files = files

    async def result(self, name: str, clip: Clip, repeat: int) -> Result:
        """Raises ClosingError when the run ends first, OSError where its folder can't be used."""
        if self._turns.waiting:  # then there is time, and just now answers come in
            await asyncio.sleep(READ_LATER_S)
        try:
            recording = await self._files.call(self._read, clip, repeat)
        except (CallError, InputError) as error:
            return self._refused(name, Result(failure=failed_reading(error)))
        found = recording.found
        while found is None:
            await self._sleep(LOOK_AGAIN_S)
            found = await self._files.call(self._lock, recording.key)
        if isinstance(found, Entry):
            return self._reused(name, recording.about, found)
        with found:
            if self._store.mode == "replay":
                missing = failure(self._missing(clip))
                return self._refused(name, replace(recording.about, failure=missing))
            return await self._turns.call(partial(self._called, name, clip, recording))

    def _read(self, clip: Clip, repeat: int) -> Recording:
        """Raises AudioError, InputError."""
        audio = audio_files.read(clip.path, clip.language)
        mode = self._configuration.mode
        key = TranscriptKey(audio.sha256, self._description, mode, clip.language, repeat)
        about = Result(audio_sha256=audio.sha256, duration_s=audio.duration_s)
        if (stored := self._store.transcript(key)) is not None:
            return Recording(audio, key, about, stored)
        if self._caller.is_async:
            _ = audio.wav  # made here, not on the loop
        return Recording(audio, key, about, self._lock(key))

    def _lock(self, key: TranscriptKey) -> Entry | Lock | None:
        """The key's lock, so that another run does not call for it too, or what such a run has
        stored just now; None while it holds the lock."""
        if (lock := self._store.try_lock(key)) is None:
            return None
        if (stored := self._store.transcript(key)) is None:
            return lock
        with lock:
            return stored

    async def _called(self, name: str, clip: Clip, recording: Recording) -> Result:
        """What came of the call, stored by then: the next one is made only after that."""
        try:
            self._share.check()
            self._spending.begin(name, recording.audio.duration_s)
        except CallError as error:
            if isinstance(error, BudgetError):
                self._share.stop(failure(error))
            return self._refused(name, replace(recording.about, failure=failure(error)))
        tried = await self._caller.call(recording.audio)
        if tried.error is not None:
            return self._failed(name, recording.about, tried.attempts, tried.error)
        return self._answered(name, clip, recording, tried)

    def _answered(
        self, name: str, clip: Clip, recording: Recording, tried: Tried[Transcript]
    ) -> Result:
        assert tried.value is not None
        about = recording.about
        entry = Entry(
            recording.key,
            tried.value,
            utc_now(),
            tried.attempts,
            self._configuration.name,
            clip.id,
            about.duration_s,
        )
        self._store.keep(entry)  # here, not in a thread: a run that is killed loses nothing paid
        charged = tried.value.billed_s
        seconds = charged if charged is not None else about.duration_s or 0.0
        self._spending.end(name, seconds, None)
        return replace(
            about,
            transcript=tried.value,
            source="live",
            recorded_at=entry.recorded_at,
            attempts=tried.attempts,
            cost=self._spending.cost(seconds),
        )

    def _failed(self, name: str, about: Result, attempts: int, error: CallError) -> Result:
        why = failure(error)
        self._spending.end(name, 0.0, why)
        if isinstance(error, AuthError | QuotaError):
            self._share.stop(why)
        elif (outage := breaker(self._journal.read())) is not None:
            self._share.stop(outage)
        return replace(about, attempts=attempts, failure=why)

    def _reused(self, name: str, about: Result, entry: Entry) -> Result:
        self._journal.end(name)
        return replace(
            about,
            transcript=entry.transcript,
            source="cache",
            recorded_at=entry.recorded_at,
            attempts=entry.attempts,
            cost=0.0,
        )

    def _refused(self, name: str, result: Result) -> Result:
        self._journal.end(name, failure=result.failure)
        return result

    def _missing(self, clip: Clip) -> ReplayError:
        name = self._configuration.name
        if not self._description.reusable:
            return ReplayError(
                f"replay: transcripts of {name!r} are never stored, as nothing tells when its code "
                "changes; give it a version="
            )
        export = ", then asrbench cache export" if self._store.is_cassette else ""
        return ReplayError(
            f"replay: {self._store.path} holds nothing for clip {clip.id!r} with this audio and "
            f"configuration; record it with pytest --asr-provider={name} "
            f"--asr-cache-mode=fill{export}"
        )


def failed_reading(error: AsrBenchError) -> Failure:
    """Why a clip's audio could not be read, as its record keeps it."""
    return failure(error) if isinstance(error, CallError) else Failure("audio", str(error))
