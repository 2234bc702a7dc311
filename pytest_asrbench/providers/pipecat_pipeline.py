"""
One clip's pipeline: pipecat's own, with the team's service in it, and what comes out of it.

Imported only where a service is called, as it imports pipecat.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from typing import Any

from pipecat.audio.vad.vad_analyzer import VADParams
from pipecat.frames.frames import (
    EndFrame,
    ErrorFrame,
    InputAudioRawFrame,
    InterimTranscriptionFrame,
    MetricsFrame,
    TranscriptionFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.metrics.metrics import TTFBMetricsData
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.audio.vad_processor import VADProcessor
from pipecat.services.stt_service import SegmentedSTTService
from pipecat.utils.errors import extract_http_status_code
from pipecat.workers.runner import WorkerRunner

from pytest_asrbench.errors import (
    AuthError,
    ProviderError,
    QuotaError,
    TransientError,
)
from pytest_asrbench.providers.base import Frames
from pytest_asrbench.providers.failures import refusal, short, status_error
from pytest_asrbench.providers.secrets import scrub

START_S = 30.0  # services connect meanwhile, and load models
END_S = 60.0  # what waits to be recognised still is
LEAVE_S = 5.0
SETTLED_S = 2.0  # as long as pipecat itself waits for another text (stt_ttfb_timeout)
RE_STATUS = re.compile(r"\b(?:code|status|HTTP)\b\D{0,12}\b([45]\d\d)\b", re.IGNORECASE)
RE_LOST = re.compile(  # `received 1011 (internal error) …` is a websocket's end
    r"connect|closed?\b|websocket|timed? ?out|reset|network|\b(received|sent) 1\d{3}\b",
    re.IGNORECASE,
)


@dataclass
class PipelineText:
    """What the service said: pieces of final text, and whether more is to come."""

    frames: Frames | None = None
    pieces: list[str] = field(default_factory=list)
    pending: bool = False
    speaking: bool = False
    awaiting: bool = False
    """Speech has ended, and the service has not told that it made all of its text."""
    error: ProviderError | None = None
    changed_at: float = 0.0

    @property
    def complete(self) -> bool:
        """Or failed: nothing more has to be waited for."""
        if self.error:
            return True
        if self.pending or self.speaking:
            return False
        return not self.awaiting or self._settled

    @property
    def _settled(self) -> bool:
        """There is text, and none has come for a while: some services say nothing of an end."""
        silent_s = asyncio.get_running_loop().time() - self.changed_at
        return bool(self.pieces) and silent_s > SETTLED_S

    def take(self, frame: Any) -> None:
        """A frame that came out of the pipeline."""
        if isinstance(frame, VADUserStartedSpeakingFrame):
            self.speaking, self.awaiting = True, False
        elif isinstance(frame, VADUserStoppedSpeakingFrame):
            self.speaking, self.awaiting = False, True
        elif isinstance(frame, MetricsFrame):
            if any(isinstance(each, TTFBMetricsData) for each in frame.data):
                self.awaiting = self.speaking
        elif frame.text.strip():
            self._text(frame)

    def _text(self, frame: Any) -> None:
        self.changed_at = asyncio.get_running_loop().time()
        self.pending = isinstance(frame, InterimTranscriptionFrame)
        if not self.pending:
            self.pieces.append(frame.text)
            if frame.finalized:
                self.awaiting = False
        if self.frames is not None:
            self.frames.text_heard()
            if not self.pending:
                self.frames.text_final()
                self.frames.text_complete()  # as far as is known by now


class OneClip:
    """Raises ProviderError for what the service tells of, with the next thing that is asked."""

    def __init__(self, service: Any, rate: int, analyser: Any) -> None:
        self.heard = PipelineText()
        self.rate = rate
        self.stop_s: float = (analyser.params if analyser else VADParams()).stop_secs
        self.drains = isinstance(service, SegmentedSTTService)
        """Whether all that was said is recognised before the pipeline ends."""
        detector = [VADProcessor(vad_analyzer=analyser)] if analyser else []
        self._worker = PipelineWorker(
            Pipeline([*detector, service]),
            params=PipelineParams(
                audio_in_sample_rate=rate, enable_metrics=True, send_initial_empty_metrics=False
            ),
            cancel_on_idle_timeout=False,
            check_dangling_tasks=False,
            enable_rtvi=False,
            enable_turn_tracking=False,
        )
        self._started = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self._listen()

    async def start(self) -> None:
        """Until the service is connected."""
        # Signals are pytest's, and can't be handled in this thread.
        runner = WorkerRunner(handle_sigint=False, check_dangling_tasks=False)
        await runner.add_workers(self._worker)
        self._running = asyncio.create_task(runner.run())
        started = asyncio.create_task(self._started.wait())
        try:
            await asyncio.wait(
                {started, self._running}, timeout=START_S, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            started.cancel()
        self._check()
        if not self._started.is_set():
            raise TransientError(f"was not ready within {START_S:g} s", kind="timeout")

    async def started_speaking(self) -> None:
        self.heard.speaking = True  # at once: the frame takes its way
        await self._say(VADUserStartedSpeakingFrame(start_secs=VADParams().start_secs))

    async def stopped_speaking(self) -> None:
        await self._say(VADUserStoppedSpeakingFrame(stop_secs=self.stop_s))

    async def hear(self, pcm: bytes) -> None:
        await self._say(InputAudioRawFrame(audio=pcm, sample_rate=self.rate, num_channels=1))

    async def end(self) -> None:
        """Until all that was said is recognised."""
        await self._say(EndFrame())
        assert self._running is not None
        try:
            await asyncio.wait_for(asyncio.shield(self._running), END_S)
        except TimeoutError:
            says = f"the service did not end within {END_S:g} s"
            raise TransientError(says, kind="timeout") from None
        self._check()

    async def leave(self) -> None:
        """Whatever state it is in."""
        if self._running is None or self._running.done():
            return
        await self._worker.cancel()
        _, still = await asyncio.wait({self._running}, timeout=LEAVE_S)
        for task in still:
            task.cancel()

    async def _say(self, frame: Any) -> None:
        self._check()
        await self._worker.queue_frame(frame)

    def _check(self) -> None:
        if self.heard.error:
            raise self.heard.error

    def _listen(self) -> None:
        worker = self._worker
        worker.set_reached_downstream_filter(
            (
                TranscriptionFrame,
                InterimTranscriptionFrame,
                MetricsFrame,
                VADUserStartedSpeakingFrame,
                VADUserStoppedSpeakingFrame,
            )
        )

        async def started(*_: Any) -> None:
            self._started.set()

        async def heard(_: Any, frame: Any) -> None:
            self.heard.take(frame)

        async def failed(_: Any, frame: ErrorFrame) -> None:
            self.heard.error = self.heard.error or failure(frame)
            self._started.set()  # whoever waits for a start looks for an error first

        worker.add_event_handler("on_pipeline_started", started)
        worker.add_event_handler("on_frame_reached_downstream", heard)
        worker.add_event_handler("on_pipeline_error", failed)


def failure(frame: Any) -> ProviderError:
    """What an ErrorFrame means: by its category, by a status, else by what it says."""
    said = scrub(short(str(frame.error)))
    status = extract_http_status_code(frame.exception) if frame.exception else None
    status = status or next((int(match[1]) for match in RE_STATUS.finditer(said)), None)
    if status is not None and 400 <= status < 600:
        return status_error(status, {}, said, _host(frame))
    host = _host(frame)
    kinds: dict[str, Any] = {
        "authentication": lambda: AuthError(said, host=host),
        "authorization": lambda: AuthError(said, host=host),
        "quota": lambda: QuotaError(said, host=host),
        "rate_limit": lambda: TransientError(said, host=host, kind="rate limit"),
        "connectivity": lambda: TransientError(said, host=host, kind="network"),
        "server": lambda: TransientError(said, host=host, kind="server"),
    }
    if (make := kinds.get(frame.category.value if frame.category else "")) is not None:
        made: ProviderError = make()
        return made
    if RE_LOST.search(f"{said} {type(frame.exception).__name__}"):
        return TransientError(said, host=host, kind="network")
    return refusal(said, host)


def _host(frame: Any) -> str:
    """`DeepgramSTTService`: no frame tells an address."""
    return type(frame.processor).__name__ if frame.processor else "pipecat"
