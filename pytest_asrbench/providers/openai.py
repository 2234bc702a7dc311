"""
OpenAI, recorded files, through its own SDK with the SDK's retries off.

POST /v1/audio/transcriptions   multipart: file, model, language, response_format=json
auth         OPENAI_API_KEY, as a Bearer token
text         `text`
model        not reported
billed       usage.seconds where usage.type is "duration"
request id   header x-request-id
limits       25 MB a file
models       gpt-transcribe; gpt-4o(-mini)-transcribe and whisper-1 end on 2027-02-26

API: https://developers.openai.com/api/docs/guides/speech-to-text
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pytest_asrbench.providers.openai_compatible import OpenAICompatible
from pytest_asrbench.providers.terms import Spelling, prompt


def vocabulary(terms: list[str], model: str) -> Mapping[str, Any]:
    """Newer models take keywords, whisper-1 and gpt-4o(-mini)-transcribe a prompt, others none."""
    if model.startswith("gpt-realtime-whisper") or "diarize" in model:
        return {}
    older = model.startswith(("whisper", "gpt-4o"))
    return prompt(terms, model) if older else {"keywords": terms}


class OpenAI(OpenAICompatible):
    """OpenAI's platform; other servers of its route are presets or `openai-compatible`."""

    use: ClassVar[str] = "openai"
    BASE_URL: ClassVar[str | None] = "https://api.openai.com/v1"
    MODEL: ClassVar[str | None] = "gpt-transcribe"
    TERMS: ClassVar[Spelling | None] = staticmethod(vocabulary)
    KEY: ClassVar[str | None] = "OPENAI_API_KEY"
    CLIENT: ClassVar[str] = "openai"
