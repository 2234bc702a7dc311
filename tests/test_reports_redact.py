"""`--asr-redact`: no value or transcript can be read in anything but the local run file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from helpers import report_runs as sample
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrbench.model import Difference, Entity, Failure, JudgedEntity, Nearest, Verdict
from pytest_asrbench.reports import github, html, markdown, redact, terminal
from pytest_asrbench.reports.junit import properties
from pytest_asrbench.reports.view_model import ViewModel, gather
from pytest_asrbench.verifiers import reasons
from pytest_asrbench.verifiers.rules import Rules


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("ramirez@example.com", "xxxxxxx@xxxxxxx.xxx"),
        ("415-555-0132", "###-###-####"),
        ("$1,243.50", "$#,###.##"),
        ("José 你好 Ⅳ ½", "xxxx xx # #"),
        ("e\u0301", "xx"),
        ("", ""),
    ],
)
def test_digits_and_letters_are_masked_and_punctuation_stays(text: str, masked: str) -> None:
    assert redact.mask(text) == masked


@pytest.mark.slow
@given(st.text())
def test_a_masked_text_has_no_letter_or_digit_of_its_own(text: str) -> None:
    masked = redact.mask(text)

    assert len(masked) == len(text)
    assert {char for char in masked if char.isalnum()} <= {"x"}
    assert redact.mask(masked) == masked


@pytest.mark.parametrize(
    ("canonical", "transcript", "shown"),
    [
        ("415-555-0132", "it is 415 555 132", "one # missing"),
        ("415-555-0132", "it is 415 555 0123", "## -> ## (swapped)"),
        ("415-555-0132", "it is 415 555 0132 7", "goes on with '#'"),
    ],
)
def test_differences_stay_readable_without_the_value(
    canonical: str, transcript: str, shown: str
) -> None:
    [verdict] = Rules().judge([Entity("x", "phone_number", canonical)], transcript, "en")

    masked = reasons.masked(verdict, redact.mask)
    assert masked.reason.startswith(shown)
    assert masked.nearest
    assert masked.nearest.difference == shown


@pytest.mark.parametrize("kind", reasons.WORDINGS)
def test_fields_are_masked_and_words_stay(kind: str) -> None:
    """Also where the value is one of the words: a street that is called Missing."""
    wanted, heard, behind = "missing 55", "one 7 too many", "stands in front"
    near = reasons.nearest("missing", 0, 7, Difference(kind, wanted, heard, behind))

    masked = reasons.masked(reasons.absent(near), redact.mask)
    plain = reasons.told([Difference(kind, "xxxxxxx ##", "xxx # xxx xxxx", "xxxxxx xx xxxxx")])
    assert masked.nearest
    assert masked.nearest.difference == masked.reason == plain


def test_words_of_others_are_masked_whole() -> None:
    theirs = Verdict(False, True, "heard Ramirez", nearest=Nearest("Rami", 0, 4, "Rami or so"))

    masked = reasons.masked(theirs, redact.mask)
    assert masked.reason == "xxxxx xxxxxxx"
    assert masked.nearest == Nearest("xxxx", 0, 4, "xxxx xx xx")


def secretive() -> ViewModel:
    """The red sample, with values also in an error message, settings and accepted forms."""
    run = sample.red().run
    records = list(run.records)
    judged = records[0].entities[1]
    other = replace(
        judged.entity, acoustic="ramirez at example dot com", accept=("ramirez@x.test",)
    )
    records[0] = replace(
        records[0], entities=(records[0].entities[0], JudgedEntity(other, judged.verdict))
    )
    failure = Failure("audio", "rejected: please hold the line", "api.example.com")
    records[4] = replace(records[4], transcript=None, error=failure)
    settings = {"keyterms": ["Ramirez@example.com"], "prompt": {"text": "say 415-555-0132"}}
    run = replace(run, records=tuple(records), provider=replace(run.provider, settings=settings))
    masked = redact.run(run)
    return gather(masked, run.gates, notices=["10 of 30 clips selected"])


def artefacts(facts: ViewModel, folder: Path) -> Iterator[tuple[str, str]]:
    """Everything that a run writes, by name."""
    for verbosity in (-1, 0, 1, 2):
        lines = terminal.lines(facts, width=200, verbosity=verbosity)
        yield f"terminal {verbosity}", "\n".join(text for _, text in lines)
    yield "markdown", markdown.report(facts)
    yield "annotations", "\n".join(github.lines(facts, {}))
    github.write_summary(facts, {"GITHUB_STEP_SUMMARY": str(folder / "summary.md")})
    yield "summary", (folder / "summary.md").read_text(encoding="utf-8")
    html.write(facts, folder / "report.html", embed=True, redacted=True)
    yield "html", (folder / "report.html").read_text(encoding="utf-8")
    pairs = [properties(record, details=True) for record in facts.run.records]
    yield "junit", str(pairs)


SECRETS = (
    "ramirez", "remirsat", "jo@example", "415-555", "0132", "Juniper", "Sweet", "62701", "6271",
    "Springfield", "$42", "March", "forty two", "four one five", "hold the line", "x.test",
)  # fmt: skip


def test_no_artefact_holds_a_value_or_a_transcript(tmp_path: Path) -> None:
    found = [
        (name, secret)
        for name, text in artefacts(secretive(), tmp_path)
        for secret in SECRETS
        if re.search(re.escape(secret), text, re.IGNORECASE)
    ]

    assert found == []


def test_the_same_artefacts_hold_them_all_without_redaction(tmp_path: Path) -> None:
    """Else the test above could not fail."""
    written = "\n".join(text for _, text in artefacts(sample.red(), tmp_path))

    missing = [secret for secret in SECRETS if secret.lower() not in written.lower()]
    assert missing == ["x.test"]


def test_types_ids_figures_and_differences_stay_readable() -> None:
    shown = "\n".join(text for _, text in terminal.lines(secretive(), width=200))

    assert "email_address" in shown
    assert "refund_03/email" in shown
    assert "0.50 < 0.95 min (1 of 2)" in shown
    assert "heard 'xxxxx' for 'xxxxx', one # missing" in shown
    assert "wanted xxxxxxx@xxxxxxx.xxx" in shown


def test_a_redacted_page_offers_neither_player_nor_dispute(tmp_path: Path) -> None:
    measured = sample.run(tmp_path)
    (tmp_path / "clips").mkdir()
    (tmp_path / "clips/refund_03.wav").write_bytes(b"RIFF")
    open_page, masked_page = tmp_path / "open.html", tmp_path / "masked.html"

    html.write(gather(measured, []), open_page, embed=True)
    html.write(gather(redact.run(measured), []), masked_page, embed=True, redacted=True)

    assert "data:audio" in open_page.read_text(encoding="utf-8")
    assert "data:audio" not in masked_page.read_text(encoding="utf-8")
    assert '"redacted":true' in masked_page.read_text(encoding="utf-8")


def test_counts_and_verdicts_are_untouched() -> None:
    run = sample.run()

    masked = redact.run(run)

    assert masked.metrics == run.metrics
    assert [len(record.misses) for record in masked.records] == [1, 0, 1, 1, 0]
    assert [record.clip for record in masked.records] == [record.clip for record in run.records]
