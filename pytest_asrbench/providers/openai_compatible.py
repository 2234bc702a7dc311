"""
Any server with OpenAI's transcription route: vLLM, speaches, LocalAI, whisper.cpp, NVIDIA NIM, …

POST {base_url}/audio/transcriptions   multipart: file, model, language, response_format
auth         `Authorization: Bearer <key>`, only where `api_key_env` names a variable
text         `text` ("" is valid; some servers send leading spaces), or the body as plain text
model        `model`, from some servers
billed       usage.seconds where usage.type is "duration"; Mistral: usage.prompt_audio_seconds
request id   header x-request-id; Groq: x_groq.id

Model and language are always sent; of the rest only what the user configured. Not every server
reads other formats than WAV, so WAV it is.
API: https://developers.openai.com/api/reference/resources/audio/subresources/transcriptions
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers import languages
from pytest_asrbench.providers.base import Description
from pytest_asrbench.providers.http import configured, host_of, pick_text
from pytest_asrbench.providers.openai_clients import CLIENTS, PATH
from pytest_asrbench.providers.replies import (
    check_whole,
    checked,
    parsed,
    plain_text,
    said_seconds,
    said_text,
)
from pytest_asrbench.providers.secrets import secret
from pytest_asrbench.providers.terms import Spelling, boosted, prompt
from pytest_asrbench.providers.vendor import TIMEOUT_S, wav_file


class OpenAICompatible:
    """Raises InputError for settings that can't work, a key that is not set among them.

    The class attributes are what a preset for one server fixes.
    """

    use: ClassVar[str] = "openai-compatible"
    BASE_URL: ClassVar[str | None] = None
    PATH: ClassVar[str] = PATH
    MODEL: ClassVar[str | None] = None
    NEEDS_MODEL: ClassVar[bool] = True
    KEY: ClassVar[str | None] = None
    """The environment variable that holds the key; None where the server asks for none."""
    FORMAT: ClassVar[str | None] = "json"
    CLIENT: ClassVar[str] = "httpx"
    BRACKET_LISTS: ClassVar[bool] = True
    """Whether a list in the form is named `timestamp_granularities[]`, as OpenAI's SDK does."""
    TERMS: ClassVar[Spelling | None] = staticmethod(prompt)
    spell: ClassVar[Callable[[str], str]] = staticmethod(languages.primary)

    def __init__(
        self,
        *,
        base_url: str | None = None,
        model: str | None = None,
        language: str | None = None,
        terms: Sequence[str] | None = None,
        api_key_env: str | None = None,
        response_format: str | None = None,
        params: Mapping[str, Any] | None = None,
        client: str | None = None,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self.base_url = self._needed("base_url", base_url or self.BASE_URL).rstrip("/")
        self.host = host_of(self.base_url)
        self.model = model or self.MODEL
        if self.NEEDS_MODEL:
            self._needed("model", self.model)
        self.language = language
        self.params = dict(params or {})
        self.terms = terms or None
        self.boost = boosted(
            self.use, type(self).TERMS, terms, model=self.model, params=self.params
        )
        self.response_format = response_format or self.FORMAT
        variable = api_key_env or self.KEY
        key = secret(variable, self.use) if variable else None
        self.client = self._client(client)(
            self.base_url, self.PATH, key, timeout_s, bracket_lists=self.BRACKET_LISTS
        )

    def describe(self) -> Description:
        settings = configured(
            base_url=self.base_url,
            language=self.language,
            response_format=self.response_format,
            terms=self.terms,
        )
        custom = bool(self.params or self.boost)
        return Description(self.use, self.model, settings | self.params, custom=custom)

    async def transcribe(self, audio: Audio) -> Transcript:
        fields = {
            "model": self.model,
            "language": type(self).spell(self.language or audio.language),
            "response_format": self.response_format,
        }
        sent = configured(**(fields | dict(self.boost) | self.params))
        answer = await self.client.send(wav_file(audio), sent)
        request_id = answer.headers.get("x-request-id")
        if sent.get("response_format") == "text":
            media_type = answer.headers.get("content-type", "")
            text = plain_text(answer.body, media_type, answer.status, self.host)
            return Transcript(text, request_id=request_id)
        check_whole(answer.status, self.host)
        reply = checked(parsed(answer.content, answer.status, self.host), self.host)
        seconds = said_seconds(reply, "usage.prompt_audio_seconds")
        return Transcript(
            text=pick_text(reply, "text"),
            reported_model=said_text(reply, "model"),
            request_id=request_id or said_text(reply, "x_groq.id"),
            billed_s=seconds if (used := said_seconds(reply, "usage.seconds")) is None else used,
        )

    async def aclose(self) -> None:
        await self.client.aclose()

    def _needed(self, name: str, value: str | None) -> str:
        if not value:
            raise InputError(
                f"provider {self.use}: needs {name!r}; add it to its entry under providers: "
                "in asrbench.yaml"
            )
        return value

    def _client(self, name: str | None) -> Any:
        if (name or self.CLIENT) not in CLIENTS:
            known = ", ".join(CLIENTS)
            raise InputError(f"provider {self.use}: unknown client {name!r}; known: {known}")
        return CLIENTS[name or self.CLIENT]
