"""
Requests as every HTTP provider makes them: one try each, no redirect followed, replies bounded.

What comes back is read in :mod:`replies`; what a failure means says :mod:`failures`.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import httpx

from pytest_asrbench.providers.failures import (
    host_of,
    refusal,
    short,
    status_error,
    transport_error,
)
from pytest_asrbench.providers.replies import (
    checked,
    decode,
    pick,
    pick_list,
    pick_text,
    read_bounded,
    result,
    said_seconds,
    said_text,
)
from pytest_asrbench.providers.secrets import RE_SECRET_NAME, secret

__all__ = [
    "ask",
    "checked",
    "configured",
    "decode",
    "form",
    "host_of",
    "new_client",
    "pick",
    "pick_list",
    "pick_text",
    "post",
    "refusal",
    "result",
    "said_seconds",
    "said_text",
    "secret",
    "send",
    "short",
    "status_error",
    "transport_error",
]


def new_client(headers: Mapping[str, str], timeout_s: float) -> httpx.AsyncClient:
    """A client for one vendor.

    It keeps every connection: the engine bounds the calls, and with httpx's own limit of 20 idle
    ones, each call beyond would shake hands anew. A redirect would carry the audio, and on the same
    host the key, to where nobody sent it.
    """
    return httpx.AsyncClient(
        headers=headers,
        timeout=timeout_s,
        verify=_certificates(),
        limits=httpx.Limits(),
        follow_redirects=False,
        event_hooks={"response": [read_bounded]},
    )


@cache
def _certificates() -> ssl.SSLContext:
    """Read once: that takes longer than all else about a client."""
    return httpx.create_ssl_context()


def configured(**settings: Any) -> dict[str, Any]:
    """Only what was set; None means the vendor's default."""
    return {name: value for name, value in settings.items() if value is not None}


async def post(client: httpx.AsyncClient, url: str, **request: Any) -> Any:
    """The JSON of a reply with the transcript in it. Raises ProviderError."""
    return result(await send(client, "POST", url, **request))


async def ask(client: httpx.AsyncClient, url: str, **request: Any) -> Any:
    """The JSON of a reply that says where the work is done. Raises ProviderError."""
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


def _secrets(request: httpx.Request) -> Iterator[str]:
    """Values that a server may echo: of headers and query fields that sound secret."""
    for name, value in [*request.headers.items(), *request.url.params.items()]:
        if RE_SECRET_NAME.search(name):
            yield value
            yield value.split(" ")[-1]
