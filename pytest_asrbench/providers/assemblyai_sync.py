"""
AssemblyAI, short clips in one request.

POST {url}   multipart: audio, config (JSON: language_codes)   header `X-AAI-Model`: the model
auth         header `authorization: <key>`, without a scheme
text         `text`
model        not reported
request id   session_id
limits       80 ms to 120 s, 40 MB, 16 bits a sample
errors       {"error_code", "message"} or {"status", "title", "detail"}; 429 and 503 say when to
             come back

API: https://www.assemblyai.com/docs/sync-stt
"""

from __future__ import annotations

import json
from typing import ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.http import pick_text, post, said_text
from pytest_asrbench.providers.terms import Spelling, named
from pytest_asrbench.providers.vendor import Vendor


class AssemblyAISync(Vendor):
    """The faster of AssemblyAI's two ways, for what a caller says at a time."""

    use: ClassVar[str] = "assemblyai-sync"
    KEY: ClassVar[str] = "ASSEMBLYAI_API_KEY"
    URL: ClassVar[str] = "https://sync.assemblyai.com/v1/transcribe"
    MODEL: ClassVar[str | None] = "universal-3-5-pro"  # the only one known to be accepted here
    TERMS: ClassVar[Spelling | None] = staticmethod(named("keyterms_prompt"))

    def headers(self) -> dict[str, str]:
        return {"Authorization": self.key, "X-AAI-Model": str(self.model)}

    async def transcribe(self, audio: Audio) -> Transcript:
        config = self.merged(language_codes=[self.spelled(audio.language)])
        reply = await post(
            self.client,
            self.url,
            files={
                "audio": ("audio.wav", audio.wav, "audio/wav"),
                "config": (None, json.dumps(config).encode(), "application/json"),
            },
        )
        return Transcript(pick_text(reply, "text"), request_id=said_text(reply, "session_id"))
