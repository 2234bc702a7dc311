"""The terminal report, as a person reads it."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from helpers import report_runs as sample
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_asrbench.model import JudgedEntity, Nearest, Outcome, Verdict
from pytest_asrbench.reports import alignment, styles, terminal
from pytest_asrbench.reports.text import columns
from pytest_asrbench.reports.view_model import ViewModel, gather

GOLDEN = Path(__file__).parent / "golden"
REWRITE = os.environ.get("ASRBENCH_REWRITE_GOLDEN")  # set it, then read the diff


def text(facts: ViewModel, width: int = 80, verbosity: int = 0) -> str:
    return "".join(
        line + "\n" for _, line in terminal.lines(facts, width=width, verbosity=verbosity)
    )


@pytest.mark.parametrize(
    ("name", "make", "width", "verbosity"),
    [
        ("red", sample.red, 80, 0),
        ("red_quiet", sample.red, 80, -1),
        ("red_verbose", sample.red, 80, 1),
        ("red_alignment_200", sample.red, 200, 2),
        ("green", sample.green, 80, 0),
        ("outage", sample.outage, 80, 0),
        ("repeated", sample.repeated, 80, 0),
        ("hostile", sample.hostile, 80, 0),
    ],
)
def test_reports_read_as_the_golden_ones(
    name: str, make: Callable[[], ViewModel], width: int, verbosity: int
) -> None:
    shown = text(make(), width, verbosity)
    path = GOLDEN / f"report_{name}.txt"
    if REWRITE:
        path.write_text(shown, encoding="utf-8")

    assert shown == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("verbosity", [-1, 0, 1, 2])
@pytest.mark.parametrize("make", [sample.red, sample.outage, sample.green, sample.repeated])
def test_nothing_says_passed(make: Callable[[], ViewModel], verbosity: int) -> None:
    assert "passed" not in text(make(), verbosity=verbosity).lower()


@pytest.mark.parametrize("verbosity", [-1, 0, 1, 2])
def test_a_red_report_ends_with_the_failed_gates_and_how_to_reproduce(verbosity: int) -> None:
    lines = text(sample.red(), verbosity=verbosity).splitlines()

    assert lines[-4:] == [
        "FAILED gate[ctem] 0.50 < 0.60 min (3 of 6)",
        "FAILED gate[recovery:email_address] 0.50 < 0.95 min (1 of 2)",
        "reproduce one clip: pytest --asr-provider=nova3 --asr-strict "
        "-k '[refund_03] or [refund_03/'",
        "2 of 7 gates failed",
    ]


def test_an_outage_is_told_apart_from_a_regression() -> None:
    closing = text(sample.outage()).rpartition("\n\n")[2]

    assert "provider failure, not a regression" in closing
    assert "2 transient, 1 auth on api.example.com" in closing.replace("\n", " ")
    assert "regression" not in text(sample.red())


@pytest.mark.parametrize("verbosity", [-2, -1, 0, 1])
def test_why_nothing_was_gated_is_said_however_quiet(verbosity: int) -> None:
    facts = gather(sample.run(), [], notices=["not gated: 12 of 30 clips selected"])

    assert "not gated: 12 of 30 clips selected" in text(facts, verbosity=verbosity)


@pytest.mark.parametrize(
    ("verbosity", "shown"), [(0, 2), (1, 300), (2, 300)], ids=["capped", "-v", "-vv"]
)
def test_misses_are_capped_with_a_count_of_the_rest(verbosity: int, shown: int) -> None:
    lines = text(gather(sample.many(300), []), verbosity=verbosity).splitlines()

    assert sum("wanted ramirez@example.com" in line for line in lines) == shown
    assert ("298 of 300 misses not shown; -v shows all" in lines) == (verbosity == 0)


def test_a_failed_type_shows_more_of_its_misses_than_others() -> None:
    failed = Outcome("recovery:email_address", "failed", "0.00 < 0.90 min (0 of 30)")
    facts = gather(sample.many(30), [failed])

    assert text(facts).count("wanted ramirez") == 6


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("make", [sample.red, sample.outage, sample.hostile, sample.repeated])
def test_lines_fit_the_screen(make: Callable[[], ViewModel], width: int) -> None:
    long = [
        line
        for _, line in terminal.lines(make(), width=width, verbosity=1)
        if columns(line.replace(r":\u003a", "::")) > max(width, 60)
        and not line.startswith("reproduce")
    ]

    assert long == []


@pytest.mark.slow
@settings(max_examples=40)
@given(st.text(max_size=60), st.text(max_size=60))
def test_no_transcript_reaches_the_terminal_or_the_runner(value: str, heard: str) -> None:
    measured = sample.run()
    first = measured.records[0]
    near = Nearest(heard, 0, len(heard), heard)
    judged = JudgedEntity(
        replace(first.entities[1].entity, canonical=value),
        Verdict(False, True, heard, nearest=near),
    )
    record = replace(first, transcript=heard, reference=value, entities=(judged,))
    facts = gather(replace(measured, records=(record,)), [], notices=[heard, value])

    lines = list(terminal.lines(facts, width=60, verbosity=2))

    assert lines
    for _, line in lines:
        line.encode()  # raises where a lone surrogate is left
        assert line.isprintable() or not line.isascii()
        assert not line.lstrip().startswith("::")
        assert "\x1b" not in line


def test_words_are_aligned_with_their_marks() -> None:
    shown = text(sample.red(), verbosity=2)

    assert (
        "    said   refund forty two dollars and mail ramirez  at example  dot com\n"
        "    heard  Refund $42   *** ******* and mail remirsat ** example. *** ***\n"
        "                  S     D   D                S        D           D   D\n"
    ) in shown


def test_words_without_spaces_are_aligned_by_character() -> None:
    rows = list(alignment.lines("请在号码415 后按井号", "请在号码416后安井号", 60))

    assert rows == [
        ("请 在 号 码 415 后 按 井 号", "请 在 号 码 416 后 安 井 号", " " * 12 + "S      S")
    ]


def test_styles_say_what_a_line_means() -> None:
    styled = {line: style for style, line in terminal.lines(sample.red())}

    assert styled["2 of 7 gates failed"] == "bad"
    assert styled["email_address: 1 missed, 1 new"] == "bad"
    assert set(styled.values()) <= set(styles.MARKUP)


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "coloured"),
    [
        (Screen(), {}, True),
        (Screen(), {"NO_COLOR": "1"}, False),
        (Screen(), {"NO_COLOR": ""}, True),
        (Screen(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True),
        (io.StringIO(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colour_is_for_terminals_that_want_it(
    stream: io.StringIO, environment: dict[str, str], coloured: bool
) -> None:
    assert styles.coloured(stream, environment) is coloured


def test_ansi_colours_end_where_the_line_ends() -> None:
    assert styles.ansi("bad", "x") == "\x1b[31;1mx\x1b[0m"
    assert styles.ansi("plain", "x") == "x"
