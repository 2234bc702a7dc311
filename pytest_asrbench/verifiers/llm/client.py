"""
One chat completion over the openai SDK, against any compatible server.

POST {base_url}/chat/completions   Authorization: Bearer <key>
asked    model, messages, response_format json_schema (strict), and only what `params` name
answer   choices.0.message.content, unless choices.0.finish_reason is length or content_filter, or
         choices.0.message.refusal is set
usage    prompt_tokens, prompt_tokens_details.cached_tokens, completion_tokens; model: the snapshot

The SDK's own retries are off: a TransientError says what may be tried again. A parameter that the
model refuses (400, `unsupported_value` or `unsupported_parameter`) is dropped once and remembered.
API: https://platform.openai.com/docs/api-reference/chat/create
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_asrbench.errors import (
    AuthError,
    CallError,
    InputError,
    ProviderError,
    QuotaError,
    TransientError,
    VerifierError,
)
from pytest_asrbench.providers.failures import (
    host_of,
    short,
    status_error,
    told_error,
    transport_error,
)
from pytest_asrbench.providers.openai_clients import sdk_client
from pytest_asrbench.providers.secrets import replaying, scrub

MODEL = "gpt-6-luna"
KEY_ENV = "OPENAI_API_KEY"
BASE_URL = "https://api.openai.com/v1"
TIMEOUT_S = 60.0
UNSUPPORTED = frozenset({"unsupported_value", "unsupported_parameter"})
KEYLESS = "none"  # the SDK insists on a key; servers of one's own often have none


class MissingKeyError(InputError):
    """The public API is asked, and the environment holds no key."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The model's text and what it took; tokens as counted by the server, 0 where it did not.

    `fault` says why the text is of no use.
    """

    text: str
    model: str
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    fault: str | None = None


class ChatClient:
    """Holds one connection pool for each event loop. `dropped` names refused parameters."""

    def __init__(
        self,
        *,
        model: str,
        params: Mapping[str, Any],
        base_url: str | None,
        api_key_env: str,
        timeout_s: float,
    ) -> None:
        self.model = model
        asked = base_url or os.environ.get("OPENAI_BASE_URL") or BASE_URL
        self.base_url = asked.rstrip("/")
        self.host = host_of(self.base_url)
        self.dropped: tuple[str, ...] = ()
        self._params = dict(params)
        self._timeout_s = timeout_s
        self._key = os.environ.get(api_key_env) or self._keyless(api_key_env)
        self._pool: tuple[asyncio.AbstractEventLoop, Any] | None = None

    def _keyless(self, variable: str) -> str:
        if self.base_url == BASE_URL and not replaying():
            raise MissingKeyError(f"the llm verifier needs an API key; put it in {variable}")
        return KEYLESS

    @property
    def server(self) -> str | None:
        """Whose model is asked; None of the public API."""
        return None if self.base_url == BASE_URL else self.base_url

    async def complete(
        self, messages: Sequence[Mapping[str, str]], response_format: Mapping[str, Any]
    ) -> Reply:
        """Raises TransientError, AuthError, QuotaError; VerifierError where no retry helps."""
        while True:
            params = {k: v for k, v in self._params.items() if k not in self.dropped}
            try:
                return self._reply(await self._create(messages, response_format, params))
            except _UnsupportedParameterError as refusal:
                # Calls run at the same time: another may have learnt it first.
                self.dropped = tuple(dict.fromkeys((*self.dropped, refusal.name)))

    async def _create(
        self,
        messages: Sequence[Mapping[str, str]],
        response_format: Mapping[str, Any],
        params: Mapping[str, Any],
    ) -> Any:
        import openai

        try:
            return await self._sdk().chat.completions.create(
                model=self.model,
                messages=list(messages),
                response_format=dict(response_format),
                **params,
            )
        except openai.APITimeoutError:
            message = f"{self.host} gave no answer within {self._timeout_s:g} s"
            raise TransientError(message, host=self.host, kind="timeout") from None
        except openai.APIConnectionError as error:
            cause = error.__cause__ or error
            raise self._own(transport_error(cause, self.host, secrets=(self._key,))) from None
        except openai.APIStatusError as error:
            if error.status_code == 400 and error.code in UNSUPPORTED and error.param in params:
                raise _UnsupportedParameterError(str(error.param)) from None
            raise self._own(self._refused(error.response)) from None
        except ProviderError as error:
            raise self._own(error) from None
        # A body that is no JSON, or nested without end.
        except (openai.OpenAIError, ValueError, RecursionError) as error:
            raise VerifierError(f"unusable answer: {_line(error)}", host=self.host) from None

    def _refused(self, response: Any) -> ProviderError:
        return status_error(
            response.status_code, response.headers, response.text, self.host, secrets=(self._key,)
        )

    def _own(self, error: ProviderError) -> CallError:
        """The verifier's error for what is about this clip alone."""
        if isinstance(error, AuthError | QuotaError | TransientError):
            return error
        return VerifierError(str(error), host=self.host)

    def _reply(self, completion: Any) -> Reply:
        choices = getattr(completion, "choices", None)
        choice = choices[0] if choices and isinstance(choices, list) else None
        for part in (completion, choice):
            self._check(part)
        message = getattr(choice, "message", None)
        usage = getattr(completion, "usage", None)
        details = getattr(usage, "prompt_tokens_details", None)
        text, model = getattr(message, "content", None), getattr(completion, "model", None)
        return Reply(
            text=text if isinstance(text, str) else "",
            model=model if isinstance(model, str) and model else self.model,
            input_tokens=_count(usage, "prompt_tokens"),
            cached_tokens=_count(details, "cached_tokens"),
            output_tokens=_count(usage, "completion_tokens"),
            fault=_fault(choice, message),
        )

    def _check(self, part: Any) -> None:
        """Some gateways answer 200 with an error inside, in the whole or in its first choice."""
        if told := getattr(part, "error", None):
            inside = told if isinstance(told, Mapping) else {"error": told}
            raise self._own(told_error(inside, self.host, secrets=(self._key,)))

    def _sdk(self) -> Any:
        """Connections belong to the loop that opened them."""
        import openai

        loop = asyncio.get_running_loop()
        if self._pool is None or self._pool[0] is not loop:
            sdk = openai.AsyncOpenAI(
                api_key=self._key,
                base_url=self.base_url,
                timeout=self._timeout_s,
                max_retries=0,
                http_client=sdk_client(openai, self._timeout_s),
            )
            self._pool = loop, sdk
        return self._pool[1]

    async def aclose(self) -> None:
        if self._pool and self._pool[0] is asyncio.get_running_loop():
            await self._pool[1].close()
            self._pool = None


class _UnsupportedParameterError(Exception):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def _fault(choice: Any, message: Any) -> str | None:
    if choice is None:
        return "empty answer: no choices"
    if (finish := getattr(choice, "finish_reason", None)) in ("length", "content_filter"):
        return f"answer cut off: {finish}"
    refusal = getattr(message, "refusal", None)
    if refusal:
        return f"the model refused: {_line(refusal)}"
    content = getattr(message, "content", None)
    if not isinstance(content, str | None):
        return f"answer whose content is a {type(content).__name__}, no text"
    return None


def _count(usage: Any, name: str) -> int:
    """0 where a server does not count, or says something else."""
    tokens = getattr(usage, name, None)
    return tokens if isinstance(tokens, int) and tokens > 0 else 0


def _line(error: object) -> str:
    """One short line: a server may send a page."""
    return short(scrub(str(error)))
