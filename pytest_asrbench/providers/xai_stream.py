"""
xAI Grok, streamed.

WS {url}?model=…&sample_rate=…&encoding=pcm&interim_results=true&language=…   auth: Bearer
ready        transcript.created
send         PCM as binary frames; {"type": "audio.done"} at the end
hear         transcript.partial (text, is_final, speech_final), transcript.done: terminal
text         partials with is_final and speech_final, joined by a space. Those with is_final alone
             are pieces of the utterance, which its speech_final says again. The `text` of
             transcript.done is the whole, or what is left of it; where it is empty, these are left:
             the pieces of an utterance that never became final, and the partial after them.
model        always sent, not reported
errors       {"type": "error", "message"}

API: https://docs.x.ai/developers/model-capabilities/audio/speech-to-text
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, ClassVar

from pytest_asrbench.providers.http import pick, pick_text
from pytest_asrbench.providers.streaming import StreamingVendor
from pytest_asrbench.providers.terms import Spelling, named
from pytest_asrbench.providers.vendor import joined
from pytest_asrbench.providers.websocket import Dialogue, Message
from pytest_asrbench.providers.xai import XAI


class XAIStream(StreamingVendor):
    """One stream a clip."""

    use: ClassVar[str] = XAI.use
    KEY: ClassVar[str] = XAI.KEY
    URL: ClassVar[str] = "wss://api.x.ai/v1/stt"
    MODEL: ClassVar[str | None] = XAI.MODEL
    PCM: ClassVar[str] = "pcm"
    MULAW: ClassVar[str | None] = "mulaw"
    TERMS: ClassVar[Spelling | None] = staticmethod(named("keyterm"))

    def address(self, language: str) -> str:
        return self.with_query(
            model=self.model,
            sample_rate=self.stream_rate,
            encoding=self.encoding,
            interim_results=True,
            language=language,
        )

    def dialogue(self, language: str) -> Dialogue:
        return _Partials(host=self.host, secrets=(self.key,))


class _Partials(Dialogue):
    WAITS = True

    def __init__(self, **about: Any) -> None:
        super().__init__(**about)
        self.chunks: list[str] = []  # of the utterance under way
        self.latest = ""  # after them

    def closing(self) -> Iterator[Message]:
        yield json.dumps({"type": "audio.done"})

    def hear(self, message: Any) -> bool:
        kind = pick(message, "type", "")
        if kind == "transcript.created":
            self.ready = True
        elif kind == "transcript.partial":
            text = pick_text(message, "text")
            ends_utterance = bool(message.get("is_final") and message.get("speech_final"))
            if ends_utterance:
                self.chunks = []
            elif message.get("is_final"):
                self.chunks.append(text)
            self.latest = "" if message.get("is_final") else text
            return self.piece(text, final=ends_utterance)
        elif kind == "transcript.done":
            self.complete = True
            return self._done(pick(message, "text", ""))
        elif kind == "error":
            raise self.failure(pick(message, "message", "error"), pick(message, "code", None))
        return False

    def _done(self, text: str) -> bool:
        so_far = joined(self.pieces)
        if text and text.startswith(so_far):
            self.pieces = []
        return self.piece(text or joined([*self.chunks, self.latest]), final=True)
