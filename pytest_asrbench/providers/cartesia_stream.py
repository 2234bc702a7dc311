"""
Cartesia Ink, streamed.

WS {url}?model=…&encoding=pcm_s16le&sample_rate=…&language=…   auth and version as for files
send         PCM as binary frames; the text frames `finalize` and `close` at the end
hear         transcript (text, is_final), flush_done, done: terminal
text         texts with is_final, joined without anything between: they carry their spaces
model        not reported; ink-2 knows English only, ink-whisper other languages
errors       {"type": "error", "status_code", "title", "message"}

API: https://docs.cartesia.ai/api-reference/stt/stt
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, ClassVar

from pytest_asrbench.providers.cartesia import VERSION, Cartesia
from pytest_asrbench.providers.http import pick, said_text, status_error
from pytest_asrbench.providers.streaming import StreamingVendor
from pytest_asrbench.providers.terms import Spelling, named
from pytest_asrbench.providers.websocket import Dialogue, Message


class CartesiaStream(StreamingVendor):
    """One stream a clip. Raises ProviderError for another language than the model's."""

    use: ClassVar[str] = Cartesia.use
    KEY: ClassVar[str] = Cartesia.KEY
    URL: ClassVar[str] = "wss://api.cartesia.ai/stt/websocket"
    MODEL: ClassVar[str | None] = "ink-2"
    TERMS: ClassVar[Spelling | None] = staticmethod(named("keyterm"))

    def headers(self) -> dict[str, str]:
        return {**super().headers(), "Cartesia-Version": VERSION}

    def address(self, language: str) -> str:
        return self.with_query(
            model=self.model,
            language=language,
            encoding="pcm_s16le",
            sample_rate=self.stream_rate,
        )

    def dialogue(self, language: str) -> Dialogue:
        if self.model == self.MODEL:
            self.check_english(language, "ink-whisper")
        return _Ink(host=self.host, secrets=(self.key,))


class _Ink(Dialogue):
    def closing(self) -> Iterator[Message]:
        yield "finalize"
        yield "close"

    def hear(self, message: Any) -> bool:
        kind = pick(message, "type", "")
        if kind == "error":
            raise status_error(
                int(pick(message, "status_code", 500)),
                {},
                json.dumps(message),
                self.host,
                secrets=self.secrets,
            )
        if kind == "done":
            self.complete = True
        if kind != "transcript":
            return False
        self.request_id = said_text(message, "request_id") or self.request_id
        return self.piece(pick(message, "text", ""), final=bool(message.get("is_final")))

    def text(self) -> str:
        return "".join(self.pieces)
