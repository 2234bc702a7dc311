"""The llm verifier over the openai SDK, against a real server whose model is scripted."""

from __future__ import annotations

import asyncio
import json

import pytest
from helpers.chat_server import answering, asked, bodies, chat, completion, results
from helpers.http_server import Reply, error

from pytest_asrbench.errors import (
    AuthError,
    InputError,
    QuotaError,
    TransientError,
    VerifierError,
)
from pytest_asrbench.model import Entity
from pytest_asrbench.providers.secrets import scrub
from pytest_asrbench.verifiers.llm import Llm
from pytest_asrbench.verifiers.rules import Rules

PHONE = Entity("e1", "phone_number", "415-555-0132")
HEARD = "call 415 555 0132 please"
PRESENT = {"present": True, "evidence": "415 555 0132"}
ABSENT = {"present": False}
KEY = "sk-test-0123456789abcdef"


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def judge(server, transcript=HEARD, entities=(PHONE,), **settings):
    async def run():
        llm = Llm(rules=Rules(), base_url=server.url + "/v1", **settings)
        try:
            return await llm.judge(entities, transcript, "en")
        finally:
            await llm.aclose()

    return asyncio.run(run())


def test_one_call_judges_all_entities_of_a_clip():
    code = Entity("e2", "reference_id", "BH-7421")
    with chat(answering(PRESENT, ABSENT)) as server:
        judgement = judge(server, entities=(PHONE, code))

    assert [v.present for v in judgement.verdicts] == [True, False]
    assert judgement.verdicts[0].evidence == "415 555 0132"
    assert len(server.requests) == 1


def test_only_configured_parameters_are_sent():
    with chat(answering(PRESENT)) as server:
        judge(server, model="m", params={"seed": 7})

    (body,) = bodies(server)
    assert set(body) == {"model", "messages", "response_format", "seed"}
    assert body["response_format"]["json_schema"]["strict"] is True


def test_tokens_cost_and_the_resolved_model_are_kept():
    price = {"input": 0.10, "cached": 0.01, "output": 0.50}
    with chat(answering(PRESENT)) as server:
        spent = judge(server, price=price).judging

    assert (spent.calls, spent.asked) == (1, 1)
    assert (spent.input_tokens, spent.cached_tokens, spent.output_tokens) == (1500, 1000, 100)
    assert spent.cost == pytest.approx((500 * 0.10 + 1000 * 0.01 + 100 * 0.50) / 1e6)
    assert spent.models == ("judge-2026-11-01",)


def test_a_clip_without_entities_costs_no_call():
    with chat(answering()) as server:
        assert judge(server, entities=()).verdicts == ()

    assert server.requests == []


def test_a_broken_answer_is_asked_for_once_more_with_its_faults():
    def model(body):
        if len(body["messages"]) == 2:
            return completion(results(asked(body), {"present": True, "evidence": "415 555 9999"}))
        return completion(results(asked(body), PRESENT))

    with chat(model) as server:
        judgement = judge(server)

    assert judgement.verdicts[0].present
    assert judgement.judging.calls == 2
    assert "copied from the transcript" in bodies(server)[1]["messages"][-1]["content"]


def test_an_answer_broken_twice_is_an_error_and_never_a_guess():
    refused = pytest.raises(VerifierError, match="breaks the contract twice: not JSON")
    with chat(lambda body: completion("Sure! It is present.")) as server, refused:
        judge(server)

    assert len(server.requests) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (
            completion(None, message={"role": "assistant", "content": None, "refusal": "I won't"}),
            "refused",
        ),
        (completion('{"results": [', finish_reason="length"), "cut off: length"),
        (completion(None, finish_reason="content_filter"), "cut off: content_filter"),
        (Reply('{"id": "x", "object": "chat.completion", "choices": []}'), "no choices"),
        (Reply('{"id": "x"}'), "no choices"),
        (Reply('{"choices": [{}]}'), "breaks the contract"),
        (error(400, "bad schema"), "400"),
        (error(404, "no such model"), "404"),
        (Reply("abcde", headers={"content-encoding": "gzip"}), "can't be decoded"),
    ],
)
def test_what_gives_no_verdict_is_an_error(reply, message):
    with chat(lambda body: reply) as server, pytest.raises(VerifierError, match=message):
        judge(server)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (error(401, "bad key " + KEY), AuthError),
        (error(402), QuotaError),
        (
            Reply('{"error": {"message": "no funds", "code": "insufficient_quota"}}', 429),
            QuotaError,
        ),
        (error(429, retry_after="3"), TransientError),
        (error(503), TransientError),
        (Reply(cut=20), TransientError),
        (Reply(delay_s=1.0), TransientError),
    ],
)
def test_failures_are_told_apart_without_a_retry_or_the_key(reply, kind):
    with chat(lambda body: reply) as server, pytest.raises(kind) as caught:
        judge(server, timeout_s=0.4)

    assert len(server.requests) == 1
    assert KEY not in str(caught.value)
    if getattr(caught.value, "retry_after", None):
        assert caught.value.retry_after == 3


def test_a_parameter_that_the_model_refuses_is_dropped_once_and_recorded():
    def model(body):
        if "temperature" in body:
            refusal = {"message": "no", "param": "temperature", "code": "unsupported_value"}
            return Reply(json.dumps({"error": refusal}), 400)
        return completion(results(asked(body), PRESENT))

    with chat(model) as server:
        judgement = judge(server, params={"temperature": 0, "seed": 7})

    assert judgement.judging.dropped == ("temperature",)
    assert [sorted({"seed", "temperature"} & set(b)) for b in bodies(server)] == [
        ["seed", "temperature"],
        ["seed"],
    ]


def test_the_majority_of_votes_decides_and_a_split_is_said():
    turns = iter([PRESENT, ABSENT, PRESENT])
    with chat(lambda body: completion(results(asked(body), next(turns)))) as server:
        judgement = judge(server, votes=3)

    (verdict,) = judgement.verdicts
    assert verdict.present
    assert judgement.judging.split == 1
    assert len(server.requests) == 3


def test_votes_must_be_odd():
    with pytest.raises(InputError, match="odd, not 2"):
        Llm(rules=Rules(), base_url="http://127.0.0.1:9/v1", votes=2)


def test_the_public_api_needs_a_key_and_a_server_of_ones_own_does_not(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)

    with pytest.raises(InputError, match="put it in OPENAI_API_KEY"):
        Llm(rules=Rules())

    with chat(answering(PRESENT)) as server:
        assert judge(server).verdicts[0].present


def test_identity_covers_model_parameters_and_guard():
    def identity(**settings):
        return Llm(rules=Rules(), base_url="http://127.0.0.1:9/v1", **settings).identity.digest

    assert identity(model="a") == identity(model="a") != identity(model="b")
    assert identity(params={"seed": 1}) != identity(params={"seed": 2}) != identity(votes=3)
    one, other = ({"extra_headers": {"X-Api-Key": f"S3cretPassw0rd{n}"}} for n in (1, 2))
    assert identity(params=one) == identity(params=other)  # who pays changes no verdict
    assert scrub("no such key: S3cretPassw0rd2") == "no such key: ***"


def test_identity_tells_servers_apart_and_leaves_the_public_one_out(monkeypatch):
    def identity(base_url=None):
        return Llm(rules=Rules(), base_url=base_url).identity.digest

    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    public, ours = identity(), identity("http://127.0.0.1:9/v1")
    assert public == identity("https://api.openai.com/v1/")
    assert public != ours != identity("http://127.0.0.1:8/v1")
    assert ours == identity("http://me:secret@127.0.0.1:9/v1/")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert identity() == ours
