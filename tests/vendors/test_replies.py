"""A reply that tells of a failure, or holds no transcript yet, is none, whatever its status."""

from __future__ import annotations

import asyncio
import gzip
import json
from contextlib import asynccontextmanager, contextmanager, suppress

import pytest
from helpers.chat_server import chat
from helpers.http_server import Reply, beside, read, serving
from helpers.vendor_protocols import each, encoded, fixtures, replaying, speech
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_asrbench.errors import (
    AudioError,
    AuthError,
    CallError,
    ProviderError,
    QuotaError,
    TransientError,
    VerifierError,
)
from pytest_asrbench.model import Entity
from pytest_asrbench.providers import registry
from pytest_asrbench.providers.base import Configuration
from pytest_asrbench.verifiers.llm import Llm
from pytest_asrbench.verifiers.rules import Rules

BATCH = fixtures("batch")
by_vendor = pytest.mark.parametrize("fixture", BATCH, ids=lambda f: f.use)
by_client = pytest.mark.parametrize("client", ["httpx", "openai"])


def hear(provider):
    async def call():
        try:
            return await provider.transcribe(speech())
        finally:
            await provider.aclose()

    return asyncio.run(call())


def heard_or_error(provider):
    try:
        return hear(provider)
    except ProviderError as error:
        return error


def compatible(url, client="httpx", **options):
    options |= {"base_url": url, "model": "m", "client": client}
    return registry.create(Configuration("mine", "openai-compatible", options))


def answered(reply: Reply, client: str = "httpx", **options):
    """What the one kind of server that most teams run themselves is heard to say."""
    with serving(lambda request: reply) as server:
        try:
            return hear(compatible(server.url, client, **options)).text
        except ProviderError as error:
            assert len(server.requests) == 1
            return error


def told(body, status=200, client="httpx", **options):
    return answered(Reply(encoded(body), status), client, **options)


@pytest.mark.slow
@by_client
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"text": "", "error": "out of memory"}, ProviderError),
        ({"text": "the fee is", "error": {"message": "cut off"}}, ProviderError),
        ({"text": "the fee is", "error": True}, ProviderError),
        ({"text": "the fee is", "errors": ["cut off"]}, ProviderError),
        ({"text": "", "error_message": "broken"}, ProviderError),
        ({"text": "", "error_code": "internal"}, ProviderError),
        ({"text": "", "object": "error", "message": "broken"}, ProviderError),
        ({"text": "", "type": "error", "message": "broken"}, ProviderError),
        ({"text": "", "status": "failed"}, ProviderError),
        ({"text": "", "success": False}, ProviderError),
        ({"text": "", "id": "j-1", "status": "queued"}, ProviderError),
        ({"text": "", "id": "j-1", "status": "processing"}, ProviderError),
        ({"text": "", "error": {"code": 503, "message": "busy"}}, TransientError),
        ({"text": "", "error": {"code": 429, "message": "slow down"}}, TransientError),
        ({"text": "", "error": {"code": "rate_limit_exceeded", "message": "x"}}, TransientError),
        ({"text": "", "error": {"code": "insufficient_quota", "message": "x"}}, QuotaError),
        ({"text": "", "error": {"code": 401, "message": "no such key"}}, AuthError),
        ({"text": "", "error": "can't decode the audio"}, AudioError),
        ({"text": "", "status": 500}, TransientError),
    ],
)  # fmt: skip
def test_an_error_inside_a_success_is_an_error(body, kind, client):
    assert type(told(body, client=client)) is kind


@pytest.mark.slow
@by_client
@pytest.mark.parametrize(
    "also",
    [
        {"error": None}, {"error": ""}, {"error": False}, {"errors": []}, {"error": {}},
        {"error_code": 0}, {"error": "none"}, {"success": True}, {"status": "success"},
        {"status": 200}, {"status": "completed"}, {"type": "transcription"}, {"detail": None},
    ],
)  # fmt: skip
def test_an_error_field_that_tells_of_none_is_none(also, client):
    assert told({"text": "hello"} | also, client=client) == "hello"
    assert told({"text": ""} | also, client=client) == ""


