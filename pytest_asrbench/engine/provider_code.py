"""
A provider's code, called as its mode and kind want it: awaited, streamed to, or in a thread.

Code in a thread can't be stopped. It keeps its place until it comes back, so that never more calls
go into it than it bears; where all its places hang, the run calls no more.
"""

from __future__ import annotations

import asyncio
import inspect
import math
import threading
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import Any

from pytest_asrbench import audio as audio_files
from pytest_asrbench.audio import Audio
from pytest_asrbench.audio.speech_end import speech_end_s
from pytest_asrbench.audio.telephone import HZ, MULAW, is_telephone, mulaw
from pytest_asrbench.clock import monotonic
from pytest_asrbench.engine.stream import PacedFrames
from pytest_asrbench.engine.threads import run_in_thread
from pytest_asrbench.errors import ProviderError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.base import Limits
from pytest_asrbench.providers.methods import is_async

TIMEOUT_S = 120.0  # the slowest vendors answer a long clip in one
EMBEDDED_TIMES = 4  # as long as the recording may a recogniser take that runs here
LOADING_S = 30.0  # more for a first call, which may load a model
LATE_S = 10.0  # so much later a call may come back, and cost no other clip
LOOK_AGAIN_S = 0.05
LONGEST_TRANSCRIPT = 200_000  # characters; an hour of fast speech has under 100,000
STREAM_RATE = 16_000
FRAME_MS = 20


class HungError(ProviderError):
    """All calls that the code bears at once hang."""

    kind = "timeout"


class ProviderCode:
    """`bears` is how many calls at once sync code is given in this process."""

    def __init__(self, provider: Any, limits: Limits, mode: str, bears: int) -> None:
        self._provider = provider  # Engine checked that it has the mode's method
        self._streams = mode == "stream"
        self._limits = limits
        self._bears = bears
        self._threads: dict[threading.Thread, str] = {}  # and what each is at
        self._overdue: dict[threading.Thread, float] = {}  # and since when
        self._embedded = bool(getattr(provider, "embedded", False))
        self._came_back = False
        self.in_threads = not self._streams and not is_async(provider.transcribe)

    def patience_s(self, audio: Audio) -> float:
        """Seconds to wait for an answer."""
        seconds = audio.duration_s
        patience_s = self._limits.timeout_s
        if patience_s is None:
            usual_s = EMBEDDED_TIMES * seconds if self._embedded else TIMEOUT_S + seconds
            patience_s = max(TIMEOUT_S, usual_s)
        elif self._streams:
            patience_s += seconds  # frames take as long as the speech does
        if self.in_threads and not self._came_back:
            loading_s = self._limits.loading_s
            patience_s += LOADING_S if loading_s is None else loading_s
        return patience_s

    def send(self, clip_id: str, audio: Audio) -> Callable[[], Coroutine[Any, Any, Any]]:
        """The function that makes one attempt."""
        if self._streams:
            return partial(self._stream, audio)
        if self.in_threads:
            return partial(self._in_thread, clip_id, audio)
        attempt: Callable[[], Coroutine[Any, Any, Any]] = partial(self._provider.transcribe, audio)
        return attempt

    async def enter(self, sleep: Callable[[float], Awaitable[None]]) -> None:
        """Until a call may go into sync code. Raises HungError where that will never be."""
        while len(busy := self._busy()) >= self._bears and self.in_threads:
            late_s = [monotonic() - self._overdue.get(thread, math.inf) for thread in busy]
            if min(late_s) > min(LATE_S, self._limits.timeout_s or TIMEOUT_S):
                names = ", ".join(repr(self._threads[thread]) for thread in busy)
                raise HungError(
                    f"clip {names} hangs: its call has not come back, and this code is not called "
                    "again beside it; mend it, raise timeout_s, or set isolate: process"
                )
            await sleep(LOOK_AGAIN_S)

    def _busy(self) -> list[threading.Thread]:
        self._threads = {each: clip for each, clip in self._threads.items() if each.is_alive()}
        return [*self._threads]

    async def _in_thread(self, clip_id: str, audio: Audio) -> Any:
        result, thread = run_in_thread(self._provider.transcribe, audio)
        self._threads[thread] = clip_id
        try:
            value = await result
        except asyncio.CancelledError:
            self._overdue[thread] = monotonic()
            raise
        self._came_back = True
        return await value if inspect.isawaitable(value) else value

    async def _stream(self, audio: Audio) -> Transcript:
        native = getattr(self._provider, "native", False) and is_telephone(audio)
        rate = HZ if native else getattr(self._provider, "stream_rate", STREAM_RATE)
        frame_ms = getattr(self._provider, "frame_ms", FRAME_MS)
        pcm = audio_files.frames(audio, rate, frame_ms)
        frames = PacedFrames(
            map(mulaw, pcm) if native else pcm,
            encoding=MULAW if native else "pcm",
            rate=rate,
            language=audio.language,
            realtime=getattr(self._provider, "realtime", True),
            speech_end_s=speech_end_s(audio.samples, audio.rate),
        )
        transcript = as_transcript(await self._provider.stream(frames))
        first = transcript.first_text_ms
        return replace(
            transcript,
            latency_ms=frames.since_last_frame_ms(),
            after_speech_ms=frames.after_speech_ms(),
            first_text_ms=frames.first_text_ms if first is None else first,
        )


def _bounded(text: str) -> str:
    if len(text) > LONGEST_TRANSCRIPT:
        says = f"returned {len(text):,} characters, more than {LONGEST_TRANSCRIPT:,}"
        raise ProviderError(f"{says}: no hour of speech has as many")
    return text


def as_transcript(result: object) -> Transcript:
    """With plain values, which every file can hold. Raises ProviderError for what is no text, or
    longer than LONGEST_TRANSCRIPT."""
    if isinstance(result, str):
        return Transcript(_bounded(str.__str__(result)))
    if not isinstance(result, Transcript):
        raise ProviderError(f"returned {type(result).__name__}, not a str or Transcript")
    if not isinstance(result.text, str):
        raise ProviderError(f"returned a Transcript whose text is {type(result.text).__name__}")
    return replace(
        result,
        text=_bounded(str.__str__(result.text)),
        reported_model=_text(result.reported_model),
        request_id=_text(result.request_id),
        billed_s=_number("billed_s", result.billed_s),
        first_text_ms=_number("first_text_ms", result.first_text_ms),
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _number(name: str, value: Any) -> float | None:
    """NaN would pass every bound, and a negative charge would pay into the budget."""
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if 0 <= number < math.inf:
        return number
    raise ProviderError(f"returned a Transcript whose {name} is {value!r}")
