"""
Speechmatics, streamed.

WS {url}     auth: Bearer
send         StartRecognition (audio_format, transcription_config), PCM as binary frames, then
             EndOfStream with the number of frames
ready        RecognitionStarted
hear         AddPartialTranscript, AddTranscript (metadata.transcript), EndOfTranscript: terminal
text         final transcripts as they come, joined without anything between
errors       {"message": "Error", "type", "reason"}

The model is always sent; `operating_point`, its older name here, is deprecated.
API: https://docs.speechmatics.com/api-ref/realtime-transcription-websocket
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from pytest_asrbench.errors import AudioError, AuthError, QuotaError
from pytest_asrbench.providers import languages
from pytest_asrbench.providers.http import pick, said_text
from pytest_asrbench.providers.speechmatics import Speechmatics, vocabulary
from pytest_asrbench.providers.streaming import StreamingVendor
from pytest_asrbench.providers.terms import Spelling
from pytest_asrbench.providers.websocket import (
    RATE_LIMIT,
    SERVER,
    Dialogue,
    DialogueFailure,
    Message,
)


class SpeechmaticsStream(StreamingVendor):
    """`params` go into transcription_config."""

    use: ClassVar[str] = Speechmatics.use
    KEY: ClassVar[str] = Speechmatics.KEY
    URL: ClassVar[str] = "wss://eu2.rt.speechmatics.com/v2"
    MODEL: ClassVar[str | None] = Speechmatics.MODEL
    PCM: ClassVar[str] = "pcm_s16le"
    MULAW: ClassVar[str | None] = "mulaw"
    TERMS: ClassVar[Spelling | None] = staticmethod(vocabulary)
    spell: ClassVar[Callable[[str], str]] = staticmethod(languages.speechmatics)

    def dialogue(self, language: str) -> Dialogue:
        start = {
            "message": "StartRecognition",
            "audio_format": {
                "type": "raw",
                "encoding": self.encoding,
                "sample_rate": self.stream_rate,
            },
            "transcription_config": self.merged(
                language=language, model=self.model, enable_partials=True
            ),
        }
        return _Recognition(start=start, host=self.host, secrets=(self.key,))


class _Recognition(Dialogue):
    WAITS = True
    FAILURES: ClassVar[Mapping[str, DialogueFailure]] = {
        "not_authorised": AuthError,
        "insufficient_funds": QuotaError,
        "not_allowed": AuthError,
        "quota_exceeded": RATE_LIMIT,  # of streams at a time
        "job_error": SERVER,
        "buffer_error": SERVER,
        "timelimit_exceeded": QuotaError,
        "invalid_audio_type": AudioError,
        "data_error": AudioError,
    }

    def __init__(self, **about: Any) -> None:
        super().__init__(**about)
        self.frames = 0

    def audio(self, pcm: bytes) -> Message:
        self.frames += 1
        return pcm

    def closing(self) -> Iterator[Message]:
        yield json.dumps({"message": "EndOfStream", "last_seq_no": self.frames})

    def hear(self, message: Any) -> bool:
        kind = pick(message, "message", "")
        if kind == "Error":
            raise self.failure(pick(message, "reason", "error"), pick(message, "type", None))
        if kind == "RecognitionStarted":
            self.ready = True
            self.request_id = said_text(message, "id")
        elif kind == "EndOfTranscript":
            self.complete = True
        elif kind in ("AddTranscript", "AddPartialTranscript"):
            text = pick(message, "metadata.transcript", "")
            return self.piece(text, final=kind == "AddTranscript")
        return False

    def text(self) -> str:
        return "".join(self.pieces)
