"""A row in the table of measures is a figure, a line of reports, a part of the schema, a gate."""

from __future__ import annotations

import json

import pytest

from pytest_asrbench.metrics.measures import MEASURES, Measure
from pytest_asrbench.model import Rate
from pytest_asrbench.reports.schema import run_schema


def shouted(records):
    texts = [record.transcript for record in records if record.transcript]
    return Rate(sum(text.isupper() for text in texts), len(texts))


def longest(records):
    return max((float(len(record.transcript or "")) for record in records), default=None)


@pytest.fixture
def more(monkeypatch):
    """Two measures more, a rate and a number."""
    row = Measure(shouted, "rate", label="shouted", about="transcripts in capitals")
    monkeypatch.setitem(MEASURES, "shouted", row)
    monkeypatch.setitem(MEASURES, "longest", Measure(longest, "ratio", about="characters"))


@pytest.mark.slow
def test_a_new_row_is_all_that_a_measure_takes(suite, more):
    suite.clip("one", "CALL 4100", plain_number="4100")
    suite.clip("two", "call 4100 now", plain_number="4100")
    suite.thresholds(shouted={"max": "0.4"}, longest={"max": "100"})

    result = suite.run("--asr-json=run.json")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["  shouted  0.50 (1 of 2), 95%*", "FAILED gate?shouted? 0.50 > 0.40 max (1 of 2)*"]
    )
    metrics = suite.run_file()["metrics"]
    assert metrics["shouted"]["hits"] == 1
    assert metrics["longest"] == 13.0
    gates = {gate["name"]: gate["outcome"] for gate in suite.run_file()["gates"]}
    assert (gates["shouted"], gates["longest"]) == ("failed", "passed")


def test_the_schema_knows_it(more):
    schema = run_schema()

    for part in (schema["properties"]["metrics"], schema["$defs"]["figures"]):
        assert part["properties"]["shouted"]["$ref"] == "#/$defs/rate"
        assert part["properties"]["longest"]["description"] == "characters"
    json.dumps(schema)
