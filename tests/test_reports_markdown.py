"""Markdown for a step summary or a comment."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from helpers import report_runs as sample
from markdown_it import MarkdownIt
from markdown_it.token import Token

from pytest_asrbench.reports import markdown
from pytest_asrbench.reports.view_model import ViewModel, gather


def test_a_red_report_leads_with_the_verdict_and_opens_the_broken_type() -> None:
    text = markdown.report(sample.red())

    assert text.startswith("## ❌ ASR gate: 2 of 7 gates failed\n")
    assert "<details open><summary><code>email&#95;address</code>: 1 missed, 1 new" in text
    assert "<details><summary><code>phone&#95;number</code>: 1 missed" in text
    assert "`pytest --asr-provider=nova3 --asr-strict -k '[refund_03] or [refund_03/'`" in text
    assert "passed" not in text


def test_every_section_that_opens_closes() -> None:
    for make in (sample.red, sample.green, sample.outage, sample.hostile):
        text = markdown.report(make())
        assert text.count("<details") == text.count("</details>") > 0


def test_an_outage_names_the_clips_without_a_result() -> None:
    text = markdown.report(sample.outage())

    assert text.startswith("## ⚠️ ASR gate: provider failure, not a regression&#58; 3 of 5 clips")
    assert "| `ship_01` | auth | key refused |" in text


@pytest.mark.slow
@pytest.mark.parametrize("limit", [markdown.COMMENT_LIMIT, markdown.SUMMARY_LIMIT])
def test_a_report_too_large_for_its_place_is_cut_with_a_note(limit: int) -> None:
    text = markdown.report(gather(sample.many(12_000), []), limit)

    assert len(text.encode()) <= limit
    assert re.search(r"\n[\d,]+ more, left out to keep this report short", text)
    assert text.count("<details") == text.count("</details>")
    assert "Figures and processing used" in text


def test_a_report_that_fits_is_whole() -> None:
    text = markdown.report(gather(sample.many(100), []), markdown.SUMMARY_LIMIT)

    assert text.count("`ramirez@example.com`") == 100
    assert "left out" not in text


def test_a_place_smaller_than_all_figures_still_gets_the_verdict() -> None:
    text = markdown.report(sample.red(), 700)

    assert len(text.encode()) <= 700
    assert text.startswith("## ❌ ASR gate: 2 of 7 gates failed")
    assert text.endswith("the run file holds all of it._\n")


def test_hostile_text_is_neither_markup_nor_mention_nor_table() -> None:
    text = markdown.report(sample.hostile())
    outside = re.sub(r"`[^`\n]*`|<code>[^<\n]*</code>", "", text)

    for harm in (
        "<script",
        "<img",
        "@everyone",
        "**bold**",
        "https://evil",
        "::error",
        "##[",
        "\x1b",
    ):
        assert harm not in outside
    assert not re.search(r"^\s*::|^##\[", text, re.MULTILINE)
    for line in text.splitlines():
        if line.startswith("| `refund_03/email`"):
            assert line.count("|") == 5
            break
    else:
        pytest.fail("the hostile miss is not listed")


def rendered(text: str) -> list[Token]:
    """Every token, as a renderer of GitHub's dialect sees them."""
    parser = MarkdownIt("gfm-like")
    assert parser.linkify is not None
    parser.linkify.set({"fuzzy_link": False})  # GitHub links no bare host
    tokens = parser.parse(text)
    return [part for token in tokens for part in (token, *(token.children or ()))]


@pytest.mark.parametrize("make", [sample.red, sample.green, sample.outage, sample.hostile])
def test_a_renderer_sees_tables_sections_and_code_alone(make: Callable[[], ViewModel]) -> None:
    tokens = rendered(markdown.report(make()))

    kinds = {token.type for token in tokens}
    assert not kinds & {"link_open", "image", "fence", "code_block", "s_open"}
    allowed = r"</?details( open)?>|</?summary>|</?code>"
    markup = "".join(token.content for token in tokens if token.type.startswith("html"))
    assert [tag for tag in re.findall(r"<[^>]*>", markup) if not re.fullmatch(allowed, tag)] == []


def test_a_renderer_keeps_the_hostile_value_in_its_cell() -> None:
    tokens = rendered(markdown.report(sample.hostile()))
    start = next(i for i, token in enumerate(tokens) if "refund_03/email" in token.content)
    end = next(i for i in range(start, len(tokens)) if tokens[i].type == "tr_close")

    row = tokens[start:end]
    assert sum(token.type == "td_open" for token in row) == 3  # wanted, heard, difference
    text = html.unescape("".join(token.content for token in row if token.type == "text"))
    assert "<script>document.title='pwned'</script>" in text
    assert "`code` **bold** @everyone" in text
