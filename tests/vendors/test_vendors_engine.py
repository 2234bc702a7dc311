"""Adapters in the engine: it retries, and stamps what they must not."""

from __future__ import annotations

import pytest
from helpers.engine_clips import clips, engine
from helpers.http_server import Reply, in_turn, serving
from helpers.vendor_protocols import fixtures
from helpers.vendor_streams import Part, playing

from pytest_asrbench.engine import run_all

STREAM = {fixture.use: fixture for fixture in fixtures("stream")}
BATCH = {fixture.use: fixture for fixture in fixtures("batch")}


def part(fixture, **also) -> Part:
    return Part(**(fixture.data["part"] | also))


@pytest.mark.slow
@pytest.mark.parametrize("use", ["deepgram", "elevenlabs", "openai"])
def test_a_streamed_clip_has_latency_time_to_first_text_and_provenance(use, tmp_path, monkeypatch):
    fixture = STREAM[use]
    case = fixture.data["answers"]["success"]
    with playing(fixture, part(fixture, during=case["during"], after=case["after"])) as server:
        provider = fixture.provider(server.url, monkeypatch)
        [record] = run_all(engine(clips(tmp_path, 1, seconds=0.5), provider, mode="stream"))

    assert record.error is None
    assert record.transcript == case["text"]
    assert (record.attempts, record.source) == (1, "live")
    assert record.request_id == case.get("request_id")
    # Text came with the first frame, the rest after half a second of speech.
    assert 0 < record.first_text_ms < record.latency_ms + 500
    assert record.latency_ms > 0


def test_a_stream_that_breaks_off_is_tried_again_and_leaves_an_error_never_a_partial(
    tmp_path, monkeypatch
):
    fixture = STREAM["deepgram"]
    broken = part(fixture, during=[fixture.data["partial"], {"close": 1011}])
    with playing(fixture, broken) as server:
        provider = fixture.provider(server.url, monkeypatch)
        work = engine(clips(tmp_path, 1), provider, mode="stream", limits={"attempts": 3})
        [record] = run_all(work)

    assert record.transcript is None
    assert record.error.kind == "network"
    assert record.attempts == server.connected == 3


def test_a_vendor_that_is_busy_for_a_moment_is_asked_again(tmp_path, monkeypatch):
    fixture = BATCH["elevenlabs"]
    busy = Reply('{"detail": {"status": "system_busy", "message": "busy"}}', 429)
    with serving(in_turn([busy, busy], Reply('{"text": "hello there"}'))) as server:
        provider = fixture.provider(server.url, monkeypatch)
        [record] = run_all(engine(clips(tmp_path, 1), provider))

    assert (record.transcript, record.attempts) == ("hello there", 3)
    assert len(server.requests) == 3


def test_a_wrong_key_stops_all_calls(tmp_path, monkeypatch):
    """Else every clip of a large dataset would be refused one by one."""
    fixture = BATCH["deepgram"]
    refused = Reply('{"err_code": "INVALID_AUTH", "err_msg": "Invalid credentials."}', 401)
    with serving(lambda request: refused) as server:
        provider = fixture.provider(server.url, monkeypatch)
        records = run_all(engine(clips(tmp_path, 40), provider, concurrency=2))

    assert {record.error.kind for record in records} == {"auth"}
    assert len(server.requests) < 40
