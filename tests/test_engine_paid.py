"""What a run pays for: once, within its budget, and charged as far as it was paid for."""

from __future__ import annotations

import asyncio
import json
import shutil
import time
from collections import Counter

import pytest
from helpers.chat_server import answering, asked, chat, completion, results
from helpers.engine_clips import Client, clips, engine, until
from helpers.engine_process import result, start
from helpers.http_server import Reply, error, in_turn, serving, text

from pytest_asrbench.engine import run_all
from pytest_asrbench.errors import InputError
from pytest_asrbench.settings.parsing import Budget
from pytest_asrbench.verifiers.base import Identity
from pytest_asrbench.verifiers.llm import Llm
from pytest_asrbench.verifiers.rules import Rules

HEARD = {"present": True, "evidence": "hello"}
ASKED = 0.0016  # what the chat server counts, at a price of 1 for a million tokens
PRICE = {"input": 1, "output": 1}


def llm(server, **settings):
    return Llm(rules=Rules(), base_url=server.url + "/v1", **settings)


def same_sound(folder, count):
    """Clips of one and the same recording."""
    made = clips(folder, count)
    for clip in made[1:]:
        shutil.copy(made[0].path, clip.path)
    return made


class Hangs:
    local = False
    identity = Identity("hangs", "1", "sha256:hangs-1")
    asked = 0

    def judge(self, entities, transcript, language):
        self.asked += 1
        time.sleep(2)


class HangsAwaited(Hangs):
    async def judge(self, entities, transcript, language):
        self.asked += 1
        await asyncio.sleep(600)


