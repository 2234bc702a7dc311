"""One clip and repeat: its audio is read, its transcript found or called for, and judged."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import replace
from typing import Any

from pytest_asrbench.audio import Audio
from pytest_asrbench.clock import utc_now
from pytest_asrbench.engine.budget import Charge
from pytest_asrbench.engine.call import Tried
from pytest_asrbench.engine.live import LiveRun
from pytest_asrbench.engine.provider_code import HungError
from pytest_asrbench.engine.result import Result, failure
from pytest_asrbench.errors import AsrBenchError, CallError, InputError, ProviderError, ReplayError
from pytest_asrbench.model import Failure, Transcript
from pytest_asrbench.store import Entry, TranscriptKey

MOST_DEATHS = 2  # of workers that were at one clip; a single one may have died of something else


class ClipTask:
    """Has its claim, and all that it locks, until it is closed.

    `prepare` is called in a thread for files: on the loop it would delay the calls in flight and
    their clocks. Then `without_call`, and where that gives nothing `run`, on the loop.
    """

    def __init__(self, run: LiveRun, name: str, claim: AbstractContextManager[Any]) -> None:
        self.name = name
        self.clip, self.repeat = run.work[name]
        self._run = run
        self._held = ExitStack()
        self._held.enter_context(claim)
        self._died = self._held.enter_context(run.share.at_work(name))
        self._audio: Audio | None = None
        self._key: TranscriptKey | None = None
        self._about = Result()
        self._result: Result | None = None
        self._entry: Entry | None = None

    def close(self) -> None:
        """Let go of what it holds; other processes may take it up."""
        self._held.close()

    def prepare(self) -> bool:
        """Read audio and store. True where the clip's turn may come: not while another clip or run
        calls for the same audio.

        Raises OSError where the run's folder can't be used.
        """
        if self._run.lookup is not None or self._died >= MOST_DEATHS:
            return True
        try:
            audio, key = self._read()
        except (CallError, InputError) as error:
            self._about = Result(failure=failed_reading(error))
            return True
        stored = self._run.cache.transcript(key) or self._run.cache.transcript_or_lock(key)
        if stored is None:
            return False
        if isinstance(stored, Entry):
            self._entry = stored
            return True
        self._held.enter_context(stored)
        if not self._run.code.in_threads:
            _ = audio.wav  # made here, not on the loop
        return True

    def without_call(self) -> Result | None:
        """The result, where no call of provider or verifier is needed."""
        if self._died >= MOST_DEATHS:
            return self._refused(failure(ProviderError(
                f"{self._died} workers died while this clip was in flight; one such ends its "
                "process"
            )))  # fmt: skip
        if self._about.failure is not None:
            return self._refused(self._about.failure)
        if self._entry is not None:
            self._result = self._reused(self._entry)
        elif self._run.store.mode == "replay" and self._run.lookup is None:
            return self._refused(failure(self._missing()))
        return None if self._run.verdicts else self._result

    async def run(self) -> Result:
        """Raises ClosingError when the run ends first, OSError where its folder can't be used."""
        result = self._result or self._looked_up()
        if result is None:
            assert self._audio is not None
            code = self._run.code
            seconds = self._audio.duration_s
            charge = Charge(self.name, self._run.spending.cost(seconds) or 0.0, seconds)
            try:
                self._run.spending.check()
                await code.enter(self._run.closing.sleep)
                with self._run.printed.during(self.name):
                    tried = await self._run.caller.call(
                        charge, code.send(self.clip.key, self._audio), code.patience_s(self._audio)
                    )
            except CallError as error:
                if isinstance(error, HungError):
                    self._run.spending.stop(failure(error))
                return self._refused(failure(error))
            result = self._answered(charge, tried)
        if self._run.verdicts is None:
            return result
        return await self._run.verdicts.judged(self.name, self.clip, result)

    def _read(self) -> tuple[Audio, TranscriptKey]:
        """Raises AudioError, InputError."""
        if self._audio is None or self._key is None:
            run, clip = self._run, self.clip
            self._audio = audio = run.hear(clip)
            run.sha256[clip.key] = audio.sha256
            self._about = Result(audio_sha256=audio.sha256, duration_s=audio.duration_s)
            self._key = TranscriptKey(
                audio.sha256, run.description, run.configuration.mode, clip.language, self.repeat
            )
        return self._audio, self._key

    def _looked_up(self) -> Result | None:
        """The transcript of a provider that is asked for recorded ones."""
        if self._run.lookup is None:
            return None
        result = self._run.lookup(self.clip)
        self._run.journal.end(self.name, failure=result.failure)
        return result

    def _answered(self, charge: Charge, tried: Tried[Transcript]) -> Result:
        """The result of the call, stored by then: the next one is made only after that."""
        if tried.error is not None:
            self._run.raised[self.name] = tried.error
            why, cost = failure(tried.error), tried.cost or None
            return replace(self._about, attempts=tried.attempts, cost=cost, failure=why)
        run, transcript = self._run, tried.value
        assert transcript is not None
        assert self._key is not None
        if run.configuration.mode == "batch":
            transcript = replace(transcript, latency_ms=tried.latency_ms)
        entry = Entry(
            self._key,
            transcript,
            utc_now(),
            tried.attempts,
            run.configuration.name,
            self.clip.key,
            self._about.duration_s,
        )
        run.cache.keep(entry)  # here, not in a thread: a run that is killed loses nothing paid
        seconds = _charged_s(entry)
        cost = run.spending.cost(seconds)
        run.spending.answered(charge, cost=cost or 0.0, audio_s=seconds)
        return self._of(entry, "live", cost)

    def _reused(self, entry: Entry) -> Result:
        """Live where this run has paid: by a worker that died, or for a clip of the same audio."""
        paid = self._run.spending.begun(self.name)
        ours = paid or self._paid_for(entry)
        self._run.journal.end(self.name)
        cost = self._run.spending.cost(_charged_s(entry)) if paid else 0.0
        return self._of(entry, "live" if ours else "cache", cost)

    def _of(self, entry: Entry, source: Any, cost: float | None) -> Result:
        return replace(
            self._about,
            transcript=entry.transcript,
            source=source,
            recorded_at=entry.recorded_at,
            imported=entry.imported,
            attempts=entry.attempts,
            cost=cost,
        )

    def _paid_for(self, entry: Entry) -> bool:
        """True where the entry is of this run's call for the clip that it names, which may since
        have other audio: then it was stored by an earlier run."""
        name = self._run.names.get((entry.clip or "", entry.key.repeat))
        if name is None or not self._run.spending.begun(name):
            return False
        clip, _ = self._run.work[name]
        with suppress(CallError, InputError):
            known = self._run.sha256.get(clip.key)  # else another process has read it
            read = known or self._run.hear(clip).sha256
            return read == entry.key.audio_sha256
        return False

    def _refused(self, why: Failure) -> Result:
        self._run.journal.end(self.name, failure=why)
        return replace(self._about, failure=why)

    def _missing(self) -> ReplayError:
        run, name = self._run, self._run.configuration.name
        if not run.description.reusable:
            return ReplayError(
                f"replay: transcripts of {name!r} are never stored, as nothing tells when its code "
                "changes; give it a version="
            )
        repeated = (self.clip.key, 2) in run.names
        which = f"repeat {self.repeat} of clip" if repeated else "clip"
        return ReplayError(
            f"replay: {run.store.path} holds nothing for {which} {self.clip.key!r} with this audio "
            f"and configuration; record it with {run.store.recorded_by(name)}"
        )


def _charged_s(entry: Entry) -> float:
    billed = entry.transcript.billed_s
    return billed if billed is not None else entry.duration_s or 0.0


def failed_reading(error: AsrBenchError) -> Failure:
    """The reason that a clip's audio could not be read, as its record keeps it."""
    return failure(error) if isinstance(error, CallError) else Failure("audio", str(error))
