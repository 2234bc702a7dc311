"""
One clip's call: as often as it takes, timed from the moment its request is sent.

Only a TransientError is tried again. A server's Retry-After is kept to, by all calls of the run.
"""

from __future__ import annotations

import asyncio
import inspect
import math
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

from pytest_asrbench import audio as audio_files
from pytest_asrbench.audio import Audio
from pytest_asrbench.clock import monotonic
from pytest_asrbench.engine.pace import Pacing
from pytest_asrbench.engine.retry import Retrying, Tried
from pytest_asrbench.engine.stream import PacedFrames
from pytest_asrbench.engine.threads import OverdueError, awaited, run_in_thread, within
from pytest_asrbench.errors import CallError, ProviderError, TransientError, one_line
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.base import Limits
from pytest_asrbench.providers.methods import is_async

TIMEOUT_S = 120.0  # the slowest vendors answer a long clip in one
STREAM_RATE = 16_000
FRAME_MS = 20


class Caller:
    """Calls one provider. `one_at_a_time`: never twice at once in this process."""

    def __init__(
        self,
        provider: Any,
        limits: Limits,
        mode: str,
        pacing: Pacing,
        *,
        one_at_a_time: bool,
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._provider: Any = provider  # Engine checked that it has the mode's method
        self._host: str | None = getattr(provider, "host", None)
        self._mode = mode
        self._pacing = pacing
        self._timeout_s = limits.timeout_s or TIMEOUT_S
        self._retrying = Retrying(limits, sleep)
        self.is_async = mode == "stream" or is_async(self._provider.transcribe)
        self._one_at_a_time = one_at_a_time and not self.is_async
        self._stuck: threading.Thread | None = None

    async def call(self, audio: Audio) -> Tried[Transcript]:
        """Raises nothing but ClosingError, CancelledError and OSError of the run's folder."""
        tried = await self._retrying.call(self._pacing.turn, partial(self._once, audio))
        if tried.error is not None and tried.error.host is None:
            tried.error.host = self._host
        return tried

    async def _once(self, audio: Audio) -> Transcript:
        try:
            return await self._timed(audio)
        except TransientError as error:
            self._pacing.heed(error)
            raise

    async def _timed(self, audio: Audio) -> Transcript:
        streams = self._mode == "stream"
        send = self._stream if streams else self._batch
        # Frames take as long as the speech does.
        patience_s = self._timeout_s + (audio.duration_s if streams else 0.0)
        try:
            return await within(patience_s, send(audio))
        except CallError:
            raise
        except OverdueError:
            # Code that hangs goes on in its thread, so that a second try would be a second call.
            kind = TransientError if self.is_async else ProviderError
            raise kind(f"no answer within {patience_s:g} s", kind="timeout") from None
        except TimeoutError as error:
            raise TransientError(one_line(error), kind="timeout") from error
        except ConnectionError as error:
            raise TransientError(one_line(error), kind="network") from error
        except Exception as error:  # the provider's code, whatever it does
            raise ProviderError(one_line(error)) from error

    async def _batch(self, audio: Audio) -> Transcript:
        started = monotonic()
        if self.is_async:
            result = await awaited(self._provider.transcribe, audio)
        else:
            result = await self._in_thread(audio)
        latency_ms = (monotonic() - started) * 1000
        return replace(as_transcript(result), latency_ms=latency_ms)

    async def _stream(self, audio: Audio) -> Transcript:
        rate = getattr(self._provider, "stream_rate", STREAM_RATE)
        frame_ms = getattr(self._provider, "frame_ms", FRAME_MS)
        frames = PacedFrames(
            audio_files.frames(audio, rate, frame_ms),
            rate=rate,
            language=audio.language,
            realtime=getattr(self._provider, "realtime", True),
        )
        transcript = as_transcript(await awaited(self._provider.stream, frames))
        first = transcript.first_text_ms
        return replace(
            transcript,
            latency_ms=frames.since_last_frame_ms(),
            first_text_ms=frames.first_text_ms if first is None else first,
        )

    async def _in_thread(self, audio: Audio) -> Any:
        """A call that hangs can't be stopped; then nothing else goes into code that may not be
        called twice at a time."""
        if self._one_at_a_time and self._stuck is not None and self._stuck.is_alive():
            raise ProviderError("an earlier call has not come back; raise timeout_s or mend it")
        result, thread = run_in_thread(self._provider.transcribe, audio)
        try:
            value = await result
        except asyncio.CancelledError:
            self._stuck = thread
            raise
        return await awaited(lambda: value) if inspect.isawaitable(value) else value


def as_transcript(result: object) -> Transcript:
    """With plain values, which every file can hold. Raises ProviderError for what is no text."""
    if isinstance(result, str):
        return Transcript(str.__str__(result))
    if not isinstance(result, Transcript):
        raise ProviderError(f"returned {type(result).__name__}, not a str or Transcript")
    if not isinstance(result.text, str):
        raise ProviderError(f"returned a Transcript whose text is {type(result.text).__name__}")
    return replace(
        result,
        text=str.__str__(result.text),
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
