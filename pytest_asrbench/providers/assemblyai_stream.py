"""
AssemblyAI, streamed (v3).

WS {url}?sample_rate=…&encoding=pcm_s16le&speech_model=…   auth: header `authorization: <key>`
ready        Begin
send         PCM in binary frames of 50 to 1000 ms; {"type": "Terminate"} at the end
hear         Turn (turn_order, transcript, end_of_turn), then Termination: terminal
text         each turn's last transcript with end_of_turn, joined by a space
language     is the model's: universal-streaming-english, universal-streaming-multilingual, …
model        configuration.model of Begin
billed       session_duration_seconds of Termination: the whole session, not the speech
errors       {"type": "Error", "error_code", "error"}; closes 4001 (key), 4002 (funds), 4029 and
             3005 to 3009 (audio sent too fast or in wrong sizes), 1008 (too many sessions)

API: https://www.assemblyai.com/docs/api-reference/streaming-api/streaming-api
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pytest_asrbench.errors import AudioError, AuthError, QuotaError
from pytest_asrbench.providers.assemblyai import AssemblyAI
from pytest_asrbench.providers.http import pick
from pytest_asrbench.providers.streaming import StreamingVendor
from pytest_asrbench.providers.vendor import joined
from pytest_asrbench.providers.websocket import RATE_LIMIT, Dialogue, Failure, Message

SHORTEST_MS = 50


class AssemblyAIStream(StreamingVendor):
    """Ends every session itself: they are billed by the time that they are open."""

    use: ClassVar[str] = AssemblyAI.use
    KEY: ClassVar[str] = AssemblyAI.KEY
    URL: ClassVar[str] = "wss://streaming.assemblyai.com/v3/ws"
    MODEL: ClassVar[str | None] = "universal-3-6-pro"
    FRAME_MS: ClassVar[int] = SHORTEST_MS

    def headers(self) -> dict[str, str]:
        return {"Authorization": self.key}

    def address(self, language: str) -> str:
        return self.with_query(
            speech_model=self.model, encoding="pcm_s16le", sample_rate=self.stream_rate
        )

    def dialogue(self, language: str) -> Dialogue:
        if str(self.model).endswith("-english"):
            self.check_english(language, "universal-streaming-multilingual")
        shortest = 2 * self.stream_rate * SHORTEST_MS // 1000
        return _Turns(shortest, host=self.host, secrets=(self.key,))


class _Turns(Dialogue):
    WAITS = True
    CLOSES: ClassVar[Mapping[int, Failure]] = {
        1008: RATE_LIMIT,
        3007: AudioError,
        4001: AuthError,
        4002: QuotaError,
        4029: RATE_LIMIT,
    }
    FAILURES: ClassVar[Mapping[str, Failure]] = {str(c): failure for c, failure in CLOSES.items()}

    def __init__(self, shortest: int, **about: Any) -> None:
        super().__init__(**about)
        self.shortest = shortest
        self.turns: dict[int, str] = {}

    def audio(self, pcm: bytes) -> Message:
        """A shorter frame ends the session, so the last one is filled up with silence."""
        return pcm.ljust(self.shortest, b"\0")

    def closing(self) -> Iterator[Message]:
        yield json.dumps({"type": "Terminate"})

    def hear(self, message: Any) -> bool:
        kind = pick(message, "type", "")
        if kind == "Begin":
            self.ready = True
            self.request_id = pick(message, "id", None)
            self.reported_model = pick(message, "configuration.model", None)
        elif kind == "Termination":
            self.complete = True
            self.billed_s = pick(message, "session_duration_seconds", None)
        elif kind == "Error":
            code = pick(message, "error_code", None)
            raise self.failure(pick(message, "error", "error"), code)
        elif kind == "Turn":
            return self._turn(message)
        return False

    def text(self) -> str:
        return joined(self.turns[order] for order in sorted(self.turns))

    def _turn(self, message: Any) -> bool:
        text = pick(message, "transcript", "")
        if message.get("end_of_turn"):
            self.turns[pick(message, "turn_order")] = text
        return self.piece(text, final=bool(message.get("end_of_turn")))
