"""Thresholds are of the clips that they were measured on; what becomes of others."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from helpers.small_runs import NOISY, STEADY, build, dataset_of, gates, record_of, run_of, stored
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_asrbench.gates import completeness, evaluate, read, update, write
from pytest_asrbench.gates.remedies import PYTEST
from pytest_asrbench.model import ErrorRate, Rate

TODAY = date(2026, 11, 29)


def steady(clips):
    return run_of(clips, providers=[STEADY])


def many(hits, total, prefix="c"):
    return {f"{prefix}{n:02}": "time+" if n < hits else "time-" for n in range(total)}


def judged(run, thresholds, **options):
    return {each.name: each for each in evaluate(run, thresholds, today=TODAY, **options)}


def updated(run, thresholds=None, **options):
    outcomes = evaluate(run, thresholds, today=TODAY, clips=options.get("clips"))
    return update(run, thresholds, outcomes, today=TODAY, **options)


def failures(outcomes):
    return [each.name for each in outcomes if each.failed]


def test_an_added_clip_is_shown_beside_gates_that_do_not_see_it():
    before = updated(steady(many(23, 25))).thresholds
    now = steady({**many(23, 25), "call_99": "time-"})

    found = judged(now, before)

    assert failures(found.values()) == []
    assert found["ctem"].detail == "0.92 >= 0.92 min (23 of 25)"
    assert found["thresholds"].detail.endswith(", but 1 new clip")
    assert completeness.beside(now, before, PYTEST) == (
        "1 new clip: 0 of 1 recovered, in no gate before --asr-update"
    )


def test_an_update_takes_an_added_clip_in_without_lowering_being_asked_for():
    before = updated(steady(many(23, 25))).thresholds
    now = steady({**many(23, 25), "call_98": "time-", "call_99": "time-"})

    made = updated(now, before)

    assert failures(made.outcomes) == []
    assert made.lines[:3] == (
        "2 clips added: call_98, call_99",
        "ctem min 0.92 -> 0.85, 2 clips added",
        "tsr min 0.92 -> 0.85, 2 clips added",
    )
    assert failures(judged(now, made.thresholds).values()) == []
    worse = steady({**many(22, 25), "call_98": "time-", "call_99": "time-"})
    assert "ctem" in failures(judged(worse, made.thresholds).values())


def test_a_loss_among_the_known_clips_fails_beside_added_ones():
    before = updated(steady(many(23, 25))).thresholds
    now = steady({**many(22, 25), **many(9, 9, "new")})

    assert "ctem" in failures(judged(now, before).values())
    made = updated(now, before)
    assert "ctem" in failures(made.outcomes)
    assert made.thresholds.gates["ctem"].min == Decimal("0.94")  # 23 + 9 of 34


@pytest.mark.parametrize(
    ("now", "told"),
    [
        ({"a": "time+", "b": "time-"}, "1 removed (c)"),
        ({"a": "time+", "b": "time-", "call": "time-"}, "1 added (call), 1 removed (c)"),
        ({"a": "time+", "b": "time-", "c": "url-"}, "1 changed (c)"),
    ],
    ids=["removed", "renamed", "changed"],
)
def test_a_clip_that_goes_fails_until_it_is_committed(now, told):
    before = updated(steady({"a": "time+", "b": "time-", "c": "time-"})).thresholds

    found = judged(steady(now), before)

    assert failures(found.values()) == ["thresholds"]
    assert f"dataset changed: {told}; review and renew" in found["thresholds"].detail
    made = updated(steady(now), before)
    assert failures(made.outcomes) == []
    assert failures(judged(steady(now), made.thresholds).values()) == []


@pytest.mark.slow
def test_deleting_what_fails_makes_no_room_for_another_loss():
    before = updated(steady(many(90, 100))).thresholds
    rest = {clip: line for clip, line in many(90, 100).items() if clip < "c95"}
    worse = {**rest, "c00": "time-"}

    assert failures(updated(steady(rest), before).outcomes) == []
    assert {"ctem", "recovery:time"} <= set(failures(updated(steady(worse), before).outcomes))


def test_removing_what_was_recovered_is_no_loss():
    before = updated(steady(many(9, 10))).thresholds
    rest = {clip: line for clip, line in many(9, 10).items() if clip > "c03"}

    found = judged(steady(rest), before)

    assert failures(found.values()) == ["thresholds"]
    assert found["ctem"].detail == "0.833 >= 0.83 min (5 of 6)"
    made = updated(steady(rest), before)
    assert failures(made.outcomes) == []
    assert "ctem min 0.90 -> 0.83, 4 clips removed" in made.lines


def test_a_floor_that_people_set_keeps_its_distance():
    before = replace(stored(steady(many(9, 10))), gates=gates(ctem={"min": "0.50"}))
    rest = {clip: line for clip, line in many(9, 10).items() if clip < "c08"}

    assert judged(steady(rest), before)["ctem"].limit == pytest.approx(0.62)  # 5 of 8
    assert judged(steady({**rest, "c00": "time-"}), before)["ctem"].status == "passed"


def let_go(thresholds):
    """Of how many values the floor on CTEM lets go."""
    rate = thresholds.baseline.rates["ctem"]
    return rate.hits - math.ceil(thresholds.gates["ctem"].min * rate.total)


@pytest.mark.slow
@pytest.mark.parametrize("provider", [STEADY, NOISY])
@pytest.mark.parametrize("step", ["changed", "added and removed", "renamed"])
def test_a_limit_does_not_creep_however_often_clips_change(provider, step):
    lines = many(7, 8)
    thresholds = updated(run_of(lines, providers=[provider])).thresholds
    before = let_go(thresholds)
    for turn in range(12):
        if step == "changed":
            lines["c02"] = "url+" if turn % 2 else "time+"
        elif step == "renamed":
            lines = {f"{clip[:3]}{turn}": line for clip, line in lines.items()}
        else:
            lines = {**lines, "new": "time+"} if turn % 2 else many(7, 8)
        thresholds = updated(run_of(lines, providers=[provider]), thresholds).thresholds

        assert let_go(thresholds) == before


def words(texts):
    records = [record_of(clip, "time+", transcript=text) for clip, text in texts.items()]
    return build(records, providers=[STEADY])


def test_a_ceiling_on_words_is_of_its_clips_too():
    before = updated(words({"a": "some words", "b": "some birds"})).thresholds
    assert before.gates["wer"].max == Decimal("0.25")
    more = words({"a": "some words", "b": "some birds", "c": "no bird"})
    fewer = words({"b": "some birds"})
    worse = words({"a": "some herbs", "b": "some birds", "c": "some words"})

    assert judged(more, before)["wer"].detail == "0.25 <= 0.25 max (1 edit in 4)"
    made = updated(more, before)
    assert failures(made.outcomes) == []
    assert "wer max 0.25 -> 0.50, 1 clip added" in made.lines
    assert failures(updated(fewer, before).outcomes) == []
    assert "wer" in failures(judged(worse, before).values())
    assert "wer" in failures(updated(worse, before).outcomes)


def test_the_counts_of_each_clip_are_stored(tmp_path):
    run = words({"a": "some words", "b": "some birds"})
    made = updated(run).thresholds

    assert made.baseline.recovered == {"a": Rate(1, 1), "b": Rate(1, 1)}
    assert made.baseline.words == {"a": ErrorRate(0, 2), "b": ErrorRate(1, 2)}
    write(made, tmp_path / "p.yaml")
    lines = (tmp_path / "p.yaml").read_text().splitlines()
    digest = made.clips["b"]
    assert f"    b: {{digest: {digest}, recovered: [1, 1], words: [1, 2]}}" in lines
    assert replace(read(tmp_path / "p.yaml"), path=None) == made


def schema_1(thresholds):
    """As the former schema had it: no counts by clip."""
    return replace(thresholds, baseline=replace(thresholds.baseline, recovered={}, words={}))


@pytest.mark.parametrize("clips", [{"call_99": "time-"}, {}])
def test_files_of_schema_1_take_clips_in_and_out_as_well(clips):
    before = schema_1(updated(steady(many(9, 10))).thresholds)
    now = steady({**many(9, 10), **clips}) if clips else steady(dict(list(many(9, 10).items())[3:]))

    found = judged(now, before)

    assert failures(found.values()) == ([] if clips else ["thresholds"])
    made = updated(now, before)
    assert failures(made.outcomes) == []
    assert made.thresholds.baseline.recovered


def test_a_known_clip_is_not_made_new_by_taking_its_line_out():
    run = steady(many(3, 4))
    before = updated(run).thresholds
    less = {clip: digest for clip, digest in before.clips.items() if clip != "c00"}
    cut = replace(before, clips=less, digest="sha256:0")

    found = judged(steady({**many(3, 4), "c00": "time-"}), cut)

    assert found["thresholds"].failed
    assert "another digest than its clips give" in found["thresholds"].detail


def test_another_dataset_without_a_list_of_clips_is_not_green():
    run = steady(many(3, 4))
    bare = replace(updated(run).thresholds, clips={}, digest="sha256:0")

    found = judged(run, bare)

    assert found["thresholds"].failed
    assert "no list of clips" in found["thresholds"].detail


# A part of the clips


def part(lines, chosen, **options):
    """A run of some clips of a dataset, and the digests of all."""
    records = [record_of(clip, line) for clip, line in lines.items()]
    dataset = dataset_of(records)
    mine = [record for record in records if record.clip in chosen]
    run = build(mine, dataset=dataset, selected=chosen, providers=[STEADY], **options)
    return run, {clip.id: clip.digest for clip in dataset.clips}


def test_a_run_of_one_added_clip_takes_in_that_clip_alone():
    lines = {**many(9, 10), "new_1": "time- url+", "new_2": "time+"}
    before = updated(steady(many(9, 10))).thresholds
    run, clips = part(lines, ["new_1", "c00"])

    made = updated(run, before, clips=clips)

    assert set(made.thresholds.clips) == {*many(9, 10), "new_1"}
    assert made.thresholds.gates["ctem"].min == Decimal("0.83")  # 9 + 1 of 12
    assert made.thresholds.gates["recovery:url"].min == Decimal("1.00")
    assert made.thresholds.baseline.misses == {"c09/e1", "new_1/e1"}
    assert made.thresholds.baseline.rates["ctem"] == Rate(10, 12)
    assert "ctem min 0.90 -> 0.83, 1 clip added" in made.lines
    whole = judged(steady(lines), made.thresholds)
    assert failures(whole.values()) == []
    assert whole["thresholds"].detail.endswith(", but 1 new clip")
    worse = judged(steady({**lines, "c00": "time-"}), made.thresholds)
    assert "ctem" in failures(worse.values())


def test_the_same_thresholds_come_of_one_run_and_of_parts():
    lines = {**many(9, 10), "new_1": "time- url+", "new_2": "time+ date-"}
    before = updated(steady(many(9, 10))).thresholds
    found = before
    for clip in ("new_1", "new_2"):
        run, clips = part(lines, [clip])
        found = updated(run, found, clips=clips).thresholds

    assert found == updated(steady(lines), before).thresholds


@pytest.mark.parametrize(
    ("chosen", "lines", "why"),
    [
        (["c00"], {"new": "time+"}, "1 of 11 clips selected, none of them new; run all"),
        (["new"], {"new": "time+", "c01": "url+"}, "others were removed or changed (c01); run all"),
    ],
)
def test_what_a_part_cannot_tell_is_refused(chosen, lines, why):
    before = updated(steady(many(9, 10))).thresholds
    run, clips = part({**many(9, 10), **lines}, chosen)

    made = updated(run, before, clips=clips)

    assert made.thresholds is None
    assert why in made.outcomes[-1].detail


LINES = st.dictionaries(
    st.sampled_from([f"c{n}" for n in range(8)]),
    st.sampled_from(["time+", "time-", "time+ url-", "time- url+", "time+ url+", "url-"]),
    min_size=1,
)


@pytest.mark.slow
@given(LINES, LINES, st.sampled_from([STEADY, NOISY]))
@settings(max_examples=150)
def test_whatever_becomes_of_the_clips_an_update_asks_to_lower_for_losses_alone(old, now, provider):
    """Values of clips that stayed are as they were, so nothing got worse."""
    before = updated(run_of(old, providers=[provider])).thresholds
    same = {
        clip: old[clip] if _targets(line) == _targets(old.get(clip, "")) else line
        for clip, line in now.items()
    }
    run = run_of(same, providers=[provider])

    made = updated(run, before)

    if made.thresholds is None:  # nothing was recovered, then or now
        assert failures(made.outcomes) == ["thresholds", "update"]
        return
    assert failures(made.outcomes) == []
    assert failures(judged(run, made.thresholds).values()) == []


def _targets(line):
    return [word[:-1] for word in line.split()]
