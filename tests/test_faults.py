"""Every fault of a transport becomes the right error, after the right number of calls."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from helpers.engine_clips import clip, engine
from helpers.fault_server import (
    HANDSHAKES,
    HTTP,
    STREAMS,
    Fault,
    FaultServer,
    FaultyStream,
    failing,
)
from helpers.vendor_protocols import speech
from helpers.vendor_streams import paced

from pytest_asrbench.engine import run_all
from pytest_asrbench.errors import ProviderError
from pytest_asrbench.providers import registry, websocket
from pytest_asrbench.providers.base import Configuration

by_fault = pytest.mark.parametrize("fault", HTTP, ids=lambda fault: fault.name)
by_client = pytest.mark.parametrize("client", ["httpx", "openai"])


def provider(url: str, client: str):
    options = {"base_url": url, "model": "m", "client": client, "timeout_s": 0.5}
    return registry.create(Configuration("mine", "openai-compatible", options))


@pytest.mark.slow
@by_client
@by_fault
def test_a_fault_is_one_call_and_one_error(fault: Fault, client: str) -> None:
    async def call(url: str) -> None:
        made = provider(url, client)
        try:
            await made.transcribe(speech())
        finally:
            await made.aclose()

    with failing(fault) as server, pytest.raises(ProviderError) as caught:
        asyncio.run(call(server.url))

    error = caught.value
    assert (type(error), error.kind) == (fault.error, fault.kind), str(error)
    assert server.calls == 1
    assert len(str(error)) < 300
    assert len(str(error).splitlines()) == 1
    assert error.__cause__ is None


TRIED = [fault for fault in HTTP if fault.name in (
    "status 503", "status 429", "no reply, reset", "half a body, closed", "an error inside",
    "a status inside", "status 401", "status 402", "no JSON", "too large", "status 202",
    "status 503, not to be decoded", "status 307",
)]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("fault", TRIED, ids=lambda fault: fault.name)
def test_only_what_may_pass_is_called_for_again(fault: Fault, tmp_path: Path) -> None:
    assert len(TRIED) == 13
    with failing(fault) as server:
        made = provider(server.url, "httpx")
        (record,) = run_all(engine([clip(tmp_path, "a")], made, limits={"attempts": 3}))

    assert server.calls == (3 if fault.tried_again else 1)
    assert record.attempts == server.calls
    assert record.transcript is None
    assert record.error.kind == fault.kind


def streamed(url: str, monkeypatch: pytest.MonkeyPatch) -> ProviderError:
    """What one clip ends in."""
    monkeypatch.setenv("DEEPGRAM_API_KEY", "sk-0123456789-secret")
    monkeypatch.setattr(websocket, "READY_S", 0.5)
    monkeypatch.setattr(websocket, "LEAVE_S", 0.1)
    options = {"url": url.replace("http", "ws")}
    made = registry.create(Configuration("d", "deepgram", options, mode="stream"))
    made.final_wait_s = 1.0

    async def call() -> None:
        try:
            await made.stream(paced(made, speech(0.1)))
        finally:
            await made.aclose()

    with pytest.raises(ProviderError) as caught:
        asyncio.run(call())
    return caught.value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "serve"),
    [
        *(pytest.param(each, FaultServer, id=f"handshake: {each.name}") for each in HANDSHAKES),
        *(pytest.param(each, FaultyStream, id=each.name) for each in STREAMS),
    ],
)
def test_a_fault_of_a_stream_is_one_call_and_one_error(fault, serve, monkeypatch):
    with failing(fault, serve) as server:
        error = streamed(server.url, monkeypatch)

    assert (type(error), error.kind) == (fault.error, fault.kind), str(error)
    assert server.calls == 1
    assert len(str(error)) < 300
    assert len(str(error).splitlines()) == 1
    assert error.__cause__ is None
    assert error.host == server.url.removeprefix("http://")
