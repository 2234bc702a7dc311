"""Gates: what fails, what holds, and what each says; all arithmetic without rounding."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from helpers.small_runs import VERIFIER, build, dataset_of, failed, gates, record_of, run_of, stored
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrbench.gates import Thresholds, evaluate, wording
from pytest_asrbench.gates.thresholds import Baseline, Exemption
from pytest_asrbench.model import ErrorRate, Outcome, Rate
from pytest_asrbench.verifiers.base import Identity

TODAY = date(2026, 11, 29)


def outcomes(run, thresholds, **options):
    return {each.name: each for each in evaluate(run, thresholds, today=TODAY, **options)}


def thresholds_of(run, policies, **changes):
    """Thresholds of the run's dataset and verifier with these gates, its outcomes as baseline."""
    return stored(run, gates=policies, **changes)


def judged(run, baseline=None, *, must_gate=False, **policies):
    """The outcomes of gates over a run, compared with another one or itself."""
    thresholds = thresholds_of(baseline or run, gates(**policies))
    return outcomes(run, thresholds, must_gate=must_gate)


def hits(count, total):
    """A run of one-entity clips, the first `count` of them recovered."""
    return run_of({f"c{n:03}": "time+" if n < count else "time-" for n in range(total)})


FLOORS = [
    (15, 21, "0.80", "failed", "0.71 < 0.80 min (15 of 21)"),
    (17, 21, "0.80", "passed", "0.81 >= 0.80 min (17 of 21)"),
    (21, 21, "1.00", "passed", "1.00 >= 1.00 min (21 of 21)"),
    (4, 5, "0.80", "passed", "0.80 >= 0.80 min (4 of 5)"),
    (1999, 2500, "0.80", "failed", "0.7996 < 0.80 min (1,999 of 2,500)"),
    (0, 4, "0.10", "failed", "0.00 < 0.10 min (0 of 4)"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("recovered", "total", "floor", "status", "detail"), FLOORS)
def test_a_floor_compares_exactly_and_tells_the_counts(recovered, total, floor, status, detail):
    gate = judged(hits(recovered, total), ctem={"min": floor})["ctem"]

    assert (gate.status, gate.detail) == (status, detail)
    assert gate.measured == Rate(recovered, total)
    assert gate.limit == float(floor)


def test_a_limit_with_many_digits_is_shown_with_them():
    limit = Decimal("0.8333333333")
    assert wording.pair(Fraction(5, 6), limit) == ("0.83333333333", "0.8333333333")
    assert wording.pair(Fraction(4, 5), limit) == ("0.8000000000", "0.8333333333")


def test_values_that_differ_never_read_as_equal():
    shown, bound = wording.pair(Fraction(7996, 10000), Decimal("0.80"))

    assert (shown, bound) == ("0.7996", "0.80")


@pytest.mark.parametrize(
    ("measured", "says"),
    [
        (Rate(8399, 8400), " (8,399 of 8,400)"),
        (ErrorRate(1, 8400), " (1 edit in 8,400)"),
        (ErrorRate(0, 5), " (0 edits in 5)"),
    ],
)
def test_counts_read_as_elsewhere(measured, says):
    assert wording.counts(measured) == says


LIMITS = st.integers(0, 20).flatmap(lambda places: st.decimals(0, 1, places=places))


@pytest.mark.slow
@given(st.fractions(0, 1) | LIMITS, LIMITS, st.sampled_from(["rate", "ms"]))
def test_the_two_numbers_of_a_detail_agree_with_its_sign(value, limit, unit):
    told = [Fraction(each.removesuffix(" ms")) for each in wording.pair(value, limit, unit)]
    shown, bound = told

    assert bound == Fraction(limit)
    assert (shown < bound, shown == bound) == (value < Fraction(limit), value == Fraction(limit))


def test_a_limit_with_all_the_digits_of_a_run_file_is_judged():
    gate = judged(hits(8, 13), ctem={"min": "0.6153846153846154"})["ctem"]

    assert gate.detail == "0.61538461538461538 < 0.6153846153846154 min (8 of 13)"


@pytest.mark.slow
def test_a_small_drop_of_a_paired_gate_reads_as_one():
    gate = judged(hits(1998, 3000), hits(1999, 3000), ctem={"paired": True})["ctem"]

    assert gate.detail.startswith("0.6660 < 0.6663 baseline, within noise")


@given(st.integers(1, 500), st.data())
def test_a_stored_floor_holds_for_its_own_value_and_fails_one_hit_lower(total, data):
    recovered = data.draw(st.integers(1, total))
    floor = wording.floor(Rate(recovered, total))

    assert Fraction(floor) <= Fraction(recovered, total)
    assert Fraction(floor) > Fraction(recovered - 1, total)


def test_a_floor_of_zero_is_vacuous_and_no_gate():
    gate = judged(hits(0, 4), ctem={"min": "0"})["ctem"]

    assert gate.status == "ungated"
    assert gate.detail == "vacuous: a floor of 0 never fails (0 of 4)"


def test_an_improvement_never_fails():
    before, now = hits(3, 9), hits(9, 9)
    policies = {"min": "0.33", "max_drop": "0", "paired": True, "max_new_misses": 0}

    assert judged(now, before, ctem=policies, tsr=policies)["ctem"].status == "passed"


def test_a_gate_without_data_fails():
    run = run_of(a="time+")
    found = judged(run, recovery__url={"min": "0.5"}, first_text_p95_ms={"max": "900"})

    assert found["recovery:url"].failed
    assert found["recovery:url"].detail == "nothing was measured"
    assert found["first_text_p95_ms"].failed


def test_a_type_without_threshold_is_told_as_ungated():
    found = judged(run_of(a="time+ url-"), recovery__time={"min": "0.5"})

    assert found["recovery:url"].status == "ungated"
    assert found["recovery:url"].detail == "0.00 (0 of 1)"


def test_wildcards_reach_every_type_and_exact_entries_win():
    run = run_of(a="time+ time- url- date+")
    wild = gates(recovery__time={"min": "0.5"})
    wild["recovery:*"] = gates(x={"min": "0.9"})["x"]

    found = outcomes(run, thresholds_of(run, wild))

    assert found["recovery:time"].status == "passed"
    assert found["recovery:url"].status == "failed"
    assert found["recovery:date"].status == "passed"


def test_a_wildcard_that_matches_nothing_fails():
    run = run_of(a="")
    wild = {"recovery:*": gates(x={"min": "0.9"})["x"]}

    assert outcomes(run, thresholds_of(run, wild))["recovery:*"].failed


def test_slices_tags_and_locales_are_gated_by_themselves():
    records = [
        record_of("a", "time+ url+", slices={"domain": "x"}, tags=("smoke",)),
        record_of("b", "time- url+", slices={"domain": "y"}),
    ]
    run = build(records)
    policy = gates(x={"min": "0.9"})["x"]
    names = ["ctem:domain=x", "ctem:domain=y", "ctem:tag=smoke", "ctem:locale=en"]
    found = outcomes(run, thresholds_of(run, dict.fromkeys(names, policy)))

    assert [found[name].status for name in names] == ["passed", "failed", "passed", "failed"]
    wild = outcomes(run, thresholds_of(run, {"recovery:*:domain=*": policy}))
    assert wild["recovery:time:domain=y"].failed
    assert wild["recovery:url:domain=y"].status == "passed"


def test_under_min_n_a_gate_only_reports():
    gate = judged(hits(1, 5), ctem={"min": "0.9", "min_n": 6})["ctem"]

    assert gate.status == "ungated"
    assert gate.detail == "5 counted, fewer than min_n 6: reported only"


def test_ceilings_on_wer_count_edits():
    run = build([record_of("a", "", transcript="some wards")], normaliser="plain")

    assert judged(run, wer={"max": "0.24"})["wer"].detail == "0.50 > 0.24 max (1 edit in 2)"
    assert judged(run, wer={"max": "0.5"})["wer"].status == "passed"


def test_max_drop_is_in_points_of_a_hundred():
    before, now = hits(80, 100), hits(77, 100)

    assert judged(now, before, ctem={"max_drop": "3"})["ctem"].status == "passed"
    gate = judged(now, before, ctem={"max_drop": "2.9"})["ctem"]
    assert gate.failed
    assert gate.detail == "drop 3.00 > 2.90 points (77 of 100)"
    assert gate.baseline == Rate(80, 100)


def test_new_misses_are_named_and_old_ones_are_not():
    before = run_of(a="time+ url-", b="time+")
    now = run_of(a="time- url-", b="time-")
    gate = judged(now, before, ctem={"max_new_misses": 1})["ctem"]

    assert gate.failed
    assert gate.detail == "2 new misses > 1 (a/e1, b/e1)"


def test_gates_that_compare_fail_without_a_baseline():
    run = hits(1, 2)
    bare = thresholds_of(run, gates(ctem={"paired": True}), baseline=None)

    assert outcomes(run, bare)["ctem"].detail == (
        "no baseline to compare with; --asr-update writes one"
    )


def test_a_paired_gate_tells_noise_from_a_real_drop():
    before = hits(40, 60)
    flicker = {f"c{n:03}": "time+" if 2 <= n < 41 else "time-" for n in range(60)}

    within = judged(run_of(flicker), before, ctem={"paired": True})["ctem"]
    real = judged(hits(25, 60), before, ctem={"paired": True})["ctem"]

    assert within.status == "passed"
    assert within.detail == "0.65 < 0.67 baseline, within noise: p 0.50 (39 of 60, was 40)"
    assert real.failed
    assert real.detail.startswith("0.42 < 0.67 baseline, a real drop: p <0.0001 (25 of 60")


def test_paired_gates_are_corrected_as_one_family():
    before = run_of({f"c{n}": f"{'time' if n % 2 else 'url'}+" for n in range(10)})
    now = run_of({f"c{n}": f"{'time-' if n % 2 else 'url+'}" for n in range(10)})
    alone = judged(now, before, recovery__time={"paired": True})
    three = judged(
        now,
        before,
        recovery__time={"paired": True},
        recovery__url={"paired": True},
        tsr={"paired": True},
        ctem={"paired": True},
    )

    assert alone["recovery:time"].failed, "p = 1/32"
    assert not three["recovery:time"].failed, "three that moved share alpha"


def test_paired_gates_with_a_level_of_their_own_are_a_family_at_that_level():
    types = ("time", "url", "date", "email", "name")
    runs = [
        run_of({f"{type_}{n}": f"{type_}{sign}" for type_ in types for n in range(4)})
        for sign in "-+"
    ]
    own = {f"recovery__{type_}": {"paired": True, "alpha": "0.2"} for type_ in types}

    alone = judged(*runs, recovery__time={"paired": True, "alpha": "0.2"})
    together = judged(*runs, **own)
    beside = judged(*runs, **own, ctem={"paired": True})

    assert alone["recovery:time"].failed, "p = 1/16"
    assert not any(gate.failed for gate in together.values()), "five that moved share 0.2"
    assert [name for name, gate in beside.items() if gate.failed] == ["ctem"]


def test_a_paired_gate_that_can_never_fail_says_so():
    gate = judged(hits(0, 4), hits(4, 4), ctem={"paired": True})["ctem"]

    assert gate.status == "ungated"
    assert gate.detail == "vacuous: too few clips for a paired test; use min or max_new_misses"


def test_unstable_entities_alone_do_not_fail_a_paired_gate():
    before = run_of({f"c{n}": ["time+"] * 3 for n in range(12)})
    shaky = run_of({f"c{n}": ["time+", "time-", "time-"] for n in range(12)})

    gate = judged(shaky, before, ctem={"paired": True})["ctem"]
    assert gate.status == "passed"
    assert "only unstable entities" in gate.detail
    lost = run_of({f"c{n}": ["time+", "time-", "time-"] if n else ["time-"] * 3 for n in range(12)})
    assert judged(lost, before, ctem={"paired": True})["ctem"].failed


def test_latency_gates_need_transcripts_that_were_fetched_in_this_run():
    policies = {"latency_p95_ms": {"max": "150"}}
    live = run_of(a="", b="")
    cached = build([record_of("a", "", source="cache"), record_of("b", "")])

    assert judged(live, **policies)["latency_p95_ms"].detail == "100 ms <= 150 ms max"
    gate = judged(cached, **policies)["latency_p95_ms"]
    assert gate.failed
    assert gate.detail == "1 transcript not fetched in this run; run with --asr-cache-mode refresh"
    replayed = judged(replace(cached, cache_mode="replay"), **policies)["latency_p95_ms"]
    assert replayed.failed
    assert "give replays a thresholds file without this gate" in replayed.detail


# Gates that can't fail

NEVER = [
    ("ctem", {"max_drop": "100"}, "vacuous: a drop of 100 points may lose all (3 of 4)"),
    ("ctem", {"max_drop": "75"}, "vacuous: a drop of 75 points may lose all (3 of 4)"),
    (
        "ctem",
        {"max_new_misses": 10000},
        "vacuous: 10,000 new misses may lose all (3 recovered in the baseline)",
    ),
    (
        "tsr",
        {"max_new_misses": 3},
        "vacuous: 3 new misses may lose all (3 recovered in the baseline)",
    ),
    (
        "empty_rate",
        {"max": "1"},
        "vacuous: a ceiling of 1.00 holds even where nothing is heard (0 of 4)",
    ),
    (
        "error_rate",
        {"max": "1.5"},
        "vacuous: a ceiling of 1.50 holds even where nothing is heard (0 of 4)",
    ),
    (
        "wer",
        {"max": "1"},
        "vacuous: a ceiling of 1.00 holds even where nothing is heard (4 edits in 8)",
    ),
    (
        "wer",
        {"max_rise": "100000"},
        "vacuous: a rise of 100000 points holds even where nothing is heard (4 edits in 8)",
    ),
    (
        "cer",
        {"max_rise": "90"},
        "vacuous: a rise of 90 points holds even where nothing is heard (4 edits in 40)",
    ),
]


@pytest.fixture
def half_right():
    """Four clips, three recovered, a word of two right in each."""
    lines = {"a": "time+", "b": "time+", "c": "time+", "d": "time-"}
    return build([record_of(c, line, transcript="some wards") for c, line in lines.items()])


@pytest.mark.parametrize(("name", "policy", "detail"), NEVER)
def test_a_gate_that_can_never_fail_is_told_and_not_counted(half_right, name, policy, detail):
    found = judged(half_right, **{name: policy})

    assert (found[name].status, found[name].detail) == ("ungated", detail)
    assert found["thresholds"].status == "passed"
    assert found["thresholds"].detail.endswith(f"; none of its gates can fail ({name})")
    gated = judged(half_right, must_gate=True, **{name: policy})["thresholds"]
    assert gated.failed
    assert "take them out and write new ones with --asr-update" in gated.detail


def test_just_under_that_a_gate_counts(half_right):
    policies = {
        "ctem": {"max_drop": "74.9"},
        "tsr": {"max_new_misses": 2},
        "wer": {"max": "0.99"},
        "cer": {"max_rise": "79"},
        "empty_rate": {"max": "0.99"},
    }
    found = judged(half_right, must_gate=True, **policies)

    assert {found[name].status for name in policies} == {"passed"}
    assert not found["thresholds"].failed


def test_a_wide_ceiling_fails_all_the_same_where_it_is_broken():
    run = build([record_of("a", "", transcript="so much more than anyone had said")])

    gate = judged(run, wer={"max": "1.5"})["wer"]

    assert gate.failed


@pytest.mark.parametrize(
    "policies", [{}, {"ctem": {"min": "0.9", "min_n": 99}}, {"wer": {"max": "2"}}]
)
def test_thresholds_without_a_gate_that_can_fail_fail_where_gating_is_asked_for(
    half_right, policies
):
    assert judged(half_right, must_gate=True, **policies)["thresholds"].failed
    told = judged(half_right, **policies)["thresholds"]
    assert not told.failed
    assert ("no gate at all" in told.detail) is not bool(policies)


# complete and thresholds


def test_an_error_fails_complete_and_leaves_the_rest_inconclusive():
    run = run_of(a="time+", b="error")
    found = judged(run, ctem={"min": "0.9"})

    assert found["complete"].failed
    assert found["complete"].detail == "1 of 2 clips failed: 1 timeout (api.example.com)"
    assert found["ctem"].status == "inconclusive"
    assert found["ctem"].detail == "the run is not complete: 1.00 >= 0.90 min (1 of 1)"


def test_errors_up_to_max_errors_are_allowed_and_told():
    run = run_of(a="time+", b="error")
    thresholds = thresholds_of(run_of(a="time+", b=""), gates(ctem={"min": "0.9"}))

    found = outcomes(run, replace(thresholds, digest=run.dataset.digest), max_errors=1)

    assert found["complete"].detail == "1 of 2 clips measured, 1 error <= 1 max"
    assert found["ctem"].status == "passed"


@pytest.mark.parametrize(
    ("errors", "missing", "allowed", "kind"),
    [
        ("timeout", 0, 0, "calls"),
        ("timeout timeout", 0, 1, "calls"),
        ("timeout setup", 0, 0, "calls"),
        ("timeout setup", 0, 1, "errors"),
        ("timeout", 1, 1, "missing"),
        ("timeout", 1, 0, "calls"),
        ("setup", 0, 0, "errors"),
        ("disk audio replay budget", 0, 0, "errors"),
        ("", 1, 0, "missing"),
    ],
)
def test_a_failed_complete_says_whether_calls_were_why(errors, missing, allowed, kind):
    bad = [failed(record_of(f"c{n}", "time+"), why) for n, why in enumerate(errors.split())]
    records = [record_of("good", "time+"), *bad]
    lost = [record_of(f"lost{n}", "time+") for n in range(missing)]
    run = build(records, dataset=dataset_of([*records, *lost]))

    found = outcomes(run, thresholds_of(run, {}), max_errors=allowed)["complete"]

    assert (found.status, found.kind) == ("failed", kind)


def test_a_clip_without_a_result_fails_complete_by_name():
    records = [record_of("a", "time+"), record_of("b", "time+")]
    run = build(records[:1], dataset=dataset_of(records))

    assert judged(run, ctem={"min": "0.1"})["complete"].detail == "1 clip without a result: b"


def test_a_partial_selection_fails_complete_where_all_is_asked_for():
    records = [record_of("a", "time+"), record_of("b", "time+")]
    run = build(records[:1], dataset=dataset_of(records), selected=["a"])
    thresholds = thresholds_of(build(records), gates(ctem={"min": "0.1"}))

    assert outcomes(run, thresholds)["complete"].detail == "only 1 of 2 clips selected"
    assert outcomes(run, thresholds, full=False)["complete"].status == "passed"


def test_without_thresholds_the_gate_names_the_file_and_the_remedy():
    found = outcomes(run_of(a="time+"), None, path=Path("thresholds/p.yaml"))

    assert found["thresholds"].failed
    assert found["thresholds"].detail == (
        "no thresholds at thresholds/p.yaml; write them with --asr-update, "
        "or explore with --asr-gate off"
    )
    assert found["recovery:time"].status == "ungated"


def test_a_changed_dataset_is_told_clip_by_clip_and_the_rest_is_judged():
    before = run_of(a="time+", b="time+", c="time+")
    now = run_of(a="time+", c="url+", d="time-")
    found = outcomes(now, thresholds_of(before, gates(ctem={"min": "0.5"})))

    assert found["thresholds"].detail == (
        "dataset changed: 1 added (d), 1 removed (b), 1 changed (c); "
        "review and renew them with --asr-update"
    )
    assert found["ctem"].status == "passed"


def test_comparisons_leave_out_clips_whose_targets_changed():
    before = run_of(a="time+", b="time+")
    now = run_of(a="time+", b="url-", c="time-")
    gate = judged(now, before, ctem={"max_new_misses": 0})["ctem"]

    assert gate.status == "passed"
    assert gate.baseline == Rate(1, 1)


def test_another_verifier_makes_the_other_gates_inconclusive():
    run = run_of(a="time+", verifiers=[replace(VERIFIER, version="2")])
    found = outcomes(run, thresholds_of(run_of(a="time+"), gates(ctem={"min": "0.5"})))

    assert found["thresholds"].failed
    assert found["thresholds"].detail.startswith("verifier rules 1 -> rules 2; ")
    assert found["ctem"].status == "inconclusive"


def test_human_decisions_never_make_thresholds_stale():
    run = run_of(
        a="time+", verifiers=[replace(VERIFIER, overrides_digest="sha256:b", overridden=1)]
    )

    assert judged(run, run_of(a="time+"), ctem={"min": "0.5"})["thresholds"].status == "passed"


def test_thresholds_that_name_neither_dataset_nor_verifier_fail():
    run = run_of(a="time+")
    found = outcomes(run, Thresholds(gates=gates(ctem={"min": "0.5"})))

    assert found["thresholds"].detail.startswith(
        "they name no dataset digest; they name no verifier; "
    )


def test_a_shard_is_judged_by_complete_and_thresholds_alone():
    records = [record_of("a", "time+"), record_of("b", "time-")]
    shard = build(records[:1], dataset=dataset_of(records), expected=["a"], shard="1/2")
    found = outcomes(shard, thresholds_of(build(records), gates(ctem={"min": "0.5"})))

    assert found["complete"].status == "passed"
    assert found["thresholds"].status == "passed"
    assert found["ctem"].status == "not_evaluated"


# exemptions


def exempted(run, *, quarantine=(), expected=(), strict=False, **policies):
    made = thresholds_of(
        run, gates(**policies), quarantine=tuple(quarantine), expected_misses=tuple(expected)
    )
    return outcomes(run, made, strict=strict)


def test_quarantined_entities_and_clips_are_left_out_of_every_gate():
    run = run_of(a="time+ url-", b="time-")
    entries = [
        Exemption("a/e2", "bad audio", TODAY),
        Exemption("b", "wrong reference", TODAY),
    ]
    found = exempted(run, quarantine=entries, ctem={"min": "1"}, tsr={"min": "1"})

    assert found["ctem"].measured == Rate(1, 1)
    assert found["tsr"].measured == Rate(1, 1)
    assert found["exemptions"].detail == "2 quarantined, 0 expected misses"


def test_an_expired_entry_counts_again_and_is_told():
    run = run_of(a="time+ url-")
    entry = Exemption("a/e2", "bad audio", date(2026, 11, 28))
    found = exempted(run, quarantine=[entry], ctem={"min": "1"})

    assert found["ctem"].failed
    assert found["exemptions"].status == "passed"
    assert "expired 2026-11-28: a/e2 (bad audio)" in found["exemptions"].detail
    assert exempted(run, quarantine=[entry], strict=True)["exemptions"].failed


def test_an_expected_miss_does_not_count_and_a_recovered_one_is_told():
    run = run_of(a="time+ url-")
    known = [Exemption("a/e2", "vendor fault", TODAY)]
    found = exempted(run, expected=known, ctem={"min": "1"})
    assert found["ctem"].status == "passed"

    recovered = [Exemption("a/e1", "vendor fault", TODAY)]
    found = exempted(run, expected=recovered, ctem={"min": "0.5"})
    assert "recovered, remove it: a/e1" in found["exemptions"].detail
    assert found["ctem"].measured == Rate(1, 2)
    assert exempted(run, expected=recovered, strict=True)["exemptions"].failed


@pytest.mark.parametrize("key", ["a", "a/e1"])
def test_an_expected_miss_of_a_failed_call_is_not_recovered(key):
    run = build([failed(record_of("a", "time-")), record_of("b", "time+")])
    entry = Exemption(key, "vendor fault", TODAY)

    made = thresholds_of(run, gates(ctem={"min": "0.5"}), expected_misses=(entry,))
    found = outcomes(run, made, strict=True, max_errors=1)["exemptions"]

    assert (found.status, found.detail) == ("passed", "0 quarantined, 1 expected miss")


def test_an_entry_that_names_nothing_is_told():
    entry = Exemption("a/e9", "gone", TODAY)

    assert (
        "not in this run: a/e9"
        in exempted(run_of(a="time+"), quarantine=[entry])["exemptions"].detail
    )


@pytest.mark.slow
@given(
    st.lists(st.sampled_from(["time+", "time-", "time+ url-", "error"]), min_size=1, max_size=8),
    st.decimals(0, 1, places=2),
)
def test_no_gate_holds_over_an_incomplete_run(lines, floor):
    run = run_of({f"c{n}": line for n, line in enumerate(lines)})
    policies = gates(ctem={"min": str(floor)}, tsr={"min": str(floor)}, wer={"max": "9"})
    empty = Baseline(misses=frozenset())
    thresholds = Thresholds(
        gates=policies,
        digest=run.dataset.digest,
        verifier=Identity(*VERIFIER.key),
        baseline=empty,
    )
    found = [each for each in evaluate(run, thresholds) if each.name in policies]

    if "error" in lines:
        assert {each.status for each in found} == {"inconclusive"}
    else:
        rate = run.metrics.all.ctem
        held = rate.hits >= Fraction(floor) * rate.total
        expected = "ungated" if floor == 0 else "passed" if held else "failed"
        assert next(each for each in found if each.name == "ctem").status == expected


def test_an_outcome_knows_whether_it_failed():
    assert Outcome("ctem", "failed", "").failed
    assert not Outcome("ctem", "inconclusive", "").failed
