"""Stored thresholds: read strictly, updated upwards, written without touching what people wrote."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from helpers.small_runs import NOISY, STEADY, VERIFIER, build, dataset_of, gates, record_of, run_of
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_asrbench.errors import InputError
from pytest_asrbench.gates import evaluate, left_out, read, update, write
from pytest_asrbench.gates.thresholds import Baseline, Policy, Thresholds
from pytest_asrbench.model import ErrorRate, Rate
from pytest_asrbench.run import clip_digest
from pytest_asrbench.verifiers.base import Identity

TODAY = date(2026, 11, 29)

FULL = """\
# why these floors: see the wiki
schema: 2
provider: {name: nova3, use: deepgram, model: nova-3}
dataset:
  name: example
  digest: sha256:12
  clips:
    '0123': {digest: 5f3a9c21, recovered: [4, 9], words: [1, 9]}
    '1e5': {digest: '12345678'}
verifier: {id: rules, version: 1, digest: sha256:ab}
recorded: 2026-11-01
left_out: [recovery:url]
gates:
  ctem: {min: 0.60}   # agreed with support
  tsr: {paired: true, alpha: 0.01}
  recovery:
    phone_number: {min: 0.80, max_new_misses: 0}
    "*": {max_drop: 3, min_n: 20}
  wer: {max: 0.24}
  slices:
    domain=finance_ops: {ctem: {min: 0.5}, recovery: {time: {min: 0.4}}}
baseline:
  ctem: [4, 9]
  tsr: [0, 3]
  wer: [1, 9]
  misses: [0123/e01]
  unstable: {0123/e02: [1, 3]}
  repeats: 3
quarantine:
  - {entity: refund_07/e02, reason: clipped audio, until: 2027-01-31}
expected_misses:
  - {clip: refund_09, reason: vendor fault, until: 2027-01-31}
