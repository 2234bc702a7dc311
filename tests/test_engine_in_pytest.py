"""The engine in whole pytest runs: how often a real server is called, and what the report says."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter

import pytest
from helpers.http_server import error, serving, text

from pytest_asrbench.cli import main

CLIENT = """
import httpx, pytest_asrbench
from pytest_asrbench.providers.http import host_of, pick, post

class Client:
    version = "1"
    concurrency = 4
    host = host_of({url!r})

    def __init__(self):
        self.client = httpx.AsyncClient(timeout=60)  # a busy machine is slow

    async def transcribe(self, audio):
        return pick(await post(self.client, {url!r}, content=audio.wav), "text")

    async def aclose(self):
        await self.client.aclose()

pytest_asrbench.provider("client")(Client)
"""
STREAMING = """
import pytest_asrbench

@pytest_asrbench.provider("client")
class Client:
    version = "1"
    realtime = False
    stream_rate = 8000  # as the clips are: what resamples can't be loaded twice in a process

    async def transcribe(self, audio):
        return "so 4100 it is"

    async def stream(self, frames):
        async for frame in frames:
            pass
        return pytest_asrbench.Transcript("so 4100 it is")
"""
JUDGE = """
from pytest_asrbench.model import Verdict
from pytest_asrbench.verifiers.base import Identity

class Judge:
    identity = Identity("judge", "1", "sha256:judge-1")

    async def judge(self, entities, transcript, language):
        return [Verdict(e.canonical in transcript, True, "looked for it") for e in entities]
