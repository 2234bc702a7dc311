"""Runs that are judged by a language model, or by the cascade: calls, cost, store and failures."""

from __future__ import annotations

import json
import re
from pathlib import Path

import openai  # noqa: F401 (loaded once for all runs: it takes a second)
import pytest
from helpers.chat_server import answering, asked, bodies, chat, completion, results
from helpers.http_server import Reply, error, in_turn, serving

from pytest_asrbench.verifiers.llm import client
from pytest_asrbench.verifiers.llm.client import KEY_ENV

DOC = Path(__file__).parent.parent / "docs" / "llm.md"
PRESENT = {"present": True, "evidence": "10.0.0.7"}


def doubtful(suite, url, name="cascade", **settings):
    """One clip that the rules are sure of, and one with a port that they leave open."""
    suite.clip("sure", "call 415 555 0132", phone_number="415-555-0132")
    suite.clip("unsure", "it runs on 10.0.0.7:8080", ip_address="10.0.0.7")
    price = {"input": 1, "output": 1}
    asked_with = {"base_url": url + "/v1", "price": price, **settings}
    suite.settings |= {"verifier": name, "verifiers": {name: asked_with}}


def records(suite):
    run = json.loads((suite.folder / "run.json").read_text())
    return {record["clip"]: record for record in run["records"]}


@pytest.mark.slow
def test_the_cascade_asks_once_for_what_the_rules_leave_open(suite, workers):
    with chat(answering(PRESENT)) as server:
        doubtful(suite, server.url)
        result = suite.run(*workers, "--asr-gate=off", "--asr-json=run.json")

    assert result.ret == pytest.ExitCode.OK
    (body,) = bodies(server)
    assert [t["canonical"] for t in asked(body)["targets"]] == ["10.0.0.7"]
    found = records(suite)
    assert found["sure"]["judging"] is None
    assert found["unsure"]["judging"]["asked"] == 1
    assert found["unsure"]["entities"][0]["present"] is True
    result.stdout.fnmatch_lines(["*1 of 2 entities asked of judge-2026-11-01 in 1 call, 1,600 *"])
    result.stdout.fnmatch_lines(["*cost 0.0016*"])


@pytest.mark.slow
def test_verdicts_that_were_paid_for_are_not_asked_for_again(suite):
    with chat(answering(PRESENT)) as server:
        doubtful(suite, server.url)
        first = suite.run("--asr-gate=off", "--asr-json=run.json")
        once = records(suite)["unsure"]["entities"]
        second = suite.run("--asr-gate=off", "--asr-json=run.json")

    assert (first.ret, second.ret) == (pytest.ExitCode.OK, pytest.ExitCode.OK)
    assert len(server.requests) == 1
    assert records(suite)["unsure"]["entities"] == once
    second.stdout.fnmatch_lines(["*1 of 2 entities asked of judge-2026-11-01, verdicts stored*"])


@pytest.mark.slow
def test_votes_are_taken_and_a_split_is_reported(suite):
    answers = iter([PRESENT, {"present": False}, PRESENT])
    with chat(lambda body: completion(results(asked(body), next(answers)))) as server:
        doubtful(suite, server.url)
        result = suite.run("--asr-gate=off", "--asr-verifier-votes=3")

    assert result.ret == pytest.ExitCode.OK
    assert len(server.requests) == 3
    result.stdout.fnmatch_lines(["*with split votes*"])


@pytest.mark.slow
def test_a_judge_that_can_not_answer_is_an_error_and_no_verdict(suite, workers):
    with chat(lambda body: error(400, "no such model")) as server:
        doubtful(suite, server.url)
        suite.thresholds(ctem={"min": 0.1})
        result = suite.run(*workers, "--asr-json=run.json")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert records(suite)["unsure"]["error"]["kind"] == "verifier"
    result.stdout.fnmatch_lines(["*gate?complete?*", "*no such model*"])


@pytest.mark.slow
def test_a_refused_key_stops_the_run_after_one_call(suite):
    with chat(lambda body: error(401, "bad key")) as server:
        doubtful(suite, server.url, "llm")
        for n in range(20):
            suite.clip(f"more{n}", "call 415 555 0132", phone_number="415-555-0132")
        result = suite.run("--asr-concurrency=1")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert len(server.requests) <= 2  # one may be on its way when the first is refused


