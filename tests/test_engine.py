"""What the engine makes of providers and verifiers of every kind."""

from __future__ import annotations

import asyncio
import threading
import time
import weakref
from dataclasses import replace

import numpy
import pytest
from helpers.engine_clips import Client, Judge, Words, clip, clips, engine, until
from helpers.http_server import serving, text

from pytest_asrbench.engine import Watch, run_all
from pytest_asrbench.errors import (
    AuthError,
    InputError,
    ProviderError,
    TransientError,
    VerifierError,
)
from pytest_asrbench.model import Failure, Transcript, Verdict, VerifierUsage
from pytest_asrbench.providers.base import Description
from pytest_asrbench.settings.parsing import Budget
from pytest_asrbench.store import Store
from pytest_asrbench.verifiers.base import Identity, Judgement
from pytest_asrbench.verifiers.overrides import Decision, transcript_hash

AT_ONCE = {"timeout_s": 0.4, "loading_s": 0}  # no model is loaded


class Sync:
    """A sync provider that counts how many of its calls run at once."""

    def __init__(self, answer=lambda audio: "hello", concurrency=None, seconds=0.01, **described):
        self.answer, self.seconds, self.described = answer, seconds, described
        if concurrency:
            self.concurrency = concurrency
        self.calls = self.running = self.most = 0
        self.threads = set()
        self.lock = threading.Lock()

    def describe(self):
        return Description("sync", **{"version": "1", **self.described})

    def transcribe(self, audio):
        with self.lock:
            self.calls += 1
            self.running += 1
            self.most = max(self.most, self.running)
            self.threads.add(threading.current_thread().name)
        time.sleep(self.seconds)
        with self.lock:
            self.running -= 1
        return self.answer(audio)


class Async(Sync):
    async def transcribe(self, audio):
        self.calls += 1
        await asyncio.sleep(self.seconds)
        return self.answer(audio)


class Recorded:
    def __init__(self, texts):
        self.texts = texts

    def describe(self):
        return Description("recorded", "file")

    def lookup(self, clip_id):
        try:
            return Transcript(self.texts[clip_id])
        except KeyError:
            raise ProviderError(f"no transcript for clip {clip_id!r}") from None


def test_a_record_says_all_that_is_known(tmp_path):
    one = clip(tmp_path, "en-US/c", seconds=0.5)
    one = replace(one, row=17, slices={"domain": "finance"}, tags=("smoke",))
    said = Transcript("hello", "model-7", "req-1", billed_s=2.0)

    [record] = run_all(engine([one], Async(lambda audio: said), limits={"price_per_minute": 0.6}))

    assert (record.clip, record.row, record.repeat) == ("en-US/c", 17, 1)
    assert (record.reference, record.language, record.tags) == ("hello", "en", ("smoke",))
    assert record.slices == {"domain": "finance"}
    assert record.audio == "en-US_c.wav"
    assert len(record.audio_sha256) == 64
    assert record.duration_s == pytest.approx(0.5)
    assert (record.transcript, record.source, record.attempts) == ("hello", "live", 1)
    assert record.recorded_at.endswith("Z")
    assert record.latency_ms >= 10
    assert (record.reported_model, record.request_id, record.billed_s) == ("model-7", "req-1", 2.0)
    assert record.cost == pytest.approx(0.02)
    assert record.entities[0].verdict == Verdict(True, True, "looked for it")


def test_prefetch_begins_before_anyone_asks_and_in_test_order(tmp_path):
    begun = []
    provider = Async(lambda audio: begun.append(audio.sha256) or "hello")
    slow_to_read = clip(tmp_path, "long", seconds=600)
    work = engine([slow_to_read, *clips(tmp_path, 12)], provider, concurrency=1)
    work.start()
    until(lambda: len(begun) == 13)
    records = [work.record(name) for name, _ in work.work]
    work.close()

    assert begun == [record.audio_sha256 for record in records]


