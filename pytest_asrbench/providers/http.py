"""
Requests as every HTTP provider makes them, and what their failures mean.

    no connection, broken or cut connection, time-out, 408, 409, 425, 429, 500, 502, 503, 504, 529
                                                     TransientError, with the server's Retry-After
    402, and 401, 403, 429 with a quota code         QuotaError
    401, 403                                         AuthError
    413, 415, and 400, 422 that name the audio       AudioError
    the rest, and a reply that is not what it should be, or can't be decoded
                                                     ProviderError

No message holds a key, a header or a query: the host and what the server says, in one line.
"""

from __future__ import annotations

import json
import re
import ssl
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any

import httpx

from pytest_asrbench import clock
from pytest_asrbench.errors import (
    AudioError,
    AuthError,
    ProviderError,
    QuotaError,
    TransientError,
    seconds,
)
from pytest_asrbench.providers.secrets import RE_SECRET_NAME, scrub, secret

__all__ = [
    "configured",
    "decode",
    "form",
    "host_of",
    "new_client",
    "pick",
    "pick_text",
    "post",
    "refusal",
    "secret",
    "send",
    "short",
    "status_error",
    "transport_error",
]

# 409 is OpenAI's "try again" for a lock; the others do not use it for transcription.
TRANSIENT = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
LATE = frozenset(
    {
        "TimeoutException",
        "TimeoutError",
        "APITimeoutError",  # the OpenAI SDK's own, without a cause
    }
)
BROKEN = frozenset(
    {
        "NetworkError",
        "RemoteProtocolError",
        "ProxyError",
        "OSError",
        "EndOfStream",  # anyio's, which the OpenAI SDK wraps as it is
        "APIConnectionError",  # the SDK's own, without a cause
    }
)
QUOTA_CODES = frozenset(
    {
        "insufficient_quota",  # OpenAI, Groq: 429
        "billing_hard_limit_reached",
        "billing_not_active",
        "quota_exceeded",  # ElevenLabs: 401
        "asr_payment_required",  # Deepgram: 402
        "insufficient_funds",
        "insufficient_credits",
    }
)
AUTH_CODES = frozenset(
    {
        "auth_error",  # LiteLLM: a key that it does not know, as a 400
        "no_db_connection",  # LiteLLM without a database: a key other than its master key
    }
)
RE_ABOUT_AUDIO = re.compile(
    r"audio|\bfile\b|\bformat\b|codec|decod|duration|sample rate|too (short|long|large)",
    re.IGNORECASE,
)
MESSAGE_FIELDS = ("message", "error", "detail", "err_msg", "title", "msg", "description", "reason")
CODE_FIELDS = ("code", "type", "status", "err_code", "error_code", "category")
LONGEST_MESSAGE = 200
_REQUIRED: Any = object()


def new_client(headers: Mapping[str, str], timeout_s: float) -> httpx.AsyncClient:
    """A client for one vendor.

    It keeps every connection: the engine bounds the calls, and with httpx's own limit of 20 idle
    ones, each call beyond would shake hands anew.
    """
    certificates = _certificates()
    return httpx.AsyncClient(
        headers=headers, timeout=timeout_s, verify=certificates, limits=httpx.Limits()
    )


@cache
def _certificates() -> ssl.SSLContext:
    """Read once: that takes longer than all else about a client."""
    return httpx.create_ssl_context()


def configured(**settings: Any) -> dict[str, Any]:
    """Only what was set; None means the vendor's default."""
    return {name: value for name, value in settings.items() if value is not None}


async def post(client: httpx.AsyncClient, url: str, **request: Any) -> Any:
    """The JSON of a successful reply. Raises ProviderError."""
    return decode(await send(client, "POST", url, **request))


async def send(client: httpx.AsyncClient, method: str, url: str, **request: Any) -> httpx.Response:
    """A successful reply. Raises ProviderError; one try, no waiting."""
    try:
        response = await client.request(method, url, **request)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        # `from None`: httpx's error holds the request, and that the key.
        raise transport_error(error, host_of(url)) from None
    if not response.is_success:
        raise status_error(
            response.status_code,
            response.headers,
            response.text,
            host_of(url),
            secrets=tuple(_secrets(response.request)),
        )
    return response


def decode(response: httpx.Response) -> Any:
    """The reply's JSON. Raises ProviderError: it was paid for, so no other try."""
    try:
        return json.loads(response.content)
    except ValueError:
        host = host_of(str(response.request.url))
        raise ProviderError(
            f"{host} answered {response.status_code} with no JSON: {short(scrub(response.text))!r}",
            host=host,
            kind="reply",
        ) from None


def form(
    fields: Mapping[str, Any], *, lists: Callable[[list[Any]], Any] | None = None
) -> dict[str, Any]:
    """Fields as a form or a query holds them, which know only text: `true`, not `True`.

    A list becomes a field for each of its values, or what `lists` makes of it.
    """
    return {
        name: lists(value) if lists and isinstance(value, list) else _form_value(value)
        for name, value in fields.items()
    }


def bracketed(fields: Mapping[str, Any]) -> dict[str, Any]:
    """`timestamp_granularities[]`: the names that OpenAI's SDK gives to lists in a form."""
    return {
        f"{name}[]" if isinstance(value, list) and not name.endswith("[]") else name: value
        for name, value in fields.items()
    }


