"""The engine's parts one by one: pace of speech and of requests, prices, budgets, slots, sums."""

from __future__ import annotations

import asyncio
import json
import math
import sys
import threading
import time
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile
from helpers.engine_clips import clips, engine
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrbench.audio import frames, read
from pytest_asrbench.engine import Progress, run_all
from pytest_asrbench.engine.budget import (
    SAME_FAILURES,
    Bounds,
    Charge,
    Spending,
    breaker,
    check_budget,
)
from pytest_asrbench.engine.journal import Calls, Journal, Tally
from pytest_asrbench.engine.local_verdicts import judged_here
from pytest_asrbench.engine.progress import progress
from pytest_asrbench.engine.rate_limit import LONGEST_PAUSE_S, RateLimiter
from pytest_asrbench.engine.result import Result, record, result_to_json
from pytest_asrbench.engine.shared_folder import SharedFolder
from pytest_asrbench.engine.slots import ConcurrencySlots
from pytest_asrbench.engine.stream import PacedFrames
from pytest_asrbench.errors import (
    BudgetError,
    CallError,
    InputError,
    TransientError,
    VerifierError,
)
from pytest_asrbench.model import Clip, Entity, Failure, Transcript
from pytest_asrbench.providers.base import Description
from pytest_asrbench.providers.prices import Price, own_prices, read_prices
from pytest_asrbench.settings.parsing import Budget
from pytest_asrbench.verifiers.rules import Rules