@pytest.mark.slow
@by_client
@pytest.mark.parametrize("status", [202, 204, 205, 206])
def test_only_a_whole_reply_is_a_transcript(status, client):
    body = "" if status in (204, 205) else {"text": "hello", "id": "j-1"}

    error = told(body, status, client)

    assert type(error) is ProviderError
    assert (error.kind, f"answered {status}" in str(error)) == ("reply", True)


@by_client
def test_a_201_is_a_success(client):
    assert told({"text": "hello"}, 201, client) == "hello"


@pytest.mark.slow
@by_client
@pytest.mark.parametrize(
    ("body", "headers"),
    [
        ('{"error": "out of memory"}', {}),
        ('{"text": "hello"}', {"content-type": "text/plain"}),
        ("<!DOCTYPE html><html>Please log in</html>", {"content-type": "text/plain"}),
        ("Please log in", {"content-type": "text/html; charset=utf-8"}),
        ("  <html><body>gateway</body></html>", {"content-type": "text/plain"}),
    ],
)
def test_plain_text_that_is_something_else_is_no_transcript(body, headers, client):
    reply = Reply(body, headers=headers)

    error = answered(reply, client, response_format="text")

    assert isinstance(error, ProviderError)


@pytest.mark.slow
@by_client
@pytest.mark.parametrize("body", ["", "hello\n", "{braces} he said", '"quoted"', "<laughs> well"])
def test_plain_text_stays_untouched(body, client):
    reply = Reply(body, headers={"content-type": "text/plain"})

    assert answered(reply, client, response_format="text") == body


def last_step(fixture):
    """The one whose reply holds the transcript."""
    return max(n for n, s in enumerate(fixture.data["steps"]) if s["reply"] == "$answer")


@pytest.mark.slow
@by_vendor
def test_no_vendors_job_is_silence(fixture, monkeypatch):
    """A reply without the text, whatever else it holds, was heard as silence by some."""
    if fixture.use == "speechmatics":
        pytest.skip("the transcript is plain text")
    for body in ({"name": "operations/1", "done": False}, {"id": "1"}, [], "text"):
        broken = {last_step(fixture): Reply(json.dumps(body))}
        with replaying(fixture, {}, broken=broken) as server, pytest.raises(ProviderError):
            hear(fixture.provider(server.url, monkeypatch))


@pytest.mark.slow
@by_vendor
def test_a_202_is_no_transcript_of_any_vendor(fixture, monkeypatch):
    if fixture.use in ("assemblyai", "gladia"):
        pytest.skip("a field of the job says whether it is done")
    answer = next(iter(fixture.data["answers"].values()))["reply"]
    broken = {last_step(fixture): Reply(encoded(answer), 202)}
    with replaying(fixture, answer, broken=broken) as server:
        provider = fixture.provider(server.url, monkeypatch)
        with pytest.raises(ProviderError, match="answered 202"):
            hear(provider)


@pytest.mark.slow
@pytest.mark.parametrize(("fixture", "case"), each(BATCH, "answers"))
def test_an_error_beside_any_vendors_text_is_an_error(fixture, case, monkeypatch):
    if not isinstance(case["reply"], dict):
        pytest.skip("plain text")
    with replaying(fixture, case["reply"] | {"error": "worker died"}) as server:
        provider = fixture.provider(server.url, monkeypatch)
        with pytest.raises(ProviderError, match="worker died"):
            hear(provider)


GZIP = {"content-encoding": "gzip"}


def bomb(size: int) -> bytes:
    """So many bytes of JSON text, compressed to a thousandth."""
    return gzip.compress(b'{"text": "' + b"a" * size + b'"}')


@pytest.mark.slow
@by_client
@pytest.mark.parametrize("status", [500, 503, 429])
def test_an_error_counts_by_its_status_whatever_its_body(status, client):
    for body, headers in (("abcde", GZIP), (b"\xff\xfe", {}), ("[" * 200_000, {})):
        error = answered(Reply(body, status, headers), client)

        assert type(error) is TransientError
        assert f"answered {status}" in str(error)


@pytest.mark.slow
@by_client
@pytest.mark.parametrize(
    "reply",
    [
        Reply("abcde", headers=GZIP),
        Reply(b"\xff\xfe\x00"),
        Reply("[" * 200_000),
        Reply("1" * 5_000),
        Reply(""),
        Reply(b'{"text": "' + b"a" * (17 << 20) + b'"}'),
        Reply(bomb(17 << 20), headers=GZIP),
    ],
    ids=["gzip", "utf-8", "deep", "number", "nothing", "large", "bomb"],
)
def test_what_cannot_be_read_of_a_success_is_a_reply(reply, client):
    error = answered(reply, client)

    assert (type(error), error.kind) == (ProviderError, "reply")
    assert len(str(error)) < 300


