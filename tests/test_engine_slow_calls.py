"""One slow call is one clip's error; code that hangs ends what it keeps from going on."""

from __future__ import annotations

import json
import threading
import time

import pytest
from helpers.engine_clips import clip, clips, engine

from pytest_asrbench import audio
from pytest_asrbench.engine import run_all
from pytest_asrbench.engine.provider_code import LOADING_S, ProviderCode
from pytest_asrbench.providers.base import Description, Limits


class Slow:
    """Takes `seconds` for the clip whose turn is the `which`th."""

    def __init__(self, seconds, which=3, concurrency=None):
        self.seconds, self.which, self.calls = seconds, which, 0
        self.lock = threading.Lock()
        if concurrency:
            self.concurrency = concurrency

    def describe(self):
        return Description("slow", version="1")

    def transcribe(self, audio):
        with self.lock:
            self.calls += 1
            number = self.calls
        time.sleep(self.seconds if number == self.which else 0.01)
        return "hello"


class Asked(Slow):
    async def transcribe(self, audio):
        return "hello"


def kinds(records):
    return [record.error and record.error.kind for record in records]


@pytest.mark.parametrize(
    ("provider", "embedded", "seconds", "patience_s"),
    [
        (Asked(0), False, 10, 130),
        (Asked(0), False, 600, 720),
        (Asked(0), True, 10, 120),
        (Asked(0), True, 600, 2400),
        (Slow(0), True, 10, 120 + LOADING_S),
    ],
)
def test_the_time_out_grows_with_the_recording(tmp_path, provider, embedded, seconds, patience_s):
    provider.embedded = embedded
    heard = audio.read(clip(tmp_path, "c", seconds=seconds).path, "en")

    assert ProviderCode(provider, Limits(), "batch", 1).patience_s(heard) == patience_s


@pytest.mark.slow
def test_a_call_that_comes_back_late_costs_its_clip_alone(tmp_path):
    provider = Slow(0.6)

    records = run_all(engine(clips(tmp_path, 6), provider, limits={"timeout_s": 0.4}))

    assert kinds(records) == [None, None, "timeout", None, None, None]
    assert provider.calls == 6


@pytest.mark.slow
def test_code_that_hangs_ends_the_rest_with_one_line_that_names_the_clip(tmp_path):
    provider = Slow(20)
    began = time.monotonic()

    records = run_all(engine(clips(tmp_path, 40), provider, limits={"timeout_s": 0.3}))

    assert time.monotonic() - began < 15
    assert kinds(records) == [None, None, *["timeout"] * 38]
    assert records[2].error.message == "no answer within 0.3 s"
    [hung] = {record.error.message for record in records[4:]}
    assert "clip 'en-US/clip-2' hangs" in hung
    assert provider.calls == 3


@pytest.mark.slow
@pytest.mark.parametrize("asked", [None, 1])
def test_beside_it_other_threads_go_on_where_they_are_declared(tmp_path, asked):
    provider = Slow(20, which=6, concurrency=3)

    records = run_all(
        engine(clips(tmp_path, 12), provider, limits={"timeout_s": 0.4}, concurrency=asked)
    )

    assert kinds(records).count("timeout") == 1
    assert kinds(records).count(None) == 11


@pytest.mark.slow
def test_a_model_that_the_first_call_loads_does_not_count(tmp_path):
    provider = Slow(1.5, which=1)

    records = run_all(engine(clips(tmp_path, 3), provider, limits={"timeout_s": 0.5}))

    assert kinds(records) == [None] * 3


HANGS = """
import os, time, pytest_asrbench

@pytest_asrbench.provider("mine")
def mine(audio):
    print("called", audio.duration_s)
    with open({calls!r}, "a") as file:
        print(os.getpid(), file=file)
    if audio.duration_s == 801 / 8000:
        {body}
    return "so 4100 it is"
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("time.sleep(3600)", "no answer within 4 s"),
        ("os._exit(3)", "mine: its process ended with 3: called 0.100125"),
        ("raise ValueError('no such model')", "mine raised ValueError: no such model"),
        ("raise TimeoutError('slow')", "mine raised TimeoutError: slow"),
    ],
)
def test_a_fresh_process_a_clip_costs_no_other_one(suite, calls, body, says):
    for n in range(4):
        suite.clip(f"c{n}", None, plain_number="4100")
    suite.provider(HANGS.format(calls=str(calls), body=body))
    limits = {"isolate": "process", "timeout_s": 4, "attempts": 1, "concurrency": 2}
    suite.settings["providers"] = {"mine": {"use": "mine", **limits}}

    result = suite.run("--asr-gate=on", "--asr-json=run.json", provider="mine", own_process=True)

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    errors = [r["error"] for r in suite.run_file()["records"] if r["error"]]
    assert [error["message"] for error in errors] == [says]
    assert len(set(calls.read_text().split())) == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("provider", "mode", "says"),
    [
        ({"isolate": "thread"}, "batch", "isolate must be process, not 'thread'"),
        ({"isolate": "process"}, "stream", "isolate: process needs transcribe() and batch mode"),
    ],
)
def test_what_can_not_be_isolated_is_a_usage_error(suite, provider, mode, says):
    suite.clip("one", None, plain_number="4100")
    suite.file(
        "ours.py",
        "class Ours:\n"
        "    version = '1'\n"
        "    async def stream(self, frames): return 'x'\n"
        "    def transcribe(self, audio): return 'x'\n",
    )
    suite.settings["providers"] = {"mine": {"use": "ours:Ours", **provider}}
    suite.audio()

    result = suite.run(f"--asr-mode={mode}", provider="mine")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert any(line for line in [*result.errlines, *result.outlines] if says in line), json.dumps(
        result.errlines
    )
