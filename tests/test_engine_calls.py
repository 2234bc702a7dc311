"""What a call's end means: retried, failed, or a result; against a real server."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise

import pytest
from helpers.engine_clips import Client, clips, engine
from helpers.http_server import Reply, error, in_turn, serving, text

from pytest_asrbench.engine import run_all
from pytest_asrbench.providers.base import Description

CUT_IN_BODY = 70


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "attempts"),
    [
        (error(500), 2),
        (error(502), 2),
        (error(503), 2),
        (error(529), 2),
        (error(408), 2),
        (error(429, retry_after="0.05"), 2),
        (Reply(cut=0), 2),
        (Reply(cut=CUT_IN_BODY), 2),
    ],
    ids=["500", "502", "503", "529", "408", "429", "reset", "truncated"],
)
def test_a_transient_failure_is_tried_again_and_leaves_a_result(tmp_path, first, attempts):
    with serving(in_turn([first], text("hello there"))) as server:
        [record] = run_all(engine(clips(tmp_path, 1), Client(server.url)))

    assert record.error is None
    assert (record.transcript, record.attempts, record.source) == ("hello there", attempts, "live")
    assert len(server.requests) == attempts
    assert record.entities[0].verdict.present


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reply", "kind", "says"),
    [
        (error(400, "no such model"), "provider", "400: no such model"),
        (error(404, "not here"), "provider", "404: not here"),
        (error(413, "too big"), "audio", "413"),
        (error(400, "audio too short"), "audio", "audio too short"),
        (Reply("<html>busy</html>"), "reply", "no JSON: '<html>busy</html>'"),
        (Reply('{"words": []}'), "reply", "no 'text' (it has words)"),
        (Reply('{"text": null}'), "reply", "no 'text'"),
        (error(401, "bad key"), "auth", "401: bad key"),
        (error(402, "pay"), "quota", "402: pay"),
        (Reply('{"error": {"code": "insufficient_quota"}}', 429), "quota", "429"),
    ],
)
def test_a_lasting_failure_is_not_tried_again(tmp_path, reply, kind, says):
    with serving(lambda request: reply) as server:
        [record] = run_all(engine(clips(tmp_path, 1), Client(server.url)))

    assert record.error.kind == kind
    assert says in record.error.message
    assert record.error.host == server.url.removeprefix("http://")
    assert len(server.requests) == record.attempts == 1
    assert record.transcript is None
    assert record.entities[0].verdict is None


def test_empty_text_is_a_result_and_its_entities_are_misses(tmp_path):
    with serving(lambda request: text("")) as server:
        [record] = run_all(engine(clips(tmp_path, 1), Client(server.url)))

    assert record.error is None
    assert record.transcript == ""
    assert [miss.entity.id for miss in record.misses] == ["e1"]


def test_attempts_end(tmp_path):
    with serving(lambda request: error(503)) as server:
        [record] = run_all(engine(clips(tmp_path, 1), Client(server.url), limits={"attempts": 3}))

    assert (record.error.kind, record.attempts) == ("server", 3)
    assert len(server.requests) == 3


@pytest.mark.slow
def test_a_slow_server_times_out_and_is_tried_again(tmp_path):
    with serving(in_turn([Reply(delay_s=30)], text("hello"))) as server:
        limits = {"timeout_s": 0.3}
        [record] = run_all(engine(clips(tmp_path, 1), Client(server.url), limits=limits))

    assert (record.transcript, record.attempts) == ("hello", 2)


def test_a_server_that_never_answers_is_a_timeout(tmp_path):
    with serving(lambda request: Reply(delay_s=30)) as server:
        limits = {"timeout_s": 0.1, "attempts": 2}
        [record] = run_all(engine(clips(tmp_path, 1), Client(server.url), limits=limits))

    assert record.error.kind == "timeout"
    assert record.error.message == "no answer within 0.1 s"


@pytest.mark.parametrize("is_async", [True, False])
def test_a_time_out_of_the_provider_s_own_is_tried_again_and_told_as_it_is(tmp_path, is_async):
    class Impatient:
        calls = 0

        def describe(self):
            return Description("impatient", version="1")

        def transcribe(self, audio):
            self.calls += 1
            raise TimeoutError("read took longer than 5 s")

    class Async(Impatient):
        async def transcribe(self, audio):
            return super().transcribe(audio)

    provider = Async() if is_async else Impatient()
    [record] = run_all(engine(clips(tmp_path, 1), provider, limits={"attempts": 2}))

    assert (record.error.kind, provider.calls) == ("timeout", 2)
    assert record.error.message == "TimeoutError: read took longer than 5 s"


@pytest.mark.slow
def test_a_stream_s_time_out_tells_how_long_it_was_waited_for(tmp_path):
    class Stream:
        def describe(self):
            return Description("stream", version="1")

        async def stream(self, frames):
            await asyncio.sleep(30)

    work = engine(
        clips(tmp_path, 1, seconds=0.5),
        Stream(),
        mode="stream",
        limits={"attempts": 1, "timeout_s": 0.1},
    )
    [record] = run_all(work)

    assert record.error.message == "no answer within 0.6 s"


def test_nobody_listening_is_a_network_error(tmp_path):
    with serving(lambda request: Reply()) as server:
        url = server.url

    [record] = run_all(engine(clips(tmp_path, 1), Client(url), limits={"attempts": 2}))

    assert (record.error.kind, record.attempts) == ("network", 2)


@pytest.mark.slow
def test_latency_has_neither_back_off_nor_queue_in_it(tmp_path):
    replies = [error(429, retry_after="0.5"), *[Reply(delay_s=0.05)] * 6]
    with serving(in_turn(replies)) as server:
        records = run_all(engine(clips(tmp_path, 6), Client(server.url), concurrency=1))
        took_ms = 1000 * (time.monotonic() - server.requests[0].at)

    latencies = [record.latency_ms for record in records]
    assert min(latencies) >= 50
    assert sum(latencies) <= took_ms - 500  # one call at a time, and a pause


@pytest.mark.slow
def test_a_429_storm_is_waited_out_by_all_calls_alike(tmp_path):
    """Nobody hammers a server that has just asked for peace."""
    storm_ends = time.monotonic() + 0.8

    def answer(request):
        left = storm_ends - request.at
        return error(429, retry_after=f"{left:.2f}") if left > 0 else text("hello")

    with serving(answer) as server:
        records = run_all(engine(clips(tmp_path, 40), Client(server.url), concurrency=8))

    assert [record.transcript for record in records] == ["hello"] * 40
    refused = sum(request.at < storm_ends for request in server.requests)
    assert refused <= 24  # of at least 40 that were waiting: each slot asked a few times at most


@pytest.mark.slow
def test_a_pause_that_a_server_asks_for_holds_calls_that_were_about_to_go(tmp_path):
    replies = in_turn([error(429, retry_after="0.6")], text("hello"))
    with serving(replies) as server:
        limits = {"requests_per_minute": 1200}  # 50 ms apart
        records = run_all(engine(clips(tmp_path, 8), Client(server.url), limits=limits))

    assert [record.transcript for record in records] == ["hello"] * 8
    times = [request.at for request in server.requests]
    assert max(later - earlier for earlier, later in pairwise(times)) > 0.5


PAST = {"retry_after": "Sun, 29 Nov 2026 12:00:00 GMT", "date": "Sun, 29 Nov 2026 12:00:00 GMT"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked",
    [{"retry_after": "0"}, {"retry_after_ms": "0"}, {"retry_after_ms": "1"}, PAST],
    ids=["0", "0 ms", "1 ms", "a date in the past"],
)
def test_the_back_off_stays_where_a_server_asks_for_less(tmp_path, asked):
    with serving(in_turn([error(429, **asked)] * 3, text("hello"))) as server:
        limits = {"backoff_s": 0.1}
        [record] = run_all(engine(clips(tmp_path, 1), Client(server.url), limits=limits))

    assert (record.transcript, record.attempts) == ("hello", 4)
    times = [request.at for request in server.requests]
    waits = [later - earlier for earlier, later in pairwise(times)]
    assert [wait >= 0.1 * 2**n for n, wait in enumerate(waits)] == [True] * 3


@pytest.mark.slow
def test_clients_that_are_refused_together_do_not_come_back_together(tmp_path):
    """Of twelve, one in 300,000 times all draw a jitter from the same quarter."""
    refused = iter(range(12))

    def answer(request):
        if next(refused, None) is None:
            return text("hello")
        return error(429, retry_after="0")

    with serving(answer) as server:
        limits = {"backoff_s": 1.0}
        work = engine(clips(tmp_path, 12), Client(server.url), limits=limits, concurrency=12)
        records = run_all(work)

    assert [record.transcript for record in records] == ["hello"] * 12
    first, again = server.requests[:12], server.requests[12:]
    assert again[0].at - first[0].at >= 1.0
    assert again[-1].at - again[0].at >= 0.25


def test_a_key_that_the_server_echoes_reaches_no_message(tmp_path):
    key = "sk-proj-verysecret42"

    def answer(request):
        return error(401, f"Incorrect API key provided: {request.headers['authorization']}")

    with serving(answer) as server:
        [record] = run_all(engine(clips(tmp_path, 1), Client(server.url, key=key)))

    assert record.error.kind == "auth"
    assert key not in record.error.message
    assert "***" in record.error.message


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reply", "kind"),
    [(error(401), "auth"), (error(402), "quota")],
)
def test_a_refused_key_stops_the_run_and_not_each_clip_anew(tmp_path, reply, kind):
    with serving(lambda request: reply) as server:
        records = run_all(engine(clips(tmp_path, 60), Client(server.url), concurrency=4))

    assert len(server.requests) <= 4  # those in flight when the first answer came
    assert {record.error.kind for record in records} == {kind}
    assert "not called" in records[-1].error.message


@pytest.mark.slow
def test_a_run_whose_first_calls_all_fail_alike_stops(tmp_path):
    with serving(lambda request: error(500)) as server:
        work = engine(clips(tmp_path, 100), Client(server.url), limits={"attempts": 1})
        records = run_all(work)

    assert 20 <= len(server.requests) <= 20 + 8
    assert "the first 20 calls all failed (server at 127.0.0.1:" in records[-1].error.message
    assert all(record.error for record in records)


@pytest.mark.slow
def test_one_answer_is_enough_to_go_on(tmp_path):
    with serving(in_turn([text("hello")], error(500))) as server:
        work = engine(clips(tmp_path, 40), Client(server.url), limits={"attempts": 1})
        records = run_all(work)

    assert len(server.requests) == 40
    assert sum(record.error is None for record in records) == 1


@pytest.mark.slow
def test_requests_a_minute_are_kept(tmp_path):
    with serving(lambda request: text("hello")) as server:
        limits = {"requests_per_minute": 600}
        began = time.monotonic()
        run_all(engine(clips(tmp_path, 6), Client(server.url), limits=limits))

    assert server.requests[-1].at - began >= 0.5  # six turns, 0.1 s apart
