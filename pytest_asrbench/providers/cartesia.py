"""
Cartesia Ink, recorded files.

POST {url}   multipart: file, model, language   auth: Bearer; header `Cartesia-Version`: a date
text         `text`
model        not reported
request id   request_id
errors       {"error_code", "title", "message", "request_id"}

API: https://docs.cartesia.ai/api-reference/stt/transcribe
"""

from __future__ import annotations

from typing import ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.http import form, pick_text, post, said_text
from pytest_asrbench.providers.vendor import Vendor, wav_file

VERSION = "2026-08-14"  # from 2026-03-01 on, errors are JSON


class Cartesia(Vendor):
    """A file in one request."""

    use: ClassVar[str] = "cartesia"
    KEY: ClassVar[str] = "CARTESIA_API_KEY"
    URL: ClassVar[str] = "https://api.cartesia.ai/stt"
    MODEL: ClassVar[str | None] = "ink-whisper"

    def headers(self) -> dict[str, str]:
        return {**super().headers(), "Cartesia-Version": VERSION}

    async def transcribe(self, audio: Audio) -> Transcript:
        fields = self.merged(model=self.model, language=self.spelled(audio.language))
        reply = await post(
            self.client, self.url, data=form(fields), files={"file": wav_file(audio)}
        )
        return Transcript(pick_text(reply, "text"), request_id=said_text(reply, "request_id"))