"""
BAD_CASSETTE = """
{"schema": 1, "cassette": "x", "providers": {"a": {"use": "a", "mode": "batch"}}, "verifiers": {}}
{"clip": "c0", "provider": "a", "language": "en", "text": "so", "recorded_at": "", \
"audio_sha256": "", "latency_ms": "fast"}
""".lstrip()
VALUE = "4100"


@pytest.fixture(autouse=True)
def _wide(suite, monkeypatch):
    """What a report advises stands on one line, for tests that run it."""
    monkeypatch.setenv("COLUMNS", "1000")


@pytest.fixture
def ten(suite):
    """Ten clips in which the same number is said."""
    for n in range(10):
        suite.clip(f"c{n}", None, plain_number=VALUE)
    return suite


def run(suite, url, *options, settings=()):
    suite.provider(CLIENT.format(url=url))
    configuration = {"use": "client", **dict(settings)}
    suite.settings["providers"] = {
        "client": configuration,
        "recorded": {"use": "recorded", "hypotheses": suite.recording},
    }
    options = ("--asr-json=run.json", *options)
    return suite.run(*options, provider="client")


def sources(suite):
    return Counter(record["source"] for record in suite.run_file()["records"])


@pytest.mark.slow
def test_one_call_a_clip_then_none(ten, workers):
    with serving(lambda request: text(f"so {VALUE} it is")) as server:
        first = run(ten, server.url, "--asr-gate=off", *workers)
        called = Counter(request.body for request in server.requests)
        filled = run(ten, server.url, "--asr-gate=off", *workers)
        replayed = run(ten, server.url, "--asr-gate=off", "--asr-cache-mode=replay", *workers)

        assert (first.ret, filled.ret, replayed.ret) == (0, 0, 0)
        assert len(server.requests) == 10
    assert set(called.values()) == {1}
    assert sources(ten) == {"cache": 10}


@pytest.mark.slow
def test_without_a_cache_workers_still_call_once(ten, workers):
    with serving(lambda request: text(f"so {VALUE} it is")) as server:
        result = run(ten, server.url, "--asr-gate=off", "--asr-cache-mode=off", *workers)

        assert result.ret == 0
        assert len(server.requests) == 10
    assert not (ten.folder / ".asrbench").exists()


@pytest.mark.slow
def test_an_outage_reads_as_one_and_leaves_gates_open(ten, workers):
    ten.thresholds(ctem={"min": 0.9})
    with serving(lambda request: error(500, "down for repair")) as server:
        result = run(
            ten, server.url, "--asr-gate=on", *workers,
            settings={"attempts": 1, "backoff_s": 0.01},
        )  # fmt: skip

    assert result.ret != 0
    last = "\n".join(result.outlines[-20:])
    assert "provider failure, not a regression" in last
    assert "10" in last
    assert server.url.removeprefix("http://") in last


@pytest.mark.slow
def test_replay_of_a_missing_transcript_names_clip_and_remedy(ten, workers):
    with serving(lambda request: text("")) as server:
        run(ten, server.url, "-k", "c1")
        result = run(ten, server.url, "--asr-cache-mode=replay", *workers)

        assert len(server.requests) == 1
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["*holds nothing for clip 'c0'*record it with this run's command*=fill"]
    )


@pytest.mark.slow
@pytest.mark.parametrize("cassette", [False, True])
@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize(("mode", "repeats"), [([], 1), (["--asr-mode=stream"], 3)])
def test_the_command_that_a_replay_names_records_what_is_missing(
    suite, mode, repeats, stored, cassette
):
    suite.clip("c0", None, plain_number=VALUE)
    suite.clip("c1", None, plain_number=VALUE)
    suite.provider(STREAMING)
    suite.settings |= {"gate": "off", "providers": {"client": {"use": "client"}}}
    where = "--asr-cache=x.jsonl" if cassette else "--asr-cache=some where"
    replay = [*mode, f"--asr-repeat={repeats}", "--asr-cache-mode=replay", where]
    if stored:
        suite.run(*mode, *[where][cassette:], "-k", "c1", provider="client")
    if cassette:
        header = {"schema": 1, "cassette": "x", "providers": {}, "verifiers": {}}
        suite.file("x.jsonl", json.dumps(header))
    lacking = suite.run(*replay, provider="client")
    assert lacking.ret != 0
    told = "\n".join([*lacking.errlines, *lacking.outlines])
    assert ("holds nothing for repeat 1 of clip 'c0'" in told) is (
        repeats > 1 and (stored or cassette)
    )
    change, export = change_of(told)

    assert suite.run(*replay, *change, provider="client").ret == 0
    assert bool(export) is cassette
    assert not export or main(export) == 0

    assert suite.run(*replay, provider="client").ret == 0


def change_of(told):
    """The options to add, and the arguments of asrbench after `then`, that a replay names."""
    found = re.search(
        r"record (?:it|them) with this run's command and (.*?=fill)"
        r"(?:, then in the same folder asrbench (.*))?",
        told,
    )
    return shlex.split(found[1]), shlex.split(found[2] or "")


@pytest.mark.slow
def test_the_remedy_holds_where_settings_name_the_cassette(suite):
    """And where the dataset and the folder of the settings are known from the command alone."""
    suite.clip("c0", None, plain_number=VALUE)
    suite.provider(STREAMING)
    cassette = {"cache": "x.jsonl", "cache_mode": "replay", "data": "none.yaml"}
    suite.settings |= {"gate": "off", "providers": {"client": {"use": "client"}}, **cassette}
    suite.file("x.jsonl", '{"schema": 1, "cassette": "x", "providers": {}, "verifiers": {}}')
    replay = ["--asr-data=clips.yaml"]

    lacking = suite.run(*replay, provider="client")
    assert lacking.ret == pytest.ExitCode.TESTS_FAILED
    change, export = change_of("\n".join(lacking.outlines))

    assert suite.run(*replay, *change, provider="client").ret == 0
    assert main(export) == 0
    assert suite.run(*replay, provider="client").ret == 0


@pytest.mark.slow
@pytest.mark.parametrize("cassette", [False, True])
def test_the_change_that_a_replay_without_verdicts_names_records_them(suite, cassette):
    suite.clip("c0", None, plain_number=VALUE)
    suite.provider(STREAMING)
    suite.file("judges.py", JUDGE)
    suite.settings |= {"gate": "off", "providers": {"client": {"use": "client"}}}
    suite.run(provider="client")
    if cassette:
        assert main(["cache", "export", "x.jsonl"]) == 0
    where = ["--asr-cache=x.jsonl"] if cassette else []
    replay = ["--asr-verifier=judges.py:Judge", "--asr-cache-mode=replay", *where]

    lacking = suite.run(*replay, provider="client")
    assert lacking.ret == pytest.ExitCode.TESTS_FAILED
    told = "\n".join(lacking.outlines)
    assert "replay: no verdicts of 'judge' stored" in told
    change, export = change_of(told)

    assert suite.run(*replay, *change, provider="client").ret == 0
    assert bool(export) is cassette
    assert not export or main(export) == 0
    assert suite.run(*replay, provider="client").ret == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    [
        {"transcript": {"text": "so 4100 it is", "latency_ms": "fast"}},
        {"transcript": {"text": "so 4100 it is", "reported_model": 5}},
        {"attempts": "x"},
        {"recorded_at": None},
    ],
)
def test_a_damaged_entry_is_called_for_again_and_told(ten, workers, damage):
    with serving(lambda request: text(f"so {VALUE} it is")) as server:
        run(ten, server.url, "--asr-gate=off")
        file = next((ten.folder / ".asrbench" / "transcripts").glob("*/*.json"))
        file.write_text(json.dumps({**json.loads(file.read_text()), **damage}))
        result = run(ten, server.url, "--asr-gate=off", *workers)

        assert result.ret == 0
        assert len(server.requests) == 11
    result.stdout.fnmatch_lines(["*damaged (*can't be *"])


@pytest.mark.slow
def test_the_command_that_an_export_names_records_the_repeat_that_lacks(suite, capsys):
    for name in ("c0", "c1"):
        suite.clip(name, None, plain_number=VALUE)
    suite.provider(STREAMING)
    suite.settings |= {"gate": "off", "providers": {"client": {"use": "client"}}}
    export = ["cache", "export", "x.jsonl", "--data", "clips.yaml", "--provider", "client"]
    suite.run("--asr-mode=stream", "--asr-repeat=3", "-k", "c1", provider="client")
    suite.run("--asr-mode=stream", "--asr-repeat=2", provider="client")
    capsys.readouterr()

    assert main(export) == 1
    told = capsys.readouterr().out
    assert told.startswith("nothing written: 1 of 6 transcripts by client not stored (c0#3); ")
    assert not (suite.folder / "x.jsonl").exists()

    record = shlex.split(re.search(r"; record with pytest (.*?=fill),", told)[1])
    assert suite.run(*record, provider=None).ret == 0
    assert main(export) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            ["--asr-cache-mode=replay"],
            "*.asrbench: nothing stored to replay*with this run's command*=fill *",
        ),
        (["--asr-cache-mode=replay", "--asr-cache=no.jsonl"], "*no.jsonl: no such file"),
        (["--asr-cache-mode=replay", "--asr-cache=heard.jsonl"], "*heard.jsonl:1: no cassette,*"),
        (
            ["--asr-cache-mode=replay", "--asr-cache=bad.jsonl"],
            "*bad.jsonl:2: latency_ms can't be 'fast'; correct it, or remove*",
        ),
        (
            ["--asr-cache=heard.jsonl"],
            "*heard.jsonl: a cassette is only read; give*=replay with it",
        ),
        (["--asr-cache=asrbench.yaml"], "*asrbench.yaml: neither a folder nor a .jsonl cassette;*"),
        (["--asr-prices=no.yaml"], "*no.yaml: no such file"),
        (
            ["--asr-prices=asrbench.yaml"],
            "*asrbench.yaml:1: expected `currency:` and a list under*",
        ),
    ],
)
def test_a_faulty_store_or_price_table_is_one_line_before_any_test(ten, workers, options, says):
    ten.clip("known", "so it is")
    ten.file("bad.jsonl", BAD_CASSETTE)
    with serving(lambda request: text("")) as server:
        result = run(ten, server.url, *options, *workers)

        assert server.requests == []
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {says}"])
    assert len([line for line in result.errlines if line]) == 1


@pytest.mark.slow
def test_own_prices_are_spent_by(ten, workers):
    ten.file("ours.yaml", "prices: [{use: client, per_minute: 60}]\n")
    with serving(lambda request: text(f"so {VALUE} it is")) as server:
        result = run(
            ten, server.url, "--asr-gate=on", "--asr-budget=0.35", "--asr-prices=ours.yaml",
            *workers,
        )  # fmt: skip

        assert len(server.requests) == 3
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*budget of 0.35 USD reached*"])


@pytest.mark.slow
def test_a_spent_budget_fails_complete_and_says_so(ten, workers):
    with serving(lambda request: text(f"so {VALUE} it is")) as server:
        result = run(
            ten, server.url, "--asr-gate=on", "--asr-budget=0.35", *workers,
            settings={"price_per_minute": 60},  # each clip of 0.1 s costs 0.1
        )  # fmt: skip

        assert len(server.requests) == 3
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*budget of 0.35 USD reached*raise --asr-budget*"])
    result.stdout.fnmatch_lines(["*gate?complete?*"])


DEADLY = """
import os, pytest_asrbench

