"""
Frames at the pace of speech, and the only clock of a streaming measurement.

A frame is handed over when its last sample would have been spoken, on deadlines counted from the
first one, so that delays do not add up.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

from pytest_asrbench.clock import monotonic

BYTES_A_SAMPLE = 2


class PacedFrames(AsyncIterator[bytes]):
    """16-bit mono PCM frames, or mu-law ones (`encoding`); a provider sends each and may say when
    text comes back.

    `realtime=False` hands them over as fast as they are taken, for systems that allow it.
    `speech_end_s` is where in the recording its last speech ends.
    """

    def __init__(
        self,
        frames: Iterator[bytes],
        *,
        rate: int,
        language: str,
        realtime: bool = True,
        speech_end_s: float | None = None,
        encoding: str = "pcm",
    ) -> None:
        self._frames = frames
        self.language = language
        self.encoding = encoding
        self._bytes_a_second = rate * (BYTES_A_SAMPLE if encoding == "pcm" else 1)
        self._realtime = realtime
        self.speech_end_s = speech_end_s
        self._sent = 0
        self._started: float | None = None
        self._last: float | None = None
        self._first_text: float | None = None
        self._final_text: float | None = None
        self._complete: float | None = None

    def __aiter__(self) -> PacedFrames:
        return self

    async def __anext__(self) -> bytes:
        now = monotonic()
        if self._started is None:
            self._started = now
        else:
            self._last = now  # the frame before has been sent
        frame = next(self._frames, None)
        if frame is None:
            raise StopAsyncIteration
        self._sent += len(frame)
        if self._realtime:
            due = self._started + self._sent / self._bytes_a_second
            # A delay of 0 still lets the reader of the same connection run.
            await asyncio.sleep(max(0.0, due - monotonic()))
        else:
            await asyncio.sleep(0)
        return frame

    def text_heard(self) -> None:
        """To be called whenever the system sends text; the first time counts."""
        if self._first_text is None:
            self._first_text = monotonic()

    def text_final(self) -> None:
        """To be called whenever the final text has changed; the last time counts."""
        self._final_text = monotonic()

    def text_complete(self) -> None:
        """To be called when the transcript is complete; what follows is no latency."""
        self._complete = monotonic()

    def since_last_frame_ms(self) -> float | None:
        """From the last frame sent to the complete text, or to now; None without frames."""
        if self._last is None:
            return None
        until = monotonic() if self._complete is None else self._complete
        return (until - self._last) * 1000

    def after_speech_ms(self) -> float | None:
        """From the moment that the last speech was spoken to the last change of the final text, or
        where nobody tells of any to the complete one; None without a pace or without speech."""
        if self.speech_end_s is None or self._started is None or not self._realtime:
            return None
        until = self._final_text or self._complete or monotonic()
        return (until - self._started - self.speech_end_s) * 1000

    @property
    def first_text_ms(self) -> float | None:
        """From the first frame's start to the first text."""
        if self._first_text is None or self._started is None:
            return None
        return (self._first_text - self._started) * 1000
