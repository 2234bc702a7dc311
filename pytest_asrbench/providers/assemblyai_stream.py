"""
AssemblyAI, streamed (v3).

WS {url}?sample_rate=…&encoding=pcm_s16le&speech_model=…   auth: header `authorization: <key>`
ready        Begin
send         PCM in binary frames of 50 to 1000 ms; {"type": "Terminate"} at the end
hear         Turn (turn_order, transcript, end_of_turn), then Termination: terminal
text         each turn's last transcript with end_of_turn, joined by a space
lists        as JSON in the query: language_codes, keyterms_prompt, …
language     language_codes, one of them; models whose name ends in -english take none
model        configuration.model of Begin
billed       session_duration_seconds of Termination: the whole session, not the speech
errors       {"type": "Error", "error_code", "error"}, and closes. The pages give 1008 to a bad
             key and an account's trouble, the SDK's table 4001 and 4002; both give 3009 to too many
             sessions. Where a code has several meanings the reason decides.

API: https://www.assemblyai.com/docs/api-reference/streaming-api/streaming-api
SDK: assemblyai 1.8, streaming/v3/models.py (RealTimeErrorCodes)
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import httpx

from pytest_asrbench.errors import AudioError, AuthError, ProviderError, QuotaError
from pytest_asrbench.providers.assemblyai import AssemblyAI
from pytest_asrbench.providers.http import form, pick, said_seconds, said_text, short
from pytest_asrbench.providers.secrets import scrub
from pytest_asrbench.providers.streaming import StreamingVendor
from pytest_asrbench.providers.terms import Spelling, named
from pytest_asrbench.providers.vendor import joined
from pytest_asrbench.providers.websocket import (
    RATE_LIMIT,
    SERVER,
    Dialogue,
    DialogueFailure,
    Message,
)

SHORTEST_MS = 50
SEVERAL_MEANINGS = 1008
REASONS: tuple[tuple[re.Pattern[str], DialogueFailure], ...] = (
    (re.compile("too many|concurrent|rate", re.IGNORECASE), RATE_LIMIT),
    (re.compile("fund|balance|credit|quota", re.IGNORECASE), QuotaError),
)


class AssemblyAIStream(StreamingVendor):
    """Ends every session itself: they are billed by the time that they are open."""

    use: ClassVar[str] = AssemblyAI.use
    KEY: ClassVar[str] = AssemblyAI.KEY
    URL: ClassVar[str] = "wss://streaming.assemblyai.com/v3/ws"
    MODEL: ClassVar[str | None] = "universal-3-6-pro"
    PCM: ClassVar[str] = "pcm_s16le"
    MULAW: ClassVar[str | None] = "pcm_mulaw"
    TERMS: ClassVar[Spelling | None] = staticmethod(named("keyterms_prompt"))
    FRAME_MS: ClassVar[int] = SHORTEST_MS

    def headers(self) -> dict[str, str]:
        return {"Authorization": self.key}

    def address(self, language: str) -> str:
        fields = self.merged(
            speech_model=self.model,
            encoding=self.encoding,
            sample_rate=self.stream_rate,
            language_codes=None if self._english else [language],
        )
        return str(httpx.URL(self.url).copy_merge_params(form(fields, lists=json.dumps)))

    def dialogue(self, language: str) -> Dialogue:
        if self._english:
            self.check_english(language, "universal-streaming-multilingual")
        shortest = self.sample_bytes * self.stream_rate * SHORTEST_MS // 1000
        return _Turns(shortest, host=self.host, secrets=(self.key,))

    @property
    def _english(self) -> bool:
        return str(self.model).endswith("-english")


class _Turns(Dialogue):
    WAITS = True
    CLOSES: ClassVar[Mapping[int, DialogueFailure]] = {
        1008: AuthError,
        1013: SERVER,
        3005: SERVER,
        3006: ProviderError,
        3007: AudioError,
        3008: ProviderError,
        3009: RATE_LIMIT,
        4001: AuthError,
        4002: QuotaError,
        4003: QuotaError,
        4029: RATE_LIMIT,
        4032: AudioError,
        4033: AudioError,
        4034: AudioError,
        4102: RATE_LIMIT,
    }
    FAILURES: ClassVar[Mapping[str, DialogueFailure]] = {
        str(c): failure for c, failure in CLOSES.items()
    }

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
            self.request_id = said_text(message, "id")
            self.reported_model = said_text(message, "configuration.model")
        elif kind == "Termination":
            self.complete = True
            self.billed_s = said_seconds(message, "session_duration_seconds")
        elif kind == "Error":
            code = pick(message, "error_code", None)
            raise self.failure(pick(message, "error", "error"), code)
        elif kind == "Turn":
            return self._turn(message)
        return False

    def closed(self, code: int, reason: str) -> ProviderError:
        meant = next((kind for words, kind in REASONS if words.search(reason)), None)
        if code != SEVERAL_MEANINGS or meant is None:
            return super().closed(code, reason)
        line = f"{self.host} closed the stream early ({code}: {scrub(short(reason), self.secrets)})"
        return meant(line, host=self.host)

    def text(self) -> str:
        return joined(self.turns[order] for order in sorted(self.turns))

    def _turn(self, message: Any) -> bool:
        text = pick(message, "transcript", "")
        if message.get("end_of_turn"):
            self.turns[pick(message, "turn_order")] = text
        return self.piece(text, final=bool(message.get("end_of_turn")))
