"""Two ways to send a request to OpenAI's transcription route: plain HTTP, and OpenAI's own SDK."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pytest_asrbench.errors import InputError, ProviderError
from pytest_asrbench.providers.http import (
    bracketed,
    form,
    host_of,
    new_client,
    send,
    short,
    status_error,
    transport_error,
)
from pytest_asrbench.providers.replies import read_bounded
from pytest_asrbench.providers.secrets import scrub

PATH = "/audio/transcriptions"  # what the SDK appends to the base URL

File = tuple[str, bytes, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """A successful reply, whatever it says."""

    content: bytes
    body: str
    """The same, decoded as the server says."""
    status: int
    headers: Mapping[str, str]


class TranscriptionClient(Protocol):
    """Sends one transcription request. Raises ProviderError."""

    def __init__(
        self, base_url: str, path: str, key: str | None, timeout_s: float, *, bracket_lists: bool
    ) -> None: ...

    async def send(self, file: File, fields: Mapping[str, Any]) -> Answer: ...

    async def aclose(self) -> None: ...


class HttpxClient:
    """Plain HTTP. Lists are named as the SDK names them, `keywords[]`, if `bracket_lists`."""

    def __init__(
        self, base_url: str, path: str, key: str | None, timeout_s: float, *, bracket_lists: bool
    ) -> None:
        self.url = base_url + path
        self.named = bracketed if bracket_lists else dict
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.client = new_client(headers, timeout_s)

    async def send(self, file: File, fields: Mapping[str, Any]) -> Answer:
        response = await send(
            self.client, "POST", self.url, data=form(self.named(fields)), files={"file": file}
        )
        return Answer(response.content, response.text, response.status_code, response.headers)

    async def aclose(self) -> None:
        await self.client.aclose()


def sdk_client(openai: Any, timeout_s: float) -> Any:
    """The client that the SDK sends with: it would follow redirects, and read replies without an
    end."""
    return openai.DefaultAsyncHttpxClient(
        timeout=timeout_s, follow_redirects=False, event_hooks={"response": [read_bounded]}
    )


class OpenAIClient:
    """OpenAI's own SDK, its retries off: the engine retries. It always brackets lists."""

    def __init__(
        self, base_url: str, path: str, key: str | None, timeout_s: float, *, bracket_lists: bool
    ) -> None:
        import openai

        if path != PATH:
            raise InputError(f"the OpenAI SDK knows no path {path!r}; use client: httpx")
        self.openai = openai
        self.host = host_of(base_url)
        self.key = key or "unused"  # the SDK refuses to start without one
        self.client = openai.AsyncOpenAI(
            base_url=base_url,
            api_key=self.key,
            timeout=timeout_s,
            max_retries=0,
            http_client=sdk_client(openai, timeout_s),
        )

    async def send(self, file: File, fields: Mapping[str, Any]) -> Answer:
        create: Any = self.client.audio.transcriptions.with_raw_response.create
        known = {n: fields[n] for n in ("model", "language", "response_format") if n in fields}
        extra = form({name: fields[name] for name in fields.keys() - known.keys()})
        try:
            raw = await create(file=file, **known, extra_body=extra or None)
        except self.openai.OpenAIError as error:
            raise self._mapped(
                error
            ) from None  # the SDK's error holds the request, and that the key
        return Answer(raw.content, raw.text, raw.status_code, raw.headers)

    async def aclose(self) -> None:
        await self.client.close()

    def _mapped(self, error: Any) -> ProviderError:
        host, secrets = self.host, (self.key,)
        if isinstance(error, self.openai.APIConnectionError):  # whatever its HTTP client raised
            return transport_error(error.__cause__ or error, host, secrets=secrets)
        if isinstance(error, self.openai.APIStatusError):
            response = error.response
            return status_error(
                error.status_code, response.headers, response.text, host, secrets=secrets
            )
        return ProviderError(f"{host}: {short(scrub(str(error), secrets))}", host=host)


CLIENTS: Mapping[str, type[TranscriptionClient]] = {"httpx": HttpxClient, "openai": OpenAIClient}
