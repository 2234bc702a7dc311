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

from typing import ClassVar

from pytest_asrbench.providers.openai_compatible import OpenAICompatible


class OpenAI(OpenAICompatible):
    """OpenAI's platform; other servers of its route are presets or `openai-compatible`."""

    use: ClassVar[str] = "openai"
    BASE_URL: ClassVar[str | None] = "https://api.openai.com/v1"
    MODEL: ClassVar[str | None] = "gpt-transcribe"
    KEY: ClassVar[str | None] = "OPENAI_API_KEY"
    CLIENT: ClassVar[str] = "openai"
