"""
The recogniser of a LiveKit agent (an extra): a `livekit.agents.stt.STT` as the team's code builds
it.

batch   recognize(), once, with the whole recording
stream  stream() with the room's frames, silence after the recording, then end_input(); final
        transcripts are joined by a space, as AgentSession joins them

LiveKit's own retries are off (`max_retry=0`): in a stream they begin anew with the audio that is
still to come, and what follows would be taken for the whole. Where a FallbackAdapter goes over to
another recogniser within a stream, the same is lost, and the clip is an error. So it is where a
plugin logs an error and goes on: that is what becomes of a message that it can't read.

API: https://docs.livekit.io/agents/models/stt/ and livekit-agents 1.8.9, which this was read in.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import ProviderError, TransientError, one_line
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.agents import Agent, StreamedAgent, errors_logged
from pytest_asrbench.providers.base import Frames
from pytest_asrbench.providers.failures import short, status_error, transport_error
from pytest_asrbench.providers.secrets import scrub
from pytest_asrbench.providers.vendor import joined


class LiveKit(Agent):
    """In batch mode."""

    use: ClassVar[str] = "livekit"
    EXTRA: ClassVar[str] = "livekit"

    def check(self, made: Any) -> None:
        from livekit.agents.stt import STT

        if not isinstance(made, STT):
            raise self.wrong(f"gives {type(made).__name__}, not a livekit.agents.stt.STT")
        self.check_mode(made)

    def check_mode(self, made: Any) -> None:
        """Raises InputError."""
        if not made.capabilities.offline_recognize:
            raise self.wrong("only streams; use --asr-mode=stream")

    async def built(self) -> Any:
        try:
            return await super().built()
        except Exception as error:
            if "must be registered on the main thread" in str(error):
                says = "imports LiveKit's plugins in a thread"
                raise self.wrong(f"{says}; import them at the head of its module") from None
            raise

    async def release(self, made: Any) -> None:
        await made.aclose()
        if (inner := getattr(made, "wrapped_stt", None)) is not None:
            await inner.aclose()  # an adapter leaves it open

    async def transcribe(self, audio: Audio) -> Transcript:
        async with self._opened() as stt:
            event = await stt.recognize(
                _frame(audio.pcm16(audio.rate), audio.rate), conn_options=_once()
            )
            return _transcript(stt, [_text(event)], event.request_id)

    async def _try_out(self) -> None:
        from livekit.agents.utils import http_context

        async with http_context.open():
            await super()._try_out()

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Any]:
        """A recogniser that is closed again; what it raises is ours. Plugins take their HTTP
        session from the context, as in an agent's job."""
        from livekit.agents.utils import http_context

        async with http_context.open():
            stt = await self.built_for_clip()
            try:
                yield stt
            except ProviderError:
                raise
            except Exception as error:
                raise _failure(error, str(stt.provider)) from None
            finally:
                await self.release(stt)


class LiveKitStream(LiveKit, StreamedAgent):
    """In stream mode. Rate and length of a frame are those that AgentSession asks a room for."""

    RATE: ClassVar[int] = 24_000
    FRAME_MS: ClassVar[int] = 50

    def completed(self, made: Any) -> Any:
        """One that does not stream is asked by a detector, as AgentSession does it."""
        from livekit.agents.stt import STT, StreamAdapter

        if isinstance(made, STT) and not made.capabilities.streaming and self.vad:
            return StreamAdapter(stt=made, vad=self.detector())
        return made

    def check_mode(self, made: Any) -> None:
        if not made.capabilities.streaming:
            raise self.wrong(
                "does not stream by itself; name the agent's detector, vad: module:function, as "
                "AgentSession has one, or use --asr-mode=batch"
            )

    async def stream(self, frames: Frames) -> Transcript:
        async with self._opened() as stt:
            heard = _Heard(frames, adapted=_adapted(stt))
            stt.on("stt_availability_changed", heard.changed)
            with errors_logged("livekit") as heard.logged:
                await self._hold(stt, frames, heard)
            heard.check(str(stt.provider))
            return _transcript(stt, heard.pieces, heard.request_id)

    async def _hold(self, stt: Any, frames: Frames, heard: _Heard) -> None:
        async with stt.stream(conn_options=_once()) as stream:
            hearing = asyncio.create_task(heard.all_of(stream))
            try:
                await self._speak(stream, frames, hearing, heard)
                async with asyncio.timeout(self.final_wait_s):
                    await hearing
            except TimeoutError:
                heard.check_late(str(stt.provider), self.final_wait_s)
            finally:
                hearing.cancel()
                await asyncio.gather(hearing, return_exceptions=True)

    async def _speak(
        self, stream: Any, frames: Frames, hearing: asyncio.Task[None], heard: _Heard
    ) -> None:
        try:
            async for pcm in self.sound(frames, lambda: heard.unfinished):
                stream.push_frame(_frame(pcm, self.stream_rate))
            stream.end_input()
            if not heard.pieces:
                frames.text_complete()  # of a clip without speech; what follows is a goodbye
        except RuntimeError:  # it is closed; why, its events tell
            await hearing
            raise TransientError(
                "the stream ended before the end of speech", kind="incomplete"
            ) from None