@pytest.mark.slow
def test_the_judge_that_the_docs_show_is_bounded_and_tried_again(suite, workers):
    [code] = re.findall(r"```python\n# judges.py\n(.*?)```", DOC.read_text("utf-8"), re.DOTALL)
    replies = in_turn([error(503, "busy")], then=Reply('{"present": [true]}'))
    with serving(replies) as server:
        suite.file("judges.py", code.replace("http://127.0.0.1:8000", server.url))
        suite.settings["verifier"] = "judges.py:Mine"
        for n in range(5):
            suite.clip(f"clip{n}", f"call 415 555 013{n}", phone_number=f"415-555-013{n}")
        options = "--asr-gate=off", "--asr-budget=0.003", "--asr-json=run.json"
        result = suite.run(*workers, *options, "--asr-concurrency=1")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert len(server.requests) == 1 + 3
    found = records(suite).values()
    assert sorted(str(r["error"] and r["error"]["kind"]) for r in found) == [
        *["None"] * 3,
        *["budget"] * 2,
    ]


SPY = """
import sys, threading

class Spy:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("pytest_asrbench.") and threading.current_thread().name != "MainThread":
            with open("imported.txt", "a") as file:
                print(name, file=file)

sys.meta_path.insert(0, Spy())
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["llm", "cascade"])
def test_nothing_of_ours_is_imported_beside_the_tests(suite, workers, name):
    """pytest parses it to rewrite assertions; in two threads at once Python 3.11 fails in that."""
    with chat(answering(PRESENT)) as server:
        doubtful(suite, server.url, name)
        suite.file("spy.py", SPY)
        suite.provider(
            "import spy\n"
            "import asyncio, pytest_asrbench\n"
            "@pytest_asrbench.provider('mine')\n"
            "async def mine(audio):\n"
            "    await asyncio.sleep(0.3)  # meanwhile what the report needs is imported\n"
            "    return 'it runs on 10.0.0.7:8080'\n"
        )
        suite.audio()
        result = suite.run(*workers, "--asr-gate=off", provider="mine", own_process=True)

    assert result.ret == pytest.ExitCode.OK
    assert server.requests
    assert not (suite.folder / "imported.txt").exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["llm", "cascade"])
def test_without_a_key_the_run_ends_in_one_line(suite, workers, monkeypatch, name):
    monkeypatch.delenv(KEY_ENV, raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    suite.clip("one", "call 415 555 0132", phone_number="415-555-0132")
    suite.settings["verifier"] = name

    result = suite.run(*workers)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*needs an API key; put it in {KEY_ENV}*"])


@pytest.mark.slow
@pytest.mark.parametrize("fallback", [False, True], ids=["", "fallback"])
@pytest.mark.parametrize("name", ["llm", "cascade"])
def test_a_replay_needs_no_key(suite, workers, monkeypatch, name, fallback):
    monkeypatch.setenv(KEY_ENV, "sk-0123456789")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    model = {"fallback": True} if fallback and name == "cascade" else {}
    with chat(answering(PRESENT)) as server:
        monkeypatch.setattr(client, "BASE_URL", server.url + "/v1")  # as if it were the public one
        suite.clip("unsure", "it runs on 10.0.0.7:8080", ip_address="10.0.0.7")
        suite.settings |= {"verifier": name, "verifiers": {name: model}}
        recorded = suite.run("--asr-gate=off")
        assert recorded.ret == pytest.ExitCode.OK
        assert len(server.requests) == 1

        monkeypatch.delenv(KEY_ENV)
        suite.clip("new", "and on 10.0.0.8:8080", ip_address="10.0.0.8")
        options = *workers, "--asr-gate=off", "--asr-cache-mode=replay", "--asr-json=run.json"
        result = suite.run(*options)

        assert result.ret == pytest.ExitCode.TESTS_FAILED
        found = records(suite)
        assert found["unsure"]["entities"][0]["present"] is True
        assert found["new"]["error"]["kind"] == "replay"
        assert "no verdicts" in found["new"]["error"]["message"]
        assert len(server.requests) == 1
