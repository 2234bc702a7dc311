"""
AssemblyAI, recorded files: uploaded, then asked for.

POST {url}/v2/upload            body: the WAV bytes -> upload_url
POST {url}/v2/transcript        {audio_url, speech_models: [model], language_code} -> id
GET  {url}/v2/transcript/{id}   until status is completed or error
auth         header `authorization: <key>`, without a scheme
text         `text`
model        speech_model_used
billed       audio_duration (s)
errors       {"error": "…"}; a failure of the audio is status `error` with the same field

`speech_models` is a list, and always sent: its default changes on 2026-12-08.
API: https://www.assemblyai.com/docs/api-reference/transcripts/submit
"""

from __future__ import annotations

from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import ProviderError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.http import (
    ask,
    checked,
    decode,
    pick,
    pick_text,
    refusal,
    said_seconds,
    said_text,
    send,
)
from pytest_asrbench.providers.jobs import finished
from pytest_asrbench.providers.terms import Spelling, named
from pytest_asrbench.providers.vendor import Vendor, wav


class AssemblyAI(Vendor):
    """Any length, any model."""

    use: ClassVar[str] = "assemblyai"
    KEY: ClassVar[str] = "ASSEMBLYAI_API_KEY"
    URL: ClassVar[str] = "https://api.assemblyai.com"
    MODEL: ClassVar[str | None] = "assemblyai-stt-3-7"
    TERMS: ClassVar[Spelling | None] = staticmethod(named("keyterms_prompt"))

    def headers(self) -> dict[str, str]:
        return {"Authorization": self.key}

    async def transcribe(self, audio: Audio) -> Transcript:
        uploaded = await ask(
            self.client,
            f"{self.url}/v2/upload",
            content=wav(audio),
            headers={"Content-Type": "application/octet-stream"},
        )
        request = self.merged(
            audio_url=pick(uploaded, "upload_url"),
            speech_models=[self.model],
            language_code=self.spelled(audio.language),
        )
        job = await ask(self.client, f"{self.url}/v2/transcript", json=request)
        reply = await self._finished(pick_text(job, "id"))
        return Transcript(
            text=pick_text(reply, "text"),
            reported_model=said_text(reply, "speech_model_used"),
            request_id=said_text(reply, "id"),
            billed_s=said_seconds(reply, "audio_duration"),
        )

    async def _finished(self, job: str) -> Any:
        async def look() -> Any:
            return decode(await send(self.client, "GET", f"{self.url}/v2/transcript/{job}"))

        return checked(await finished(look, "status", "completed", self._failure), self.host)

    def _failure(self, reply: Any) -> ProviderError:
        return refusal(pick(reply, "error", "failed"), self.host)
