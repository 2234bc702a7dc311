"""Metrics count; they never average rates, and never count what was not measured."""

from __future__ import annotations

from dataclasses import replace

import jiwer
import pytest
from helpers.small_runs import record_of, run_of
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrbench.errors import InputError
from pytest_asrbench.gates import baselines
from pytest_asrbench.gates.measures import GateName
from pytest_asrbench.gates.paired import compare
from pytest_asrbench.metrics import latency, recovery, wer
from pytest_asrbench.metrics.summary import figures, recovered
from pytest_asrbench.metrics.whisper import WhisperEnglish
from pytest_asrbench.model import ErrorRate, JudgedEntity, Rate


def test_ctem_pools_entities_and_tsr_counts_whole_clips():
    run = run_of(a="time+ date-", b="time+", c="", d="date-")

    assert run.metrics.all.ctem == Rate(2, 4)
    assert run.metrics.all.tsr == Rate(1, 3), "the clip without entities is not in it"
    assert run.metrics.all.recovery == {"date": Rate(0, 2), "time": Rate(2, 2)}


def test_an_error_is_never_scored_as_an_empty_transcript():
    run = run_of(a="time+", b="error")
    found = run.metrics.all

    assert (found.measured, found.total) == (1, 2)
    assert found.ctem == Rate(1, 1)
    assert found.error_rate == Rate(1, 2)
    assert found.empty_rate == Rate(0, 1)
    assert found.wer.reference == 2, "only the measured clip's words"


def test_what_was_never_judged_is_not_recovered():
    judged = record_of("a", "time+ date+")
    unjudged = replace(
        judged, entities=(judged.entities[0], JudgedEntity(judged.entities[1].entity, None))
    )
    found = figures([unjudged])
    pair = compare(GateName("ctem"), [unjudged], baselines.of_run(run_of(a="time+ date+")))

    assert (found.ctem, found.tsr) == (Rate(1, 2), Rate(0, 1))
    assert found.recovery == {"date": Rate(0, 1), "time": Rate(1, 1)}
    assert recovered(unjudged) == (1, 2)
    assert (pair.now, pair.new_misses) == (Rate(1, 2), ("a/e2",))


def test_an_empty_transcript_is_a_valid_result_and_all_its_entities_are_misses():
    empty = record_of("a", "time- date-", transcript=" \n")

    assert recovery.ctem([empty]) == Rate(0, 2)
    assert recovery.empty_rate([empty]) == Rate(1, 1)
    assert figures(wer.measure([empty], "plain")).wer == ErrorRate(2, 2)


def test_shares_of_misses_add_up_and_leave_out_types_without_one():
    run = run_of(a="time- date- date-", b="url+")

    assert run.metrics.all.miss_share == {"date": Rate(2, 3), "time": Rate(1, 3)}


def test_repeats_weigh_alike_and_flipping_entities_are_named():
    run = run_of(a=["time+ date+", "time+ date-", "time+ date+"])

    assert run.metrics.all.ctem == Rate(5, 6)
    assert run.metrics.unstable == {"a/e2": (2,)}
    assert run.metrics.spread["ctem"] == (0.5, 1.0)


def test_slices_are_by_value_and_a_dimension_with_one_value_says_nothing():
    records = [
        record_of("a", "time+", slices={"domain": "x", "layout": "same"}, tags=("smoke",)),
        record_of("b", "time-", slices={"domain": "y", "layout": "same"}),
    ]

    assert {name: recovery.ctem(part) for name, part in recovery.by_slice(records).items()} == {
        "domain=x": Rate(1, 1),
        "domain=y": Rate(0, 1),
        "tag=smoke": Rate(1, 1),
    }


WER_CASES = [
    ("plain", "The cat sat.", "the cat sat", 0, 3),
    ("plain", "the cat sat", "the cat", 1, 3),
    ("plain", "the cat", "the black cat sat", 2, 2),
    ("plain", "", "words from silence", 3, 0),
    ("plain", "two words", "", 2, 2),
    ("plain", "it's", "it\u2019s", 0, 1),
    ("plain", "well-known", "well known", 0, 2),
    ("plain", "नमस्ते दुनिया", "नमस्ते दुनिया", 0, 2),
    ("plain", "我想订票", "我要订票", 1, 4),
    ("plain", "１２３", "123", 0, 1),
    ("whisper-en", "twenty five dollars", "$25", 0, 1),
    ("whisper-en", "Um, colour", "color", 0, 1),
]  # fmt: skip


@pytest.mark.parametrize(("normaliser", "reference", "heard", "edits", "total"), WER_CASES)
def test_wer_counts_edits_under_the_named_normaliser(normaliser, reference, heard, edits, total):
    record = record_of("a", "", transcript=heard)
    measured = wer.measure([replace(record, reference=reference)], normaliser)

    assert measured[0].words == ErrorRate(edits, total)


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(st.text("ab \u4e00", max_size=8), st.text("ab \u4e00", max_size=8)), max_size=5
    )
)
def test_counts_are_those_of_jiwer_for_equal_texts_too(texts):
    records = [
        replace(record_of(str(n), "", transcript=heard), reference=said)
        for n, (said, heard) in enumerate([*texts, *((said, said) for said, _ in texts)])
    ]

    measured = wer.measure(records, "plain")

    for record in measured:
        said, heard = wer.plain(record.reference), wer.plain(record.transcript)
        words = jiwer.process_words(said, heard, SPLIT, SPLIT)
        assert record.words == _of_jiwer(words)
        assert record.characters == _of_jiwer(jiwer.process_characters(said, heard))


SPLIT = jiwer.Compose([jiwer.ReduceToListOfListOfWords()])


def _of_jiwer(output):
    edits = output.substitutions + output.deletions + output.insertions
    return ErrorRate(edits, len(output.references[0]))


