"""Code of others that never comes back: it costs its clip, never the run."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import partial
from operator import attrgetter

import pytest
from helpers.engine_clips import Judge, clips, engine, until

from pytest_asrbench.engine import run_all
from pytest_asrbench.providers.base import Description


class Provider:
    """`answer` is an async function of the number of the call."""

    def __init__(self, answer):
        self.answer, self.calls = answer, 0

    def describe(self):
        return Description("mine", version="1")

    async def transcribe(self, audio):
        self.calls += 1
        return await self.answer(self.calls)


async def hello(number):
    return "hello"


async def deaf(number):
    """Goes on though it is cancelled."""
    while True:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(3600)


def kinds(records):
    return [record.error and record.error.kind for record in records]


class TestThreadsOfTheLoop:
    """`asyncio.to_thread` is the usual way to a client that is not async."""

    def test_are_the_provider_s_alone(self, tmp_path):
        together = threading.Barrier(5)  # breaks unless five are there at once

        async def answer(number):
            await asyncio.to_thread(together.wait, 30)
            return "hello"

        records = run_all(engine(clips(tmp_path, 5), Provider(answer), concurrency=5))

        assert kinds(records) == [None] * 5

    def test_delay_no_file_when_all_are_taken(self, tmp_path):
        release = threading.Event()

        async def answer(number):
            if number == 1:
                await asyncio.gather(*[asyncio.to_thread(release.wait, 60) for _ in range(64)])
            return "hello"

        provider = Provider(answer)
        work = engine(clips(tmp_path, 8), provider, concurrency=2)
        work.start()
        until(lambda: provider.calls == 8)
        release.set()

        assert kinds(run_all(work)) == [None] * 8

    @pytest.mark.slow
    def test_that_never_come_back_are_not_waited_for(self, tmp_path):
        release = threading.Event()

        async def answer(number):
            return await asyncio.to_thread(release.wait, 60) and "hello"

        limits = {"timeout_s": 0.2, "attempts": 2}
        records = run_all(engine(clips(tmp_path, 2), Provider(answer), limits=limits))
        early = not release.is_set()
        release.set()

        assert kinds(records) == ["timeout"] * 2
        assert early


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a file that can be read only later")
def test_files_that_can_not_be_read_keep_no_answer_from_being_stored(tmp_path):
    """Both threads for files are taken; what is paid for does not wait for them."""
    work = clips(tmp_path, 6)
    for late in work[4:]:
        late.path.rename(tmp_path / "later.wav")
        os.mkfifo(late.path)

    async def answer(number):
        await asyncio.sleep(0.3)
        return "hello"

    made = engine(work, Provider(answer), concurrency=4, cache=tmp_path / "cache")
    made.start()
    until(lambda: len([*(tmp_path / "cache" / "transcripts").glob("*/[!.]*.json")]) == 4)
    for late in work[4:]:
        late.path.write_bytes((tmp_path / "later.wav").read_bytes())

    assert kinds(run_all(made)) == [None] * 6


class TestCancelled:
    @pytest.mark.slow
    def test_code_that_goes_on_is_given_up_and_its_place_is_free(self, tmp_path):
        ended = []

        async def answer(number):
            try:
                return await (deaf if number == 1 else hello)(number)
            finally:
                ended.append(number)

        work = engine(
            clips(tmp_path, 3), Provider(answer), concurrency=1,
            limits={"timeout_s": 0.2, "attempts": 1},
        )  # fmt: skip
        records = run_all(work)

        assert kinds(records) == ["timeout", None, None]
        assert ended == [1, 2, 3]  # so that a second try would not have been a second call

    def test_code_that_tidies_up_is_let(self, tmp_path):
        tidied = []

        async def answer(number):
            try:
                await asyncio.sleep(60)
            finally:
                await asyncio.sleep(0.2)
                tidied.append(number)

        limits = {"timeout_s": 0.1, "attempts": 1}
        [record] = run_all(engine(clips(tmp_path, 1), Provider(answer), limits=limits))

        assert record.error.message == "no answer within 0.1 s"
        assert tidied == [1]

    def test_a_result_that_comes_just_then_is_one(self, tmp_path):
        async def answer(number):
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                await asyncio.sleep(0.1)
            return "hello"

        [record] = run_all(engine(clips(tmp_path, 1), Provider(answer), limits={"timeout_s": 0.1}))

        assert (record.error, record.transcript) == (None, "hello")

    @pytest.mark.slow
    def test_a_verifier_that_goes_on_is_given_up(self, tmp_path, monkeypatch):
        class Deaf(Judge):
            async def judge(self, entities, transcript, language):
                return await deaf(1)

        monkeypatch.setattr("pytest_asrbench.engine.remote_verdicts.TIMEOUT_S", 0.1)
        monkeypatch.setattr("pytest_asrbench.engine.call.ATTEMPTS", 1)
        [record] = run_all(engine(clips(tmp_path, 1), Provider(hello), verifier=Deaf()))

        assert record.error.message == "no verdict within 0.1 s"
        assert record.transcript == "hello"

    @pytest.mark.slow
    def test_an_interrupted_run_leaves_it(self, tmp_path):
        provider = Provider(deaf)
        work = engine(clips(tmp_path, 1), provider)
        work.start()
        until(lambda: provider.calls)
        ended = threading.Thread(target=work.close, kwargs={"drain": False}, daemon=True)
        ended.start()
        ended.join(60)

        assert not ended.is_alive()


async def cancels_itself(number):
    asyncio.current_task().cancel()
    await asyncio.sleep(1)


async def cancels_itself_and_returns(number):
    asyncio.current_task().cancel()
    return "hello"


async def cancels_itself_and_raises(number):
    asyncio.current_task().cancel()
    raise ValueError("no")


async def cancels_itself_later(number):
    asyncio.get_running_loop().call_later(0.05, asyncio.current_task().cancel)
    with suppress(asyncio.CancelledError):
        await asyncio.sleep(1)
    raise asyncio.CancelledError


async def cancels_all(number):
    for task in asyncio.all_tasks():
        task.cancel()
    await asyncio.sleep(1)


async def stops_the_loop(number):
    asyncio.get_running_loop().stop()
    return "hello"


HOSTILE = {
    cancels_itself: "provider",
    cancels_itself_and_returns: None,
    cancels_itself_and_raises: "provider",
    cancels_itself_later: "provider",
    cancels_all: "provider",
    stops_the_loop: None,
}


NAME = attrgetter("__name__")


class TestTheTasksOfTheLoop:
    """What code of others cancels or stops is ours; it costs its clip."""

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("hostile", "kind"), HOSTILE.items(), ids=[f.__name__ for f in HOSTILE]
    )
    @pytest.mark.parametrize("concurrency", [1, 4])
    def test_are_there_for_the_next_clip(self, tmp_path, hostile, kind, concurrency):
        async def answer(number):
            await asyncio.sleep(0.02)
            return await (hostile if number == 3 else hello)(number)

        provider = Provider(answer)
        records = run_all(engine(clips(tmp_path, 12), provider, concurrency=concurrency))

        found = [each for each in kinds(records) if each]
        if hostile is cancels_all:  # those in flight, and those that were next
            assert 1 <= len(found) <= 2 * concurrency
        else:
            assert found == ([kind] if kind else [])
            assert provider.calls == 12
        assert all(record.transcript == "hello" for record in records if not record.error)

    def test_are_told_of_in_a_line_that_says_what_to_do(self, tmp_path):
        [record] = run_all(engine(clips(tmp_path, 1), Provider(cancels_itself)))

        assert record.error.message.startswith("its code cancelled the task that it runs in")

    @pytest.mark.parametrize("hostile", [cancels_itself, cancels_itself_later, cancels_all])
    def test_are_not_cancelled_by_a_judge_either(self, tmp_path, hostile):
        class Hostile(Judge):
            async def judge(self, entities, transcript, language):
                found = await super().judge(entities, transcript, language)
                if self.calls == 2:
                    await hostile(2)
                return found

        number = iter(range(20))

        async def answer(_):
            return f"hello {next(number)}"

        judge = Hostile()
        records = run_all(
            engine(clips(tmp_path, 6), Provider(answer), verifier=judge, concurrency=1)
        )

        assert judge.calls == 6
        assert len([each for each in kinds(records) if each]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("code", ["asyncio.current_task().cancel()", "loop.stop()", "cancel_all()"])
def test_a_hostile_provider_is_called_once_a_clip_in_a_whole_run(suite, workers, calls, code):
    suite.many(8)
    suite.provider(
        "import asyncio, pytest_asrbench\n"
        "def cancel_all():\n"
        "    for task in asyncio.all_tasks(): task.cancel()\n"
        "@pytest_asrbench.provider('mine', version='1')\n"
        "async def mine(audio):\n"
        f"    with open({str(calls)!r}, 'a') as file: print(audio.duration_s, file=file)\n"
        "    loop = asyncio.get_running_loop()\n"
        "    await asyncio.sleep(0.05)\n"
        f"    if audio.duration_s == 803 / 8000: {code}\n"
        "    await asyncio.sleep(0.05)\n"
        "    return 'so 4100 it is'\n"
    )
    result = suite.run(
        *workers, "--asr-gate=off", "--asr-json=run.json", provider="mine", own_process=True
    )

    failed = [r for r in suite.run_file()["records"] if r["error"]]
    assert result.ret == (pytest.ExitCode.OK if code == "loop.stop()" else 1)
    assert len(calls.read_text().split()) == 8
    assert bool(failed) == (code != "loop.stop()")


class TestClosing:
    @pytest.mark.slow
    @pytest.mark.parametrize("drain", [True, False])
    def test_a_goodbye_without_end_is_noted(self, tmp_path, drain, monkeypatch):
        monkeypatch.setattr("pytest_asrbench.engine.live.CLOSING_S", 0.5)

        class Sticky(Provider):
            async def aclose(self):
                await deaf(1)

        class StickyJudge(Judge):
            async def aclose(self):
                await asyncio.Event().wait()

        work = engine(clips(tmp_path, 1), Sticky(hello), verifier=StickyJudge())
        work.start()
        record = work.record("en-US/clip-0")
        work.close(drain=drain)

        assert record.error is None
        assert work.notes == (
            "closing Sticky took longer than 0.5 s; given up",
            "closing StickyJudge took longer than 0.5 s; given up",
        )

    @pytest.mark.parametrize("raised", [SystemExit, asyncio.CancelledError])
    def test_whatever_it_raises_is_noted(self, tmp_path, raised):
        class Odd(Provider):
            async def aclose(self):
                raise raised

        work = engine(clips(tmp_path, 1), Odd(hello))
        [record] = run_all(work)

        assert record.error is None
        assert work.notes == (f"closing Odd failed: ProviderError: {raised.__name__}",)

    def test_what_a_provider_left_running_is_ended(self, tmp_path):
        ended = []

        async def for_ever():
            try:
                await asyncio.sleep(3600)
            finally:
                ended.append(True)

        class Leaving(Provider):
            async def transcribe(self, audio):
                self.task = asyncio.ensure_future(for_ever())
                return "hello"

        [record] = run_all(engine(clips(tmp_path, 1), Leaving(hello)))

        assert record.error is None
        assert ended == [True]


class TestABlockedLoop:
    @pytest.fixture(autouse=True)
    def soon(self, monkeypatch):
        monkeypatch.setattr("pytest_asrbench.engine.live.NOTED_S", 2.0)

    @pytest.fixture
    def gate(self):
        """Blocks until the test is over."""
        gate = threading.Event()
        yield gate
        gate.set()

    def blocking(self, gate):
        async def answer(number):
            if number == 2:
                gate.wait(120)
            return "hello"

        return Provider(answer)

    @pytest.mark.slow
    def test_fails_the_clips_and_says_who_blocks_it(self, tmp_path, gate):
        work = engine(
            clips(tmp_path, 4), self.blocking(gate), concurrency=1, limits={"timeout_s": 0.2}
        )

        records = run_all(work)

        assert not gate.is_set()
        assert kinds(records) == [None, "timeout", "timeout", "timeout"]
        assert "the event loop is blocked by transcribe (test_engine_hangs.py:" in (
            records[1].error.message
        )
        assert work.notes == (records[1].error.message,)

    @pytest.mark.slow
    def test_goes_on_when_it_is_free_again(self, tmp_path, gate):
        work = engine(
            clips(tmp_path, 4), self.blocking(gate), concurrency=1, limits={"timeout_s": 0.2}
        )
        work.start()
        records = [work.record(f"en-US/clip-{n}") for n in range(3)]
        gate.set()
        records.append(work.record("en-US/clip-3"))
        work.close()

        assert kinds(records) == [None, "timeout", "timeout", None]

    @pytest.mark.slow
    def test_fails_the_clip_for_other_workers_too(self, tmp_path, gate):
        work, run = clips(tmp_path, 2), tmp_path / "run"
        options = {"run_store": run, "processes": 2, "limits": {"timeout_s": 0.2}}
        blocked = engine(work, self.blocking(gate), concurrency=1, **options)
        records = [blocked.record(f"en-US/clip-{n}") for n in range(2)]
        provider = Provider(hello)
        other = engine(work, provider, **options)

        assert kinds(records) == [None, "timeout"]
        assert other.record("en-US/clip-1").error == records[1].error
        assert provider.calls == 0
        gate.set()
        blocked.close()
        other.close()

    @pytest.mark.slow
    def test_does_not_keep_an_interrupted_run(self, tmp_path, gate):
        provider = self.blocking(gate)
        work = engine(clips(tmp_path, 2), provider, limits={"timeout_s": 600})
        work.start()
        until(lambda: provider.calls == 2)
        ended = threading.Thread(target=work.close, kwargs={"drain": False}, daemon=True)
        ended.start()
        ended.join(60)

        assert not ended.is_alive()
        assert not gate.is_set()


CODE = """
import asyncio, time, pytest_asrbench

