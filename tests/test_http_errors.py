"""What an HTTP failure means, for all providers alike; what is read of a reply, what is hidden."""

from __future__ import annotations

import asyncio
import json
import math
import ssl
import time

import anyio
import httpx
import openai
import pytest
from helpers.http_server import Reply, serving
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrbench.errors import (
    AudioError,
    AuthError,
    InputError,
    ProviderError,
    QuotaError,
    TransientError,
)
from pytest_asrbench.providers.failures import retry_after_s
from pytest_asrbench.providers.http import (
    decode,
    host_of,
    new_client,
    pick,
    post,
    status_error,
    transport_error,
)
from pytest_asrbench.providers.openai_clients import PATH, OpenAIClient
from pytest_asrbench.providers.secrets import scrub, secret

NO = "no"


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        *[(status, NO, TransientError) for status in (408, 409, 425, 429, 500, 502, 503, 504, 529)],
        *[(status, NO, ProviderError) for status in (400, 404, 405, 410, 422, 501, 505)],
        (401, NO, AuthError),
        (403, NO, AuthError),
        (402, NO, QuotaError),
        (413, NO, AudioError),
        (415, NO, AudioError),
        (400, '{"detail": {"status": "invalid_file", "message": "x"}}', ProviderError),
        (400, '{"err_msg": "corrupt or unsupported data: audio"}', AudioError),
        (422, '{"detail": [{"loc": ["body"], "msg": "audio too short"}]}', AudioError),
        (400, '{"error": {"message": "Unknown language"}}', ProviderError),
        (429, '{"error": {"code": "rate_limit_exceeded", "message": "x"}}', TransientError),
        (429, '{"error": {"code": "insufficient_quota", "message": "x"}}', QuotaError),
        (401, '{"detail": {"status": "quota_exceeded", "message": "x"}}', QuotaError),
        (401, '{"detail": {"status": "invalid_api_key", "message": "x"}}', AuthError),
        (402, '{"err_code": "ASR_PAYMENT_REQUIRED", "err_msg": "x"}', QuotaError),
    ],
)  # fmt: skip
def test_a_status_and_what_the_server_says_give_the_kind(status, body, kind):
    error = status_error(status, {}, body, "api.example.com")

    assert type(error) is kind
    assert error.host == "api.example.com"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ('{"error": {"message": "first"}}', "first"),
        ('{"error": "first"}', "first"),
        ('{"detail": "first"}', "first"),
        ('{"detail": [{"msg": "first"}]}', "first"),
        ('{"detail": {"status": "x", "message": "first"}}', "first"),
        ('{"object": "error", "message": "first"}', "first"),
        ('{"err_code": "X", "err_msg": "first"}', "first"),
        ('{"error_code": "x", "message": "first"}', "first"),
        ("plain\n  text", "plain text"),
        ("", "without a word"),
        ("x" * 500, "x" * 199 + "…"),
    ],
)
def test_every_shape_of_error_is_told_in_one_line(body, says):
    assert str(status_error(418, {}, body, "h")) == f"h answered 418: {says}"


NOON, LATER = "Sun, 29 Nov 2026 12:00:00 GMT", "Sun, 29 Nov 2026 12:01:30 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": LATER, "date": NOON}, 90),  # by the server's clock, not by ours
        ({"retry-after": NOON, "date": LATER}, 0),
        ({"retry-after": "0"}, 0),
        ({"retry-after-ms": "-1", "retry-after": "7"}, 7),
        ({"retry-after-ms": "nan", "retry-after": LATER, "date": NOON}, 90),
        ({"retry-after": "1e999"}, None),
        ({"retry-after": LATER.replace("2026", "99999"), "date": NOON}, None),
    ],
)
def test_retry_after_in_every_form(headers, seconds):
    assert retry_after_s(headers) == seconds


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="needs time zones of POSIX")
@pytest.mark.parametrize("zone", ["", " -0000"])
def test_a_date_without_a_zone_is_not_local_time(monkeypatch, zone):
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        assert retry_after_s({"retry-after": LATER.replace(" GMT", zone), "date": NOON}) == 90
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    ("asked", "kept"),
    [(3, 3), ("3", 3), (0, 0), (-1, None), (math.nan, None), (math.inf, None), ("soon", None)],
)
def test_a_wait_that_cannot_be_kept_to_is_none(asked, kept):
    """The user's own code raises such errors, with what it found in a header."""
    assert TransientError("busy", retry_after=asked).retry_after == kept