class TestOnce:
    @pytest.mark.slow
    @pytest.mark.parametrize("mode", ["fill", "refresh", "off"])
    def test_workers_ask_once_about_a_transcript_that_comes_often(self, tmp_path, mode):
        clips(tmp_path, 30)
        with serving(lambda request: text("hello")) as server, chat(answering(HEARD)) as judge:
            workers = [
                start(
                    tmp_path,
                    server.url,
                    run="run",
                    count=30,
                    processes=3,
                    chat=judge.url,
                    cache="cache",
                    cache_mode=mode,
                )
                for _ in range(3)
            ]
            found = [result(worker) for worker in workers]

        assert all(each["present"] == [[True]] * 30 for each in found)
        assert len(judge.requests) == 1

    @pytest.mark.slow
    def test_two_runs_on_one_store_ask_once(self, tmp_path):
        clips(tmp_path, 12)
        words = in_turn([text(f"hello {n}", delay_s=0.05) for n in range(12)])
        with serving(words) as server, chat(answering(HEARD)) as judge:
            runs = [
                start(tmp_path, server.url, run=run, count=12, cache="cache", chat=judge.url)
                for run in ("run-1", "run-2")
            ]
            found = [result(run) for run in runs]

        assert all(each["present"] == [[True]] * 12 for each in found)
        assert len(judge.requests) == 12

    @pytest.mark.slow
    @pytest.mark.parametrize("mode", ["fill", "refresh", "off"])
    @pytest.mark.parametrize("processes", [1, 3])
    def test_equal_recordings_are_called_for_once(self, tmp_path, mode, processes):
        same_sound(tmp_path, 12)
        with serving(lambda request: text("hello", delay_s=0.02)) as server:
            workers = [
                start(
                    tmp_path,
                    server.url,
                    run="run",
                    count=12,
                    cache="cache",
                    cache_mode=mode,
                    processes=None if processes == 1 else processes,
                )
                for _ in range(processes)
            ]
            found = [result(worker) for worker in workers]

        assert all(each["transcripts"] == ["hello"] * 12 for each in found)
        assert all(each["sources"] == ["live"] * 12 for each in found)
        assert len(server.requests) == 1

    def test_equal_recordings_are_paid_for_once_and_stored_ones_are_cached(self, tmp_path):
        work = same_sound(tmp_path, 3)
        stored, runs = tmp_path / "cache", []
        with serving(lambda request: text("hello")) as server:
            for run in ("run-1", "run-2"):
                made = engine(work, Client(server.url), cache=stored, run_store=tmp_path / run)
                runs.append(run_all(made))

        assert [record.source for records in runs for record in records] == ["live"] * 3 + [
            "cache"
        ] * 3

    def test_what_an_earlier_run_stored_for_a_clip_with_other_audio_is_cached(self, tmp_path):
        stored, [first, second] = tmp_path / "cache", clips(tmp_path, 2)
        with serving(lambda request: text("hello")) as server:
            run_all(engine([first], Client(server.url), cache=stored))
            heard, other = first.path.read_bytes(), second.path.read_bytes()
            first.path.write_bytes(other)  # recorded anew, and the old recording has a new name
            second.path.write_bytes(heard)
            records = run_all(engine([first, second], Client(server.url), cache=stored))

        assert [record.source for record in records] == ["live", "cache"]

    def test_equal_recordings_are_called_for_again_in_each_repeat(self, tmp_path):
        work = same_sound(tmp_path, 3)
        with serving(lambda request: text("hello")) as server:
            records = run_all(engine(work, Client(server.url), repeat=4))

        assert len(records) == 12
        assert len(server.requests) == 4

    @pytest.mark.slow
    def test_a_store_that_can_not_be_written_costs_no_second_question(self, tmp_path):
        work = clips(tmp_path, 6)
        (tmp_path / "cache").write_text("a file where the folder should be")
        with serving(lambda request: text("hello")) as server, chat(answering(HEARD)) as judge:
            made = engine(work, Client(server.url), cache=tmp_path / "cache", verifier=llm(judge))
            records = run_all(made)

        assert all(record.error is None for record in records)
        assert len(judge.requests) == 1

    def test_a_store_that_can_not_be_locked_is_used_all_the_same(self, tmp_path):
        work = clips(tmp_path, 2)
        (tmp_path / "cache" / "lock").mkdir(parents=True)
        with serving(lambda request: text("hello")) as server:
            made = engine(work, Client(server.url), cache=tmp_path / "cache")
            records = run_all(made)
            run_all(engine(work, Client(server.url), cache=tmp_path / "cache"))

        assert all(record.error is None for record in records)
        assert len(server.requests) == 2  # the second run found both
        [note] = made.notes
        assert "lock: can't be used as a lock (Is a directory); another run may call" in note

    @pytest.mark.slow
    @pytest.mark.parametrize("mode", ["fill", "refresh"])
    def test_what_a_killed_worker_has_paid_for_is_kept_and_counted(self, tmp_path, mode):
        clips(tmp_path, 6)
        held = True
        present = answering(HEARD)

        def model(body):
            reply = present(body)
            return type(reply)(**{**vars(reply), "held": lambda: held})

        with serving(lambda request: text("hello")) as server, chat(model) as judge:
            options = {"run": "run", "count": 6, "cache": "cache", "cache_mode": mode}
            killed = start(tmp_path, server.url, processes=2, chat=judge.url, **options)
            # What a refresh stores is no use to its own run, which keeps it beside that.
            stored = tmp_path / ("cache" if mode == "fill" else "run/paid") / "transcripts"
            until(lambda: judge.requests and len([*stored.glob("*/[!.]*.json")]) == 6)
            killed.kill()
            killed.communicate()
            held = False
            other = start(tmp_path, server.url, processes=2, chat=judge.url, **options)

            found = result(other)
            assert found["transcripts"] == ["hello"] * 6
            assert found["sources"] == ["live"] * 6  # of this run, whoever called
        assert len(server.requests) == 6

    @pytest.mark.slow
    def test_of_three_votes_only_the_one_that_failed_is_asked_for_again(self, tmp_path):
        work = clips(tmp_path, 1)
        answers = iter([None, error(500, "busy")])

        def model(body):
            return next(answers, None) or answering(HEARD)(body)

        with serving(lambda request: text("hello")) as server, chat(model) as judge:
            verifier = llm(judge, votes=3, price=PRICE)
            [record] = run_all(engine(work, Client(server.url), verifier=verifier))

        assert record.error is None
        assert len(judge.requests) == 4
        assert record.judging.calls == 3
        assert record.judging.cost == pytest.approx(3 * ASKED)

    def test_votes_that_were_paid_for_count_though_no_verdict_came(self, tmp_path):
        work = clips(tmp_path, 1)
        broken = completion("no JSON")
        with serving(lambda request: text("hello")) as server, chat(lambda body: broken) as judge:
            verifier = llm(judge, price=PRICE)
            [record] = run_all(engine(work, Client(server.url), verifier=verifier))

        assert record.error.kind == "verifier"
        assert len(judge.requests) == 2
        assert record.judging.cost == pytest.approx(2 * ASKED)

    @pytest.mark.slow
    @pytest.mark.parametrize(("kind", "asked"), [("sync", 1), ("async", 5)])
    def test_a_judge_that_hangs_is_asked_again_where_that_ends_it(
        self, tmp_path, monkeypatch, kind, asked
    ):
        monkeypatch.setattr("pytest_asrbench.engine.remote_verdicts.TIMEOUT_S", 0.1)
        monkeypatch.setattr("pytest_asrbench.engine.call.BACKOFF_S", 0.01)
        judge = Hangs() if kind == "sync" else HangsAwaited()
        with serving(lambda request: text("hello")) as server:
            made = engine(clips(tmp_path, 1), Client(server.url), verifier=judge)
            [record] = run_all(made)

        assert record.error.kind == "timeout"
        assert judge.asked == asked

    @pytest.mark.slow
    def test_votes_keep_to_the_run_s_concurrency(self, tmp_path):
        work = clips(tmp_path, 8)
        words = in_turn([text(f"hello {n}") for n in range(8)])

        def model(body):
            reply = answering(HEARD)(body)
            return type(reply)(**{**vars(reply), "delay_s": 0.05})

        with serving(words) as server, chat(model) as judge:
            verifier = llm(judge, votes=3)
            run_all(engine(work, Client(server.url), verifier=verifier, concurrency=4))

        assert len(judge.requests) == 24
        assert judge.most_in_flight == 4


