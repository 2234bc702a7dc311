"""
WhisperLiveKit's server, streamed: its route that speaks Deepgram's protocol.

WS {url}?language=…&encoding=linear16&sample_rate=16000&interim_results=true
                as Deepgram, without Finalize; the model is the server's own
url             ws://localhost:8000/v1/listen by default
api_key_env     the variable with the token of a server that was started with --api-token

Recordings go to its OpenAI route. API:
https://github.com/QuentinFuxa/WhisperLiveKit/blob/main/docs/API.md
"""

from __future__ import annotations

from typing import ClassVar

from pytest_asrbench.providers.deepgram_stream import DeepgramStream
from pytest_asrbench.providers.terms import Spelling


class WhisperLiveKitStream(DeepgramStream):
    use: ClassVar[str] = "whisperlivekit"
    KEY: ClassVar[str] = ""
    URL: ClassVar[str] = "ws://localhost:8000/v1/listen"
    MODEL: ClassVar[str | None] = None
    TAKES: ClassVar[frozenset[str]] = frozenset({"language"})
    MULAW: ClassVar[str | None] = None
    TERMS: ClassVar[Spelling | None] = None

    def headers(self) -> dict[str, str]:
        return super().headers() if self.key else {}

    def _key(self, variable: str | None) -> str:
        return super()._key(variable) if variable else ""