class Hanging:
    version = "1"

    {transcribe}

    async def aclose(self):
        {aclose}

pytest_asrbench.provider("hanging")(Hanging)
"""
HANGS = {
    "a thread of the loop": "await asyncio.to_thread(time.sleep, 3600)",
    "deaf": """
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                pass""",
    "blocking": "time.sleep(3600)",
}


def hanging(suite, transcribe, aclose="pass", **settings):
    for name in ("one", "two"):
        suite.clip(name, None, plain_number="4100")
    suite.provider(CODE.format(transcribe=transcribe, aclose=aclose))
    settings = {"use": "hanging", "timeout_s": 1, "loading_s": 0, "attempts": 1, **settings}
    suite.settings["providers"] = {"hanging": settings}
    suite.write()
    return [*suite.plugins(), "--asr-provider=hanging", "--asr-gate=on"]


@pytest.mark.slow
@pytest.mark.parametrize("body", HANGS.values(), ids=HANGS)
def test_a_call_that_never_ends_fails_its_clip_and_the_run_ends(suite, workers, body):
    options = hanging(suite, f"async def transcribe(self, audio): {body}")

    result = suite.pytester.runpytest_subprocess(*options, *workers, timeout=100)

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*gate?complete?*"])
    assert "INTERNALERROR" not in result.stdout.str()
    assert "2 of 2 clips failed: 2 timeout" in result.stdout.str()
    message = "the event loop is blocked by transcribe (conftest.py:"
    assert (message in result.stdout.str()) == (body == "time.sleep(3600)")


@pytest.mark.slow
def test_sync_code_that_never_ends_is_called_once_a_clip_and_the_run_ends(suite, workers, calls):
    code = (
        f"def transcribe(self, audio): print(1, file=open({str(calls)!r}, 'a')); time.sleep(3600)"
    )
    options = hanging(suite, code, attempts=3, concurrency=2)

    result = suite.pytester.runpytest_subprocess(*options, *workers, timeout=100)

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert calls.read_text().split() == ["1", "1"]
    result.stdout.fnmatch_lines(["*no answer within 1 s*"])


@pytest.mark.slow
def test_a_goodbye_without_end_is_a_line_of_the_report(suite, workers):
    options = hanging(
        suite, "async def transcribe(self, audio): return '4100'", "await asyncio.sleep(3600)"
    )

    result = suite.pytester.runpytest_subprocess(*options, "--asr-gate=off", *workers, timeout=100)

    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["*closing hanging took longer than 5 s; given up*"])


@pytest.mark.slow
def test_one_interrupt_ends_a_run_whose_loop_is_blocked(suite, workers):
    options = hanging(
        suite,
        "async def transcribe(self, audio): open('called', 'w').close(); time.sleep(3600)",
        timeout_s=600,
    )
    command = [sys.executable, "-m", "pytest", *options, *workers]
    # What a shell starts in the background ignores interrupts, and so would this.
    heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    run = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=heed)
    until((suite.folder / "called").exists)
    time.sleep(1)  # until a test waits for it

    run.send_signal(signal.SIGINT)
    out, _ = run.communicate(timeout=60)

    assert run.returncode == pytest.ExitCode.INTERRUPTED
    assert "not evaluated" in out
