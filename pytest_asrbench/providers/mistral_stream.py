"""
Mistral Voxtral, streamed.

WS {url}?model=…   auth: Bearer
ready        session.created
send         session.update with the audio format, before any audio: it is fixed from then on;
             input_audio.append with base64 PCM; input_audio.flush and input_audio.end at the end
hear         transcription.text.delta, transcription.done: terminal
text         `text` of transcription.done
model        `model` of transcription.done
billed       usage.prompt_audio_seconds
language     `language` of the session
errors       {"type": "error", "error": {"code", "message"}}

API: https://docs.mistral.ai/studio/audio
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, ClassVar

from pytest_asrbench.providers.http import pick, pick_text, said_seconds, said_text
from pytest_asrbench.providers.streaming import StreamingVendor
from pytest_asrbench.providers.terms import Spelling, named
from pytest_asrbench.providers.websocket import Dialogue, Message, base64_text


class MistralStream(StreamingVendor):
    """`params` go into the session."""

    use: ClassVar[str] = "mistral"
    KEY: ClassVar[str] = "MISTRAL_API_KEY"
    URL: ClassVar[str] = "wss://api.mistral.ai/v1/audio/transcriptions/realtime"
    MODEL: ClassVar[str | None] = "voxtral-mini-transcribe-realtime-3-0"
    TERMS: ClassVar[Spelling | None] = staticmethod(named("context_bias"))

    def address(self, language: str) -> str:
        return f"{self.url}?model={self.model}"

    def dialogue(self, language: str) -> Dialogue:
        form = {"encoding": "pcm_s16le", "sample_rate": self.stream_rate}
        session = self.merged(audio_format=form, language=language)
        start = {"type": "session.update", "session": session}
        return _Session(start=start, host=self.host, secrets=(self.key,))


class _Session(Dialogue):
    WAITS = True

    def audio(self, pcm: bytes) -> Message:
        return json.dumps({"type": "input_audio.append", "audio": base64_text(pcm)})

    def closing(self) -> Iterator[Message]:
        yield json.dumps({"type": "input_audio.flush"})
        yield json.dumps({"type": "input_audio.end"})

    def hear(self, message: Any) -> bool:
        kind = pick(message, "type", "")
        if kind == "session.created":
            self.ready = True
            self.request_id = said_text(message, "session.request_id")
        elif kind == "transcription.text.delta":
            return self.piece(pick(message, "text", ""), final=False)
        elif kind == "transcription.done":
            self.complete = True
            self.reported_model = said_text(message, "model")
            self.billed_s = said_seconds(message, "usage.prompt_audio_seconds")
            return self.piece(pick_text(message, "text"), final=True)
        elif kind == "error":
            raise self.failure(pick(message, "error.message", "error"))
        return False
