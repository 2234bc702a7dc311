"""
Google Gemini, a language model that hears: recorded files of up to 20 MB a request.

POST {url}/v1/models/{model}:generateContent   auth: header `x-goog-api-key`
             {"contents": [{"parts": [{"text": prompt}, {"inlineData": {mimeType, data}}]}],
              "generationConfig": params}
text         candidates.0.content.parts[].text, but for those that are `thought`
model        modelVersion
request id   responseId
language     not sent: the route has none, and the model finds it out
end          finishReason must be STOP: at MAX_TOKENS a part of the transcript is missing; SAFETY
             and RECITATION mean that there is none
errors       {"error": {"code", "message", "status"}}; promptFeedback.blockReason on a 200

It has no route for speech, so what it is asked is ours, and part of the settings: `prompt`. As all
language models it may put a text right that was said otherwise, and answers differ from run to run.
API: https://ai.google.dev/gemini-api/docs/audio; SDK: google-genai 3.6
"""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import ProviderError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.base import Description
from pytest_asrbench.providers.http import pick, pick_list, pick_text, post, said_text
from pytest_asrbench.providers.vendor import Vendor, wav

PROMPT = (
    "Transcribe this recording word for word, in its own language. Answer with the transcript "
    "alone, and with nothing where nobody speaks."
)


class Gemini(Vendor):
    """`params` go into generationConfig. Raises ProviderError for an answer that was cut short."""

    use: ClassVar[str] = "gemini"
    KEY: ClassVar[str] = "GEMINI_API_KEY"
    URL: ClassVar[str] = "https://generativelanguage.googleapis.com"
    MODEL: ClassVar[str | None] = "gemini-3.8-flash"
    TAKES: ClassVar[frozenset[str]] = frozenset({"model"})

    def __init__(self, *, prompt: str | None = None, **others: Any) -> None:
        super().__init__(**others)
        self.prompt = prompt or PROMPT

    def describe(self) -> Description:
        plain = super().describe()
        settings = {"prompt": self.prompt, **plain.settings}
        return replace(plain, settings=settings, custom=plain.custom or self.prompt != PROMPT)

    def headers(self) -> dict[str, str]:
        return {"x-goog-api-key": self.key}

    async def transcribe(self, audio: Audio) -> Transcript:
        sound = {"mimeType": "audio/wav", "data": base64.b64encode(wav(audio)).decode()}
        request: dict[str, Any] = {
            "contents": [{"role": "user", "parts": [{"text": self.prompt}, {"inlineData": sound}]}]
        }
        if asked := self.merged():
            request["generationConfig"] = asked
        route = f"{self.url}/v1/models/{self.model}:generateContent"
        reply = await post(self.client, route, json=request)
        self._check(reply)
        parts = pick_list(reply, "candidates.0.content.parts", [])
        return Transcript(
            text="".join(pick_text(p, "text", "") for p in parts if not pick(p, "thought", False)),
            reported_model=said_text(reply, "modelVersion"),
            request_id=said_text(reply, "responseId"),
        )

    def _check(self, reply: Any) -> None:
        blocked = pick(reply, "promptFeedback.blockReason", None)
        ended = blocked or pick(reply, "candidates.0.finishReason")
        if ended != "STOP":
            what = f"{self.host} gave no whole transcript: {ended}"
            raise ProviderError(what, host=self.host, kind="reply")
