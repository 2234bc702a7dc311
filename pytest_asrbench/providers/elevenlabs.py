"""
ElevenLabs Scribe, recorded files.

POST {url}   multipart: file, model_id, language_code   auth: header `xi-api-key`
text         `text`; with several channels transcripts[].text
model        not reported
request id   transcription_id
errors       {"detail": {"status", "message"}}; a spent quota is 401 with status quota_exceeded

By default the text names sounds, "(laughter)": params {tag_audio_events: false} leaves them out.
API: https://elevenlabs.io/docs/api-reference/speech-to-text/convert
"""

from __future__ import annotations

from typing import ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.http import form, pick_list, pick_text, post, said_text
from pytest_asrbench.providers.terms import Spelling, named
from pytest_asrbench.providers.vendor import Vendor, joined, wav_file


class ElevenLabs(Vendor):
    """A file in one request."""

    use: ClassVar[str] = "elevenlabs"
    KEY: ClassVar[str] = "ELEVENLABS_API_KEY"
    URL: ClassVar[str] = "https://api.elevenlabs.io/v1/speech-to-text"
    MODEL: ClassVar[str | None] = "scribe_v2"
    TERMS: ClassVar[Spelling | None] = staticmethod(named("keyterms"))

    def headers(self) -> dict[str, str]:
        return {"xi-api-key": self.key}

    async def transcribe(self, audio: Audio) -> Transcript:
        fields = self.merged(model_id=self.model, language_code=self.spelled(audio.language))
        reply = await post(
            self.client, self.url, data=form(fields), files={"file": wav_file(audio)}
        )
        channels = pick_list(reply, "transcripts", None)
        return Transcript(
            text=joined(pick_text(c, "text") for c in channels)
            if channels
            else pick_text(reply, "text"),
            request_id=said_text(reply, "transcription_id"),
        )
