"""
The content of a reply: read up to a bound, decoded, and checked for a failure that it tells of.

Servers answer 200 with an error inside, 202 with the number of a job, or a login page. None of
these is a transcript, and an empty text beside an error is not silence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any

import httpx

from pytest_asrbench.errors import ProviderError
from pytest_asrbench.files import json_value
from pytest_asrbench.providers import witness
from pytest_asrbench.providers.failures import (
    FAILURE_FIELDS,
    as_status,
    host_of,
    short,
    told_error,
)
from pytest_asrbench.providers.secrets import scrub

LARGEST_REPLY = 16 << 20  # bytes, decompressed; transcripts of hours with all their words are less
LARGEST_PROBLEM = 1 << 20  # what is read of an error's body
NO_TRANSCRIPT = frozenset({202, 204, 205, 206})  # accepted, no content (twice), a part
NO_FAILURE = frozenset({"", "0", "false", "no error", "none", "null", "ok", "success"})
UNFINISHED = frozenset(
    {"accepted", "in progress", "in_progress", "pending", "processing", "queued", "running"}
)
FAILED = frozenset({"cancelled", "canceled", "error", "expired", "fail", "failed", "failure"})
RE_PAGE = re.compile(r"\s*<(!doctype|html)\b", re.IGNORECASE)
_REQUIRED: Any = object()


async def read_bounded(response: Any) -> None:
    """
    An event hook of a client, httpx's or that of the fork which the OpenAI SDK may bring: reads
    the body, at most LARGEST_REPLY of it. Raises ProviderError for a success with more, or with
    one that can't be decoded; for an error the status counts, whatever can be read of its body.
    """
    limit = LARGEST_REPLY if response.is_success else LARGEST_PROBLEM
    body = bytearray()
    try:
        async with aclosing(response.aiter_bytes()) as parts:
            async for part in parts:
                body += part
                if len(body) > limit:
                    break
    except Exception as error:  # of either library, known by the names of their classes
        if response.is_success:
            raise _unread(response, error) from None
    if len(body) > limit:
        await response.aclose()
        if response.is_success:
            what = f"answered {response.status_code} with more than {LARGEST_REPLY >> 20} MiB"
            raise _no_reply(response, what)
    # What the client's own read() would set; there is no public way to read only so much.
    response._content = bytes(body)
    witness.answered(response)


def _unread(response: Any, error: Exception) -> Exception:
    """The error that an unreadable body means; what else went wrong is the client's to tell."""
    if type(error).__name__ != "DecodingError":
        return error
    return _no_reply(response, f"sent what can't be decoded: {short(str(error))}")


def _no_reply(response: Any, what: str) -> ProviderError:
    host = host_of(str(response.request.url))
    return ProviderError(f"{host} {what}", host=host, kind="reply")


def decode(response: httpx.Response) -> Any:
    """The reply's JSON, whatever it says. Raises ProviderError: it was paid for, so no other
    try."""
    return parsed(response.content, response.status_code, host_of(str(response.request.url)))


def result(response: httpx.Response) -> Any:
    """The JSON of a reply that should hold the transcript. Raises ProviderError where it can't, or
    tells of a failure."""
    host = host_of(str(response.request.url))
    check_whole(response.status_code, host)
    return checked(parsed(response.content, response.status_code, host), host)


def parsed(body: str | bytes, status: int, host: str) -> Any:
    """The JSON of a body. Raises ProviderError."""
    try:
        return json_value(body)
    except ValueError:
        said = body if isinstance(body, str) else body[:10_000].decode("utf-8", "replace")
        raise ProviderError(
            f"{host} answered {status} with no JSON: {short(scrub(said))!r}",
            host=host,
            kind="reply",
        ) from None


def plain(response: httpx.Response) -> str:
    """The transcript of a reply that is one as plain text. Raises ProviderError."""
    media_type = response.headers.get("content-type", "")
    host = host_of(str(response.request.url))
    return plain_text(response.text, media_type, response.status_code, host)


def plain_text(body: str, media_type: str, status: int, host: str) -> str:
    """The body itself as transcript, untouched. Raises ProviderError for a page or for JSON."""
    check_whole(status, host)
    what = _no_text(body, media_type)
    if what is None:
        return body
    raise ProviderError(
        f"{host} answered {status} with {what} instead of plain text: {short(scrub(body))!r}",
        host=host,
        kind="reply",
    )


def _no_text(body: str, media_type: str) -> str | None:
    if media_type.startswith("text/html") or RE_PAGE.match(body):
        return "a page"
    if body.lstrip().startswith("{"):
        try:
            return "JSON" if isinstance(json_value(body), dict) else None
        except ValueError:
            return None
    return None


def check_whole(status: int, host: str) -> None:
    """Raises ProviderError for a success whose body is not the whole result."""
    if status in NO_TRANSCRIPT:
        raise ProviderError(
            f"{host} answered {status}, which comes without a transcript", host=host, kind="reply"
        )


def checked(reply: Any, host: str, *, secrets: tuple[str, ...] = ()) -> Any:
    """The reply. Raises ProviderError where it tells of a failure, or of work that is not done."""
    if isinstance(reply, Mapping):
        if tells_of_failure(reply):
            raise told_error(reply, host, secrets=secrets)
        status = reply.get("status")
        if isinstance(status, str) and status.lower() in UNFINISHED:
            raise ProviderError(
                f"{host} answered before the transcript was done: status {status!r}",
                host=host,
                kind="reply",
            )
    return reply


def tells_of_failure(reply: Mapping[str, Any]) -> bool:
    """True if a field says so; one that is empty, or says that there is no error, does not."""
    if has_error(reply) or reply.get("success") is False:
        return True
    status = reply.get("status")
    if isinstance(status, str) and status.lower() in FAILED:
        return True
    return (as_status(status) or 0) >= 400 or "error" in (reply.get("object"), reply.get("type"))


def has_error(message: Any) -> bool:
    """True if it has an error's field with something in it."""
    return isinstance(message, Mapping) and any(_tells(message.get(n)) for n in FAILURE_FIELDS)


def _tells(value: Any) -> bool:
    return bool(value) and not (isinstance(value, str) and value.strip().lower() in NO_FAILURE)


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


def pick_text(reply: Any, path: str, default: Any = _REQUIRED) -> Any:
    """The text at `path`; "" is one. Raises ProviderError where there is none, or something
    else."""
    return _picked(reply, path, default, str, "text")


def pick_list(reply: Any, path: str, default: Any = _REQUIRED) -> Any:
    """The list at `path`, likewise."""
    return _picked(reply, path, default, list, "list")


def _picked(reply: Any, path: str, default: Any, kind: type, name: str) -> Any:
    value = pick(reply, path, default)
    if value is not default and not isinstance(value, kind):
        raise ProviderError(
            f"{path!r} of the reply is a {type(value).__name__}, no {name}", kind="reply"
        )
    return value


def said_text(reply: Any, path: str) -> str | None:
    """Text that a server reports beside the transcript: a name or an id, None where it is no
    text."""
    value = pick(reply, path, None)
    return value if isinstance(value, str) else None


def said_seconds(reply: Any, path: str) -> float | None:
    """Likewise a number of seconds."""
    value = pick(reply, path, None)
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return value if known and 0 <= value < 1e9 else None


def _shape(reply: Any) -> str:
    if isinstance(reply, Mapping):
        return short(", ".join(map(str, reply))) or "no fields"
    return f"a {type(reply).__name__}"