def test_what_a_test_waits_for_comes_first(tmp_path):
    provider = Async(seconds=0.05)
    work = engine(clips(tmp_path, 40), provider, concurrency=1)
    work.start()
    work.record("en-US/clip-39")
    calls = provider.calls
    work.close()

    assert calls <= 4


def test_a_clip_is_called_for_once_however_often_it_is_asked_for(tmp_path):
    provider = Sync()
    work = engine(clips(tmp_path, 2), provider)
    threads = [threading.Thread(target=work.record, args=("en-US/clip-1",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert work.record("en-US/clip-1") is work.record("en-US/clip-1")
    run_all(work)

    assert provider.calls == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("provider", "options", "most"),
    [
        (Sync(), {}, 1),
        (Sync(), {"concurrency": 8}, 1),
        (Sync(concurrency=3), {}, 3),
        (Sync(concurrency=3), {"concurrency": 2}, 2),
        (Sync(), {"limits": {"concurrency": 4}}, 4),
        (Sync(concurrency=12, seconds=0.2), {}, 12),
        (Sync(concurrency=3), {"concurrency": 8}, 3),
        (Sync(concurrency=3), {"limits": {"concurrency": 8}}, 3),
        (Sync(seconds=0.2), {"limits": {"concurrency": 4}, "concurrency": 6}, 6),
        (Sync(), {"limits": {"concurrency": 4}, "concurrency": 2}, 2),
    ],
    ids=[
        "undeclared",
        "undeclared, 8 asked",
        "declared",
        "declared, 2 asked",
        "configured",
        "more declared than usual",
        "declared, 8 asked",
        "declared, 8 configured",
        "configured, 6 asked",
        "configured, 2 asked",
    ],
)
def test_sync_code_runs_in_threads_and_one_call_at_a_time_unless_it_says_so(
    tmp_path, provider, options, most
):
    run_all(engine(clips(tmp_path, 12), provider, **options))

    assert provider.most == most
    assert threading.main_thread().name not in provider.threads


def test_async_code_gets_eight_calls_at_once_by_default(tmp_path):
    with serving(lambda request: text("hello", delay_s=0.1)) as server:
        run_all(engine(clips(tmp_path, 20), Client(server.url)))

    assert server.most_in_flight == 8


@pytest.mark.slow
@pytest.mark.parametrize("asked", [2, 12])
def test_what_is_asked_for_goes_before_the_configuration(tmp_path, asked):
    with serving(lambda request: text("hello", delay_s=0.3)) as server:
        limits = {"concurrency": 4}
        run_all(engine(clips(tmp_path, 24), Client(server.url), limits=limits, concurrency=asked))

    assert server.most_in_flight == asked


@pytest.mark.parametrize(
    ("answer", "kind", "says"),
    [
        (lambda audio: None, "provider", "returned NoneType, not a str or Transcript"),
        (lambda audio: Transcript(None), "provider", "whose text is NoneType"),
        (lambda audio: "no " * 70_000, "provider", "returned 210,000 characters, more than 200,"),
        (lambda audio: 1 / 0, "provider", "ZeroDivisionError: division by zero"),
        (lambda audio: exit(3), "provider", "SystemExit: 3"),
        (lambda audio: next(iter(())), "provider", "StopIteration"),
    ],
)
@pytest.mark.parametrize("kind_of_code", [Sync, Async])
def test_whatever_user_code_does_is_that_clip_s_error(tmp_path, kind_of_code, answer, kind, says):
    provider = kind_of_code(answer)

    [record] = run_all(engine(clips(tmp_path, 1), provider))

    assert record.error.kind == kind
    assert says in record.error.message
    assert provider.calls == 1


def test_errors_of_one_clip_leave_the_others_alone(tmp_path):
    work = clips(tmp_path, 6)
    bad = work[2].path
    bad.write_bytes(b"no audio at all")
    gone = work[3].path
    gone.unlink()

    records = run_all(engine(work, Async()))

    assert [r.error.kind if r.error else None for r in records] == [
        None, None, "audio", "audio", None, None,
    ]  # fmt: skip
    assert str(gone) in records[3].error.message
    assert records[3].attempts == 0


@pytest.mark.slow
def test_sync_code_that_hangs_fails_its_clip_and_is_not_entered_again(tmp_path):
    release = threading.Event()
    provider = Sync(lambda audio: release.wait(20) and "hello")

    records = run_all(engine(clips(tmp_path, 3), provider, limits=AT_ONCE))
    release.set()

    assert records[0].error.kind == "timeout"
    assert "has not come back" in records[1].error.message
    assert provider.calls == 1


@pytest.mark.slow
def test_sync_code_for_many_calls_goes_on_beside_one_that_hangs(tmp_path):
    """Which is not tried again: it goes on in its thread, so that would be a second call."""
    release, first = threading.Event(), iter([True])
    provider = Sync(
        lambda audio: (next(first, False) and release.wait(20)) or "hello", concurrency=2
    )

    records = run_all(engine(clips(tmp_path, 6), provider, limits=AT_ONCE))
    release.set()

    assert sorted(str(record.error and record.error.kind) for record in records) == [
        "None", "None", "None", "None", "None", "timeout",
    ]  # fmt: skip
    assert [record.attempts for record in records] == [1] * 6
    assert provider.calls == 6


def test_odd_values_of_user_code_are_stored_plainly(tmp_path):
    class Text(str):
        pass

    said = Transcript(Text("caf\udce9"), billed_s=numpy.float32(1.5))
    settings = {"path": tmp_path, "share": numpy.float32(0.5), "ports": {10: "x", 9: "y"}}
    provider = Async(lambda audio: said, settings=settings)
    options = {"cache": tmp_path / "cache"}

    [live] = run_all(engine(clips(tmp_path, 1), provider, **options))
    [cached] = run_all(engine(clips(tmp_path, 1), provider, **options))

    assert (live.transcript, live.billed_s) == (cached.transcript, cached.billed_s)
    assert type(live.transcript) is type(cached.transcript) is str
    assert (cached.source, type(cached.billed_s)) == ("cache", float)


def test_repeats_are_called_for_and_stored_one_by_one(tmp_path):
    said = iter(f"hello {n}" for n in range(100))
    provider = Sync(lambda audio: next(said))
    work = clips(tmp_path, 2)

    first = run_all(engine(work, provider, repeat=3, cache=tmp_path / "cache"))
    again = run_all(engine(work, provider, repeat=3, cache=tmp_path / "cache"))

    assert provider.calls == 6
    assert [(r.clip, r.repeat) for r in first] == [(c.id, n) for c in work for n in (1, 2, 3)]
    assert len({r.transcript for r in first}) == 6
    assert [r.transcript for r in again] == [r.transcript for r in first]
    assert {r.source for r in again} == {"cache"}
    assert [r.recorded_at for r in again] == [r.recorded_at for r in first]


def test_replay_makes_no_call_at_all_and_names_what_records_a_missing_clip(tmp_path):
    work = clips(tmp_path, 3)
    with serving(lambda request: text("hello")) as server:
        run_all(engine(work[:2], Client(server.url), cache=tmp_path / "cache"))
        called = len(server.requests)
        store = Store(tmp_path / "cache", mode="replay")
        records = run_all(engine(work, Client(server.url), cache=store))

        assert len(server.requests) == called
    assert [r.transcript for r in records] == ["hello", "hello", None]
    cache = tmp_path / "cache"
    assert records[2].error == Failure(
        "replay",
        f"replay: {cache} holds nothing for clip 'en-US/clip-2' with this audio and configuration; "
        "record it with this run's command and --asr-cache-mode=fill",
    )


def test_replay_of_code_without_a_version_says_why_it_cannot_work(tmp_path):
    provider = Sync(version=None, reusable=False)
    store = Store(tmp_path / "cache", mode="replay")

    [record] = run_all(engine(clips(tmp_path, 1), provider, cache=store))

    assert "give it a version=" in record.error.message
    assert provider.calls == 0


def test_refresh_calls_again_and_stores(tmp_path):
    said = iter(["old", "new"])
    provider, work = Sync(lambda audio: next(said)), clips(tmp_path, 1)
    run_all(engine(work, provider, cache=tmp_path / "cache"))

    [live] = run_all(engine(work, provider, cache=Store(tmp_path / "cache", mode="refresh")))
    [kept] = run_all(engine(work, provider, cache=tmp_path / "cache"))

    assert (live.transcript, live.source) == ("new", "live")
    assert (kept.transcript, kept.source) == ("new", "cache")


def test_errors_are_not_stored(tmp_path):
    work = clips(tmp_path, 1)
    cache = tmp_path / "cache"
    [failed] = run_all(engine(work, Sync(lambda audio: 1 / 0), cache=cache))
    [record] = run_all(engine(work, Sync(), cache=cache))

    assert failed.error
    assert (record.transcript, record.source) == ("hello", "live")


def test_a_transcript_is_returned_though_nothing_can_be_stored(tmp_path):
    (tmp_path / "cache").write_text("a file where the folder should be")
    work = engine(clips(tmp_path, 3), Sync(), cache=tmp_path / "cache")

    records = run_all(work)

    assert [r.transcript for r in records] == ["hello"] * 3
    assert any("can't be written" in note for note in work.notes)


def test_a_run_folder_that_cannot_be_used_fails_in_one_line_before_any_call(tmp_path):
    (tmp_path / "run").write_text("a file where the folder should be")
    provider = Sync()

    records = run_all(engine(clips(tmp_path, 2), provider, run_store=tmp_path / "run"))

    assert {r.error.kind for r in records} == {"disk"}
    assert f"{tmp_path / 'run'}: can't be used" in records[0].error.message
    assert provider.calls == 0


class TestRecorded:
    def test_no_audio_is_read_and_nothing_is_written(self, tmp_path):
        one = replace(clip(tmp_path, "c"), path=tmp_path / "missing.wav")
        run = tmp_path / "run"
        work = engine([one], Recorded({"c": "hello"}), run_store=run, cache=tmp_path / "cache")

        [record] = run_all(work)

        assert (record.transcript, record.source, record.audio_sha256) == (
            "hello", "recorded", None,
        )  # fmt: skip
        assert record.latency_ms is None
        assert not run.exists()
        assert not (tmp_path / "cache").exists()

    def test_a_missing_id_is_that_clip_s_error(self, tmp_path):
        records = run_all(engine(clips(tmp_path, 2), Recorded({"en-US/clip-1": "hello"})))

        assert records[0].error.message == "no transcript for clip 'en-US/clip-0'"
        assert records[1].error is None

    def test_a_judge_that_costs_money_is_asked_through_the_pool(self, tmp_path):
        judge, cache = Judge(), tmp_path / "cache"
        texts = {c.id: "hello" for c in clips(tmp_path, 5)}

        for _ in range(2):
            records = run_all(
                engine(clips(tmp_path, 5), Recorded(texts), verifier=judge, cache=cache)
            )

        assert judge.calls == 1  # five clips with one transcript and the same targets
        assert all(r.entities[0].verdict.present for r in records)

    def test_the_same_words_are_asked_about_once_a_run(self, tmp_path):
        """Whatever the store: repeats of a clip mostly say the same."""

        class Slow(Judge):
            async def judge(self, entities, transcript, language):
                await asyncio.sleep(0.05)
                answer = await super().judge(entities, transcript, language)
                return Judgement(tuple(answer), VerifierUsage(calls=1, cost=0.5))

        judge = Slow()
        texts = {c.id: "hello" for c in clips(tmp_path, 5)}

        records = run_all(engine(clips(tmp_path, 5), Recorded(texts), verifier=judge, repeat=2))

        assert judge.calls == 1
        assert sum(r.judging.cost for r in records) == 0.5
        assert all(r.entities[0].verdict.present for r in records)

    def test_a_question_that_failed_is_asked_again_for_the_next_clip(self, tmp_path):
        class Once(Judge):
            async def judge(self, entities, transcript, language):
                answer = await super().judge(entities, transcript, language)
                if self.calls == 1:
                    raise VerifierError("one malformed reply")
                return answer

        texts = {c.id: "hello" for c in clips(tmp_path, 5)}

        records = run_all(engine(clips(tmp_path, 5), Recorded(texts), verifier=Once()))

        assert [r.error is None for r in records].count(False) == 1


class Odd(BaseException):
    """What pytest.skip() raises is none of Exception's either."""


ODD = [
    asyncio.CancelledError,
    GeneratorExit,
    SystemExit,
    KeyboardInterrupt,
    StopAsyncIteration,
    Odd,
]


@pytest.mark.parametrize("raised", ODD)
class TestWhateverForeignCodeRaises:
    def test_it_is_that_clip_s_error_in_a_provider(self, tmp_path, raised):
        class Raising(Async):
            async def transcribe(self, audio):
                self.calls += 1
                if self.calls == 2:
                    raise raised
                return "hello"

        records = run_all(engine(clips(tmp_path, 4), Raising(), concurrency=1))

        assert [r.error and r.error.kind for r in records] == [None, "provider", None, None]

    def test_it_is_that_clip_s_error_in_an_async_verifier(self, tmp_path, raised):
        class Raising(Judge):
            async def judge(self, entities, transcript, language):
                self.calls += 1
                if self.calls == 2:
                    raise raised
                return Words().judge(entities, transcript, language)

        texts = {c.id: f"hello {n}" for n, c in enumerate(clips(tmp_path, 4))}
        work = engine(clips(tmp_path, 4), Recorded(texts), verifier=Raising(), concurrency=1)

        assert [r.error is None for r in run_all(work)] == [True, False, True, True]

    @pytest.mark.slow
    def test_nothing_of_it_shows_before_the_verifier_judges(self, tmp_path, raised):
        if not issubclass(raised, Exception | SystemExit):
            pytest.skip("ends the test that calls it, as it would anywhere")

        class Raising(Words):
            def prepare(self, entities, language):
                raise raised

        [record] = run_all(engine(clips(tmp_path, 1), Async(seconds=0.4), verifier=Raising()))

        assert record.error is None


class TestVerifiers:
    @pytest.mark.slow
    def test_targets_are_made_ready_while_the_call_lasts(self, tmp_path):
        happened = []

        class Compiling(Words):
            def prepare(self, entities, language):
                happened.append("prepared")
                raise VerifierError("no pack")  # which only judging may tell

            def judge(self, entities, transcript, language):
                happened.append("judged")
                return super().judge(entities, transcript, language)

        [record] = run_all(engine(clips(tmp_path, 1), Async(seconds=0.4), verifier=Compiling()))

        assert happened == ["prepared", "judged"]
        assert record.error is None

    def test_no_verdict_is_an_error_that_keeps_the_transcript(self, tmp_path):
        one = replace(clip(tmp_path, "c"), language="xx")

        for verifier in (Words(), Judge()):
            [record] = run_all(engine([one], Async(), verifier=verifier))

            assert record.error == Failure("verifier", "no pack for language 'xx'")
            assert record.transcript == "hello"
            assert record.entities[0].verdict is None

    def test_one_verdict_for_each_target_or_none_counts(self, tmp_path):
        class Short(Words):
            def judge(self, entities, transcript, language):
                return []

        [record] = run_all(engine(clips(tmp_path, 1), Async(), verifier=Short()))

        assert record.error == Failure("verifier", "0 verdicts for 1 entities")

    def test_a_bug_in_a_verifier_is_an_error(self, tmp_path):
        class Broken(Words):
            def judge(self, entities, transcript, language):
                raise KeyError("oops")

        [record] = run_all(engine(clips(tmp_path, 1), Async(), verifier=Broken()))

        assert record.error == Failure("verifier", "KeyError: 'oops'")

    @pytest.mark.slow
    def test_a_service_that_is_busy_is_asked_again(self, tmp_path):
        class Busy(Judge):
            async def judge(self, entities, transcript, language):
                if self.calls == 0:
                    self.calls = 1
                    raise TransientError("busy", retry_after=0.01)
                return await super().judge(entities, transcript, language)

        judge = Busy()
        [record] = run_all(engine(clips(tmp_path, 1), Async(), verifier=judge))

        assert record.error is None
        assert judge.calls == 2

    def test_a_refused_key_of_the_judge_stops_the_run(self, tmp_path):
        class Refused(Judge):
            async def judge(self, entities, transcript, language):
                self.calls += 1
                raise AuthError("bad key", host="api.example.com")

        judge, provider = Refused(), Async()
        records = run_all(engine(clips(tmp_path, 20), provider, verifier=judge, concurrency=1))

        assert (judge.calls, provider.calls) == (1, 1)
        assert {r.error.kind for r in records} == {"auth"}

    def test_effort_is_kept_and_costs_nothing_the_second_time(self, tmp_path):
        class Costly(Judge):
            async def judge(self, entities, transcript, language):
                verdicts = await super().judge(entities, transcript, language)
                return Judgement(tuple(verdicts), VerifierUsage(calls=1, asked=1, cost=0.5))

        work, run = clips(tmp_path, 1), tmp_path / "run"
        options = {"verifier": Costly(), "cache": tmp_path / "cache"}
        [first] = run_all(engine(work, Async(), run_store=run, **options))
        [again] = run_all(engine(work, Async(), **options))

        assert first.judging == VerifierUsage(calls=1, asked=1, cost=0.5)
        assert again.judging == VerifierUsage(calls=0, asked=1, cost=0.0)
        assert Watch(run, 1).progress().cost == 0.5

    def test_verdicts_of_another_verifier_are_not_used(self, tmp_path):
        work, cache = clips(tmp_path, 1), tmp_path / "cache"
        first, second = Judge(), Judge()
        second.identity = Identity("judge", "2", "sha256:judge-2")

        for judge in (first, second):
            run_all(engine(work, Async(), verifier=judge, cache=cache))

        assert (first.calls, second.calls) == (1, 1)

    def test_replay_asks_no_judge(self, tmp_path):
        work, cache = clips(tmp_path, 1), tmp_path / "cache"
        run_all(engine(work, Async(), cache=cache))
        judge = Judge()

        [record] = run_all(engine(work, Async(), verifier=judge, cache=Store(cache, mode="replay")))

        assert judge.calls == 0
        assert record.error.kind == "replay"
        assert "no verdicts of 'judge' stored for clip 'en-US/clip-0'" in record.error.message

    @pytest.mark.parametrize("verifier", [Words(), Judge()], ids=["sync", "async"])
    def test_human_decisions_win_and_are_never_stored_as_the_verifier_s(self, tmp_path, verifier):
        one, cache = clip(tmp_path, "c"), tmp_path / "cache"
        decision = Decision("word", "hello", transcript_hash("hello"), False, "mumbled")

        decisions = {decision.key: decision}
        made = engine([one], Async(), verifier=verifier, cache=cache, decisions=decisions)
        [decided] = run_all(made)
        [plain] = run_all(engine([one], Async(), verifier=verifier, cache=cache))

        assert [m.entity.id for m in decided.misses] == ["e1"]
        assert plain.misses == ()


class TestBudget:
    def test_money_is_spent_no_further(self, tmp_path):
        provider = Async()
        work = engine(
            clips(tmp_path, 10),  # 0.2 s each: 0.01 at 3 a minute
            provider,
            budget=Budget(money=0.04),
            limits={"price_per_minute": 3.0},
        )

        records = run_all(work)

        assert provider.calls == 4
        assert sum(r.cost for r in records if r.cost) == pytest.approx(0.04)
        refused = [r for r in records if r.error]
        assert {r.error.kind for r in refused} == {"budget"}
        assert any(
            r.error.message
            == "budget of 0.04 USD reached (4 calls for 0.0400, the next costs 0.0100); "
            "raise --asr-budget to go on"
            for r in refused
        )

    def test_stored_transcripts_are_free(self, tmp_path):
        work, cache = clips(tmp_path, 10), tmp_path / "cache"
        run_all(engine(work[:8], Async(), cache=cache))

        records = run_all(engine(work, Async(), cache=cache, budget=Budget(audio_s=0.4)))

        assert not any(r.error for r in records)
        assert [r.cost for r in records[:8]] == [0.0] * 8

    def test_money_needs_a_price(self, tmp_path):
        with pytest.raises(InputError, match="no price known for provider 'mine'; give price_per"):
            engine(clips(tmp_path, 1), Async(), budget=Budget(money=1.0))

    def test_recorded_transcripts_need_no_price(self, tmp_path):
        [one] = clips(tmp_path, 1)

        [record] = run_all(engine([one], Recorded({one.id: "hello"}), budget=Budget(money=1.0)))

        assert (record.transcript, record.error) == ("hello", None)


class TestClosing:
    def test_calls_in_flight_end_and_are_stored(self, tmp_path):
        """Another worker may be waiting for them."""
        provider, cache = Async(seconds=0.3), tmp_path / "cache"
        work = engine(clips(tmp_path, 20), provider, concurrency=4, cache=cache)
        work.start()
        until(lambda: provider.calls == 4)
        work.close()

        assert provider.calls == 4
        assert len(list((cache / "transcripts").glob("*/*.json"))) == 4

    @pytest.mark.slow
    def test_an_interrupted_run_does_not_wait_for_a_long_call(self, tmp_path):
        provider = Async(seconds=60)
        work = engine(clips(tmp_path, 1), provider)
        work.start()
        until(lambda: provider.calls)
        began = time.monotonic()
        work.close(drain=False)

        assert time.monotonic() - began < 20

    def test_a_back_off_is_not_waited_for(self, tmp_path):
        def busy(audio):
            raise TransientError("busy", retry_after=60)

        provider = Async(busy)
        work = engine(clips(tmp_path, 1), provider)
        work.start()
        until(lambda: provider.calls)
        began = time.monotonic()
        work.close()

        assert time.monotonic() - began < 20

    def test_provider_and_verifier_are_closed(self, tmp_path):
        closed = []

        class Closed(Async):
            async def aclose(self):
                closed.append("provider")

        class ClosedJudge(Judge):
            async def aclose(self):
                closed.append("verifier")

        run_all(engine(clips(tmp_path, 1), Closed(), verifier=ClosedJudge()))

        assert closed == ["provider", "verifier"]


def test_a_provider_that_cannot_be_closed_is_noted_after_a_good_run(tmp_path):
    class Sticky(Async):
        async def aclose(self):
            raise RuntimeError("still busy")

    work = engine(clips(tmp_path, 1), Sticky())
    [record] = run_all(work)

    assert record.error is None
    assert work.notes == ("closing Sticky failed: RuntimeError: still busy",)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_audio(tmp_path):
    """Only what is in flight holds audio."""
    heard, alive = weakref.WeakSet(), []

    def answer(audio):
        heard.add(audio)
        alive.append(len(heard))
        return "hello"

    run_all(engine(clips(tmp_path, 30), Sync(answer)))

    assert len(alive) == 30
    assert max(alive) <= 3