RATE, FRAME_MS = 8000, 20
FRAME = bytes(2 * RATE * FRAME_MS // 1000)


class TestStreaming:
    @pytest.mark.slow
    def test_frames_come_at_the_pace_of_speech_and_delays_do_not_add_up(self):
        async def listen():
            paced, times, slow = PacedFrames(iter([FRAME] * 25), rate=RATE, language="en"), [], 0.0
            began = time.perf_counter()
            async for _ in paced:
                times.append(time.perf_counter() - began)
                await asyncio.sleep(0.01)  # a slow network
                slow += time.perf_counter() - began - times[-1]
            return times, slow

        times, slow = asyncio.run(listen())

        assert len(times) == 25
        due = [(n + 1) * FRAME_MS / 1000 for n in range(25)]
        assert all(at >= when - 0.002 for at, when in zip(times, due, strict=True))
        # Were each frame 20 ms after the last one was handled, the network would delay all.
        assert times[-1] < due[-1] + slow / 2

    def test_latency_is_from_the_last_frame_to_the_text(self, tmp_path):
        work = engine(clips(tmp_path, 1, seconds=0.3), Stream(), mode="stream")
        began = time.perf_counter()
        [record] = run_all(work)
        took_ms = 1000 * (time.perf_counter() - began)

        assert record.transcript == "2400 samples"
        assert 50 <= record.latency_ms <= took_ms - 300  # the audio itself takes 300 ms
        assert FRAME_MS <= record.first_text_ms <= took_ms - record.latency_ms

    def test_latency_after_speech_is_to_the_last_final_text(self, tmp_path):
        """A provider that answers within the silence at the end is told from one that does not,
        which latency from the last frame can't do."""

        class Early(Stream):
            async def stream(self, frames):
                async for _ in frames:
                    self.heard_s = getattr(self, "heard_s", 0) + FRAME_MS / 1000
                    if 0.2 < self.heard_s < 0.25:
                        frames.text_final()
                return "early"

        [clip] = clips(tmp_path, 1, seconds=0.4)
        sound = np.sin(np.arange(3200) / 3).astype(np.float32)
        sound[1200:] = 0  # speech for 150 ms of 400
        soundfile.write(clip.path, sound, 8000)
        [record] = run_all(engine([clip], Early(), mode="stream"))
        [late] = run_all(engine([clip], Stream(), mode="stream"))

        assert 50 <= record.after_speech_ms < late.after_speech_ms
        assert late.after_speech_ms == pytest.approx(late.latency_ms + 250, abs=FRAME_MS + 30)

    def test_faster_than_speech_where_a_system_allows_it(self, tmp_path):
        provider = Stream()
        provider.realtime = False

        [record] = run_all(engine(clips(tmp_path, 1, seconds=20), provider, mode="stream"))

        assert record.error is None
        assert record.first_text_ms < 10_000

    @pytest.mark.slow
    def test_a_time_out_counts_from_the_end_of_the_speech(self, tmp_path):
        provider = Stream()
        work = clips(tmp_path, 1, seconds=1)

        [record] = run_all(engine(work, provider, mode="stream", limits={"timeout_s": 0.6}))

        assert record.error is None

    def test_a_provider_without_that_mode_is_a_usage_error(self, tmp_path):
        with pytest.raises(InputError, match=r"'mine' has no transcribe\(\); use --asr-mode=str"):
            engine(clips(tmp_path, 1), Stream())

    def test_every_sample_is_handed_over_once(self, tmp_path):
        [clip] = clips(tmp_path, 1, seconds=0.33)
        audio = read(clip.path, "en")

        async def collect():
            parts = frames(audio, RATE, FRAME_MS)
            paced = PacedFrames(parts, rate=RATE, language="en", realtime=False)
            return b"".join([frame async for frame in paced])

        assert asyncio.run(collect()) == audio.pcm16(RATE)


class Stream:
    stream_rate = RATE
    realtime = True

    def describe(self):
        return Description("stream", version="1")

    async def stream(self, frames):
        size = 0
        async for frame in frames:
            size += len(frame)
            frames.text_heard()
        await asyncio.sleep(0.05)
        return Transcript(f"{size // 2} samples")


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


class TestRateLimiter:
    def test_turns_of_all_processes_are_evenly_spaced(self, tmp_path):
        clock = Clock()
        one, other = (RateLimiter(tmp_path, 60, clock=clock) for _ in range(2))

        assert [one.turn_s(), other.turn_s(), one.turn_s()] == [0, 1, 2]
        clock.now += 10
        assert other.turn_s() == 0

    def test_a_pause_holds_for_all(self, tmp_path):
        clock = Clock()
        one, other = (
            RateLimiter(tmp_path, None, clock=clock),
            RateLimiter(tmp_path, None, clock=clock),
        )

        one.pause(5)
        one.pause(2)  # a shorter one ends none

        assert other.turn_s() == 5
        clock.now += 5
        assert other.turn_s() == 0

    def test_without_limit_or_pause_nothing_is_written(self, tmp_path):
        assert RateLimiter(tmp_path / "run", None).turn_s() == 0
        assert not (tmp_path / "run").exists()

    def test_what_a_server_asks_for_is_capped(self, tmp_path):
        error = TransientError("busy", retry_after=3600)
        assert min(error.retry_after, LONGEST_PAUSE_S) == 120


class TestSlots:
    def slots(self, folder, total=4, here=4, processes=2):
        return ConcurrencySlots(folder, total=total, here=here, processes=processes)

    def test_no_more_than_the_fair_share_at_first(self, tmp_path):
        one, other = self.slots(tmp_path), self.slots(tmp_path)
        one.take(4)
        other.take(4)

        assert (one.held, other.held) == (2, 2)

    def test_a_share_that_nobody_uses_is_taken_later(self, tmp_path, monkeypatch):
        one = self.slots(tmp_path)
        one.take(4)
        monkeypatch.setattr("pytest_asrbench.engine.slots.SETTLED_S", 0)
        one.take(4)

        assert one.held == 4
        other = self.slots(tmp_path)
        other.take(4)
        assert other.held == 0

        one.give_back(1)
        other.take(4)
        assert (one.held, other.held) == (1, 3)

    def test_what_a_dead_process_had_is_free(self, tmp_path, monkeypatch):
        monkeypatch.setattr("pytest_asrbench.engine.slots.SETTLED_S", 0)
        dead, other = self.slots(tmp_path), self.slots(tmp_path)
        dead.take(4)
        dead._alive.__exit__(None, None, None)  # as the system does when a process ends

        other.take(4)

        assert other.held == 4

    @pytest.mark.slow
    @given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 8))
    def test_the_total_is_never_exceeded(self, tmp_path_factory, total, here, processes):
        folder = tmp_path_factory.mktemp("slots")
        every = [self.slots(folder, total, here, processes) for _ in range(processes)]
        for slots in every:
            slots.take(here)

        assert sum(slots.held for slots in every) <= total
        assert max(slots.held for slots in every) <= here
        assert sum(slots.held for slots in every) >= min(total, processes)


