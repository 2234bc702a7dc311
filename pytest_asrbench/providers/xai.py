"""
xAI Grok, recorded files.

POST {url}   multipart: model, language, then file as the last field   auth: Bearer
text         `text`
model        always sent: without it the first one is used; not reported

API: https://docs.x.ai/developers/model-capabilities/audio/speech-to-text
"""

from __future__ import annotations

from typing import ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.http import form, pick_text, post
from pytest_asrbench.providers.terms import Spelling, named
from pytest_asrbench.providers.vendor import Vendor, wav_file


class XAI(Vendor):
    """A file in one request."""

    use: ClassVar[str] = "xai"
    KEY: ClassVar[str] = "XAI_API_KEY"
    URL: ClassVar[str] = "https://api.x.ai/v1/stt"
    MODEL: ClassVar[str | None] = "grok-voice-transcribe-2.0"
    TERMS: ClassVar[Spelling | None] = staticmethod(named("keyterm"))

    async def transcribe(self, audio: Audio) -> Transcript:
        fields = self.merged(model=self.model, language=self.spelled(audio.language))
        reply = await post(
            self.client, self.url, data=form(fields), files={"file": wav_file(audio)}
        )
        return Transcript(pick_text(reply, "text"))
