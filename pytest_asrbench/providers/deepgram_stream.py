"""
Deepgram, streamed.

WS {url}?model=…&encoding=linear16&sample_rate=…&interim_results=true   auth: `Token <key>`
send         PCM as binary frames; {"type": "CloseStream"} at the end
hear         Results (channel.alternatives.0.transcript, is_final), then Metadata: terminal, but not
             before the end of speech was sent
text         every non-empty transcript with is_final, joined by a space; `speech_final` alone would
             drop words
model        metadata.model_info of Results: name, version
errors       {"type": "Error", "description"}; closes 1008 (not audio), 1011 (no audio in time)

API: https://developers.deepgram.com/reference/speech-to-text/listen-streaming
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from pytest_asrbench.errors import AudioError
from pytest_asrbench.providers import languages
from pytest_asrbench.providers.deepgram import Deepgram, vocabulary
from pytest_asrbench.providers.http import pick, said_text
from pytest_asrbench.providers.streaming import StreamingVendor
from pytest_asrbench.providers.terms import Spelling
from pytest_asrbench.providers.websocket import Dialogue, DialogueFailure, Message


class DeepgramStream(StreamingVendor):
    """nova models; Flux speaks another protocol."""

    use: ClassVar[str] = Deepgram.use
    KEY: ClassVar[str] = Deepgram.KEY
    URL: ClassVar[str] = "wss://api.deepgram.com/v1/listen"
    MODEL: ClassVar[str | None] = Deepgram.MODEL
    PCM: ClassVar[str] = "linear16"
    MULAW: ClassVar[str | None] = "mulaw"
    TERMS: ClassVar[Spelling | None] = staticmethod(vocabulary)
    spell: ClassVar[Callable[[str], str]] = staticmethod(languages.deepgram)

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Token {self.key}"}

    def address(self, language: str) -> str:
        return self.with_query(
            model=self.model,
            language=language,
            encoding=self.encoding,
            sample_rate=self.stream_rate,
            channels=1,
            interim_results=True,
        )

    def dialogue(self, language: str) -> Dialogue:
        return _Listen(host=self.host, secrets=(self.key,))


class _Listen(Dialogue):
    CLOSES: ClassVar[Mapping[int, DialogueFailure]] = {1008: AudioError}

    def closing(self) -> Iterator[Message]:
        yield json.dumps({"type": "CloseStream"})

    def hear(self, message: Any) -> bool:
        kind = pick(message, "type", "")
        if kind == "Error":
            raise self.failure(pick(message, "description", "error"))
        if kind == "Metadata":
            self.request_id = said_text(message, "request_id") or self.request_id
            self.complete = self.ended
        if kind != "Results":
            return False
        info = pick(message, "metadata.model_info", {})
        self.reported_model = (
            " ".join(filter(None, (info.get("name"), info.get("version")))) or None
        )
        text = pick(message, "channel.alternatives.0.transcript", "")
        return self.piece(text, final=bool(message.get("is_final")))
