"""The guard of the LLM verifier judges what a model quotes where it stands, not by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from helpers.chat_server import asked, chat, completion, results
from helpers.http_server import Reply, Server

from pytest_asrbench.model import Entity, Verdict
from pytest_asrbench.verifiers.base import Judgement
from pytest_asrbench.verifiers.cascade import Cascade
from pytest_asrbench.verifiers.llm import Llm
from pytest_asrbench.verifiers.llm.evidence import occurrences
from pytest_asrbench.verifiers.rules import Rules

RULES = Rules()
# Type, canonical, transcript, and the piece of a longer value in it that the model quotes.
PIECES = [
    ("phone_number", "720-555-0148", "call 720 555 01487 today", "720 555 0148"),
    ("phone_number", "720-555-0148", "it's 3 720 555 0148 okay", "720 555 0148"),
    ("currency_amount", "$243.50", "the bill is $1,243.50 now", "243.50"),
    ("currency_amount", "$5", "it costs $5.25 a piece", "$5"),
    ("currency_amount", "$5", "about $5 million last year", "$5"),
    ("currency_amount", "$20", "twenty dollars and thirty cents", "twenty dollars"),
    ("measurement", "5 mg", "take 0.5 mg at night", "5 mg"),
    ("measurement", "5 km", "we drove at 5 km per hour", "5 km"),
    ("percentage", "80%", "it rose by 180% in May", "80%"),
    ("port_number", "8080", "it listens on port 80801", "8080"),
    ("ip_address", "10.0.0.7", "the gateway is 10.0.0.77", "10.0.0.7"),
    ("version", "3.11", "we run version 3.11.2 here", "3.11"),
    ("email_address", "dana@example.com", "to dana@example.com.au please", "dana@example.com"),
    ("file_path", "/var/log/syslog", "tail /var/log/syslog.1 now", "/var/log/syslog"),
    ("cli_flag", "--force", "push with --force-with-lease", "--force"),
    ("time", "10:30 AM", "not 10:30 PM, the other one", "10:30"),
    ("date", "March 5, 2026", "due on March 5, 2025", "March 5"),
    ("reference_id", "BH-7421", "the order is BH-74210", "BH-7421"),
]
WHOLE = [
    ("phone_number", "720-555-0148", "call 720 555 0148 today", "720 555 0148"),
    ("phone_number", "720-555-0148", "please call 720 555 0148", "0148"),  # a part of the whole
    ("currency_amount", "$243.50", "the bill is $243.50 now", "bill is $243.50"),
    ("measurement", "0.5 mg", "give 0.5 mg at night", "give 0.5 mg at night"),
    ("ip_address", "10.0.0.7", "the gateway is 10.0.0.7.", "10.0.0.7"),
    # Once in a longer value and once by itself (rule 6).
    ("port_number", "8080", "port 80801, sorry, port 8080", "8080"),
    ("phone_number", "720-555-0148", "720 555 01487, no, 720 555 0148", "720 555 0148"),
]
QUOTES = {row[2]: row[3] for row in (*WHOLE, *PIECES)}


def quoting(body: dict[str, Any]) -> Reply:
    """A model to which every value is present, and which quotes a part of the transcript for it."""
    clip = asked(body)
    return completion(results(clip, {"present": True, "evidence": QUOTES[clip["transcript"]]}))


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with chat(quoting) as running:
        yield running


def judged(server: Server, type: str, canonical: str, transcript: str, language: str) -> Judgement:
    async def run() -> Judgement:
        llm = Llm(rules=RULES, base_url=server.url + "/v1")
        try:
            return await llm.judge([Entity("e", type, canonical)], transcript, language)
        finally:
            await llm.aclose()

    return asyncio.run(run())


@pytest.mark.parametrize(("type", "canonical", "transcript", "quote"), PIECES)
def test_a_piece_of_a_longer_value_is_no_evidence(server, type, canonical, transcript, quote):
    judgement = judged(server, type, canonical, transcript, "en")

    (verdict,) = judgement.verdicts
    assert not verdict.present
    assert repr(quote) in verdict.reason
    assert judgement.judging.rejected == 1


@pytest.mark.parametrize(("type", "canonical", "transcript", "quote"), WHOLE)
def test_a_quotation_of_the_whole_value_passes(server, type, canonical, transcript, quote):
    (verdict,) = judged(server, type, canonical, transcript, "en").verdicts

    assert verdict.present
    assert verdict.sure
    assert verdict.evidence == quote == transcript[verdict.start : verdict.end]


def test_of_several_places_the_one_that_carries_the_value_is_the_evidence(server):
    _, canonical, transcript, quote = WHOLE[-1]

    (verdict,) = judged(server, "phone_number", canonical, transcript, "en").verdicts

    assert verdict.start == transcript.rindex(quote)


def test_the_miss_is_named_by_its_place_in_the_transcript(server):
    transcript = PIECES[0][2]

    (verdict,) = judged(server, *PIECES[0][:3], "en").verdicts

    assert verdict.nearest is not None
    near = verdict.nearest
    assert transcript[near.start : near.end] == near.text


@pytest.mark.parametrize(
    ("row", "present"),
    [(PIECES[0], False), (PIECES[3], False), (PIECES[8], False), (WHOLE[0], True)],
)
def test_without_a_pack_for_the_language_a_figure_is_at_least_not_cut(server, row, present):
    (verdict,) = judged(server, *row[:3], "sw").verdicts

    assert verdict.present is present


class Doubting:
    """The rules, sure of nothing."""

    identity = RULES.identity

    def judge(self, entities, transcript, language):
        seen = RULES.judge(entities, transcript, language)
        return [Verdict(v.present, False, v.reason, v.evidence, v.start, v.end) for v in seen]


def test_the_cascade_asks_under_the_same_guard(server):
    """Where the rules doubt and ask, what the model quotes is judged in its place as well."""
    _, canonical, transcript, _ = PIECES[0]

    async def run() -> Judgement:
        llm = Llm(rules=RULES, base_url=server.url + "/v1")
        cascade = Cascade(rules=Doubting(), llm=llm)
        try:
            return await cascade.judge([Entity("e", "phone_number", canonical)], transcript, "en")
        finally:
            await cascade.aclose()

    judgement = asyncio.run(run())

    assert [v.present for v in judgement.verdicts] == [False]
    assert (judgement.judging.asked, judgement.judging.rejected) == (1, 1)


def test_a_place_that_the_rules_are_unsure_of_stands_but_not_surely(server):
    async def run() -> Judgement:
        llm = Llm(rules=Doubting(), base_url=server.url + "/v1")
        try:
            return await llm.judge([Entity("e", *PIECES[0][:2])], PIECES[0][2], "en")
        finally:
            await llm.aclose()

    (verdict,) = asyncio.run(run()).verdicts
    assert (verdict.present, verdict.sure) == (True, False)


@pytest.mark.parametrize(
    ("evidence", "transcript", "places"),
    [
        ("1 2", "1 2 and 1  2, 1\n2", [(0, 3), (8, 12), (14, 17)]),
        ("1 1", "1 1 1", [(0, 3), (2, 5)]),
        ("“yes”", 'he said "yes" or "yes"', [(8, 13), (17, 22)]),
        ("no", "yes", []),
        (" ", "a b", []),
    ],
)
def test_every_place_of_a_quotation_is_found(evidence, transcript, places):
    assert list(occurrences(evidence, transcript)) == places