class TestBudget:
    @pytest.mark.slow
    @pytest.mark.parametrize(("concurrency", "late"), [(1, 0), (8, 7)])
    def test_a_model_s_requests_are_bounded_too(self, tmp_path, concurrency, late):
        """Those in flight may take more than was estimated for them, and no more are made then."""
        work = clips(tmp_path, 40)
        words = in_turn([text(f"hello {n}") for n in range(40)])
        with serving(words) as server, chat(answering(HEARD)) as judge:
            records = run_all(
                engine(
                    work,
                    Client(server.url),
                    verifier=llm(judge, price=PRICE),
                    limits={"price_per_minute": 0.0},
                    budget=Budget(money=10.5 * ASKED),
                    concurrency=concurrency,
                )
            )

        assert 5 <= len(judge.requests) <= 10 + late
        errors = Counter(record.error and record.error.kind for record in records)
        assert errors == {None: len(judge.requests), "budget": 40 - len(judge.requests)}
        assert all(r.transcript for r in records if r.judging)

    def test_money_can_not_be_counted_without_the_model_s_price(self, tmp_path):
        work, says = clips(tmp_path, 1), "no price known for verifier 'llm'; give it a price"
        with chat(answering(HEARD)) as judge, pytest.raises(InputError, match=says):
            engine(
                work,
                Client(judge.url),
                verifier=llm(judge),
                limits={"price_per_minute": 0.1},
                budget=Budget(money=1),
            )

    @pytest.mark.slow
    def test_an_audio_budget_needs_no_price_of_the_model(self, tmp_path):
        work = clips(tmp_path, 4)  # of 0.2 s
        with serving(lambda request: text("hello")) as server, chat(answering(HEARD)) as judge:
            budget = Budget(audio_s=0.8)
            made = engine(work, Client(server.url), verifier=llm(judge), budget=budget)
            records = run_all(made)

        assert all(record.entities[0].verdict.present for record in records)

    @pytest.mark.slow
    def test_a_reply_of_no_use_was_paid_for(self, tmp_path):
        work = clips(tmp_path, 30, seconds=1)
        with serving(lambda request: Reply('{"nothing": 1}')) as server:
            records = run_all(
                engine(
                    work,
                    Client(server.url),
                    limits={"price_per_minute": 6},
                    budget=Budget(money=1.0),
                    concurrency=1,
                )
            )

        kinds = Counter(record.error.kind for record in records)
        assert kinds == {"reply": 10, "budget": 20}
        assert len(server.requests) == 10
        assert sum(record.cost or 0 for record in records) == pytest.approx(1.0)

    @pytest.mark.slow
    def test_the_calls_of_a_worker_that_died_stay_charged(self, tmp_path):
        clips(tmp_path, 20)  # of 0.2 s
        held = True
        with serving(lambda request: text("hello", held=lambda: held)) as server:
            options = {"run": "run", "count": 20, "processes": 2, "concurrency": 4}
            killed = start(tmp_path, server.url, audio_s=2.0, **options)
            until(lambda: len(server.requests) == 4)
            killed.kill()
            killed.communicate()
            held = False
            other = result(start(tmp_path, server.url, audio_s=2.0, **options))

        assert len(server.requests) == 10
        assert Counter(other["errors"]) == {None: 6, "budget": 14}


