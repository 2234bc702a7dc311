"""`--asr-update` never turns a failed gate into one that holds."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from helpers.small_runs import build, gates, record_of, run_of, stored

from pytest_asrbench.gates import evaluate, update
from pytest_asrbench.run import VerifierInfo

TODAY = date(2026, 11, 29)
OTHER = VerifierInfo("rules", "2", "sha256:bb")

BEFORE = run_of(a="time+ date-", b="time+ date-", c="time+ date-", d="time+ date-")
SWAPPED = run_of(a="time- date+", b="time- date+", c="time+ date-", d="time+ date-")


RISEN = run_of(a="time- date+", b="time- date+", c="time+ date+", d="time+ date+")


def saying(words, clips="abcd"):
    return build([record_of(name, "time+", transcript=words) for name in clips])


RIGHT, WRONG, MORE = saying("some words"), saying("some birds"), saying("some birds", "abcde")
NEW_MISSES = {"ctem": {"max_new_misses": 0}}


LOSSES = [
    ("a type behind an even CTEM", BEFORE, SWAPPED, {"recovery__time": {"max_drop": "3"}}),
    (
        "a type beside paired gates",
        BEFORE,
        SWAPPED,
        {"ctem": {"paired": True}, "recovery__time": {"max_drop": "3"}},
    ),
    ("a type while CTEM rises", BEFORE, RISEN, {"recovery__time": {"max_drop": "3"}}),
    ("words", RIGHT, WRONG, {"wer": {"max_rise": "1"}}),
    ("words beside values", RIGHT, WRONG, {"wer": {"max_rise": "1"}, **NEW_MISSES}),
    (
        "words beside paired gates",
        RIGHT,
        WRONG,
        {"ctem": {"paired": True}, "wer": {"max_rise": "1"}},
    ),
    ("words and a clip added", RIGHT, MORE, {"wer": {"max_rise": "1"}, **NEW_MISSES}),
    (
        "words, paired and a clip added",
        RIGHT,
        MORE,
        {"ctem": {"paired": True}, "wer": {"max_rise": "1"}},
    ),
]


def failed(outcomes):
    return [each.name for each in outcomes if each.failed and each.name != "thresholds"]


@pytest.mark.parametrize(
    ("before", "now", "policies"), [row[1:] for row in LOSSES], ids=[row[0] for row in LOSSES]
)
def test_a_loss_against_the_baseline_goes_on_failing(before, now, policies):
    old = stored(before, gates=gates(**policies))
    judged = evaluate(now, old, today=TODAY)
    assert failed(judged)

    made = update(now, old, judged, today=TODAY)
    again = update(now, made.thresholds, made.outcomes, today=TODAY)
    lowered = update(now, old, judged, today=TODAY, lower=True)

    assert failed(made.outcomes) == failed(again.outcomes) == failed(judged)
    assert failed(evaluate(now, again.thresholds, today=TODAY)) == failed(judged)
    assert not failed(lowered.outcomes)


@pytest.mark.parametrize("policies", [row[3] for row in LOSSES[:1]] + [{"ctem": {"max_drop": "3"}}])
def test_a_loss_under_another_verifier_is_not_taken_over(policies):
    old = stored(BEFORE, gates=gates(**policies))
    now = replace(run_of(a="time- date-", b="time+ date-", c="time+ date-"), verifier=OTHER)

    made = update(now, old, evaluate(now, old, today=TODAY), today=TODAY)

    assert made.thresholds is None
    assert "worse under the new verifier" in made.outcomes[-1].detail


def test_small_losses_add_up_to_a_failure_however_often_it_is_updated():
    """Each within what the gate allows against the run before it."""
    lines = {f"c{n:02}": "time+ date-" for n in range(20)}
    thresholds = stored(run_of(lines), gates=gates(recovery__time={"max_drop": "6"}))
    seen = []
    for name in ["c00", "c01", "c02"]:
        lines[name] = "time- date+"
        now = run_of(lines)
        made = update(now, thresholds, evaluate(now, thresholds, today=TODAY), today=TODAY)
        thresholds = made.thresholds
        seen.append(failed(made.outcomes))

    assert seen == [[], ["recovery:time"], ["recovery:time"]]