def test_cer_counts_characters():
    record = wer.measure([record_of("a", "", transcript="some wards")], "plain")[0]

    assert record.characters == ErrorRate(1, 10)


def test_english_data_is_normalised_as_whisper_tables_are_and_other_data_plainly():
    assert wer.normaliser_for(["en", "en-US", "en_GB"]) == "whisper-en"
    assert wer.normaliser_for(["en", "es-MX"]) == "plain"


PIECES = """
    please colour the it's he's been don't a half and um um's 's st 2 nd th 1 1s $0 2.50 ¢7 7% $ .
    0.12 £3.50 so) (x [a <b dr. ma'am two hundred twenty million oh double point minus per cent one
    2nd co2 1,000.5 ½ é ß ™ ʘ Σ -um's .. 10 35 007 a.m. and,
"""


@given(
    st.lists(
        st.lists(
            st.tuples(st.sampled_from(PIECES.split()), st.sampled_from("    \t") | st.just("  "))
        ).map(lambda words: "".join(map("".join, words)).rstrip(" "))
        | st.text(max_size=12),
        max_size=8,
    )
)
def test_the_english_normaliser_is_the_librarys_to_the_letter(texts):
    from whisper_normalizer.english import EnglishTextNormalizer

    library = EnglishTextNormalizer()
    try:
        expected = [" ".join(library(text).split()) for text in texts]
    except Exception:  # a number that the library breaks at
        with pytest.raises(Exception):  # noqa: B017, PT011 (whatever it raises)
            WhisperEnglish()(texts)
        return

    assert WhisperEnglish()(texts) == expected


def test_plain_words_never_reach_the_library(monkeypatch):
    from whisper_normalizer.english import EnglishTextNormalizer

    asked = []
    call = EnglishTextNormalizer.__call__
    monkeypatch.setattr(
        EnglishTextNormalizer, "__call__", lambda self, text: asked.append(text) or call(self, text)
    )

    made = WhisperEnglish()(["our colour is on order 4821 please", "it costs $5 now", "hello"])

    assert made == ["our color is on order 4821 please", "it costs $5 now", "hello"]
    assert asked == ["ʘ ʘ ʘ $5 ʘ ʘ ʘ ʘ"], "one call for all, without their words"


def test_an_unknown_normaliser_names_the_known_ones():
    with pytest.raises(InputError, match="unknown normaliser 'w'; known: plain, whisper-en"):
        wer.measure([], "w")


@given(st.text())
def test_the_plain_normaliser_is_stable_and_takes_any_text(text):
    once = wer.plain(text)

    assert wer.plain(once) == once
    assert once == once.strip()


def test_percentiles_interpolate_at_n_minus_one_p():
    assert latency.percentile([10, 20, 30, 40], 0.5) == 25
    assert latency.percentile([10, 20, 30, 40], 0.95) == pytest.approx(38.5)
    assert latency.percentile([7], 0.95) == 7
    with pytest.raises(ValueError, match="no values"):
        latency.percentile([], 0.5)


def test_latency_counts_timed_calls_only():
    records = [
        record_of("a", "", latency_ms=100.0, duration_s=2.0, cost=0.25),
        record_of("b", "", latency_ms=300.0, duration_s=2.0),
        record_of("c", "", latency_ms=None),
    ]
    found = figures(records)

    assert found.latency_ms == latency.Percentiles(200.0, 290.0, 2)
    assert found.real_time_factor == pytest.approx(0.1)
    assert found.cost == 0.25


def test_where_nothing_was_counted_there_is_no_value():
    found = run_of(a="").metrics.all

    assert found.ctem.value is None
    assert found.tsr.value is None
    assert found.cost is None
    assert found.to_json()["ctem"] == {"hits": 0, "total": 0, "value": None, "interval": None}


def test_every_rate_has_its_counts_and_interval_in_json():
    data = run_of({f"c{n}": "time+" if n % 2 else "time-" for n in range(20)}).metrics.to_json()

    for rate in (data["ctem"], data["tsr"], data["recovery"]["time"]):
        low, high = rate["interval"]
        assert (rate["hits"], rate["total"]) == (10, 20)
        assert low < rate["value"] < high
    assert data["wer"]["normaliser"] == "whisper-en"


class TestErrorRate:
    def test_edits_are_counted_by_kind_and_add_up(self):
        one = ErrorRate.of(substitutions=1, deletions=2, insertions=0, reference=9)
        other = ErrorRate.of(substitutions=0, deletions=0, insertions=3, reference=1)

        both = one + other

        assert (both.edits, both.substitutions, both.deletions, both.insertions) == (6, 1, 2, 3)
        assert both.value == 0.6
        assert ErrorRate.from_json(both.to_json()) == both
        assert ErrorRate.from_json(both.to_json()).insertions == 3

    def test_what_only_the_sum_is_known_of_has_no_kinds(self):
        both = ErrorRate(3, 9) + ErrorRate.of(
            substitutions=1, deletions=0, insertions=0, reference=1
        )

        assert (both.edits, both.substitutions) == (4, None)
        assert "substitutions" not in both.to_json()

    def test_nothing_wrong_adds_to_any(self):
        kinds = ErrorRate.of(substitutions=1, deletions=0, insertions=0, reference=1)

        assert (ErrorRate(0, 5) + kinds).substitutions == 1

    @pytest.mark.parametrize(
        "counts",
        [(-1, 2), (1, -2), (2, 5, 1, 0, 0), (1, 5, 1, None, None), (3, 1, 1, 1, 1)],
    )
    def test_counts_that_contradict_themselves_are_refused(self, counts):
        with pytest.raises(ValueError, match="edits"):
            ErrorRate(*counts)