@pytest.mark.parametrize(
    ("error", "kind", "name"),
    [
        (httpx.ReadTimeout("x"), TransientError, "timeout"),
        (httpx.ConnectTimeout("x"), TransientError, "timeout"),
        (httpx.ConnectError("x"), TransientError, "network"),
        (httpx.ReadError("x"), TransientError, "network"),
        (httpx.RemoteProtocolError("x"), TransientError, "network"),
        (httpx.ProxyError("x"), TransientError, "network"),
        (ConnectionResetError("x"), TransientError, "network"),
        (ssl.SSLError("x"), TransientError, "network"),
        (TimeoutError("x"), TransientError, "timeout"),
        (httpx.UnsupportedProtocol("x"), ProviderError, "network"),
        (httpx.TooManyRedirects("x"), ProviderError, "network"),
        (httpx.InvalidURL("x"), ProviderError, "network"),
        (httpx.DecodingError("x"), ProviderError, "reply"),
        (
            type("ReadError", (type("NetworkError", (Exception,), {}),), {})("x"),
            TransientError,
            "network",
        ),
    ],
)
def test_a_failure_without_a_reply(error, kind, name):
    found = transport_error(error, "h")

    assert (type(found), found.kind, found.host) == (kind, name, "h")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cause", "kind"),
    [
        (None, TransientError),
        (ConnectionResetError("peer"), TransientError),
        (ssl.SSLError("record layer"), TransientError),
        (anyio.EndOfStream(), TransientError),
        (httpx.UnsupportedProtocol("ftp"), ProviderError),
        (ValueError("a bug"), ProviderError),
    ],
)
def test_a_connection_error_of_the_openai_sdk_counts_by_its_cause(cause, kind):
    """It wraps what its HTTP client lets through of the system's errors too."""
    client = OpenAIClient("http://h/v1", PATH, None, 1, bracket_lists=True)

    def fail(request):
        raise openai.APIConnectionError(request=request) from cause

    client.client = client.client.with_options(
        http_client=httpx.AsyncClient(transport=httpx.MockTransport(fail))
    )
    with pytest.raises(ProviderError) as caught:
        asyncio.run(client.send(("a.wav", b"RIFF", "audio/wav"), {"model": "m"}))

    assert (type(caught.value), caught.value.kind) == (kind, "network")


def test_every_error_of_httpx_has_a_reason():
    every = [
        error
        for error in vars(httpx).values()
        if isinstance(error, type) and issubclass(error, httpx.RequestError)
    ]

    assert len(every) > 10
    for error in every:
        said = str(transport_error(error(""), "h"))
        assert said.endswith((f": {error.__name__}", "h did not answer in time")), said


REPLY = {"results": {"channels": [{"text": "hello"}]}, "empty": "", "none": None}


def test_pick_reads_paths_and_tells_empty_from_none():
    assert pick(REPLY, "results.channels.0.text") == "hello"
    assert pick(REPLY, "empty") == ""
    assert pick(REPLY, "none", 7) == 7
    assert pick(REPLY, "results.channels.1.text", None) is None
    assert pick([1, 2], "1") == 2


@pytest.mark.parametrize("reply", [REPLY, [], "text", None, 3])
def test_pick_says_what_is_there_instead(reply):
    with pytest.raises(ProviderError, match=r"no 'a\.b' \(it has "):
        pick(reply, "a.b")


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://user:pass@api.example.com/v1?key=secret", "api.example.com"),
        ("http://localhost:8000/v1", "localhost:8000"),
        ("http://[::1]:80/", "::1"),
        ("not a url", ""),
    ],
)
def test_a_host_is_neither_user_nor_path_nor_query(url, host):
    assert host_of(url) == host


def test_a_key_is_named_and_not_shown(monkeypatch):
    monkeypatch.delenv("SOME_KEY", raising=False)
    with pytest.raises(InputError, match="SOME_KEY is not set"):
        secret("SOME_KEY", "mine")

    monkeypatch.setenv("SOME_KEY", "  sk-12345678 \n")
    assert secret("SOME_KEY", "mine") == "sk-12345678"
    assert scrub("bad key sk-12345678!") == "bad key ***!"


def test_a_key_is_hidden_whatever_its_variable_is_called(monkeypatch):
    monkeypatch.setenv("ACME_CRED", "sk-verysecretvalue123")
    secret("ACME_CRED", "mine")
    echo = "proxy says Bearer sk-verysecretvalue123 " * 20
    response = httpx.Response(200, text=echo, request=httpx.Request("POST", "http://h/v1"))

    with pytest.raises(ProviderError) as caught:
        decode(response)

    assert "no JSON" in str(caught.value)
    assert "sk-very" not in str(caught.value)


@pytest.mark.slow
@given(st.text(alphabet="abcdef0123456789", min_size=8, max_size=40), st.text(), st.text())
def test_no_echo_of_a_key_survives(key, before, after):
    body = json.dumps({"error": {"message": f"{before * 20}{key}{after}"}})

    message = str(status_error(401, {}, body, "h", secrets=(key,)))

    assert key not in message
    assert key[:8] not in message or key[:8] in before * 20 + after  # not cut in half either


@pytest.mark.slow
def test_as_many_connections_as_calls_are_made_and_kept():
    async def call_twice(url):
        async with new_client({}, 10) as client:
            for _ in range(2):
                await asyncio.gather(*(post(client, url) for _ in range(30)))

    with serving(lambda request: Reply(delay_s=0.3)) as server:
        asyncio.run(call_twice(server.url))

        assert (len(server.requests), server.connections()) == (60, 30)