class TestOutage:
    @pytest.mark.slow
    def test_a_judge_that_is_down_stops_the_run(self, tmp_path):
        work = clips(tmp_path, 80)
        words = in_turn([text(f"hello {n}") for n in range(80)])
        with serving(words) as server, chat(lambda body: error(500, "down")) as judge:
            records = run_all(engine(work, Client(server.url), verifier=llm(judge)))

        assert len(judge.requests) <= (20 + 8) * 5
        messages = Counter(record.error.message for record in records)
        stopped = "the first 20 calls of the verifier all failed (server at 127.0.0.1"
        assert sum(n for message, n in messages.items() if stopped in message) >= 80 - 28
        assert all(record.error.kind == "server" for record in records)

    @pytest.mark.slow
    def test_one_verdict_is_enough_to_go_on(self, tmp_path):
        work = clips(tmp_path, 30)
        words = in_turn([text(f"hello {n}") for n in range(30)])

        def model(body):
            heard = asked(body)["transcript"]
            if heard == "hello 0":
                return completion(results(asked(body), HEARD))
            return error(400, "no")

        with serving(words) as server, chat(model) as judge:
            made = engine(work, Client(server.url), verifier=llm(judge), concurrency=1)
            records = run_all(made)

        assert records[0].error is None
        assert len(judge.requests) == 30

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("useless", "kind"),
        [
            (Reply("<html>gateway</html>"), "verifier"),
            (completion(None, message={"role": "assistant", "refusal": "no"}), "verifier"),
            (completion('{"results": []}'), "verifier"),
        ],
    )
    def test_answers_without_any_verdict_stop_the_run_too(self, tmp_path, useless, kind):
        work = clips(tmp_path, 60)
        words = in_turn([text(f"hello {n}") for n in range(60)])
        with serving(words) as server, chat(lambda body: useless) as judge:
            made = engine(work, Client(server.url), verifier=llm(judge), concurrency=4)
            records = run_all(made)

        assert len(judge.requests) <= 2 * (20 + 4)
        assert {record.error.kind for record in records} == {kind}
        assert "calls of the verifier all failed" in records[-1].error.message


class TestPauses:
    @pytest.mark.slow
    def test_what_a_judge_s_server_asks_for_holds_for_all_its_requests(self, tmp_path):
        work = clips(tmp_path, 12)
        words = in_turn([text(f"hello {n}") for n in range(12)])
        replies = iter([error(429, "busy", retry_after="1")])

        def model(body):
            return next(replies, None) or answering(HEARD)(body)

        with serving(words) as server, chat(model) as judge:
            made = engine(work, Client(server.url), verifier=llm(judge), concurrency=1)
            records = run_all(made)

        assert all(record.error is None for record in records)
        first, *others = [request.at for request in judge.requests]
        assert min(others) - first >= 1

    @pytest.mark.slow
    def test_provider_and_judge_at_one_host_wait_together(self, tmp_path):
        work = clips(tmp_path, 12)
        pauses = iter([error(429, "busy", retry_after="1")])

        def answer(request):
            if request.path.endswith("completions"):
                model = answering(HEARD)
                return next(pauses, None) or model(json.loads(request.body))
            return text(f"hello {len(server.requests)}", delay_s=0.1)

        with serving(answer) as server:
            provider = Client(server.url)
            made = engine(work, provider, verifier=llm(server), concurrency=2)
            records = run_all(made)

        assert all(record.error is None for record in records)
        asked = [request for request in server.requests if request.path.endswith("completions")]
        refused = asked[0].at
        between = [r.at for r in server.requests if refused + 0.3 < r.at < refused + 1]
        assert between == []  # but for what was on its way


