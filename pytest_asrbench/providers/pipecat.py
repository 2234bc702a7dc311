"""
The recogniser of a pipecat agent (an extra): an `STTService` as the team's code builds it.

Each clip has a pipeline of its own with nothing in it but the service, which gets what a transport
and its voice activity detector would send: audio, VADUserStartedSpeakingFrame,
VADUserStoppedSpeakingFrame, and audio on after it.

batch   services that recognise segments (SegmentedSTTService): the recording is one segment
stream  frames at the pace of speech; the transcript is complete once each segment's last text is
        `finalized`, or the service tells so by its TTFB metric; texts are joined by a space, as
        pipecat's aggregator joins them
vad     module:function that builds the agent's VADAnalyzer. Without it the recording is one segment
        that ends stop_secs after its last speech, as pytest_asrbench.audio.speech_end tells it

A pipeline that is ended right after the speech gives "", as services drop what they wait for, and
an error comes as an ErrorFrame beside which text may come: either is an error of the clip.

API: https://docs.pipecat.ai and pipecat-ai 1.14.0, which this was read in.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import ProviderError, TransientError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.agents import Agent, StreamedAgent
from pytest_asrbench.providers.base import Frames
from pytest_asrbench.providers.vendor import joined

if TYPE_CHECKING:
    from pytest_asrbench.providers.pipecat_pipeline import OneClip

RATE = 16_000  # of pipecat's pipelines, where nothing else is said


class Pipecat(Agent):
    """In batch mode."""

    use: ClassVar[str] = "pipecat"
    EXTRA: ClassVar[str] = "pipecat"

    def check(self, made: Any) -> None:
        from pipecat.services.stt_service import STTService

        if not isinstance(made, STTService):
            raise self.wrong(f"gives {type(made).__name__}, not a pipecat STTService")
        self.check_mode(made)

    def check_mode(self, made: Any) -> None:
        """Raises InputError."""
        from pipecat.services.stt_service import SegmentedSTTService

        if not isinstance(made, SegmentedSTTService):
            raise self.wrong("only streams; use --asr-mode=stream")

    async def release(self, made: Any) -> None:
        """A service that was never set up holds nothing."""

    async def transcribe(self, audio: Audio) -> Transcript:
        async with self._pipeline(RATE) as (service, clip):
            await clip.started_speaking()
            await clip.hear(audio.pcm16(RATE))
            await clip.stopped_speaking()
            await clip.end()
            return _transcript(service, clip)

    def _loaded(self, folder: Path) -> Any:
        from loguru import logger

        # Hundreds of lines a clip, on standard error; a module that wants them enables them.
        logger.disable("pipecat")
        return super()._loaded(folder)

    @asynccontextmanager
    async def _pipeline(
        self, rate: int, analyser: Any = None
    ) -> AsyncIterator[tuple[Any, OneClip]]:
        """A service in its pipeline, which runs, and which is gone afterwards."""
        from pytest_asrbench.providers.pipecat_pipeline import OneClip

        service = await self.built_for_clip()
        clip = OneClip(service, rate, analyser)
        try:
            await clip.start()
            if service.sample_rate != rate:
                says = f"wants {service.sample_rate} Hz, and its pipeline has {rate}"
                raise ProviderError(str(self.wrong(f"{says}; build it without sample_rate")))
            yield service, clip
        finally:
            await clip.leave()


class PipecatStream(Pipecat, StreamedAgent):
    """In stream mode. Rate and length of a frame are those of pipecat's transports."""

    RATE: ClassVar[int] = RATE
    FRAME_MS: ClassVar[int] = 20

    def check_mode(self, made: Any) -> None:
        """Any service streams: what recognises segments is asked as soon as one has ended."""

    async def stream(self, frames: Frames) -> Transcript:
        async with self._pipeline(self.stream_rate, self.detector()) as (service, clip):
            clip.heard.frames = frames
            await self._speak(clip, frames)
            if clip.heard.pending:
                raise _incomplete("sent text that it never made final")
            if not clip.heard.complete and not clip.drains:
                raise TransientError(
                    f"no final text within {self.final_wait_s:g} s of the end of speech",
                    kind="timeout",
                )
            await clip.end()
            return _transcript(service, clip)

    async def _speak(self, clip: OneClip, frames: Frames) -> None:
        spoken_s, ends = 0.0, None if self.vad else frames.speech_end_s
        async for pcm in self.sound(frames, lambda: not clip.heard.complete):
            if ends is not None and not spoken_s:
                await clip.started_speaking()
            await clip.hear(pcm)
            spoken_s += len(pcm) / 2 / self.stream_rate
            if ends is not None and spoken_s >= ends + clip.stop_s:
                ends = None
                await clip.stopped_speaking()


def _incomplete(says: str) -> TransientError:
    return TransientError(f"the service {says}", kind="incomplete")


def _transcript(service: Any, clip: OneClip) -> Transcript:
    name = type(service).__name__
    model = getattr(getattr(service, "_settings", None), "model", None)
    reported = f"{name}/{model}" if isinstance(model, str) else name
    return Transcript(joined(clip.heard.pieces), reported_model=reported)
