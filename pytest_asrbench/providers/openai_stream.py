"""
OpenAI, streamed: a transcription session of the Realtime API.

WS {url}?intent=transcription   auth: Bearer; the model stands in the session, not in the address
send         session.update; input_audio_buffer.append with base64 PCM (24 kHz);
             input_audio_buffer.commit at the end: turn_detection is off, nothing is final before
ready        session.updated
hear         conversation.item.input_audio_transcription.delta, …completed: terminal, …failed
text         `transcript` of completed
model        not reported
billed       usage.seconds where usage.type is "duration"
request id   item_id
errors       {"type": "error", "error": {"type", "code", "message"}}

API: https://developers.openai.com/api/docs/guides/realtime-transcription
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pytest_asrbench.errors import AuthError, QuotaError
from pytest_asrbench.providers.http import pick, said_seconds, said_text
from pytest_asrbench.providers.openai import vocabulary
from pytest_asrbench.providers.streaming import StreamingVendor
from pytest_asrbench.providers.terms import Spelling
from pytest_asrbench.providers.websocket import (
    RATE_LIMIT,
    SERVER,
    Dialogue,
    DialogueFailure,
    Message,
    base64_text,
)

TRANSCRIPTION = "conversation.item.input_audio_transcription"


class OpenAIStream(StreamingVendor):
    """`params` go into the session's audio.input.transcription."""

    use: ClassVar[str] = "openai"
    KEY: ClassVar[str] = "OPENAI_API_KEY"
    URL: ClassVar[str] = "wss://api.openai.com/v1/realtime?intent=transcription"
    MODEL: ClassVar[str | None] = "gpt-live-transcribe"
    PCM: ClassVar[str] = "audio/pcm"
    MULAW: ClassVar[str | None] = "audio/pcmu"
    TERMS: ClassVar[Spelling | None] = staticmethod(vocabulary)
    RATE: ClassVar[int] = 24_000

    def _format(self) -> dict[str, Any]:
        """PCM is told its rate; mu-law has only one."""
        rate = {"rate": self.stream_rate} if self.encoding == self.PCM else {}
        return {"type": self.encoding, **rate}

    def dialogue(self, language: str) -> Dialogue:
        session = {
            "type": "transcription",
            "audio": {
                "input": {
                    "format": self._format(),
                    "transcription": self.merged(model=self.model, language=language),
                    "turn_detection": None,
                }
            },
        }
        start = {"type": "session.update", "session": session}
        return _Session(start=start, host=self.host, secrets=(self.key,))


class _Session(Dialogue):
    WAITS = True
    FAILURES: ClassVar[Mapping[str, DialogueFailure]] = {
        "invalid_api_key": AuthError,
        "insufficient_quota": QuotaError,
        "rate_limit_exceeded": RATE_LIMIT,
        "server_error": SERVER,
        "session_expired": SERVER,
    }

    def audio(self, pcm: bytes) -> Message:
        return json.dumps({"type": "input_audio_buffer.append", "audio": base64_text(pcm)})

    def closing(self) -> Iterator[Message]:
        yield json.dumps({"type": "input_audio_buffer.commit"})

    def hear(self, message: Any) -> bool:
        kind = pick(message, "type", "")
        if kind == "session.updated":
            self.ready = True
        elif kind == f"{TRANSCRIPTION}.delta":
            return self.piece(pick(message, "delta", ""), final=False)
        elif kind == f"{TRANSCRIPTION}.completed":
            self.complete = self.ended
            self.request_id = said_text(message, "item_id")
            self.billed_s = said_seconds(message, "usage.seconds")
            return self.piece(pick(message, "transcript"), final=True)
        elif kind in ("error", f"{TRANSCRIPTION}.failed"):
            code = pick(message, "error.code", pick(message, "error.type", None))
            raise self.failure(pick(message, "error.message", "error"), code)
        return False
