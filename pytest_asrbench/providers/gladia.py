"""
Gladia, recorded files: uploaded, then asked for.

POST {url}/v2/upload             multipart: audio -> audio_url   auth: header `x-gladia-key`
POST {url}/v2/pre-recorded       {audio_url, model, language_config} -> id
GET  {url}/v2/pre-recorded/{id}  until status is done or error
text         result.transcription.full_transcript
model        request_params.model
billed       result.metadata.billing_time (s)
errors       {"statusCode", "message"}; a failed job has error_code, a status as HTTP's

API: https://docs.gladia.io/api-reference/v2/pre-recorded/init
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
    said_seconds,
    said_text,
    send,
    status_error,
)
from pytest_asrbench.providers.jobs import finished
from pytest_asrbench.providers.terms import Spelling
from pytest_asrbench.providers.vendor import Vendor, wav_file


def vocabulary(terms: list[str], model: str) -> dict[str, Any]:
    """A switch, and what it is for."""
    return {"custom_vocabulary": True, "custom_vocabulary_config": {"vocabulary": terms}}


class Gladia(Vendor):
    """Jobs are asked for by id, never at an address that a reply names: the key goes along."""

    use: ClassVar[str] = "gladia"
    KEY: ClassVar[str] = "GLADIA_API_KEY"
    URL: ClassVar[str] = "https://api.gladia.io"
    MODEL: ClassVar[str | None] = "solaria-3"
    TERMS: ClassVar[Spelling | None] = staticmethod(vocabulary)

    def headers(self) -> dict[str, str]:
        return {"x-gladia-key": self.key}

    async def transcribe(self, audio: Audio) -> Transcript:
        uploaded = await ask(self.client, f"{self.url}/v2/upload", files={"audio": wav_file(audio)})
        request = self.merged(
            audio_url=pick(uploaded, "audio_url"),
            model=self.model,
            language_config={"languages": [self.spelled(audio.language)]},
        )
        job = pick_text(await ask(self.client, f"{self.url}/v2/pre-recorded", json=request), "id")

        async def look() -> Any:
            return decode(await send(self.client, "GET", f"{self.url}/v2/pre-recorded/{job}"))

        reply = checked(await finished(look, "status", "done", self._failure), self.host)
        return Transcript(
            text=pick_text(reply, "result.transcription.full_transcript"),
            reported_model=said_text(reply, "request_params.model"),
            request_id=job,
            billed_s=said_seconds(reply, "result.metadata.billing_time"),
        )

    def _failure(self, reply: Any) -> ProviderError:
        return status_error(pick(reply, "error_code", 500), {}, "the job failed", self.host)