def _form_value(value: Any) -> Any:
    if isinstance(value, list):
        return [_form_value(part) for part in value]
    return value if isinstance(value, str) else json.dumps(value)


def pick(reply: Any, path: str, default: Any = _REQUIRED) -> Any:
    """The value at `results.channels.0.text`. Raises ProviderError, or gives `default`, where
    there is none; null counts as none."""
    value = reply
    for part in path.split("."):
        if isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, Mapping):
            value = value.get(part)
        else:
            value = None
        if value is None and default is _REQUIRED:
            raise ProviderError(f"the reply has no {path!r} (it has {_shape(reply)})", kind="reply")
        if value is None:
            return default
    return value


def pick_text(reply: Any, path: str) -> str:
    """The text at `path`; "" is one. Raises ProviderError where there is none."""
    value = pick(reply, path)
    if not isinstance(value, str):
        raise ProviderError(
            f"{path!r} of the reply is a {type(value).__name__}, no text", kind="reply"
        )
    return value


def host_of(url: str) -> str:
    """`api.example.com` or `localhost:8000`; never user, path or query."""
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL:
        return "invalid URL"
    return f"{parsed.host}:{parsed.port}" if parsed.port else parsed.host


def transport_error(
    error: BaseException, host: str, *, secrets: tuple[str, ...] = ()
) -> ProviderError:
    """What a failure without a reply, or with one that can't be read, means. An error counts by the
    names of its classes: those of httpx, of the fork that the OpenAI SDK may bring, or Python's."""
    what = short(scrub(str(error), secrets)) or type(error).__name__
    kinds = {each.__name__ for each in type(error).__mro__}
    if kinds & LATE:
        return TransientError(f"{host} did not answer in time", host=host, kind="timeout")
    if kinds & BROKEN:
        return TransientError(f"connection to {host} failed: {what}", host=host, kind="network")
    if "DecodingError" in kinds:
        return ProviderError(f"{host} sent what can't be decoded: {what}", host=host, kind="reply")
    return ProviderError(f"no request to {host} possible: {what}", host=host, kind="network")


def status_error(
    status: int,
    headers: Mapping[str, str],
    body: str,
    host: str,
    *,
    secrets: tuple[str, ...] = (),
) -> ProviderError:
    """What a reply with this status means; `secrets` are blotted out of what the server says."""
    said, codes = _problem(body)
    message = f"{host} answered {status}: {short(scrub(said, secrets)) or 'without a word'}"
    if status == 402 or (status in (401, 403, 429) and codes & QUOTA_CODES):
        return QuotaError(message, host=host)
    if status in (401, 403) or (status == 400 and codes & AUTH_CODES):
        return AuthError(message, host=host)
    if status in TRANSIENT:
        kind = {429: "rate limit", 408: "timeout", 504: "timeout"}.get(status, "server")
        return TransientError(message, host=host, kind=kind, retry_after=retry_after_s(headers))
    if status in (413, 415) or (status in (400, 422) and RE_ABOUT_AUDIO.search(said)):
        return AudioError(message, host=host)
    return ProviderError(message, host=host)


def refusal(said: str, host: str) -> ProviderError:
    """A failure that a successful reply or a message tells of, without a status."""
    kind = AudioError if RE_ABOUT_AUDIO.search(said) else ProviderError
    return kind(f"{host}: {short(scrub(said)) or 'failed without a word'}", host=host)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait: `retry-after-ms`, or Retry-After in seconds or as a
    date, which is compared with the server's own clock."""
    if (ms := seconds(headers.get("retry-after-ms"))) is not None:
        return ms / 1000
    text = headers.get("retry-after")
    if (asked := seconds(text)) is not None:
        return asked
    until, now = _date(text), _date(headers.get("date"))
    if until is None:
        return None
    return max(0.0, until - (clock.now() if now is None else now))


def _date(text: str | None) -> float | None:
    """One that names no zone is in UTC, as all dates of HTTP are."""
    try:
        date = parsedate_to_datetime(text or "")
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _problem(body: str) -> tuple[str, set[str]]:
    """What a server says of an error, and its codes: vendors agree on no shape."""
    try:
        value = json.loads(body)
    except ValueError:
        return body, set()
    said = next(_texts(value, MESSAGE_FIELDS), body)
    return said, {code.lower() for code in _texts(value, CODE_FIELDS)}


def _texts(value: Any, fields: tuple[str, ...]) -> Iterator[str]:
    """Texts under these fields, the outer before the inner."""
    if isinstance(value, list):
        for part in value:
            yield from _texts(part, fields)
    if not isinstance(value, Mapping):
        return
    for name in fields:
        if isinstance(value.get(name), str):
            yield value[name]
    for name in MESSAGE_FIELDS:
        if isinstance(value.get(name), Mapping | list):
            yield from _texts(value[name], fields)


def _secrets(request: httpx.Request) -> Iterator[str]:
    """Values that a server may echo: of headers and query fields that sound secret."""
    for name, value in [*request.headers.items(), *request.url.params.items()]:
        if RE_SECRET_NAME.search(name):
            yield value
            yield value.split(" ")[-1]


def short(text: str) -> str:
    """One line of at most LONGEST_MESSAGE characters."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_MESSAGE else line[: LONGEST_MESSAGE - 1] + "…"


def _shape(reply: Any) -> str:
    if isinstance(reply, Mapping):
        return ", ".join(map(str, reply)) or "no fields"
    return f"a {type(reply).__name__}"