"""


def written(tmp_path, text, name=None):
    path = tmp_path / "thresholds.yaml"
    path.write_text(text)
    return read(path, name)


def test_everything_a_file_may_hold_is_read(tmp_path):
    found = written(tmp_path, FULL, "nova3")

    assert found.clips == {"0123": "5f3a9c21", "1e5": "12345678"}
    assert found.left_out == ("recovery:url",)
    assert found.verifier == Identity("rules", "1", "sha256:ab")
    assert found.recorded == date(2026, 11, 1)
    assert found.gates == {
        "ctem": Policy(min=Decimal("0.60")),
        "tsr": Policy(paired=True, alpha=Decimal("0.01")),
        "recovery:phone_number": Policy(min=Decimal("0.80"), max_new_misses=0),
        "recovery:*": Policy(max_drop=Decimal(3), min_n=20),
        "wer": Policy(max=Decimal("0.24")),
        "ctem:domain=finance_ops": Policy(min=Decimal("0.5")),
        "recovery:time:domain=finance_ops": Policy(min=Decimal("0.4")),
    }
    assert found.baseline == Baseline(
        misses=frozenset({"0123/e01"}),
        unstable={"0123/e02": (1, 3)},
        repeats=3,
        rates={"ctem": Rate(4, 9), "tsr": Rate(0, 3)},
        errors={"wer": ErrorRate(1, 9)},
        recovered={"0123": Rate(4, 9)},
        words={"0123": ErrorRate(1, 9)},
    )
    assert [each.key for each in found.quarantine] == ["refund_07/e02"]
    assert found.expected_misses[0].until == date(2027, 1, 31)


FAULTS = [
    ("schema: 3", "1: schema '3', this version reads 1 to 2; upgrade"),
    ("gates: {}", "schema None, this version reads 1 to 2"),
    (
        "schema: 2\ndataset: {clips: {a: {digest: ab, hits: 3}}}",
        "unknown key 'hits'; known: digest",
    ),
    ("schema: 2\ndataset:\n  clips:\n    a: {recovered: [1, 2]}", "4: dataset.clips.a: digest is"),
    (
        "schema: 2\ndataset: {clips: {a: {digest: ab, recovered: [3, 2]}}}",
        "a.recovered must be hits and total",
    ),
    ("schema: 1\ngate: {ctem: {min: 0.5}}", "2: unknown key 'gate'; did you mean gates?"),
    ("schema: 1\ngates:\n  cetm: {min: 0.5}", "3: gates: unknown key 'cetm'; did you mean ctem?"),
    ("schema: 1\ngates:\n  ctem: {mn: 0.5}", "3: gates.ctem: unknown key 'mn'; did you"),
    ("schema: 1\ngates:\n  ctem: {max: 0.5}", "unknown key 'max'"),
    ("schema: 1\ngates:\n  wer: {min: 0.5}", "gates.wer: unknown key 'min'"),
    ("schema: 1\ngates:\n  ctem: {min: 80}", "min must be 1 or less, 80% is 0.80, not"),
    ("schema: 1\ngates:\n  ctem: {min: high}", "min must be a number, like 0.80, not 'high'"),
    ("schema: 1\ngates:\n  ctem: {min: -0.1}", "must be 0 or more"),
    ("schema: 1\ngates:\n  ctem: {min: nan}", "must be a number, like 0.80, not 'nan'"),
    ("schema: 1\ngates:\n  wer: {max: 1e999999999}", "max must be a number of fewer digits, not"),
    ("schema: 1\ngates:\n  ctem: {min: 1e-999999999}", "min must be a number of fewer digits, not"),
    ("schema: 1\ngates:\n  ctem: {min: 1e-21}", "3: gates.ctem.min must be a number of fewer"),
    (
        "schema: 1\ngates:\n  ctem: {min: 0.5, min_n: " + "9" * 5000 + "}",
        "must be a whole number from 0",
    ),
    ("schema: 1\ngates:\n  ctem: {}", "gates.ctem: no condition; give one of min, max_drop"),
    ("schema: 1\ngates:\n  ctem: {min_n: 9}", "gates.ctem: no condition"),
    ("schema: 1\ngates:\n  ctem: {paired: false}", "3: gates.ctem: no condition; give one of"),
    (
        "schema: 1\ngates:\n  ctem: {min: 0.5, min_n: some}",
        "min_n must be a whole number from 0, not 'some'",
    ),
    ("schema: 1\ngates:\n  ctem: {paired: yes}", "paired must be true or false, not 'yes'"),
    ("schema: 1\nalpha: 5", "must be a number between 0 and 1, not"),
    ("schema: 1\ngates:\n  ctem: 0.5", "gates.ctem must be keys and values, not"),
    ("schema: 1\ngates:\n  slices: {finance: {}}", "slice 'finance'; write it like domain="),
    (
        "schema: 1\nbaseline: {ctem: [9, 3], misses: []}",
        "baseline.ctem must be hits and total, not",
    ),
    ("schema: 1\nbaseline: {ctem: [9], misses: []}", "must be two counts, like"),
    (
        "schema: 1\nquarantine:\n- {entity: a/b, until: 2027-01-01}",
        "entry 1: reason is missing; nothing is exempt",
    ),
    ("schema: 1\nquarantine:\n- {entity: a/b, reason: x}", "until is missing"),
    ("schema: 1\nquarantine:\n- {entity: a, reason: x, until: soon}", "until must be a day, like"),
    ("schema: 1\nquarantine:\n- {reason: x, until: 2027-01-01}", "give either clip: ID or entity"),
    ("schema: 1\nschema: 1", "key 'schema' stands twice"),
    ("- a", "expected keys and values"),
    ("schema: [", "not YAML"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "message"), FAULTS)
def test_a_fault_is_refused_in_one_line_with_file_and_row(tmp_path, text, message):
    with pytest.raises(InputError) as error:
        written(tmp_path, text)

    line = str(error.value)
    assert message in line
    assert line.startswith(str(tmp_path / "thresholds.yaml"))
    assert "\n" not in line


def test_all_faults_of_a_file_are_told_at_once(tmp_path):
    text = "schema: 2\ngates:\n  cetm: {min: 0.5}\n  ctem: {min: 80}\n  wer: {mx: 1}\nalpha: 7\n"
    with pytest.raises(InputError) as error:
        written(tmp_path, text)

    rows = [
        line.removeprefix(f"{tmp_path}/thresholds.yaml:") for line in str(error.value).split("\n")
    ]
    assert [row.partition(":")[0] for row in rows] == ["3", "4", "5", "6"]


CONTRADICTIONS = [
    ("ctem: [4, 9]", "ctem: [9, 9]", "ctem says 9 of 9, its misses 4"),
    ("tsr: [0, 3]", "tsr: [3, 3]", "tsr says 3 of 3, its misses 0"),
    ("misses: [0123/e01]", "misses: []", "ctem says 4 of 9, its misses 7"),
    ("0123/e01]", "0123/e01, 0123/e09]", "ctem says 4 of 9, its misses 1"),
    ("misses: [0123/e01]", "misses: [call/e01]", "misses name call/e01, of no clip in dataset"),
    ("[1, 3]}", "[1, 2, 3]}", "0123/e02 was always missed, which is not unstable"),
    ("[1, 3]}", "[]}", "0123/e02 was never missed, which is not unstable"),
    ("[1, 3]}", "[1, 4]}", "0123/e02: repeats [1, 4] of 3"),
    ("[1, 3]}", "[1, 1]}", "0123/e02: repeats [1, 1] of 3"),
    ("0123/e02: [1, 3]}", "0123/e01: [1, 3]}", "0123/e01 is always missed and unstable; keep one"),
    ("repeats: 3", "repeats: 0", "repeats must be a whole number from 1"),
    ("recovered: [4, 9]", "recovered: [9, 9]", "0123: 9 of 9 recovered, its misses say 4"),
    ("words: [1, 9]", "words: [5, 9]", "wer says 1 of 9, its clips add up to 5 of 9"),
    ("tsr: [0, 3]", "tsr: [0, 3]\n  recovery: {url: [5, 6]}", "its types add up to 5 of 6"),
]


@pytest.mark.parametrize(("was", "now", "message"), CONTRADICTIONS)
def test_a_baseline_that_contradicts_itself_is_a_faulty_file(tmp_path, was, now, message):
    assert was in FULL
    with pytest.raises(InputError) as error:
        written(tmp_path, FULL.replace(was, now))

    line = str(error.value)
    assert message in line
    if "must be" not in message:
        assert "the baseline contradicts itself: " in line
        assert "take its baseline out and run --asr-update" in line
    assert line.split(":")[1].isdigit()
    assert "\n" not in line


def test_thresholds_of_another_configuration_are_refused(tmp_path):
    with pytest.raises(InputError, match=r":3: written for configuration 'nova3', this run is 'x'"):
        written(tmp_path, FULL, "x")


def test_writing_unchanged_thresholds_changes_no_byte(tmp_path):
    found = written(tmp_path, FULL)
    path = tmp_path / "thresholds.yaml"
    write(found, path)
    write(found, path)

    assert read(path) == found
    again = path.read_text()
    assert "# why these floors: see the wiki" in again
    assert "ctem: {min: 0.60}   # agreed with support" in again
    assert '"*": {max_drop: 3, min_n: 20}' in again
    assert again == FULL


def test_writing_touches_only_what_differs(tmp_path):
    found = written(tmp_path, FULL)
    path = tmp_path / "thresholds.yaml"
    moved = {**found.gates, "ctem": Policy(min=Decimal("0.70"))}
    del moved["wer"]
    write(replace(found, gates=moved), path)

    before, after = FULL.splitlines(), path.read_text().splitlines()
    assert "  ctem: {min: 0.70}   # agreed with support" in after
    gone = [line for line in before if line not in after]
    assert gone == ["  ctem: {min: 0.60}   # agreed with support", "  wer: {max: 0.24}"]


CLIP_IDS = st.text("abc019_-.e/", min_size=1, max_size=6)
WORDS = st.builds(ErrorRate, st.integers(0, 9), st.integers(0, 9))


@st.composite
def baselines_of_clips(draw):
    """Clips, and a baseline of them that says one thing."""
    clips = draw(st.dictionaries(CLIP_IDS, st.text("0123456789abcdef", min_size=8, max_size=8)))
    values = {clip: draw(st.integers(0, 2)) for clip in clips}
    kinds = {
        f"{clip}/e{n:02}": draw(st.sampled_from([(), (2,), (1, 3), (1, 2, 3)]))
        for clip in clips
        for n in range(values[clip])
    }
    recovered = {
        clip: Rate(3 * count - sum(len(kinds[f"{clip}/e{n:02}"]) for n in range(count)), 3 * count)
        for clip, count in values.items()
        if count
    }
    ctem = sum(recovered.values(), Rate(0, 0))
    broken = {(key.rpartition("/")[0], n) for key, when in kinds.items() for n in when}
    words = draw(st.dictionaries(st.sampled_from([*clips]), WORDS)) if clips else {}
    baseline = Baseline(
        misses=frozenset(key for key, when in kinds.items() if len(when) == 3),
        unstable={key: when for key, when in kinds.items() if 0 < len(when) < 3},
        repeats=3,
        rates={
            "ctem": ctem,
            "tsr": Rate(3 * len(recovered) - len(broken), 3 * len(recovered)),
            "recovery:time": Rate(ctem.hits // 2, ctem.hits // 2),
        },
        errors={"wer": sum(words.values(), ErrorRate(0, 0))} if words else {},
        recovered=recovered,
        words=words,
    )
    return clips, baseline


POLICIES = st.builds(
    Policy,
    min=st.decimals(0, 1, places=3),
    paired=st.booleans(),
    max_new_misses=st.none() | st.integers(0, 9),
    min_n=st.none() | st.integers(1, 50),
)
THRESHOLDS = st.builds(
    lambda of_clips, **given: Thresholds(clips=of_clips[0], baseline=of_clips[1], **given),
    baselines_of_clips(),
    gates=st.dictionaries(
        st.sampled_from(["ctem", "tsr", "recovery:time", "recovery:*", "ctem:domain=a b"]), POLICIES
    ),
    provider=st.just({"name": "no", "use": "recorded"}),
    dataset=st.just("1.10"),
    digest=st.just("sha256:0"),
    verifier=st.just(Identity("rules", "1.10", "sha256:1")),
    recorded=st.just(TODAY),
)


@pytest.mark.slow
@given(THRESHOLDS, THRESHOLDS)
@settings(max_examples=60)
def test_what_is_written_is_read_again_whatever_stood_there(tmp_path_factory, first, second):
    path = tmp_path_factory.mktemp("thresholds") / "p.yaml"
    write(first, path)
    assert replace(read(path), path=None) == first

    write(second, path)
    assert replace(read(path), path=None) == second


# updates


def updated(run, stored=None, **options):
    return update(run, stored, evaluate(run, stored, today=TODAY), today=TODAY, **options)


def steady(**clips):
    return run_of(clips, providers=[STEADY])


def noisy(good, **options):
    lines = {f"c{n:02}": "time+ date+" if n < good else "time- date+" for n in range(20)}
    return run_of(lines, providers=[NOISY], **options)


def statuses(made):
    return {each.name: each.status for each in made.outcomes}


def test_a_first_update_of_a_steady_provider_writes_floors_at_the_measured_values():
    made = updated(steady(a="time+ time- url-", b="time+"))

    assert made.thresholds.gates == gates(
        ctem={"min": "0.50"},
        tsr={"min": "0.50"},
        recovery__time={"min": "0.66", "max_new_misses": 0},
    ), "neither a floor of 0 for url nor a ceiling of 1 for wer is written"
    assert made.thresholds.baseline.misses == {"a/e2", "a/e3"}
    assert not any(each.failed for each in made.outcomes)
    assert "ctem new: min 0.50" in made.lines
    assert made.lines[-1] == "gated by nothing: recovery:url (0 of 1 recovered)"


def test_thresholds_just_written_hold_for_the_same_run():
    run = steady(a="time+ time- url-", b="time+", c="date+ url+")
    made = updated(run)

    again = evaluate(run, made.thresholds, today=TODAY)
    assert not any(each.failed for each in again)
    assert updated(run, made.thresholds).thresholds == made.thresholds
    assert updated(run, made.thresholds).lines == ("thresholds unchanged",)


def test_floors_rise_and_new_types_are_added():
    before = updated(steady(a="time+ time- url-")).thresholds
    made = updated(steady(a="time+ time+ url+"), before)

    assert made.thresholds.gates["ctem"].min == Decimal("1.00")
    assert made.thresholds.gates["recovery:url"].min == Decimal("1.00")
    assert "ctem min 0.33 -> 1.00" in made.lines
    assert made.thresholds.baseline.misses == frozenset()
    assert not any(each.failed for each in made.outcomes)


def test_a_worse_value_keeps_its_threshold_and_fails():
    before = updated(steady(a="time+ time+ url-")).thresholds
    made = updated(steady(a="time+ time- url+"), before)

    assert made.thresholds.gates["recovery:time"].min == Decimal("1.00")
    assert statuses(made)["recovery:time"] == "failed"
    assert made.thresholds.baseline.misses == frozenset(), "what was recovered stays expected"
    assert any(line.startswith("recovery:time still fails") for line in made.lines)


def test_lowering_writes_worse_values_and_tells_them():
    before = updated(steady(a="time+ time+ url+")).thresholds
    made = updated(steady(a="time+ time- url-"), before, lower=True)

    assert made.thresholds.gates["ctem"].min == Decimal("0.33")
    assert "ctem min 1.00 -> 0.33" in made.lines
    assert "recovery:url" not in {
        name for name, policy in made.thresholds.gates.items() if policy.min
    }
    assert not any(each.failed for each in made.outcomes)


def test_ceilings_fall_and_budgets_of_time_stay():
    run = build([record_of("a", "time+")], normaliser="plain", providers=[STEADY])
    stored = updated(run).thresholds
    high = replace(stored, gates=gates(wer={"max": "2.5"}, latency_p95_ms={"max": "900"}))
    made = updated(run, high)

    assert made.thresholds.gates["wer"].max == Decimal("1.00")
    assert made.thresholds.gates["latency_p95_ms"].max == Decimal(900)


def test_a_noisy_provider_gets_paired_gates_where_they_can_fail():
    made = updated(noisy(15))

    assert {name: policy.paired for name, policy in made.thresholds.gates.items()} == {
        "ctem": True,
        "tsr": True,
        "recovery:date": True,
        "recovery:time": True,
    }


def test_three_identical_repeats_prove_a_provider_steady_and_two_do_not():
    lines = {f"c{n:02}": "time+" for n in range(20)}
    three = run_of({clip: [line] * 3 for clip, line in lines.items()}, providers=[NOISY])
    two = run_of({clip: [line] * 2 for clip, line in lines.items()}, providers=[NOISY])
    other = replace(
        three, records=(replace(three.records[0], transcript="other"), *three.records[1:])
    )

    shown = updated(three).thresholds.gates
    assert shown["ctem"] == shown["recovery:time"] == Policy(min=Decimal("1.00"))
    assert updated(two).thresholds.gates["ctem"].paired
    assert updated(other).thresholds.gates["ctem"].paired, "one transcript differs"


@pytest.mark.slow
@pytest.mark.parametrize("total", range(1, 12))
@pytest.mark.parametrize("lost", range(0, 12, 3))
def test_too_few_clips_for_a_test_get_one_floor_that_the_loss_of_half_breaks(total, lost):
    lines = {f"c{n:02}": "time+" if n < total else "url-" for n in range(total + lost)}
    made = updated(run_of(lines, providers=[NOISY]))
    left = {f"c{n:02}": "time+" if n < total // 2 else "time-" for n in range(total)}
    most = {f"c{n:02}": "time+" if n < total // 2 + 1 else "time-" for n in range(total)}

    assert made.thresholds.gates.keys() == {"ctem"}
    assert made.thresholds.gates["ctem"].min < 1
    for now, fails in ((left, True), (most, False)):
        again = evaluate(run_of({**lines, **now}, providers=[NOISY]), made.thresholds, today=TODAY)
        assert {each.name: each.failed for each in again}["ctem"] is fails


def test_an_update_tells_what_a_wavering_provider_leaves_ungated_and_what_it_takes():
    lines = {**{f"c{n:02}": "time+" for n in range(4)}, "u": "url-"}
    records = [record_of(clip, line, duration_s=15.0, cost=0.1) for clip, line in lines.items()]
    few = updated(build(records, providers=[NOISY]))
    many = {f"c{n:02}": "time+" for n in range(14)} | {"d": "date+", "e": "date+"}
    said = updated(run_of(many, providers=[NOISY])).lines

    assert few.lines[-3:] == (
        "gated by nothing: recovery:url (0 of 1 recovered)",
        "ctem has a wide floor alone, as telling noise from a loss takes 12 clips with a recovered "
        "value, here are 4; left out: tsr, recovery:time",
        "--asr-repeat 3 takes 3 clips instead, and gives plain floors where all repeats are equal; "
        "it costs 10 transcriptions, 2.5 min of audio, 1.00 by the price table more",
    )
    assert said[-2:] == (
        "left out, as each takes 6 clips with a recovered value: recovery:date (2)",
        "--asr-repeat 3 takes 2 clips instead, and gives plain floors where all repeats are equal; "
        "it costs 32 transcriptions more",
    )


def test_an_update_tells_which_floors_wait_for_repeats():
    """A failed call that became a clip lowered them; the agent was mended since."""
    whole, lost = {c: ["time+"] * 3 for c in "abc"}, {"d": ["time-"] * 3}
    before = updated(run_of(whole, providers=[NOISY])).thresholds
    with_clip = updated(run_of({**whole, **lost}, providers=[NOISY]), before).thresholds
    once = dict.fromkeys("abcd", "time+")
    mended = updated(run_of(once, providers=[NOISY]), with_clip)
    thrice = updated(run_of({c: ["time+"] * 3 for c in once}, providers=[NOISY]), with_clip)

    told = next(line for line in mended.lines if line.startswith("lower than what was measured"))
    assert "ctem min 0.7" in told
    assert told.count("(1.00)") == 3
    assert mended.lines[-1].startswith("--asr-repeat 3 takes ")
    assert thrice.thresholds.gates["ctem"].min == Decimal("1.00")
    assert not any(line.startswith("lower than") for line in thrice.lines)


def test_a_run_tells_what_falls_in_no_gate():
    few = {"a": "time+ date+", "b": "time+ date+", "c": "url-"}
    stored = updated(run_of(few, providers=[NOISY])).thresholds
    worse = run_of({**few, "b": "time+ date-", "d": "phone_number-"}, providers=[NOISY])
    steady_ones = updated(steady(**few)).thresholds

    told = "in no gate of its own: date (1 of 2, before 2 of 2), url (0 of 1 recovered)"
    assert left_out.beside(worse, stored) == told
    assert left_out.beside(steady(**few), steady_ones) == (
        "in no gate of its own: url (0 of 1 recovered)"
    )
    assert left_out.beside(steady(a="time+ date+"), steady_ones) is None


def test_gates_that_were_left_out_come_once_there_are_clips_or_repeats_enough():
    few = {f"c{n:02}": "time+" for n in range(4)}
    many = {**few, **{f"d{n:02}": "time+" for n in range(10)}, "u": "url+"}
    before = updated(run_of(few, providers=[NOISY])).thresholds
    more = updated(run_of(many, providers=[NOISY]), before)
    thrice = updated(run_of({c: [line] * 3 for c, line in few.items()}, providers=[NOISY]), before)

    assert before.left_out == ("ctem", "tsr", "recovery:time")
    assert {name: policy.paired for name, policy in more.thresholds.gates.items()} == {
        "ctem": True,
        "tsr": True,
        "recovery:time": True,
    }
    assert more.thresholds.left_out == ("recovery:url",)
    assert "ctem paired new" in more.lines
    assert {name: policy.min for name, policy in thrice.thresholds.gates.items()} == dict.fromkeys(
        ("ctem", "tsr", "recovery:time"), Decimal("1.00")
    )
    assert thrice.thresholds.left_out == ()
    taken_out = replace(before, left_out=("tsr",))
    made = updated(run_of(many, providers=[NOISY]), taken_out).thresholds
    assert set(made.gates) == {"ctem", "tsr"}


def test_no_ceiling_of_zero_of_a_provider_that_only_had_no_errors_yet():
    def saying(*repeats, provider=NOISY):
        texts = [(name, n) for name in "abc" for n in repeats]
        records = [record_of(c, "time+", n, transcript="some words") for c, n in texts]
        return updated(build(records, providers=[provider]))

    once, shown, promised = saying(1), saying(1, 2, 3), saying(1, provider=STEADY)

    assert "wer" not in once.thresholds.gates
    assert "left out: wer, as no edit in 6 words tells of no noise" in once.lines
    assert shown.thresholds.gates["wer"].max == promised.thresholds.gates["wer"].max == 0


def test_a_wavering_provider_lifts_no_floor_to_what_it_reached_once():
    lines = {f"c{n}": "time+" for n in range(9)}
    run = run_of(lines, providers=[NOISY])
    before = replace(
        updated(run).thresholds, gates=gates(ctem={"min": "0.80"}, empty_rate={"max": "0.10"})
    )
    made = updated(run, before)

    assert made.thresholds.gates == before.gates
    low = replace(before, gates=gates(ctem={"min": "0.10"}))
    assert updated(run, low).thresholds.gates["ctem"].min == Decimal("0.45")


@pytest.mark.parametrize(("clips", "paired"), [(6, False), (9, False), (12, True), (30, True)])
def test_a_paired_test_is_the_default_only_where_losing_half_of_the_clips_fails_it(clips, paired):
    before = {f"c{n}": "time+" for n in range(clips)}
    made = updated(run_of(**before, providers=[NOISY])).thresholds
    lost = {name: "time-" if n < (clips + 1) // 2 else "time+" for n, name in enumerate(before)}

    assert made.gates["ctem"].paired is paired
    found = {each.name: each for each in evaluate(run_of(**lost, providers=[NOISY]), made)}
    assert found["ctem"].failed


def test_a_small_type_of_a_noisy_provider_only_reports():
    lines = {f"c{n:02}": "time+" for n in range(20)} | {"u": "url+"}
    made = updated(run_of(lines, providers=[NOISY]))

    assert "recovery:url" not in made.thresholds.gates
    assert statuses(made)["recovery:url"] == "ungated"


def test_a_paired_baseline_moves_only_beyond_noise():
    before = updated(noisy(10)).thresholds
    little = updated(noisy(11), before).thresholds
    much = updated(noisy(19), before).thresholds

    assert little.baseline.misses == before.baseline.misses
    assert len(much.baseline.misses) == 1


def test_an_added_clip_joins_a_baseline_that_stays():
    lines = {f"c{n:02}": "time+" if n < 10 else "time-" for n in range(20)}
    before = updated(run_of(lines, providers=[NOISY])).thresholds
    made = updated(run_of({**lines, "new": "time- url+"}, providers=[NOISY]), before)

    assert made.thresholds.baseline.misses == before.baseline.misses | {"new/e1"}
    assert made.thresholds.baseline.rates["ctem"] == Rate(11, 22)
    assert "1 clip added: new" in made.lines
    assert statuses(made)["thresholds"] == "passed"


def test_another_verifier_is_taken_over_and_worse_floors_go_on_failing():
    before = updated(steady(a="time+ url+")).thresholds
    other = replace(steady(a="time+ url-"), verifier=replace(VERIFIER, version="2"))
    made = updated(other, before)

    assert made.thresholds.verifier.version == "2"
    assert "verifier rules 1 -> rules 2" in made.lines
    assert statuses(made)["thresholds"] == "passed"
    assert statuses(made)["recovery:url"] == "failed"


def test_a_paired_baseline_is_not_replaced_by_a_worse_one_of_another_verifier():
    before = updated(noisy(20)).thresholds
    other = replace(noisy(5), verifier=replace(VERIFIER, version="2"))
    refused = updated(other, before)

    assert refused.thresholds is None
    assert "worse under the new verifier" in refused.outcomes[-1].detail
    assert updated(other, before, lower=True).thresholds.verifier.version == "2"


def refusals():
    records = [record_of("a", "time+"), record_of("b", "time+")]
    data = {"dataset": dataset_of(records)}
    imported = [replace(record, source="cache", imported=True) for record in records]
    yield build(records[:1], selected=["a"], **data), "only 1 of 2 clips selected; run all"
    yield build(records[:1], **data), "the run is not complete (1 clip without a result: b)"
    yield build(records[:1], expected=["a"], shard="1/2", **data), "use asrbench merge"
    yield run_of(a="time+", b="error"), "1 clip failed; run again"
    yield build(imported, **data), "2 transcripts came from a cassette (a, b); run with --asr-cache"


@pytest.mark.parametrize(("run", "message"), list(refusals()))
@pytest.mark.parametrize("lower", [False, True])
def test_an_update_is_refused_with_a_failed_gate(run, message, lower):
    made = updated(run, lower=lower)

    assert made.thresholds is None
    assert made.outcomes[-1].name == "update"
    assert made.outcomes[-1].failed
    assert message in made.outcomes[-1].detail


def test_transcripts_that_this_store_fetched_or_a_replay_asked_for_may_become_thresholds():
    run = build([record_of("a", "time+", source="cache")])
    replayed = build([record_of("a", "time+", source="cache", imported=True)], cache_mode="replay")

    assert updated(run).thresholds is not None
    assert updated(replayed).thresholds is not None


def test_a_gate_that_people_took_out_stays_out():
    run = steady(a="time+ url+")
    before = updated(run).thresholds
    without = {name: each for name, each in before.gates.items() if name != "recovery:url"}
    made = updated(run, replace(before, gates=without))

    assert "recovery:url" not in made.thresholds.gates


def test_wildcards_stay_as_written():
    run = steady(a="time+ url+")
    wild = {"recovery:*": Policy(min=Decimal("0.5"))}
    made = updated(run, replace(updated(run).thresholds, gates=wild))

    assert made.thresholds.gates == wild


LINES = st.lists(
    st.sampled_from(["time+ url+", "time- url+", "time+ url-", "time- url-"]),
    min_size=3,
    max_size=3,
)


@pytest.mark.slow
@given(LINES, LINES)
@settings(max_examples=60)
def test_no_update_lets_a_loss_pass_and_a_lowering_always_holds(first, second):
    before = updated(steady(**dict(zip("abc", first, strict=True)))).thresholds
    now = steady(**dict(zip("abc", second, strict=True)))
    judged = {each.name for each in evaluate(now, before, today=TODAY) if each.failed}
    raised = updated(now, before)

    missing = {"thresholds", "update"} if before is None else set()
    assert {each.name for each in raised.outcomes if each.failed} - missing == judged - missing
    lowered = updated(now, before, lower=True).outcomes
    assert not {each.name for each in lowered if each.failed} - missing
    for name, policy in before.gates.items() if before else ():
        if policy.min is not None:
            assert raised.thresholds.gates[name].min >= policy.min


def test_ids_that_look_like_numbers_keep_their_text(tmp_path):
    text = FULL.replace("'1e5': {digest: '12345678'}", "1e5: 12345678\n    0x1F: 1e234567")
    found = written(tmp_path, text)
    write(found, tmp_path / "thresholds.yaml")

    assert found.clips == {"0123": "5f3a9c21", "1e5": "12345678", "0x1F": "1e234567"}
    assert read(tmp_path / "thresholds.yaml").clips == found.clips


def test_a_type_whose_clips_left_the_dataset_goes_with_them():
    before = updated(steady(a="time+ url+", b="time+")).thresholds
    now = steady(a="time+", b="time+")

    made = updated(now, before)

    assert "recovery:url" not in made.thresholds.gates
    assert "recovery:url removed: nothing is left that it could fail on" in made.lines
    assert not any(each.failed for each in made.outcomes)


@pytest.mark.parametrize("digits", [4, 8, 64])
def test_an_update_tells_of_the_clips_that_the_gates_call_changed(digits):
    before = run_of(a="time+", b="time+", c="time+")
    digests = {each.clip: clip_digest(each)[:digits] for each in before.records}
    stored = replace(updated(before).thresholds, clips=digests)
    now = run_of(a="time+", b="time+ date+", d="time+")

    judged = {each.name: each for each in evaluate(now, stored, today=TODAY)}
    made = updated(now, stored)

    told = "dataset changed: 1 added (d), 1 removed (c), 1 changed (b)"
    assert judged["thresholds"].detail.startswith(told)
    assert [line for line in made.lines if line.startswith("1 clip ")] == [
        "1 clip added: d",
        "1 clip removed: c",
        "1 clip changed: b",
    ]


def test_a_file_with_the_digest_alone_keeps_its_baseline():
    before = replace(updated(steady(a="time+", b="url+")).thresholds, clips={})
    made = updated(steady(a="time-", b="url+"), before)

    assert made.thresholds.baseline.misses == frozenset()
