"""Reports for people who were not there: a sentence, words in full, links, tables."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from helpers import report_runs as sample
from helpers.plugin_suite import Suite

from pytest_asrbench import cli
from pytest_asrbench.model import ClipRecord, Entity, Failure, JudgedEntity, Verdict
from pytest_asrbench.reports import csv_rows, markdown, opening, terminal
from pytest_asrbench.reports.html import render
from pytest_asrbench.reports.html_audio import Sound
from pytest_asrbench.reports.misses import Stored, find
from pytest_asrbench.reports.view_model import ViewModel
from pytest_asrbench.run import read, write
from pytest_asrbench.run.surroundings import links


def printed(facts: ViewModel) -> str:
    return "\n".join(text for _, text in terminal.lines(facts))


def drawn(facts: ViewModel) -> str:
    return render(facts, Sound(None, Path())).partition("<body>")[2]


READERS = [printed, markdown.report, drawn]


def record(name: str, *types: str, missed: str = "") -> ClipRecord:
    entities = [
        JudgedEntity(Entity(f"e{n}", type_, "x"), Verdict(f"e{n}" not in missed, True, "so"))
        for n, type_ in enumerate(types)
    ]
    return ClipRecord(name, "said", "en", tuple(entities), transcript="heard")


def told(records: list[ClipRecord], known: set[str] | None = None) -> str:
    stored = Stored(known, {each.clip for each in records})
    since = "2026-11-30" if known is not None else None
    return opening.sentence(records, find(records, stored), repeats=1, since=since)


@pytest.mark.parametrize(
    ("records", "known", "sentence"),
    [
        (
            [
                record("a", "phone_number", "date", "date", missed="e0 e1 e2"),
                record("b", *["time"] * 8),
            ],
            set(),
            "3 of 11 values that callers said were lost; 3 are new since 2026-11-30: two dates and "
            "a phone number.",
        ),
        (
            [record("a", "email_address", "url", missed="e0 e1")],
            {"a/e1"},
            "2 of 2 values that callers said were lost; 1 is new since 2026-11-30: an email "
            "address.",
        ),
        (
            [record("a", "time", missed="e0")],
            {"a/e0"},
            "1 of 1 value that callers said was lost; none is new since 2026-11-30.",
        ),
        (
            [record("a", "time", "date", missed="e0")],
            None,
            "1 of 2 values that callers said was lost.",
        ),
        ([record("a", "time", "date")], set(), "All 2 values that callers said were recovered."),
        ([record("a", "time")], None, "The one value that callers said was recovered."),
        ([record("a")], None, "No values were judged."),
        (
            [record("a", "time"), replace(record("b"), error=Failure("timeout", "no answer"))],
            None,
            "The one value that callers said was recovered. 1 clip without a result.",
        ),
    ],
)
def test_the_sentence(records: list[ClipRecord], known: set[str] | None, sentence: str) -> None:
    assert told(records, known) == sentence


@pytest.mark.parametrize(
    ("types", "words"),
    [
        (["url"], "a URL"),
        (["ip_address", "ip_address"], "two IP addresses"),
        (["acronym_or_initialism"] * 3, "three acronyms or initialisms"),
        (["confirmation-code"] * 12, "12 confirmation codes"),
        (["a", "b", "c", "d", "e"], "an a, a b, a c and two more"),
        (["currency"] * 2, "two currencies"),
    ],
)
def test_kinds_in_words(types: list[str], words: str) -> None:
    assert opening.kinds(types) == words


@pytest.mark.parametrize("show", READERS)
def test_every_report_opens_with_it_and_spells_its_measures_out(
    show: Callable[[ViewModel], str],
) -> None:
    facts = sample.red()
    shown = " ".join(html.unescape(show(facts)).split())

    sentence = "3 of 6 values that callers said were lost; 1 is new since 2026-11-01: an email"
    assert sentence in shown
    assert shown.index(sentence) < shown.index("ctem")
    assert "canonical token/entity match" in shown
    assert "task success rate" in shown


def test_a_page_has_what_was_lost_without_a_click_or_a_script() -> None:
    page = render(sample.red(), Sound(None, Path()))

    static = page.partition('<script type="application/json"')[0]
    table = static.partition('id="lost"')[2].partition("</table>")[0]
    assert "ramirez@example.com" in table
    assert "remirsat example" in table
    assert "<details" not in static.partition('id="lost"')[2].partition("</section>")[0]
    assert "Glossary" in static


def test_many_losses_stay_a_readable_comment() -> None:
    text = markdown.report(sample.red())

    assert text.index("### What was lost") < text.index("| gate |")


GITHUB = {
    "GITHUB_ACTIONS": "true",
    "GITHUB_SERVER_URL": "https://github.com",
    "GITHUB_REPOSITORY": "o/r",
    "GITHUB_SHA": "0123456789abcdef",
    "GITHUB_REF": "refs/pull/7/merge",
    "GITHUB_REF_NAME": "7/merge",
    "GITHUB_HEAD_REF": "mend",
    "GITHUB_RUN_ID": "99",
    "GITHUB_JOB": "gate",
}
GITLAB = {
    "GITLAB_CI": "true",
    "CI_PROJECT_URL": "https://gitlab.com/o/r",
    "CI_COMMIT_SHA": "0123456789abcdef",
    "CI_COMMIT_REF_NAME": "main",
    "CI_JOB_URL": "https://gitlab.com/o/r/-/jobs/5",
    "CI_JOB_NAME": "speech",
}


@pytest.mark.parametrize(
    ("variables", "found"),
    [
        (
            GITHUB,
            {
                "commit 0123456789ab": "https://github.com/o/r/commit/0123456789abcdef",
                "branch mend": "https://github.com/o/r/tree/mend",
                "job gate": "https://github.com/o/r/actions/runs/99",
                "pull request 7": "https://github.com/o/r/pull/7",
            },
        ),
        (
            GITLAB,
            {
                "commit 0123456789ab": "https://gitlab.com/o/r/-/commit/0123456789abcdef",
                "branch main": "https://gitlab.com/o/r/-/tree/main",
                "job speech": "https://gitlab.com/o/r/-/jobs/5",
            },
        ),
        ({}, {}),
        ({**GITHUB, "GITHUB_SERVER_URL": "javascript:alert(1)//"}, {}),
    ],
)
def test_links_come_from_ci(variables: dict[str, str], found: dict[str, str]) -> None:
    assert links(variables) == found


def test_links_stand_in_reports_and_in_the_run_file(tmp_path: Path) -> None:
    facts = sample.red()
    facts = replace(facts, run=replace(facts.run, links=links(GITHUB)))
    write(facts.run, tmp_path / "run.json")

    assert read(tmp_path / "run.json").links == links(GITHUB)
    page = render(facts, Sound(None, Path()))
    assert (
        '<a href="https://github.com/o/r/pull/7" rel="noopener noreferrer">pull request 7</a>'
        in page
    )
    assert "[pull request 7](https://github.com/o/r/pull/7)" in markdown.report(facts)


def rows(facts: ViewModel) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_rows.document(facts))))


def test_a_table_has_one_row_a_value() -> None:
    facts = sample.red()
    found = rows(facts)

    assert len(found) == sum(len(each.entities) for each in facts.run.records)
    first = next(row for row in found if row["value"] == "email" and row["clip"] == "refund_03")
    assert first["outcome"] == "missed"
    assert (first["canonical"], first["heard"]) == ("ramirez@example.com", "remirsat example")
    assert (first["new"], first["domain"]) == ("yes", "finance_ops")
    assert {row["outcome"] for row in rows(sample.outage())} == {"missed", "error"}


def test_what_a_caller_says_is_no_formula() -> None:
    assert csv_rows._safe("=HYPERLINK(1)") == "'=HYPERLINK(1)"
    assert csv_rows._safe("@SUM(1)") == "'@SUM(1)"
    assert csv_rows._safe("+1 415") == "+1 415"
    assert csv_rows._safe("-5") == "-5"
    assert csv_rows._safe("-A1") == "'-A1"


@pytest.mark.slow
def test_pytest_and_score_write_the_table(suite: Suite, tmp_path: Path) -> None:
    suite.many(3, missed=1)
    suite.thresholds(ctem={"min": 0.1})

    suite.run("--asr-csv=values.csv", "--asr-json=run.json")
    folder: Path = suite.folder
    table = (folder / "values.csv").read_text("utf-8")
    assert [row["outcome"] for row in csv.DictReader(io.StringIO(table))] == [
        "recovered",
        "recovered",
        "missed",
    ]
    assert (
        cli.main(["score", "--run", str(folder / "run.json"), "--csv", str(tmp_path / "a.csv")])
        == 0
    )
    again = (tmp_path / "a.csv").read_text("utf-8")
    assert again.count("\n") == table.count("\n")


@pytest.mark.slow
def test_pytest_html_has_a_column_of_missed_values(suite: Suite) -> None:
    pytest.importorskip("pytest_html")
    suite.many(2, missed=1)
    suite.thresholds(ctem={"min": 0.1})
    suite.extra_plugins = ["pytest_metadata.plugin", "pytest_html.plugin"]

    suite.run("--html=report.html", "-W", "ignore")

    page = html.unescape((suite.folder / "report.html").read_text("utf-8"))
    assert "Missed values" in page
    assert "missed: c01/e1" in page
    assert page.count("missed: c0") == 1


def test_a_comparison_shows_what_each_heard(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = sample.run(tmp_path)
    heard = [
        replace(
            each,
            transcript="Refund $42 and mail ramirez@example.com.",
            entities=tuple(
                replace(j, verdict=Verdict(True, True, "so", evidence="ramirez@example.com"))
                if j.entity.type == "email_address"
                else j
                for j in each.entities
            ),
        )
        if each.clip == "refund_03"
        else each
        for each in one.records
    ]
    other = replace(one, records=tuple(heard), provider=replace(one.provider, name="other"))
    for name, run in (("a", one), ("b", other)):
        write(run, tmp_path / f"{name}.json")

    page, comment = tmp_path / "c.html", tmp_path / "c.md"
    asked = ["compare", str(tmp_path / "a.json"), str(tmp_path / "b.json")]
    assert cli.main([*asked, "--md", str(comment), "--html", str(page)]) == 0

    lines = capsys.readouterr().out.splitlines()
    at = next(
        n for n, line in enumerate(lines) if "not recovered by all, 1 of them by some" in line
    )
    assert lines[at + 1] == "  refund_03/email  wanted ramirez@example.com"
    assert lines[at + 2] == '    A  lost   "remirsat example"'
    assert lines[at + 3] == '    B  ok     "ramirez@example.com"'
    assert "| A heard | B heard |" in comment.read_text("utf-8")
    assert "remirsat example" in page.read_text("utf-8")