class TestPrices:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("use", "model", "mode", "per_minute"),
        [
            ("groq", "whisper-large-v3", "batch", 0.00185),
            ("groq", "whisper-large-v3-turbo", "batch", 0.00067),
            ("openai", "gpt-4o-transcribe", "batch", 0.006),
            ("openai", "gpt-4o-mini-transcribe-2025-12-15", "batch", 0.003),
            ("deepgram", "nova-3-medical", "batch", 0.0077),
            ("deepgram", "nova-3", "stream", 0.0058),
            ("google", "chirp_3", "stream", 0.016),
            ("deepgram", "nova-9", "batch", None),
            ("pocketsphinx", "en-us", "batch", None),
        ],
    )
    def test_the_table_that_comes_with_it(self, use, model, mode, per_minute):
        price = read_prices().price(Description(use, model), mode)

        assert (price and price.per_minute) == per_minute

    def test_every_row_says_when_and_from_where(self):
        table = read_prices()

        assert table.currency == "USD"
        assert len(table.rows) > 20
        assert all(row.date and row.source and row.price.per_minute > 0 for row in table.rows)

    def test_a_request_costs_the_least_there_is(self):
        assert Price(0.6, least_s=10).cost(2) == pytest.approx(0.1)
        assert Price(0.6, least_s=10).cost(20) == pytest.approx(0.2)

    def test_an_own_table_goes_before_the_shipped_one(self, tmp_path):
        path = tmp_path / "prices.yaml"
        path.write_text("prices:\n  - {use: deepgram, per_minute: 0.5}\n")

        table = own_prices(path)

        assert table.price(Description("deepgram", "nova-3"), "batch") == Price(0.5)
        assert table.price(Description("openai", "whisper-1"), "batch") == Price(0.006)

    def test_an_own_table_in_another_currency_stands_alone(self, tmp_path):
        path = tmp_path / "prices.yaml"
        path.write_text("currency: EUR\nprices:\n  - {use: deepgram, per_minute: 0.5}\n")

        table = own_prices(path)

        assert table.currency == "EUR"
        assert table.price(Description("deepgram", "nova-3"), "batch") == Price(0.5)
        assert table.price(Description("openai", "whisper-1"), "batch") is None

    def test_an_own_table_is_taken_instead(self, tmp_path):
        path = tmp_path / "prices.yaml"
        path.write_text("currency: EUR\nprices:\n  - {use: ours, per_minute: 0.5}\n")

        table = read_prices(path)

        assert table.currency == "EUR"
        assert table.price(Description("ours", "any"), "stream") == Price(0.5)

    @pytest.mark.parametrize(
        ("content", "says"),
        [
            ("- x", "prices.yaml:1: expected keys and values"),
            ("currency: EUR", "expected `currency:` and a list under `prices:`"),
            ("prices:\n  - {use: x}", "prices.yaml:2: price 1: per_minute is missing"),
            (
                "prices:\n  - {use: x, per_minute: cheap}",
                "price 1: per_minute must be a number, like 0.80, not 'cheap'",
            ),
            (
                "prices:\n  - {use: x, per_minute: -1}",
                "price 1: per_minute must be 0 or more, not '-1'",
            ),
            ("prices:\n  - x", "prices.yaml:2: price 1 must have keys and values"),
        ],
    )
    def test_a_faulty_table_is_one_line(self, tmp_path, content, says):
        path = tmp_path / "prices.yaml"
        path.write_text(content)

        with pytest.raises(InputError) as caught:
            read_prices(path)
        assert says in str(caught.value)


def names(tally):
    return [name for _, name in tally.open]


