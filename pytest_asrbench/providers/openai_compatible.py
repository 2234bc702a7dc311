"""
Any server with OpenAI's transcription route: vLLM, speaches, LocalAI, whisper.cpp, NVIDIA NIM, …

POST {base_url}/audio/transcriptions   multipart: file, model, language, response_format
auth         `Authorization: Bearer <key>`, only where `api_key_env` names a variable
text         `text` ("" is valid; some servers send leading spaces), or the body as plain text
billed       usage.seconds where usage.type is "duration"
request id   header x-request-id

Model and language are always sent; of the rest only what the user configured. Servers read other
formats than WAV or do not, so WAV it is.
API: https://developers.openai.com/api/reference/resources/audio/subresources/transcriptions
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, Protocol

import httpx

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import InputError, ProviderError, TransientError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.base import Description
from pytest_asrbench.providers.http import (
    configured,
    host_of,
    pick,
    secret,
    send,
    status_error,
)

TIMEOUT_S = 120.0  # the reply starts only when the whole clip is transcribed
PATH = "/audio/transcriptions"


class OpenAICompatible:
    """Raises InputError for settings that can't work, AuthError where the key is not set."""

    use = "openai-compatible"

    def __init__(
        self,
        *,
        base_url: str,
        model: str,
        language: str | None = None,
        api_key_env: str | None = None,
        response_format: str = "json",
        params: Mapping[str, Any] | None = None,
        client: Literal["httpx", "openai"] = "httpx",
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.host = host_of(base_url)
        self.language = language
        self.params = dict(params or {})
        self.fields = configured(model=model, response_format=response_format)
        key = secret(api_key_env) if api_key_env else None
        self.client = _client(client)(self.base_url, key, timeout_s)

    def describe(self) -> Description:
        endpoint = str(httpx.URL(self.base_url).copy_with(userinfo=b""))
        settings = configured(base_url=endpoint, language=self.language, **self.params)
        return Description(
            self.use,
            self.fields["model"],
            {**settings, "response_format": self.fields["response_format"]},
            custom=bool(self.params),
        )

    async def transcribe(self, audio: Audio) -> Transcript:
        language = self.language or audio.language.replace("_", "-").split("-")[0]
        fields = {**self.fields, "language": language, **self.params}
        body, request_id = await self.client.send(_file(audio), fields)
        if self.fields["response_format"] == "text":
            return Transcript(body, request_id=request_id)
        reply = self._json(body)
        return Transcript(
            text=pick(reply, "text"),
            reported_model=pick(reply, "model", None),
            request_id=request_id,
            billed_s=pick(reply, "usage.seconds", None),
        )

    async def aclose(self) -> None:
        await self.client.aclose()

    def _json(self, body: str) -> Any:
        try:
            return json.loads(body)
        except ValueError:
            raise ProviderError(
                f"{self.host} answered with no JSON: {body[:80]!r}", host=self.host, kind="reply"
            ) from None


File = tuple[str, bytes, str]


class Client(Protocol):
    """Sends one transcription request: (body, request id). Raises ProviderError."""

    def __init__(self, base_url: str, key: str | None, timeout_s: float) -> None: ...

    async def send(self, file: File, fields: Mapping[str, Any]) -> tuple[str, str | None]: ...

    async def aclose(self) -> None: ...


class HttpxClient:
    """Plain HTTP."""

    def __init__(self, base_url: str, key: str | None, timeout_s: float) -> None:
        self.url = base_url + PATH
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.client = httpx.AsyncClient(headers=headers, timeout=timeout_s)

    async def send(self, file: File, fields: Mapping[str, Any]) -> tuple[str, str | None]:
        data = {name: _form(value) for name, value in fields.items()}
        response = await send(self.client, "POST", self.url, data=data, files={"file": file})
        return response.text, response.headers.get("x-request-id")

    async def aclose(self) -> None:
        await self.client.aclose()


class OpenAIClient:
    """OpenAI's own SDK, its retries off: the engine retries."""

    def __init__(self, base_url: str, key: str | None, timeout_s: float) -> None:
        import openai

        self.openai = openai
        self.host = host_of(base_url)
        self.key = key or "unused"  # the SDK refuses to start without one
        self.client = openai.AsyncOpenAI(
            base_url=base_url, api_key=self.key, timeout=timeout_s, max_retries=0
        )

    async def send(self, file: File, fields: Mapping[str, Any]) -> tuple[str, str | None]:
        create: Any = self.client.audio.transcriptions.with_raw_response.create
        known = {name: fields[name] for name in ("model", "language", "response_format")}
        extra = {name: _form(fields[name]) for name in fields.keys() - known.keys()}
        try:
            raw = await create(file=file, **known, extra_body=extra or None)
        except self.openai.APITimeoutError:
            raise TransientError(
                f"{self.host} did not answer in time", host=self.host, kind="timeout"
            ) from None
        except self.openai.APIConnectionError as error:
            what = f"connection to {self.host} failed: {error.__cause__ or error}"
            raise TransientError(what, host=self.host, kind="network") from None
        except self.openai.APIStatusError as error:
            raise status_error(
                error.status_code,
                error.response.headers,
                error.response.text,
                self.host,
                secrets=(self.key,),
            ) from None
        return raw.text, raw.headers.get("x-request-id")

    async def aclose(self) -> None:
        await self.client.close()


CLIENTS: Mapping[str, type[Client]] = {"httpx": HttpxClient, "openai": OpenAIClient}


def _client(name: str) -> type[Client]:
    if name not in CLIENTS:
        raise InputError(f"openai-compatible: unknown client {name!r}; known: httpx, openai")
    return CLIENTS[name]


def _file(audio: Audio) -> File:
    """A neutral name: the clip's own often says what is spoken."""
    wav = audio.data if audio.media_type == "audio/wav" else audio.wav
    return "audio.wav", wav, "audio/wav"


def _form(value: Any) -> Any:
    """A multipart form knows only text: `true`, not `True`."""
    if isinstance(value, list):
        return [_form(part) for part in value]
    return value if isinstance(value, str) else json.dumps(value)
