"""Several processes: the workers of one run, and runs that share a store."""

from __future__ import annotations

import threading
import time
from collections import Counter
from itertools import count

import pytest
from helpers.engine_clips import Client, Judge, clips, engine, until
from helpers.engine_process import result, start
from helpers.http_server import Reply, error, in_turn, serving, text

from pytest_asrbench.engine import Watch, run_all

pytestmark = pytest.mark.slow  # processes of a run, started for each test


def in_thread(function):
    """A function that gives what it returned, and the thread in which it is called now."""
    returned = []
    thread = threading.Thread(target=lambda: returned.append(function()), daemon=True)
    thread.start()
    return lambda: returned[0], thread


def bodies(server):
    return Counter(request.body for request in server.requests)


def test_workers_share_the_work_and_call_once_for_each_clip(tmp_path):
    clips(tmp_path, 40)
    shuffled = [(n * 7) % 40 for n in range(40)]
    with serving(lambda request: text("hello", delay_s=0.02)) as server:
        workers = [
            start(tmp_path, server.url, run="run", count=40, processes=3, order=order)
            for order in (None, shuffled, [39])
        ]
        results = [result(worker) for worker in workers]

    assert len(server.requests) == 40
    assert set(bodies(server).values()) == {1}
    assert results[0]["transcripts"] == results[1]["transcripts"] == ["hello"] * 40
    assert results[2]["present"] == [[True]]


def test_concurrency_is_the_whole_run_s(tmp_path):
    clips(tmp_path, 30)
    with serving(lambda request: text("hello", delay_s=0.05)) as server:
        workers = [
            start(tmp_path, server.url, run="run", count=30, processes=3, concurrency=2)
            for _ in range(3)
        ]
        for worker in workers:
            result(worker)

    assert server.most_in_flight == 2
    assert len(server.requests) == 30


def test_a_worker_alone_may_use_the_whole_run_s_concurrency(tmp_path):
    """The others may have no test that needs a clip."""
    clips(tmp_path, 40)
    with serving(lambda request: text("hello", delay_s=0.2)) as server:
        result(start(tmp_path, server.url, run="run", count=40, processes=4, concurrency=8))

    assert server.most_in_flight == 8


def test_a_worker_without_a_slot_takes_what_another_has_published(tmp_path):
    work, held = clips(tmp_path, 3), True
    answers = [text("hello"), text("hello", held=lambda: held)]
    with serving(in_turn(answers)) as server:
        options = {"run_store": tmp_path / "run", "processes": 2, "concurrency": 1}
        busy, idle = (engine(work, Client(server.url), **options) for _ in range(2))
        busy.start()
        until(lambda: len(server.requests) == 2)  # and the second one lasts
        record, asking = in_thread(lambda: idle.record("en-US/clip-0"))
        asking.join(30)
        early, held = not asking.is_alive(), False
        asking.join()
        busy.close()
        idle.close()

    assert record() == busy.record("en-US/clip-0")
    assert early


class OneByOne(Client):
    concurrency = 1


def test_a_worker_whose_slots_are_taken_does_too(tmp_path):
    work, held = clips(tmp_path, 3), True
    slow = work[1].path.read_bytes()[-100:]

    def answer(request):
        return text("hello", held=lambda: held and request.body.endswith(slow))

    with serving(answer) as server:
        options = {"run_store": tmp_path / "run", "processes": 2}
        first, second = (engine(work, OneByOne(server.url), **options) for _ in range(2))
        stuck, waiting = in_thread(lambda: first.record("en-US/clip-1"))
        until(lambda: server.in_flight)
        ready = second.record("en-US/clip-2")
        record, asking = in_thread(lambda: first.record("en-US/clip-2"))
        asking.join(30)
        early, held = not asking.is_alive(), False
        asking.join()
        waiting.join()
        first.close()
        second.close()

    assert record() == ready
    assert early
    assert stuck().error is None
    assert len(server.requests) == 3


def test_a_call_is_tried_as_often_as_it_says_though_its_worker_is_done(tmp_path):
    work = clips(tmp_path, 2)
    limits = {"attempts": 4, "backoff_s": 0.3}
    options = {"run_store": tmp_path / "run", "processes": 2, "limits": limits}
    with serving(in_turn([text("hello")], error(503))) as server:
        done, other = (engine(work, Client(server.url), concurrency=1, **options) for _ in range(2))
        done.record("en-US/clip-0")
        until(lambda: len(server.requests) == 2)
        done.close()
        record = other.record("en-US/clip-1")
        other.close()

        assert len(server.requests) == 1 + 4
    assert (record.error.kind, record.attempts) == ("server", 4)


def test_what_a_worker_has_called_for_is_judged_though_it_is_done(tmp_path):
    work, judges = clips(tmp_path, 1), [Judge(), Judge()]
    with serving(lambda request: text("hello", delay_s=0.3)) as server:
        options = {"run_store": tmp_path / "run", "processes": 2}
        done, other = (
            engine(work, Client(server.url), verifier=judge, **options) for judge in judges
        )
        done.start()
        until(lambda: server.requests)
        done.close()
        record = other.record("en-US/clip-0")
        other.close()

        assert len(server.requests) == 1
    assert record.entities[0].verdict.present
    assert [judge.calls for judge in judges] == [1, 0]