class TestSums:
    def test_a_journal_is_read_on_from_where_it_was(self, tmp_path):
        mine, other, reader = (Journal(tmp_path) for _ in range(3))
        mine.begin("a", 0.5, 10)
        assert names(reader.read()) == ["a"]
        other.begin("b", 0.5, 10)
        mine.end("a", cost=0.4, audio_s=9)
        other.end("b", failure=Failure("timeout", "slow", "api"))
        mine.end("c")
        mine.end("d", failure=Failure("audio", "no such file"))
        mine.begin("a-0", 0.5, 0)
        mine.end("a-0", cost=0.25, judges=True)

        tally = reader.read()

        assert tally.transcripts == Calls(1, 1, Counter({("timeout", "api"): 1}))
        assert tally.verdicts == Calls(1)
        assert (tally.reused, tally.refused) == (1, 1)
        assert (tally.cost, tally.audio_s) == (0.65, 9)
        assert (tally.done, tally.open) == (4, {})
        mine.close()
        other.close()

    @pytest.mark.parametrize("dead_first", [True, False])
    def test_a_call_whose_process_died_stays_charged_and_is_not_in_flight(self, dead_first):
        dead = [("dead", {"begin": "a", "at": 1, "cost": 0.5, "audio_s": 10})]
        heir = [
            ("heir", {"begin": "a", "at": 2, "cost": 0.5, "audio_s": 10}),
            (
                "heir",
                {
                    "end": "a",
                    "cost": 0.4,
                    "audio_s": 9,
                    "kind": None,
                    "host": None,
                    "judges": False,
                },
            ),
        ]
        tally = Tally()
        for process, line in [*dead, *heir] if dead_first else [*heir, *dead]:
            tally.add(process, line)

        assert (tally.committed_cost, tally.committed_audio_s) == (0.9, 19)
        assert (tally.done, tally.in_flight, tally.calls) == (1, 0, 2)

    def test_a_call_that_was_given_up_is_charged_to_whoever_makes_it(self, tmp_path):
        mine, other = Journal(tmp_path), Journal(tmp_path)
        mine.begin("a", 0.5, 10)
        mine.drop("a")
        other.begin("a", 0.5, 10)

        assert (mine.read().committed_cost, mine.read().in_flight) == (0.5, 1)
        mine.close()
        other.close()

    def test_a_line_that_is_being_written_is_left_for_later(self, tmp_path):
        journal = Journal(tmp_path)
        journal.begin("a", 0, 0)
        [file] = (tmp_path / "journal").iterdir()
        line = file.read_bytes()
        file.write_bytes(line + line.replace(b'"a"', b'"b"')[:-5])
        assert names(journal.read()) == ["a"]

        file.write_bytes(line + line.replace(b'"a"', b'"b"'))
        assert names(journal.read()) == ["a", "b"]
        journal.close()

    @pytest.mark.slow
    @given(st.lists(st.floats(0.001, 1), max_size=30), st.floats(0.01, 5))
    def test_a_budget_is_never_exceeded_and_is_used_up(self, costs, limit):
        tally = Tally()
        for n, cost in enumerate(costs):
            try:
                check_budget(Budget(money=limit), tally, Charge(str(n), cost, 1), "USD")
            except BudgetError:
                assert tally.committed_cost + cost > limit
                continue
            tally.open["mine", str(n)] = (cost, 1)

        assert tally.committed_cost <= limit + 1e-6

    def test_what_was_billed_beyond_a_budget_of_audio_stops_no_verdict(self):
        spent = Tally(audio_s=75)
        with pytest.raises(BudgetError):
            check_budget(Budget(audio_s=60), spent, Charge("a", 0, 1), "USD")
        check_budget(Budget(audio_s=60), spent, Charge("a-0", 0, judges=True), "USD")

    def test_a_budget_holds_when_all_ask_at_the_same_moment(self, tmp_path):
        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        allowed, ready = [], threading.Barrier(8)

        def ask(folder, name):
            journal = Journal(folder)
            bounds = Bounds(budget=Budget(audio_s=1))
            spending = Spending(folder, journal, bounds, SharedFolder(folder, alone=False))
            ready.wait()
            with suppress(CallError):
                spending.begin(Charge(name, 0, 1))
                allowed.append(folder)
            journal.close()

        try:
            for n in range(10):
                folder = tmp_path / str(n)
                threads = [threading.Thread(target=ask, args=(folder, str(k))) for k in range(8)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
        finally:
            sys.setswitchinterval(before)

        assert sorted(allowed) == sorted(tmp_path / str(n) for n in range(10))

    def test_the_breaker_wants_nothing_but_one_kind_of_failure(self):
        failed = Calls(failed=Counter({("server", "api"): SAME_FAILURES}))
        mixed = Calls(failed=failed.failed + Counter({("timeout", "api"): 1}))

        assert breaker(failed).kind == "server"
        assert breaker(replace(failed, useful=1)) is None
        assert breaker(mixed) is None
        assert breaker(Calls()) is None

    def test_progress_reads_in_one_line(self):
        tally = Tally(begun_at=100, transcripts=Calls(118, 118), reused=1, refused=1, cost=0.4212)
        tally.open["mine", "x"] = (0, 0)

        assert progress(tally, 300, 1, now=159) == Progress(300, 120, 1, 1, 0.4212, 90)
        assert str(progress(tally, 300, 1, now=159)) == (
            "120 of 300 clips, 1 in flight, 1 error, 0.42 spent, about 2 min left"
        )
        assert str(progress(tally, 100, 3, now=159)).startswith("120 of 300 transcriptions, 1 in")
        assert progress(tally, 300, 1, now=50).eta_s is None  # a clock that was set back

    def test_the_first_reason_to_stop_stays(self, tmp_path):
        share = SharedFolder(tmp_path, alone=False)
        assert share.stopped() is None
        share.stop(Failure("auth", "bad key", "api"))
        share.stop(Failure("budget", "spent"))

        assert share.stopped() == Failure("auth", "bad key", "api")

    def test_who_died_at_a_clip_is_counted_and_nobody_else(self, tmp_path):
        share, dead = SharedFolder(tmp_path, alone=False), []

        def died_before(*, dies=False, error=None):
            died = None
            with share.claim("a"), suppress(KeyError), ExitStack() as ends:
                died = ends.enter_context(share.at_work("a"))
                if dies:
                    dead.append(ends.pop_all())
                if error:
                    raise error
            return died

        assert died_before(dies=True) == 0
        assert died_before() == 1
        assert died_before(error=KeyError) == 1
        assert died_before(dies=True) == 1
        assert died_before() == 2

    @pytest.mark.parametrize(
        "content",
        [
            '{"transcript": ',
            json.dumps(result_to_json(Result(Transcript("hello", latency_ms="fast")))),
        ],
    )
    def test_a_result_that_cannot_be_read_is_as_good_as_none(self, tmp_path, content):
        share = SharedFolder(tmp_path, alone=False)
        (tmp_path / "results").mkdir()
        (tmp_path / "results" / "a.json").write_text(content)

        assert share.result("a") is None


@given(st.floats(0, 1e6), st.floats(0, 60))
def test_costs_are_finite_and_not_negative(seconds, least):
    cost = Price(0.01, least).cost(seconds)

    assert cost >= 0
    assert math.isfinite(cost)
    assert json.loads(json.dumps(cost)) == cost


def test_a_lost_verdict_costs_no_other_of_its_clip():
    class Broken(Rules):
        def judge(self, entities, transcript, language):
            reached = super().judge(entities[:1], transcript, language)
            raise VerifierError("entity e2: IndexError: 7", verdicts=(*reached, None))

    entities = (Entity("e1", "plain_number", "12"), Entity("e2", "plain_number", "13"))
    clip = Clip("c", Path("c.wav"), "twelve and thirteen", "en", entities)

    result = judged_here(Broken(), clip, Result(Transcript("12 and 13"), source="live"))

    assert result.failure == Failure("verifier", "entity e2: IndexError: 7")
    judged = record(clip, 1, "c.wav", result).entities
    assert [one.verdict and one.verdict.present for one in judged] == [True, None]
