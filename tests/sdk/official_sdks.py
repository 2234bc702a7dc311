"""
Each vendor's own SDK against our server of its protocol, and what it sends beside our adapter.

The SDKs are no dependency of ours: `nox -s sdk` installs them (requirements.txt beside this file)
and runs this, which pytest does not collect by itself. differences.yaml holds every field in which
the two differ, and why.
"""

from __future__ import annotations

import asyncio
import fnmatch
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from helpers.vendor_protocols import KEY, Fixture, fixtures, replaying, speech
from helpers.vendor_streams import Part, paced, playing

from sdk import batch_clients, stream_clients, wire

HERE = Path(__file__).parent
DIFFERENCES = yaml.safe_load((HERE / "differences.yaml").read_text("utf-8"))
RATES = {"openai": 24_000}
FIXTURES = {(f.use, mode): f for mode in ("batch", "stream") for f in fixtures(mode)}


@dataclass(frozen=True)
class Compared:
    """The text that the SDK got, and what the two sent."""

    text: str
    sdk: wire.Sent
    adapter: wire.Sent


def batch(fixture: Fixture, client: Any, wav: Path, monkeypatch: pytest.MonkeyPatch) -> Compared:
    reply = fixture.data["answers"]["success"]["reply"]
    clip = speech()
    wav.write_bytes(clip.data)
    with replaying(fixture, reply) as server:
        text = client.call(server.url, KEY, wav)
        sdk = wire.of_server(server)
    with replaying(fixture, reply) as server:

        async def call() -> None:
            provider = fixture.provider(server.url, monkeypatch)
            await provider.transcribe(clip)
            await provider.aclose()

        asyncio.run(call())
        return Compared(text, sdk, wire.of_server(server))


def stream(fixture: Fixture, client: Any, monkeypatch: pytest.MonkeyPatch) -> Compared:
    case = fixture.data["answers"]["success"]
    part = {**fixture.data["part"], "during": case.get("during", []), "after": case["after"]}
    clip, rate = speech(0.4), RATES.get(fixture.use, 16_000)
    with playing(fixture, Part(**part)) as server:
        text = client.call(server.url, KEY, clip.pcm16(rate), rate)
        sdk = wire.of_stream(server)
    with playing(fixture, Part(**part)) as server:

        async def call() -> None:
            provider = fixture.provider(server.url, monkeypatch)
            await provider.stream(paced(provider, clip))
            await provider.aclose()

        asyncio.run(call())
        return Compared(text, sdk, wire.of_stream(server))


@pytest.mark.parametrize("use", batch_clients.CLIENTS)
def test_an_sdk_for_files(use, tmp_path, monkeypatch):
    client = batch_clients.CLIENTS[use]
    pytest.importorskip(client.module)
    fixture = FIXTURES[use, "batch"]

    compared = batch(fixture, client, tmp_path / "audio.wav", monkeypatch)

    check(fixture, compared)


@pytest.mark.parametrize("use", stream_clients.CLIENTS)
def test_an_sdk_for_streams(use, monkeypatch):
    client = stream_clients.CLIENTS[use]
    pytest.importorskip(client.module)
    fixture = FIXTURES[use, "stream"]

    compared = stream(fixture, client, monkeypatch)

    check(fixture, compared)


def check(fixture: Fixture, compared: Compared) -> None:
    """The vendor's client reads our server, and differs from our adapter where we know it does."""
    assert compared.text == fixture.data["answers"]["success"]["text"]
    found = wire.differing(compared.sdk, compared.adapter)
    known = DIFFERENCES[fixture.mode].get(fixture.use, {})
    assert {name: found[name] for name in found if not wire.reason(name, known)} == {}
    stale = [pattern for pattern in known if not fnmatch.filter(found, pattern)]
    assert stale == [], "they agree here by now"