def test_what_a_killed_worker_was_at_is_taken_over(tmp_path):
    clips(tmp_path, 1)
    with serving(lambda request: Reply(delay_s=0 if len(server.requests) > 1 else 60)) as server:
        killed = start(tmp_path, server.url, run="run", count=1, processes=2)
        until(lambda: server.requests)
        other = start(tmp_path, server.url, run="run", count=1, processes=2)
        time.sleep(1)
        assert len(server.requests) == 1  # it leaves the clip to the first, and waits

        killed.kill()
        killed.communicate()

        assert result(other)["transcripts"] == ["hello"]
        assert len(server.requests) == 2


def test_kill_9_in_mid_run_loses_nothing_paid_for_and_no_call_is_repeated(tmp_path):
    work = clips(tmp_path, 60)
    with serving(lambda request: text("hello", delay_s=0.05)) as server:
        killed = start(tmp_path, server.url, run="run-1", count=60, cache="cache", concurrency=4)
        until(lambda: len(server.requests) > 30)
        killed.kill()
        killed.communicate()
        called = len(server.requests)
        stored = len(list((tmp_path / "cache" / "transcripts").glob("*/*.json")))

        records = run_all(engine(work, Client(server.url), cache=tmp_path / "cache"))

    assert called - 4 <= stored  # all but those in flight, whose answers nobody received
    late = len(server.requests) - called - (60 - stored)
    assert 0 <= late <= 4  # in flight at the kill, and counted by the server after it
    assert [record.transcript for record in records] == ["hello"] * 60
    assert Counter(record.source for record in records)["cache"] == stored


def test_the_only_worker_leaves_what_it_has_to_the_one_that_replaces_it(tmp_path):
    clips(tmp_path, 40)
    with serving(lambda request: text("hello", delay_s=0.05)) as server:
        killed = start(tmp_path, server.url, run="run", count=40, processes=1, concurrency=4)
        until(lambda: len(server.requests) > 20)
        killed.kill()
        killed.communicate()

        other = start(tmp_path, server.url, run="run", count=40, processes=1, concurrency=4)

        assert result(other)["transcripts"] == ["hello"] * 40
        assert len(server.requests) <= 40 + 4  # those in flight, whose answers nobody received


def test_two_runs_at_once_on_one_store_call_once_for_each_clip(tmp_path):
    clips(tmp_path, 20)
    with serving(lambda request: text("hello", delay_s=0.1)) as server:
        runs = [
            start(tmp_path, server.url, run=f"run-{n}", count=20, cache="cache") for n in (1, 2)
        ]
        results = [result(run) for run in runs]

    assert set(bodies(server).values()) == {1}
    assert Counter(source for r in results for source in r["sources"]) == {"live": 20, "cache": 20}


def test_a_refused_key_stops_all_workers(tmp_path):
    clips(tmp_path, 60)
    with serving(lambda request: error(401, "bad key")) as server:
        workers = [
            start(tmp_path, server.url, run="run", count=60, processes=2, concurrency=4)
            for _ in range(2)
        ]
        results = [result(worker) for worker in workers]

    assert len(server.requests) <= 4
    assert all(set(r["errors"]) == {"auth"} for r in results)


def test_a_budget_holds_across_workers(tmp_path):
    clips(tmp_path, 40)  # of 0.2 s each
    with serving(lambda request: text("hello", delay_s=0.01)) as server:
        workers = [
            start(tmp_path, server.url, run="run", count=40, processes=2, audio_s=3.0)
            for _ in range(2)
        ]
        results = [result(worker) for worker in workers]

    assert len(server.requests) == 15
    assert all(Counter(r["errors"]) == {None: 15, "budget": 25} for r in results)


def test_verdicts_that_cost_money_are_shared_too(tmp_path):
    clips(tmp_path, 10)
    words = count()
    with serving(lambda request: text(f"hello {next(words)}")) as server:
        workers = [
            start(tmp_path, server.url, run="run", count=10, processes=2, judge=True)
            for _ in range(2)
        ]
        results = [result(worker) for worker in workers]

    assert sum(r["judged"] for r in results) == 10
    assert all(r["present"] == [[True]] * 10 for r in results)


def test_progress_is_seen_from_outside(tmp_path):
    clips(tmp_path, 8)
    watch = Watch(tmp_path / "run", 8)
    assert watch.progress().done == 0
    began, held = time.time(), True
    replies = [*[text("hello", delay_s=0.1)] * 2, *[text("hello", held=lambda: held)] * 6]
    with serving(in_turn(replies)) as server:
        worker = start(tmp_path, server.url, run="run", count=8, concurrency=2)
        until(lambda: watch.progress().done == 2 and watch.progress().in_flight == 2)
        halfway, passed_s = watch.progress(), time.time() - began
        held = False
        result(worker)

    assert (halfway.total, halfway.errors) == (8, 0)
    assert 0.1 / 2 * 6 <= halfway.eta_s <= passed_s / 2 * 6
    assert (watch.progress().done, watch.progress().in_flight) == (8, 0)
