"""
Modulate Velma, recorded files.

POST {url}/{model}   multipart: upload_file   auth: header `X-API-Key`
text         `text`
model        is the route; the default knows English only, `velma-2-stt-batch` others too
language     not sent: the route has none
limits       100 MB

API: https://www.modulate.ai
"""

from __future__ import annotations

from typing import ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.http import form, pick_text, post
from pytest_asrbench.providers.vendor import Vendor, wav_file


class Modulate(Vendor):
    """Raises ProviderError for another language than the model's."""

    use: ClassVar[str] = "modulate"
    KEY: ClassVar[str] = "MODULATE_API_KEY"
    URL: ClassVar[str] = "https://platform.modulate.ai/api"
    MODEL: ClassVar[str | None] = "velma-2-stt-batch-english-vfast"
    FOR_OTHER_LANGUAGES: ClassVar[str | None] = "velma-2-stt-batch"
    TAKES: ClassVar[frozenset[str]] = frozenset({"model"})

    def headers(self) -> dict[str, str]:
        return {"X-API-Key": self.key}

    async def transcribe(self, audio: Audio) -> Transcript:
        if "english" in str(self.model):
            self.check_english(audio.language, f"{self.FOR_OTHER_LANGUAGES}")
        reply = await post(
            self.client,
            f"{self.url}/{self.model}",
            data=form(self.merged()),
            files={"upload_file": wav_file(audio)},
        )
        return Transcript(pick_text(reply, "text"))
