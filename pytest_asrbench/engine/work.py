"""How one clip and repeat comes to its transcript: a stored one, or a call if the run allows it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from pytest_asrbench import audio as audio_files
from pytest_asrbench.audio import Audio
from pytest_asrbench.clock import utc_now
from pytest_asrbench.engine.budget import Call, Spending
from pytest_asrbench.engine.calls import Caller
from pytest_asrbench.engine.journal import Journal
from pytest_asrbench.engine.paid import LOOK_AGAIN_S, Lock, Paid
from pytest_asrbench.engine.result import Result, failure
from pytest_asrbench.engine.retry import Tried
from pytest_asrbench.engine.threads import DaemonThreads
from pytest_asrbench.engine.turns import ClosingError, Turns
from pytest_asrbench.errors import AsrBenchError, CallError, InputError, ReplayError
from pytest_asrbench.model import Clip, Failure, Transcript
from pytest_asrbench.providers.base import Configuration, Description
from pytest_asrbench.store import Entry, Store, TranscriptKey

# What is read ahead waits until the answers that come in now are through; and one by one, as
# threads contend with the loop.
READ_LATER_S = 0.06
READ_APART_S = 0.003


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
        paid: Paid,
        journal: Journal,
        spending: Spending,
        caller: Caller,
        turns: Turns,
        files: DaemonThreads,
        work: Mapping[str, tuple[Clip, int]],
    ) -> None:
        self._configuration = configuration
        self._description = description
        self._store = store
        self._paid = paid
        self._journal = journal
        self._spending = spending
        self._caller = caller
        self._turns = turns
        self._files = files
        self._work = work
        self._sha256: dict[str, str] = {}
        self._names = {(clip.id, repeat): name for name, (clip, repeat) in work.items()}
        self._reading = 0
        self._read_later = 0

    async def result(self, name: str, clip: Clip, repeat: int) -> Result:
        """Raises ClosingError when the run ends first, OSError where its folder can't be used."""
        try:
            recording = await self._read_in_time(clip, repeat)
        except (CallError, InputError) as error:
            return self._refused(name, Result(failure=failed_reading(error)))
        found = recording.found
        while found is None:
            await self._turns.sleep(LOOK_AGAIN_S)
            found = await self._files.call(self._paid.transcript_or_lock, recording.key)
        if isinstance(found, Entry):
            return self._reused(name, recording.about, found)
        with found:
            if self._store.mode == "replay":
                missing = failure(self._missing(clip, repeat))
                return self._refused(name, replace(recording.about, failure=missing))
            return await self._turns.call(partial(self._called, name, clip, recording))

    async def _read_in_time(self, clip: Clip, repeat: int) -> Recording:
        """At once if there is a place for its call, else ahead of that."""
        if self._turns.vacant <= self._reading:
            self._read_later += 1
            try:
                await asyncio.sleep(READ_LATER_S + READ_APART_S * self._read_later)
            finally:
                self._read_later -= 1
        self._reading += 1
        try:
            return await self._files.call(self._read, clip, repeat)
        finally:
            self._reading -= 1

    def _read(self, clip: Clip, repeat: int) -> Recording:
        """Raises AudioError, InputError."""
        audio = self._audio_of(clip)
        mode = self._configuration.mode
        key = TranscriptKey(audio.sha256, self._description, mode, clip.language, repeat)
        about = Result(audio_sha256=audio.sha256, duration_s=audio.duration_s)
        if (stored := self._paid.transcript(key)) is not None:
            return Recording(audio, key, about, stored)
        if self._caller.is_async:
            _ = audio.wav  # made here, not on the loop
        return Recording(audio, key, about, self._paid.transcript_or_lock(key))

    async def _called(self, name: str, clip: Clip, recording: Recording) -> Result:
        """What came of the call, stored by then: the next one is made only after that."""
        about, seconds = recording.about, recording.audio.duration_s
        call = Call(name, self._spending.cost(seconds) or 0.0, seconds)
        try:
            self._spending.begin(call)
        except CallError as error:
            return self._refused(name, replace(about, failure=failure(error)))
        try:
            tried = await self._caller.call(recording.audio)
        except ClosingError:
            self._spending.dropped(call)
            raise
        if tried.error is None:
            return self._answered(call, clip, recording, tried)
        return replace(
            about,
            attempts=tried.attempts,
            cost=self._spending.failed(call, tried.error) or None,
            failure=failure(tried.error),
        )

    def _answered(
        self, call: Call, clip: Clip, recording: Recording, tried: Tried[Transcript]
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
        self._paid.keep(entry)  # here, not in a thread: a run that is killed loses nothing paid
        seconds = _charged_s(entry)
        cost = self._spending.cost(seconds)
        self._spending.answered(call, cost=cost or 0.0, audio_s=seconds)
        return replace(
            about,
            transcript=tried.value,
            source="live",
            recorded_at=entry.recorded_at,
            attempts=tried.attempts,
            cost=cost,
        )

    def _reused(self, name: str, about: Result, entry: Entry) -> Result:
        """Live where this run has paid: by a worker that died, or for a clip of the same audio."""
        paid = self._spending.begun(name)
        ours = paid or self._paid_for(entry)
        self._journal.end(name)
        return replace(
            about,
            transcript=entry.transcript,
            source="live" if ours else "cache",
            recorded_at=entry.recorded_at,
            attempts=entry.attempts,
            cost=self._spending.cost(_charged_s(entry)) if paid else 0.0,
        )

    def _paid_for(self, entry: Entry) -> bool:
        """Whether it is this run's call for the clip that it names, which may since have other
        audio: then it was stored by an earlier run."""
        name = self._names.get((entry.clip or "", entry.key.repeat))
        if name is None or not self._spending.begun(name):
            return False
        clip, _ = self._work[name]
        with suppress(CallError, InputError):
            known = self._sha256.get(clip.id)  # else another process has read it
            return (known or self._audio_of(clip).sha256) == entry.key.audio_sha256
        return False

    def _audio_of(self, clip: Clip) -> Audio:
        """Raises AudioError, InputError."""
        audio = audio_files.read(clip.path, clip.language)
        self._sha256[clip.id] = audio.sha256
        return audio

    def _refused(self, name: str, result: Result) -> Result:
        self._journal.end(name, failure=result.failure)
        return result

    def _missing(self, clip: Clip, repeat: int) -> ReplayError:
        name = self._configuration.name
        if not self._description.reusable:
            return ReplayError(
                f"replay: transcripts of {name!r} are never stored, as nothing tells when its code "
                "changes; give it a version="
            )
        which = f"repeat {repeat} of clip" if (clip.id, 2) in self._names else "clip"
        return ReplayError(
            f"replay: {self._store.path} holds nothing for {which} {clip.id!r} with this audio and "
            f"configuration; record it with {self._store.recorded_by(name)}"
        )


def _charged_s(entry: Entry) -> float:
    billed = entry.transcript.billed_s
    return billed if billed is not None else entry.duration_s or 0.0


def failed_reading(error: AsrBenchError) -> Failure:
    """Why a clip's audio could not be read, as its record keeps it."""
    return failure(error) if isinstance(error, CallError) else Failure("audio", str(error))
