"""
Azure AI Speech, fast transcription of recorded files.

POST {url}/speechtotext/transcriptions:transcribe?api-version=…
             multipart: audio, definition (JSON: locales)   auth: `Ocp-Apim-Subscription-Key`
url          AZURE_SPEECH_ENDPOINT, or https://{region}.api.cognitive.microsoft.com with the region
             from the configuration or AZURE_SPEECH_REGION
text         combinedPhrases[].text, one a channel; an empty list where nothing was heard
model        neither sent nor reported, unless `params` choose one
errors       {"code", "message", "innerError"} or {"error": {"code", "message"}}; 401 also means a
             key of another region

Profanity comes masked (`***`) unless params say {profanityFilterMode: None}.
API: https://learn.microsoft.com/azure/ai-services/speech-service/fast-transcription-create
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers import languages
from pytest_asrbench.providers.http import pick_list, pick_text, post
from pytest_asrbench.providers.needs import Need, either, variable
from pytest_asrbench.providers.terms import Spelling
from pytest_asrbench.providers.vendor import Vendor, joined, wav_file

API_VERSION = "2025-10-15"
NO_PLACE = (
    "provider azure: give `region:` in its entry under providers:, or set AZURE_SPEECH_REGION or "
    "AZURE_SPEECH_ENDPOINT"
)


def vocabulary(terms: list[str], model: str) -> dict[str, Any]:
    """A phrase list."""
    return {"phraseList": {"phrases": terms}}


class Azure(Vendor):
    """Also raises InputError where neither an endpoint nor a region is given."""

    use: ClassVar[str] = "azure"
    KEY: ClassVar[str] = "AZURE_SPEECH_KEY"
    MODEL: ClassVar[str | None] = "fast-transcription"  # for the record
    TERMS: ClassVar[Spelling | None] = staticmethod(vocabulary)
    TAKES: ClassVar[frozenset[str]] = frozenset({"language"})
    spell: ClassVar[Callable[[str], str]] = staticmethod(languages.regional)

    def __init__(
        self,
        *,
        region: str | None = None,
        api_version: str = API_VERSION,
        url: str | None = None,
        **others: Any,
    ) -> None:
        super().__init__(url=url or _endpoint(region), **others)
        self.api_version = api_version

    @classmethod
    def needs(cls) -> list[Need]:
        place = either(variable("AZURE_SPEECH_REGION"), variable("AZURE_SPEECH_ENDPOINT"))
        return [variable(cls.KEY), place]

    def headers(self) -> dict[str, str]:
        return {"Ocp-Apim-Subscription-Key": self.key}

    async def transcribe(self, audio: Audio) -> Transcript:
        definition = self.merged(locales=[self.spelled(audio.language)])
        reply = await post(
            self.client,
            f"{self.url}/speechtotext/transcriptions:transcribe",
            params={"api-version": self.api_version},
            files={
                "audio": wav_file(audio),
                "definition": (None, json.dumps(definition).encode(), "application/json"),
            },
        )
        phrases = pick_list(reply, "combinedPhrases")
        return Transcript(joined(pick_text(phrase, "text") for phrase in phrases))


def _endpoint(region: str | None) -> str:
    given = os.environ.get("AZURE_SPEECH_ENDPOINT", "").strip()
    region = region or os.environ.get("AZURE_SPEECH_REGION", "").strip()
    if not given and not region:
        raise InputError(NO_PLACE)
    return given or f"https://{region}.api.cognitive.microsoft.com"
