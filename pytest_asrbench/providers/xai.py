"""
xAI Grok, recorded files.

POST {url}   multipart: language, then file as the last field   auth: Bearer
text         `text`
model        neither sent nor reported: the route has one

API: https://docs.x.ai/docs/guides/speech-to-text
"""

from __future__ import annotations

from typing import ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.http import form, pick_text, post
from pytest_asrbench.providers.vendor import Vendor, wav_file


class XAI(Vendor):
    """A file in one request."""

    use: ClassVar[str] = "xai"
    KEY: ClassVar[str] = "XAI_API_KEY"
    URL: ClassVar[str] = "https://api.x.ai/v1/stt"
    MODEL: ClassVar[str | None] = "grok-stt"  # for the record: the route has no other
    TAKES: ClassVar[frozenset[str]] = frozenset({"language"})

    async def transcribe(self, audio: Audio) -> Transcript:
        fields = self.merged(language=self.spelled(audio.language))
        reply = await post(
            self.client, self.url, data=form(fields), files={"file": wav_file(audio)}
        )
        return Transcript(pick_text(reply, "text"))