@pytest_asrbench.provider("client", version="1")
def client(audio):
    deadly = audio.duration_s == 801 / 8000
    with open({calls!r}, "a") as file:
        file.write("deadly " if deadly else "other ")
    if deadly:
        os._exit(1)
    return "{value}"
"""


@pytest.mark.slow
def test_a_clip_that_ends_its_worker_is_called_for_twice_and_fails(ten, calls):
    ten.provider(DEADLY.format(calls=str(calls), value=VALUE))
    # Of three tests at least one is not running in a worker that dies.
    ten.tests = "".join(f"def test_{n}(asr_result): pass\n" for n in range(3))
    ten.settings["providers"] = {"client": {"use": "client"}}
    result = ten.run("--asr-gate=on", "-n2", provider="client", own_process=True)

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["*c1: 2 workers died while this clip was in flight; one such ends its process*"]
    )
    assert Counter(calls.read_text().split())["deadly"] == 2


@pytest.mark.slow
def test_repeats_are_calls_of_their_own_and_unstable_values_are_told(ten):
    heard = Counter()

    def answer(request):
        heard[request.body] += 1
        return text(f"so {VALUE} it is" if heard[request.body] != 2 else "so what")

    with serving(answer) as server:
        result = run(ten, server.url, "--asr-gate=off", "--asr-repeat=3")

        assert len(server.requests) == 30
    assert result.ret == 0
    records = ten.run_file()["records"]
    assert Counter(record["repeat"] for record in records) == {1: 10, 2: 10, 3: 10}
    assert ten.run_file()["metrics"]["ctem"]["hits"] == 20
