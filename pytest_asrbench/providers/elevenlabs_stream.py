"""
ElevenLabs Scribe, streamed.

WS {url}?model_id=…&audio_format=pcm_16000&commit_strategy=manual   auth: header `xi-api-key`
ready        session_started
send         input_audio_chunk with audio_base_64; an empty one with commit true at the end
hear         partial_transcript, committed_transcript; with include_timestamps the same commit
             comes a second time as committed_transcript_with_timestamps
text         committed texts joined by a space
shortest     0.3 s of audio: a commit of less closes the socket, so silence fills it up
end          none: the answer to our commit, and a little time for late ones. Silence at the end is
             answered by an error in its place, which is no failure.
errors       message_type names them, `error` explains

API: https://elevenlabs.io/docs/api-reference/speech-to-text/v-1-speech-to-text-realtime
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pytest_asrbench.errors import AudioError, AuthError, ProviderError, QuotaError
from pytest_asrbench.providers.elevenlabs import ElevenLabs
from pytest_asrbench.providers.http import pick, said_text
from pytest_asrbench.providers.streaming import StreamingVendor
from pytest_asrbench.providers.terms import Spelling, named
from pytest_asrbench.providers.websocket import (
    RATE_LIMIT,
    SERVER,
    Dialogue,
    DialogueFailure,
    Message,
    base64_text,
)

SHORTEST_COMMIT_S = 0.3
NO_MORE_TEXT = frozenset({"insufficient_audio_activity", "commit_throttled", "input_error"})


class ElevenLabsStream(StreamingVendor):
    """We commit once, at the end: the server cuts nothing short."""

    use: ClassVar[str] = ElevenLabs.use
    KEY: ClassVar[str] = ElevenLabs.KEY
    URL: ClassVar[str] = "wss://api.elevenlabs.io/v1/speech-to-text/realtime"
    MODEL: ClassVar[str | None] = "scribe_v2_realtime"
    PCM: ClassVar[str] = "pcm"
    MULAW: ClassVar[str | None] = "ulaw"
    TERMS: ClassVar[Spelling | None] = staticmethod(named("keyterms"))

    def headers(self) -> dict[str, str]:
        return {"xi-api-key": self.key}

    def address(self, language: str) -> str:
        return self.with_query(
            model_id=self.model,
            language_code=language,
            audio_format=f"{self.encoding}_{self.stream_rate}",
            commit_strategy="manual",
        )

    def dialogue(self, language: str) -> Dialogue:
        return _Realtime(self.stream_rate, self.sample_bytes, host=self.host, secrets=(self.key,))


class _Realtime(Dialogue):
    WAITS = True
    GRACE_S = 0.25
    FAILURES: ClassVar[Mapping[str, DialogueFailure]] = {
        "auth_error": AuthError,
        "unaccepted_terms": AuthError,
        "quota_exceeded": QuotaError,
        "rate_limited": RATE_LIMIT,
        "commit_throttled": RATE_LIMIT,
        "queue_overflow": SERVER,
        "resource_exhausted": SERVER,
        "transcriber_error": SERVER,
        "session_time_limit_exceeded": ProviderError,
        "input_error": AudioError,
        "invalid_request": ProviderError,
        "chunk_size_exceeded": AudioError,
        "insufficient_audio_activity": AudioError,
        "error": ProviderError,
    }

    def __init__(self, rate: int, sample_bytes: int, **about: Any) -> None:
        super().__init__(**about)
        self.rate = rate
        self.silence = b"\xff" if sample_bytes == 1 else b"\0"
        # Bytes until a commit is long enough.
        self.missing = sample_bytes * int(SHORTEST_COMMIT_S * rate)

    def audio(self, pcm: bytes) -> Message:
        self.missing -= len(pcm)
        return self._chunk(pcm, commit=False)

    def closing(self) -> Iterator[Message]:
        yield self._chunk(self.silence * max(0, self.missing), commit=True)

    def hear(self, message: Any) -> bool:
        kind = pick(message, "message_type", "")
        if kind == "session_started":
            self.ready = True
            self.request_id = said_text(message, "session_id")
        elif kind == "partial_transcript":
            return self.piece(pick(message, "text", ""), final=False)
        elif kind == "committed_transcript":
            self.complete = self.ended
            return self.piece(pick(message, "text", ""), final=True)
        elif self.ended and kind in NO_MORE_TEXT:
            self.complete = True
        elif kind in self.FAILURES:
            raise self.failure(pick(message, "error", kind), kind)
        return False

    def forgives(self, message: Mapping[str, Any]) -> bool:
        """Of silence after the end of speech."""
        return self.ended and message.get("message_type") in NO_MORE_TEXT

    def _chunk(self, pcm: bytes, *, commit: bool) -> str:
        return json.dumps(
            {
                "message_type": "input_audio_chunk",
                "audio_base_64": base64_text(pcm),
                "commit": commit,
                "sample_rate": self.rate,
            }
        )