@pytest.mark.slow
def test_the_concurrency_of_a_run_holds_for_the_votes_of_all_its_workers(tmp_path):
    clips(tmp_path, 12)
    words = in_turn([text(f"hello {n}") for n in range(12)])

    def model(body):
        reply = answering(HEARD)(body)
        return type(reply)(**{**vars(reply), "delay_s": 0.1})

    with serving(words) as server, chat(model) as judge:
        options = {"run": "run", "count": 12, "processes": 2, "concurrency": 2, "votes": 5}
        workers = [start(tmp_path, server.url, chat=judge.url, **options) for _ in range(2)]
        for worker in workers:
            assert result(worker)["present"] == [[True]] * 12

    assert len(judge.requests) == 60
    assert judge.most_in_flight == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"message": {"role": "assistant", "content": [{"text": "x"}]}}, "content is a list"),
        ({"message": None}, "breaks the contract"),
    ],
)
def test_an_answer_of_an_odd_shape_is_told_with_its_host(tmp_path, changes, says):
    odd = completion("x", **changes)
    with serving(lambda request: text("hello")) as server, chat(lambda body: odd) as judge:
        made = engine(clips(tmp_path, 1), Client(server.url), verifier=llm(judge))
        [record] = run_all(made)

    assert says in record.error.message
    assert record.error.host == judge.url.removeprefix("http://")


def test_tokens_that_are_no_number_count_as_none(tmp_path):
    reply = answering(HEARD)

    def model(body):
        told = reply(body)
        return Reply(told.body.replace('"prompt_tokens": 1500', '"prompt_tokens": "many"'))

    with serving(lambda request: text("hello")) as server, chat(model) as judge:
        made = engine(clips(tmp_path, 1), Client(server.url), verifier=llm(judge, price=PRICE))
        [record] = run_all(made)

    assert record.error is None
    assert record.judging.input_tokens == 0


@pytest.mark.slow
def test_a_run_of_recorded_transcripts_bounds_its_judge(suite, workers):
    present = {"present": True, "evidence": "415 555 0132"}
    with chat(answering(present)) as judge:
        asked_with = {"base_url": judge.url + "/v1", "price": PRICE}
        for n in range(12):
            heard = f"call 415 555 0132 {'and so on ' * n}"
            suite.clip(f"clip{n}", heard, phone_number="415-555-0132")
        suite.settings |= {"verifier": "llm", "verifiers": {"llm": asked_with}}
        options = f"--asr-budget={6.1 * ASKED}", "--asr-concurrency=1"
        ran = suite.run(*workers, "--asr-gate=off", *options)

    assert ran.ret == pytest.ExitCode.TESTS_FAILED
    assert len(judge.requests) == 6
    ran.stdout.fnmatch_lines(["*budget of 0.01 USD reached (6 calls for 0.0096, the next costs*"])


def test_a_budget_of_money_without_the_judge_s_price_is_told(suite, workers):
    suite.clip("one", "call 415 555 0132", phone_number="415-555-0132")
    asked_with = {"base_url": "http://127.0.0.1:9/v1"}
    suite.settings |= {"verifier": "llm", "verifiers": {"llm": asked_with}}
    ran = suite.run(*workers, "--asr-gate=off", "--asr-budget=1")

    assert ran.ret == pytest.ExitCode.USAGE_ERROR
    ran.stderr.fnmatch_lines(["*--asr-budget: no price known for verifier 'llm'; give it*"])
