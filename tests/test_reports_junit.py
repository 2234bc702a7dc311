"""Properties of a clip's test case in JUnit XML."""

from __future__ import annotations

from helpers import report_runs as sample

from pytest_asrbench.reports.junit import properties


def test_a_clip_with_misses_names_each() -> None:
    record = sample.run().records[0]

    assert properties(record) == [("asr_clip", "refund_03"), ("asr_missed", "refund_03/email")]


def test_a_clip_without_misses_has_its_name_alone() -> None:
    assert properties(sample.run().records[1]) == [("asr_clip", "refund_07")]


def test_details_add_canonical_nearest_and_latency() -> None:
    first, *_, silent, _ = sample.run().records

    assert properties(first, details=True)[2:] == [
        ("asr_canonical", "ramirez@example.com"),
        ("asr_nearest", "remirsat example"),
        ("asr_latency_ms", "400"),
    ]
    assert ("asr_nearest", "") in properties(silent, details=True)


def test_nothing_that_xml_can_not_hold_gets_into_a_property() -> None:
    found = properties(sample.hostile().run.records[0], details=True)

    assert found
    assert all((name + value).isprintable() for name, value in found)
