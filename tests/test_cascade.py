"""The cascade asks the model only for what the rules are unsure of."""

from __future__ import annotations

import asyncio

import pytest
from helpers.chat_server import asked, bodies, chat, completion, results

from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.verifiers import registry
from pytest_asrbench.verifiers.base import Identity
from pytest_asrbench.verifiers.cascade import Cascade
from pytest_asrbench.verifiers.llm import Llm


class Unsure:
    """Sure of everything but the ids it is given."""

    identity = Identity("rules", "1", "sha256:x")

    def __init__(self, *ids: str) -> None:
        self.ids = ids

    def judge(self, entities, transcript, language):
        return [Verdict(False, e.id not in self.ids, "by rule") for e in entities]


ENTITIES = [Entity(f"e{n}", "domain_term", "amortisation") for n in range(4)]


def judge(rules, model):
    async def run(url):
        cascade = Cascade(rules=rules, llm=Llm(rules=rules, base_url=url + "/v1"))
        try:
            return await cascade.judge(ENTITIES, "about amortization", "en")
        finally:
            await cascade.aclose()

    with chat(model) as server:
        return asyncio.run(run(server.url)), server


def present(body):
    clip = asked(body)
    answer = {"present": False, "reason": "by model"}
    return completion(results(clip, *[answer] * len(clip["targets"])))


def test_only_unsure_entities_are_sent_in_one_call_and_keep_their_places():
    judgement, server = judge(Unsure("e1", "e3"), present)

    assert [v.reason for v in judgement.verdicts] == ["by rule", "by model", "by rule", "by model"]
    assert judgement.judging.asked == 2
    (body,) = bodies(server)
    assert [t["target_index"] for t in asked(body)["targets"]] == [0, 1]


def test_a_clip_that_the_rules_are_sure_of_costs_no_call():
    judgement, server = judge(Unsure(), present)

    assert server.requests == []
    assert (judgement.judging.calls, judgement.judging.asked) == (0, 0)


def test_without_a_model_the_rules_stand():
    cascade = Cascade(rules=Unsure("e1"), llm=None)

    judgement = asyncio.run(cascade.judge(ENTITIES, "about amortization", "en"))

    assert [v.sure for v in judgement.verdicts] == [True, False, True, True]


@pytest.mark.parametrize("other", [Unsure("e1"), None])
def test_identity_tells_cascades_apart(other):
    llm = other and Llm(rules=other, base_url="http://127.0.0.1:9/v1", model="x")

    one = Cascade(rules=Unsure(), llm=llm).identity
    two = Cascade(
        rules=Unsure(), llm=Llm(rules=Unsure(), base_url="http://127.0.0.1:9/v1")
    ).identity

    assert one.id == two.id == "cascade"
    assert one.digest != two.digest


def test_without_a_key_the_cascade_fails_in_one_line_unless_told_to_fall_back(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)

    with pytest.raises(InputError, match="put it in OPENAI_API_KEY, or let the rules stand"):
        registry.create("cascade")

    told = registry.create("cascade", verifiers={"cascade": {"fallback": True}})
    assert told.identity.id == "cascade"


def test_what_the_cascade_leaves_out_is_as_for_the_model(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    shared = {"llm": {"model": "one", "votes": 3}}

    plain = registry.create("cascade", verifiers=shared).identity
    same = registry.create("cascade", verifiers={"cascade": shared["llm"]}).identity
    other = registry.create("cascade", verifiers=shared | {"cascade": {"model": "two"}}).identity
    voted = registry.create("cascade", verifiers=shared, votes=5).identity

    assert plain == same
    assert len({plain.digest, other.digest, voted.digest}) == 3
