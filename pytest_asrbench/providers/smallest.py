"""
Smallest.ai Pulse, recorded files.

POST {url}/stt/?model=…&language=…   body: the WAV bytes   auth: Bearer
text         `transcription`
model        always sent

API: https://waves-docs.smallest.ai
"""

from __future__ import annotations

from typing import ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.http import pick_text, post
from pytest_asrbench.providers.vendor import Vendor, wav


class Smallest(Vendor):
    """A file in one request."""

    use: ClassVar[str] = "smallest"
    KEY: ClassVar[str] = "SMALLEST_API_KEY"
    URL: ClassVar[str] = "https://api.smallest.ai/waves/v1"
    MODEL: ClassVar[str | None] = "pulse"

    async def transcribe(self, audio: Audio) -> Transcript:
        reply = await post(
            self.client,
            f"{self.url}/stt/",
            params=self.merged(model=self.model, language=self.spelled(audio.language)),
            content=wav(audio),
            headers={"Content-Type": "application/octet-stream"},
        )
        return Transcript(pick_text(reply, "transcription"))
