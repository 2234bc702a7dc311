"""
Smallest.ai Pulse, streamed.

WS {url}?model=…&language=…&sample_rate=…&encoding=linear16   auth: Bearer
send         PCM as binary frames; {"type": "close_stream"} at the end
hear         transcription (transcript, is_final, is_last); speech_started, speech_ended
text         transcripts with is_final, joined by a space
end          a transcription with is_last, which comes only after close_stream
lists        comma-separated in the query: keywords, redact_pii
model        always sent, not reported
request id   session_id
errors       {"type": "error", "status", "message"}

SDK: smallestai 5.14, waves/speech_to_text (its `stream`), waves/helpers/streaming_stt.py
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, ClassVar

import httpx

from pytest_asrbench.providers.http import form, pick, said_text
from pytest_asrbench.providers.smallest import Smallest
from pytest_asrbench.providers.streaming import StreamingVendor
from pytest_asrbench.providers.terms import Spelling, named
from pytest_asrbench.providers.websocket import Dialogue, Message


class SmallestStream(StreamingVendor):
    """`pulse`; the vendor's `pulse-pro` takes files only."""

    use: ClassVar[str] = Smallest.use
    KEY: ClassVar[str] = Smallest.KEY
    URL: ClassVar[str] = "wss://api.smallest.ai/waves/v1/stt/live"
    MODEL: ClassVar[str | None] = Smallest.MODEL
    TERMS: ClassVar[Spelling | None] = staticmethod(named("keywords"))

    def address(self, language: str) -> str:
        fields = self.merged(
            model=self.model,
            language=language,
            sample_rate=self.stream_rate,
            encoding="linear16",
        )
        return str(httpx.URL(self.url).copy_merge_params(form(fields, lists=",".join)))

    def dialogue(self, language: str) -> Dialogue:
        return _Segments(host=self.host, secrets=(self.key,))


class _Segments(Dialogue):
    def closing(self) -> Iterator[Message]:
        yield json.dumps({"type": "close_stream"})

    def hear(self, message: Any) -> bool:
        kind = pick(message, "type", "")
        if kind == "error":
            raise self.failure(pick(message, "message", "error"), pick(message, "status", None))
        if kind != "transcription":
            return False
        self.request_id = said_text(message, "session_id") or self.request_id
        self.complete = self.ended and bool(message.get("is_last"))
        text = pick(message, "transcript", pick(message, "transcription", ""))
        return self.piece(text, final=bool(message.get("is_final") or self.complete))
