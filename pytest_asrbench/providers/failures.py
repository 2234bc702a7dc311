"""
Classifies a call's failure, for all providers alike.

    no connection, broken or cut connection, time-out, 408, 409, 425, 429, 500, 502, 503, 504, 529
                                                     TransientError, with the server's Retry-After
    402, and 401, 403, 429 with a quota code         QuotaError
    401, 403                                         AuthError
    413, 415, and 400, 422 that name the audio       AudioError
    the rest, and a reply that is not what it should be, or can't be decoded
                                                     ProviderError

A success that tells of a failure counts by the status or the code that stands in it.
No message holds a key, a header or a query: the host and what the server says, in one line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
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
from pytest_asrbench.files import json_value
from pytest_asrbench.providers.secrets import scrub

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
RE_WRONG_KEY = re.compile(r"\bapi key not valid\b", re.IGNORECASE)  # Gemini: a 400
# Where no status says so; with one, the status counts.
TRANSIENT_CODES = frozenset(
    {
        "rate_limit_exceeded", "rate_limited", "too_many_requests", "resource_exhausted",
        "server_error", "internal_error", "internal_server_error", "service_unavailable",
        "overloaded", "overloaded_error", "unavailable", "timeout",
    }
)  # fmt: skip
RE_ABOUT_AUDIO = re.compile(
    r"audio|\bfile\b|\bformat\b|codec|decod|duration|sample rate|too (short|long|large)",
    re.IGNORECASE,
)
MESSAGE_FIELDS = (
    "message", "error", "detail", "err_msg", "error_message", "title", "msg", "description",
    "reason",
)  # fmt: skip
FAILURE_FIELDS = (  # that a success has too, and then empty
    "error", "errors", "error_message", "error_code", "error_type", "err_msg", "err_code",
    "exception",
)  # fmt: skip
CODE_FIELDS = ("code", "type", "status", "err_code", "error_code", "category")
STATUS_FIELDS = (*CODE_FIELDS, "status_code", "statusCode")
LONGEST_MESSAGE = 200
REDIRECT = "a redirect, which is not followed; correct the address"


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
    """The error that a failure without a readable reply means. An error counts by the
    names of its classes: those of httpx, of the fork that the OpenAI SDK may bring, or Python's."""
    if isinstance(error, ProviderError):  # ours, which a client wrapped
        return error
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
    """The error that a reply with this status means; `secrets` are blotted out of what the server
    says."""
    said, codes = _problem(body)
    said = REDIRECT if 300 <= status < 400 else said
    what = short(scrub(said, secrets)) or "without a word"
    return _by_status(status, headers, f"{host} answered {status}: {what}", said, codes, host)


def told_error(
    reply: Mapping[str, Any], host: str, *, secrets: tuple[str, ...] = ()
) -> ProviderError:
    """The error that a successful reply tells of: by the status or code inside."""
    about = {name: reply[name] for name in FAILURE_FIELDS if name in reply}
    said = next(_texts([about, reply], MESSAGE_FIELDS), None) or str(dict(reply))
    codes = {code.lower() for code in _texts(reply, CODE_FIELDS)}
    message = f"{host} answered with an error inside: {short(scrub(said, secrets))}"
    if (status := next(_statuses(reply), None)) is not None:
        return _by_status(status, {}, message, said, codes, host)
    if codes & QUOTA_CODES:
        return QuotaError(message, host=host)
    if codes & TRANSIENT_CODES:
        return TransientError(message, host=host, kind="server")
    kind = AudioError if RE_ABOUT_AUDIO.search(said) else ProviderError
    return kind(message, host=host)


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


def short(text: str) -> str:
    """One line of at most LONGEST_MESSAGE characters."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_MESSAGE else line[: LONGEST_MESSAGE - 1] + "…"


def _by_status(
    status: int, headers: Mapping[str, str], message: str, said: str, codes: set[str], host: str
) -> ProviderError:
    if status == 402 or (status in (401, 403, 429) and codes & QUOTA_CODES):
        return QuotaError(message, host=host)
    wrong_key = bool(codes & AUTH_CODES) or RE_WRONG_KEY.search(said)
    if status in (401, 403) or (status == 400 and wrong_key):
        return AuthError(message, host=host)
    if status in TRANSIENT:
        kind = {429: "rate limit", 408: "timeout", 504: "timeout"}.get(status, "server")
        return TransientError(message, host=host, kind=kind, retry_after=retry_after_s(headers))
    if status in (413, 415) or (status in (400, 422) and RE_ABOUT_AUDIO.search(said)):
        return AudioError(message, host=host)
    return ProviderError(message, host=host)


def _date(text: str | None) -> float | None:
    """One that names no zone is in UTC, as all dates of HTTP are."""
    try:
        date = parsedate_to_datetime(text or "")
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _problem(body: str) -> tuple[str, set[str]]:
    """The text of a server's error, and its codes: vendors agree on no shape."""
    try:
        value = json_value(body)
    except ValueError:
        return body, set()
    said = next(_texts(value, MESSAGE_FIELDS), body)
    return said, {code.lower() for code in _texts(value, CODE_FIELDS)}


def _texts(value: Any, fields: tuple[str, ...]) -> Iterator[str]:
    """Texts under these fields, the outer before the inner."""
    return (texts for texts in _values(value, fields) if isinstance(texts, str))


def _statuses(reply: Any) -> Iterator[int]:
    """HTTP statuses that stand under a code's name."""
    for value in _values(reply, STATUS_FIELDS):
        if (status := as_status(value)) is not None and 400 <= status < 600:
            yield status


def as_status(value: Any) -> int | None:
    """A number, or one as text, as a status."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value) if isinstance(value, str) and re.fullmatch("[1-5][0-9]{2}", value) else None


def _values(value: Any, fields: tuple[str, ...]) -> Iterator[Any]:
    if isinstance(value, list):
        for part in value:
            yield from _values(part, fields)
    if not isinstance(value, Mapping):
        return
    for name in fields:
        if value.get(name) is not None:
            yield value[name]
    for name in MESSAGE_FIELDS:
        if isinstance(value.get(name), Mapping | list):
            yield from _values(value[name], fields)