@dataclass
class _Heard:
    """What a stream says of one clip. `adapted`: a detector decides what the recogniser gets."""

    frames: Frames
    adapted: bool
    pieces: list[str] = field(default_factory=list)
    pending: bool = False
    speaking: bool = False
    request_id: str | None = None
    lost: str | None = None
    logged: list[str] = field(default_factory=list)

    @property
    def unfinished(self) -> bool:
        """More is to come: text that is not final, or the end of speech that began."""
        return self.pending or (self.adapted and self.speaking)

    async def all_of(self, stream: Any) -> None:
        async for event in stream:
            self._hear(event.type.value, _text(event))
            self.request_id = event.request_id or self.request_id

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("start_of_speech", "end_of_speech"):
            self.speaking = kind == "start_of_speech"
        if not text.strip():
            return
        self.frames.text_heard()
        self.pending = kind != "final_transcript"
        if not self.pending:
            self.pieces.append(text)
            self.frames.text_final()
            self.frames.text_complete()  # as far as is known by now

    def changed(self, event: Any) -> None:
        if not event.available:
            self.lost = str(event.stt.label)

    def check_late(self, host: str, waited_s: float) -> None:
        """Raises TransientError where no transcript had come. Some streams don't end by themselves:
        what was final by then is what the agent would have got."""
        if not self.pieces:
            raise TransientError(
                f"{host} sent no final transcript within {waited_s:g} s of the end of speech",
                host=host,
                kind="timeout",
            )

    def check(self, host: str) -> None:
        """Raises TransientError for what may not be the whole transcript."""
        if self.lost:
            says = f"{self.lost} failed within the stream, and what it had heard is lost"
        elif self.pending:
            says = "ended the stream with text that it never made final"
        elif self.unfinished:
            says = "was not asked: the detector heard no end of speech; raise silence_s"
        elif self.logged:
            says = f"its plugin logged an error and went on: {self.logged[0]}"
        else:
            return
        raise TransientError(f"{host}: {says}", host=host, kind="incomplete")


def _adapted(stt: Any) -> bool:
    from livekit.agents.stt import StreamAdapter

    return isinstance(stt, StreamAdapter)


def _once() -> Any:
    from livekit.agents import APIConnectOptions

    return APIConnectOptions(max_retry=0)


def _frame(pcm: bytes, rate: int) -> Any:
    from livekit.rtc import AudioFrame

    return AudioFrame(pcm, rate, 1, len(pcm) // 2)


def _text(event: Any) -> str:
    return event.alternatives[0].text if event.alternatives else ""


def _transcript(stt: Any, pieces: list[str], request_id: str | None) -> Transcript:
    model = f"{stt.provider}/{stt.model}"
    return Transcript(joined(pieces), reported_model=model, request_id=request_id or None)


def _failure(error: Exception, host: str) -> ProviderError:
    """By status or cause. The causes' own texts may hold a request with its key."""
    from livekit.agents import APIConnectionError, APIError, APIStatusError, APITimeoutError

    root = _root(error)
    for each in (error, root):
        status = getattr(each, "status_code", getattr(each, "status", None))
        if isinstance(status, int) and 400 <= status < 600:
            said = getattr(each, "message", "") or str(each)
            return status_error(status, {}, scrub(str(getattr(each, "body", None) or said)), host)
    what = scrub(short(getattr(error, "message", "") or one_line(error)))
    if isinstance(error, APITimeoutError | TimeoutError):
        return TransientError(f"{host} did not answer in time", host=host, kind="timeout")
    unread = isinstance(root, LookupError | ValueError | TypeError)
    if isinstance(error, APIConnectionError) and unread:
        says = f"LiveKit's plugin can't read its answer ({type(root).__name__}): {what}"
        return ProviderError(f"{host}: {says}", host=host, kind="reply")
    if isinstance(error, APIStatusError | APIConnectionError) or getattr(error, "retryable", False):
        return TransientError(f"connection to {host} failed: {what}", host=host, kind="network")
    if isinstance(error, APIError):
        return ProviderError(f"{host}: {what}", host=host)
    return transport_error(error, host) if isinstance(error, OSError) else _own(error)


def _own(error: Exception) -> ProviderError:
    return ProviderError(scrub(one_line(error)))


def _root(error: BaseException) -> BaseException:
    seen = [error]
    while (cause := seen[-1].__cause__) is not None and cause not in seen:
        seen.append(cause)
    return seen[-1]
