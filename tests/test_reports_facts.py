"""One set of facts, whatever the format; and what they make of a run."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from itertools import product
from pathlib import Path

import pytest
from helpers import report_readers as formats
from helpers import report_runs as sample

from pytest_asrbench.counts import results
from pytest_asrbench.gates import checks
from pytest_asrbench.gates.measures import GateName
from pytest_asrbench.gates.thresholds import Policy, Thresholds
from pytest_asrbench.gates.wording import exact
from pytest_asrbench.model import ErrorRate, Measured, Outcome, Rate, Verdict
from pytest_asrbench.plugin.recorder import miss_line
from pytest_asrbench.reports import github, junit_file, markdown, terminal, wording
from pytest_asrbench.reports import html as html_report
from pytest_asrbench.reports.html_audio import Sound
from pytest_asrbench.reports.view_model import ViewModel, gather


def terminal_text(facts: ViewModel) -> str:
    return "\n".join(line for _, line in terminal.lines(facts, width=400))


def html_text(facts: ViewModel) -> str:
    return html_report.render(facts, Sound(None, Path()))


def annotations(facts: ViewModel) -> str:
    return "\n".join(github.lines(facts, {}))


def junit(facts: ViewModel) -> str:
    return junit_file.document(facts)


@pytest.mark.parametrize(
    "make",
    [sample.red, sample.green, sample.repeated, sample.outage, sample.repeated_outage],
)
@pytest.mark.parametrize(
    "read",
    [formats.from_terminal, formats.from_markdown, formats.from_html, formats.from_run_file],
)
@pytest.mark.parametrize("fact", ["gates", "types", "misses", "processing"])
def test_the_same_facts_stand_in_every_format(
    make: Callable[[], ViewModel], read: Callable[[ViewModel], formats.Told], fact: str
) -> None:
    facts = make()
    wanted, told = getattr(formats.expected(facts), fact), getattr(read(facts), fact)

    assert wanted
    if fact == "processing":
        told = {label: told[label] for label in wanted}
    assert told == wanted


READERS = [terminal_text, markdown.report, html_text]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "show"),
    [
        *product([sample.red, sample.repeated], READERS),
        *product([sample.outage, sample.repeated_outage], [*READERS, annotations, junit]),
    ],
)
def test_clips_are_counted_in_the_same_words_in_every_format(
    make: Callable[[], ViewModel], show: Callable[[ViewModel], str]
) -> None:
    facts = make()
    shown = " ".join(html.unescape(show(facts)).split())
    errors, repeats = len(facts.errors), facts.run.repeats

    told = re.findall(r"[\d,]+ of [\d,]+ (?:clip|transcription)s?(?: \([^)]* x [^)]*\))?", shown)
    left = re.findall(r"(?<!of )\b(\d+ (?:clip|transcription)s?) without a result", shown)

    measured = len(facts.run.records) - errors
    assert told
    assert set(told) <= {formats.counted(facts, count) for count in (measured, errors)}
    assert set(left) <= {results(errors, repeats)}


def test_repeats_without_a_result_are_told_apart() -> None:
    facts = sample.repeated_outage()

    for shown in (terminal_text(facts), markdown.report(facts)):
        assert "refund_03#2" in shown


def test_a_quarantined_miss_says_so_in_every_format() -> None:
    facts = sample.green()

    for shown in (
        "\n".join(line for _, line in terminal.lines(facts)),
        html.unescape(markdown.report(facts)),
        html_report.render(facts, Sound(None, Path())),
    ):
        assert "quarantined until 2027-01-31" in shown


GATES = {
    "failed": Outcome("ctem", "failed", "0.50 < 0.60 min"),
    "passed": Outcome("tsr", "passed", "0.50 >= 0.40 min"),
    "inconclusive": Outcome("tsr", "inconclusive", "the run is not complete"),
    "ungated": Outcome("recovery:date", "ungated", "1.00"),
    "not_evaluated": Outcome("tsr", "not_evaluated", "asrbench merge --gate decides"),
    "outage": Outcome("complete", "failed", "3 of 5 clips failed: 3 timeout", "calls", 0),
    "unusable": Outcome("complete", "failed", "3 of 5 clips failed: 3 audio", "errors", 0),
    "incomplete": Outcome("complete", "failed", "1 clip without a result", "missing", 0),
}


@pytest.mark.parametrize(
    ("gates", "errors", "state"),
    [
        ("passed ungated", False, "held"),
        ("passed failed", False, "failed"),
        ("failed inconclusive", False, "failed"),
        ("passed inconclusive", False, "inconclusive"),
        ("passed not_evaluated", False, "not evaluated"),
        ("ungated", False, "not gated"),
        ("", False, "not gated"),
        ("outage inconclusive", True, "provider failure"),
        ("unusable inconclusive", True, "failed"),
        ("incomplete inconclusive", True, "failed"),
        ("incomplete inconclusive", False, "failed"),
        ("passed", True, "held"),
    ],
)
def test_the_state_of_a_run(gates: str, errors: bool, state: str) -> None:
    run = sample.outage().run if errors else sample.run()

    facts = gather(run, [GATES[name] for name in gates.split()])

    assert facts.state == state
    assert "passed" not in facts.headline


def test_failed_types_come_first_then_the_worst() -> None:
    facts = sample.red()

    assert [fact.name for fact in facts.types] == [
        "email_address",
        "phone_number",
        "postal_address",
        "currency_amount",
        "date",
    ]


def test_new_misses_are_told_from_known_ones() -> None:
    assert {miss.key: miss.new for miss in sample.red().misses} == {
        "refund_03/email": True,
        "ship_01/address": False,
        "ship_02/phone": False,
    }


@pytest.mark.parametrize(
    "change",
    [
        lambda stored: None,
        lambda stored: replace(stored, baseline=None),
        lambda stored: replace(stored, verifier=replace(stored.verifier, version="2")),
        lambda stored: replace(stored, digest="sha256:00"),
    ],
    ids=["no thresholds", "no baseline", "another verifier", "another dataset"],
)
def test_without_a_comparable_baseline_no_miss_is_called_new(
    change: Callable[[Thresholds], Thresholds | None],
) -> None:
    run = sample.run()

    facts = sample.facts(run, change(sample.thresholds(run, ctem="0.6")))

    assert {miss.new for miss in facts.misses} == {None}


@pytest.mark.parametrize(
    ("gate", "clip"),
    [
        ("ctem", "refund_03"),
        ("recovery:phone_number", "ship_02"),
        ("ctem:domain=logistics", "ship_02"),
        ("recovery:postal_address:tag=smoke", "ship_01"),
        ("wer", "refund_03"),
        ("latency_p95_ms", "hold_music"),
        ("empty_rate", "ship_02"),
        ("thresholds", None),
        ("complete", None),
    ],
)
def test_a_gate_points_at_its_worst_clip(gate: str, clip: str | None) -> None:
    worst = sample.red().worst(Outcome(gate, "failed", ""))

    assert (worst and worst.clip) == clip


def test_a_failed_complete_points_at_the_first_error() -> None:
    worst = sample.outage().worst(Outcome("complete", "failed", ""))

    assert worst is not None
    assert worst.clip == "refund_03"


@pytest.mark.parametrize(
    ("measured", "shown"),
    [
        (Rate(15, 21), "0.71"),
        (Rate(0, 0), "-"),
        (412.4, "412"),
        (0.25, "0.25"),
        (None, "-"),
    ],
)
def test_a_figure_has_two_decimals_where_they_tell_something(
    measured: Measured, shown: str
) -> None:
    assert wording.figure(measured) == shown


@pytest.mark.parametrize(
    ("name", "policy", "measured", "shown"),
    [
        ("ctem", Policy(min=Decimal("0.80")), Rate(15, 21), "0.71"),
        ("ctem", Policy(min=Decimal("0.80")), Rate(7996, 10000), "0.7996"),
        ("ctem", Policy(min=Decimal("0.80")), Rate(4, 5), "0.80"),
        ("wer", Policy(max=Decimal("0.198")), ErrorRate(150, 693), "0.216"),
        ("wer", Policy(max=Decimal("0.24")), ErrorRate(24001, 100000), "0.24001"),
        ("latency_p95_ms", Policy(max=Decimal(900)), 900.3, "900.3 ms"),
        ("latency_p95_ms", Policy(max=Decimal(900)), 1920.0, "1920 ms"),
        ("cost", Policy(max=Decimal(12)), 12.345, "12.35"),
    ],
)
def test_a_gate_reads_in_the_table_as_in_its_line(
    name: str, policy: Policy, measured: Measured, shown: str
) -> None:
    value, parsed = exact(measured), GateName.parse(name)
    assert value is not None
    check = (
        checks.at_least(measured, value, policy.min)
        if policy.min is not None
        else checks.at_most(measured, value, policy.max or Decimal(0), parsed.spec.unit)
    )
    gate = Outcome(name, check.status, check.text, check.kind, float(check.limit), measured)

    assert wording.measured(gate) == shown
    assert gate.detail.startswith(f"{shown} ")
    assert wording.threshold(gate).split(maxsplit=1)[1] in gate.detail


@pytest.mark.parametrize(
    ("gate", "shown"),
    [
        (Outcome("ctem", "failed", "", "min", 0.8), ">= 0.80"),
        (Outcome("ctem", "failed", "", "min", 0.615), ">= 0.615"),
        (Outcome("wer", "failed", "", "max", 0.24), "<= 0.24"),
        (Outcome("latency_p95_ms", "failed", "", "max", 900.0), "<= 900 ms"),
        (Outcome("ctem", "failed", "", "max_drop", 3.0), "drop <= 3 points"),
        (Outcome("ctem", "failed", "", "paired", 0.05), "paired, alpha 0.05"),
        (Outcome("recovery:date", "failed", "", "max_new_misses", 0.0), "new misses <= 0"),
        (Outcome("complete", "failed", "", "max", 0.0), "errors <= 0"),
        (Outcome("ctem", "failed", ""), ""),
    ],
)
def test_a_threshold_reads_as_a_condition(gate: Outcome, shown: str) -> None:
    assert wording.threshold(gate) == shown


@pytest.mark.parametrize(
    ("transcript", "told"), [("", "no speech"), (" \n", "no speech"), ("so", "nothing like it")]
)
def test_every_format_tells_alike_what_there_was_instead_of_a_value(
    transcript: str, told: str
) -> None:
    measured = sample.run()
    silent = [replace(each, transcript=transcript) for each in measured.records]
    verdict = Verdict(False, True, "nothing like it was heard")
    silent = [
        replace(each, entities=tuple(replace(j, verdict=verdict) for j in each.entities))
        for each in silent
    ]
    facts = gather(
        replace(measured, records=tuple(silent)), [Outcome("ctem", "failed", "0.10 < 0.20")]
    )
    texts = {
        "terminal": "\n".join(text for _, text in terminal.lines(facts, width=200)),
        "markdown": markdown.report(facts),
        "github": "\n".join(github.lines(facts, {})),
        "strict": miss_line(silent[0], silent[0].entities[0]),
    }

    other = {"no speech": "nothing like it", "nothing like it": "no speech"}[told]
    for name, text in texts.items():
        assert told in text, name
        assert ('in "so"' in html.unescape(text)) is (transcript == "so"), name
        assert other not in text, name