@by_client
def test_an_error_page_without_an_end_is_read_no_further(client):
    """Half a gigabyte took four times as much memory."""
    sent = []

    def page():
        for _ in range(512):
            sent.append(1)
            yield b"x" * (1 << 20)

    with endless(503, page()) as url:
        error = heard_or_error(compatible(url, client))

    assert type(error) is TransientError
    assert len(sent) < 40  # some of it waits in the sockets' buffers


@contextmanager
def endless(status, parts):
    """Serves one reply, in pieces, to who is still listening."""

    async def handle(reader, writer):
        await read(reader)
        writer.write(f"HTTP/1.1 {status} X\r\ncontent-length: {1 << 29}\r\n\r\n".encode())
        with suppress(ConnectionError):
            for part in parts:
                writer.write(part)
                await writer.drain()
        writer.close()

    where = []

    @asynccontextmanager
    async def listening():
        async with await asyncio.start_server(handle, "127.0.0.1", 0) as listener:
            where.append(listener.sockets[0].getsockname()[1])
            yield

    with beside(listening()):
        yield f"http://127.0.0.1:{where[0]}"


@pytest.mark.slow
@by_client
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_no_redirect_is_followed(status, client):
    with serving(lambda request: Reply()) as other:
        moved = Reply("", status, {"location": f"{other.url}/audio/transcriptions"})

        error = answered(moved, client)

        assert type(error) is ProviderError
        assert "a redirect, which is not followed" in str(error)
        assert other.requests == []


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["text", "error", "status", "id", "results", "code", "message"])
            | st.text(max_size=3),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.lists(ANY, min_size=4, max_size=4))
@pytest.mark.parametrize("use", sorted({f.use for f in BATCH}))
def test_whatever_a_server_says_is_a_transcript_or_our_error(use, replies):
    fixture = next(f for f in BATCH if f.use == use)
    left = iter(replies)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pytest_asrbench.providers.jobs.FIRST_WAIT_S", 0)
        patch.setattr("pytest_asrbench.providers.jobs.LONGEST_WAIT_S", 0)
        with serving(lambda request: Reply(json.dumps(next(left, {})))) as server:
            heard = heard_or_error(fixture.provider(server.url, patch))
    if isinstance(heard, ProviderError):
        assert "\n" not in str(heard)
        assert len(str(heard)) < 400
    else:
        assert isinstance(heard.text, str)
        json.dumps([heard.reported_model, heard.request_id, heard.billed_s], allow_nan=False)


def judge(reply):
    """What the LLM verifier makes of a reply."""
    with chat(lambda body: reply) as server:
        llm = Llm(rules=Rules(), base_url=server.url, model="m")
        entity = Entity("e01", "name", "Ann")

        async def call():
            try:
                return await llm.judge((entity,), "Ann", "en")
            finally:
                await llm.aclose()

        try:
            return asyncio.run(call())
        except CallError as error:
            return error


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"error": {"message": "busy", "code": 503}}, TransientError),
        ({"error": {"message": "slow down", "code": 429}, "choices": []}, TransientError),
        ({"error": {"message": "no credit", "code": 402}}, QuotaError),
        ({"error": {"message": "who are you", "code": 401}}, AuthError),
        ({"error": "broken"}, VerifierError),
        ({"choices": [{"error": {"message": "busy", "code": 502}, "message": {"content": ""}}]},
         TransientError),
        ({"choices": 5}, VerifierError),
        ({"choices": {"a": 1}}, VerifierError),
        ([], VerifierError),
        ("text", VerifierError),
    ],
)  # fmt: skip
def test_an_error_inside_a_completion_is_one(body, kind):
    error = judge(Reply(encoded(body) if body != "text" else '"text"'))

    assert type(error) is kind, error


def test_a_completion_that_was_only_accepted_is_an_error():
    error = judge(Reply('{"id": "b-1", "choices": []}', 202))

    assert type(error) is VerifierError
