"""mu-bench's word error rate and the Entity Transcription Benchmark's accuracy, as they count."""

from __future__ import annotations

import pytest

from pytest_asrbench.metrics import etb, mubench, wer
from pytest_asrbench.model import (
    ClipRecord,
    Entity,
    ErrorRate,
    Failure,
    JudgedEntity,
    Rate,
    Verdict,
)

CASES = [
    ("en-US", "my code is seven", "my code is seven", (0, 4)),
    ("en-US", "my code is seven", "my code seven", (1, 4)),
    ("en-US", "a b", "", (2, 2)),
    ("en-US", "", "uh huh yes", (3, 3)),
    ("en-US", "", "", (0, 0)),
    ("zh-CN", "你好吗", "你好", (1, 3)),
    ("zh-CN", "我的 code 是七", "我的code是八", (1, 5)),
    ("zh-CN", "好。", "好", (1, 2)),
    ("vi-VN", "không phải", "khong phải", (1, 2)),
]


@pytest.mark.parametrize(("locale", "reference", "heard", "expected"), CASES)
def test_words_are_counted_as_mu_bench_does(
    locale: str, reference: str, heard: str, expected: tuple[int, int]
) -> None:
    assert mubench.corpus([(reference, heard)], locale) == ErrorRate(*expected)


def record(locale: str, reference: str, heard: str | None) -> ClipRecord:
    failure = Failure("timeout", "x") if heard is None else None
    return ClipRecord("c", reference, locale, transcript=heard, error=failure)


def test_locales_are_pooled_inside_and_averaged_outside() -> None:
    rates = mubench.by_locale(
        [
            record("en-US", "a b c d", "a b c"),
            record("en-US", "a", "a"),
            record("zh-CN", "你好", "你"),
            record("zh-CN", "<unintelligible>", "x y z"),
            record("zh-CN", "你", None),
        ]
    )

    assert rates == {"en-US": ErrorRate(1, 5), "zh-CN": ErrorRate(1, 2)}
    assert mubench.macro(rates) == 0.35


def test_an_unintelligible_reference_counts_in_no_error_rate() -> None:
    records = wer.measure([record("en", "<Unintelligible>", "x"), record("en", "a", "b")], "plain")

    assert [r.words for r in records] == [None, ErrorRate(1, 1)]
    assert wer.wer(records) == ErrorRate(1, 1)


def test_no_words_give_no_rate() -> None:
    assert mubench.macro({}) is None
    assert mubench.macro({"en-US": ErrorRate(0, 0)}) is None


def clip(subset: str, *verdicts: tuple[str, bool | None]) -> ClipRecord:
    judged = tuple(
        JudgedEntity(
            Entity(f"e{n}", "PERSON", "x", attributes={"tier": tier}),
            None if present is None else Verdict(present, True, ""),
        )
        for n, (tier, present) in enumerate(verdicts)
    )
    return ClipRecord("c", "x", "en", judged, slices={"subset": subset}, transcript="x")


RECORDS = [
    clip("MLCommons_TestPortion", ("A", True), ("B", False)),
    clip("MLCommons_TestPortion", ("A", False), ("A", None)),
    clip("Belebele_Fleurs_TestPortion", ("A", True), ("B", True)),
    clip("MLCommons_TestPortion"),
]


@pytest.mark.parametrize(
    ("subset", "tier", "expected"),
    [
        ("MLCommons", "A", Rate(1, 2)),
        ("MLCommons", None, Rate(1, 3)),
        ("Belebele/FLEURS", "A", Rate(1, 1)),
        (None, None, Rate(3, 5)),
    ],
)
def test_accuracy_is_that_of_the_subset_and_tier(
    subset: str | None, tier: str | None, expected: Rate
) -> None:
    assert etb.accuracy(RECORDS, subset=subset, tier=tier) == expected


def test_the_gap_is_the_first_subset_less_the_second() -> None:
    assert etb.gap(RECORDS) == -0.5
    assert etb.gap(RECORDS[:2]) is None
