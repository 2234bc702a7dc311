"""Untrusted text: what is shown, and that nothing of it is obeyed."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrbench.reports.text import code, columns, cut, pad, printable, prose, unobeyed, wrap


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain words", "plain words"),
        ("two\nlines\tand\r\u2028more", "two lines and  more"),
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("\u202egnp.exe\u2069", r"\u202egnp.exe\u2069"),
        ("zero\u200bwidth", r"zero\u200bwidth"),
        ("\udcff", r"\udcff"),
        ("नमस्ते می\u200cخواهم", "नमस्ते می\u200cخواهم"),
        ("naïve 你好 👩\u200d👧", "naïve 你好 👩\u200d👧"),
        (
            "##[error]x ##vso[task] ##TeamCity[x]",
            r"#\u0023[error]x #\u0023vso[task] #\u0023TeamCity[x]",
        ),
        ("## heading", "## heading"),
    ],
)
def test_printable_shows_what_is_there_and_obeys_nothing(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.slow
@given(st.text(alphabet=st.characters()))
def test_printable_is_one_line_without_controls_and_stays_as_it_is(text: str) -> None:
    shown = printable(text)

    shown.encode()  # raises where a lone surrogate is left
    assert len(shown.splitlines()) <= 1
    kinds = {unicodedata.category(char) for char in shown if char not in "\u200c\u200d"}
    assert not kinds & {"Cc", "Cf", "Cs", "Co"}
    assert printable(shown) == shown


@pytest.mark.parametrize(
    ("line", "safe"),
    [
        ("::error::x", r":\u003aerror::x"),
        ("   ::add-mask::a", r"   :\u003aadd-mask::a"),
        ("std::vector", "std::vector"),
        ("", ""),
    ],
)
def test_no_line_starts_with_a_runner_command(line: str, safe: str) -> None:
    assert unobeyed(line) == safe


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("你好", 4), ("e\u0301", 1), ("ｆｕｌｌ", 8), ("", 0)]
)
def test_columns_are_those_of_a_terminal(text: str, width: int) -> None:
    assert columns(text) == width


@given(st.text(), st.integers(3, 40))
def test_cut_text_fits_and_short_text_is_whole(text: str, width: int) -> None:
    shown = printable(text)

    assert columns(cut(shown, width)) <= width
    assert cut(shown, max(columns(shown), 1)) == shown


def test_padding_counts_columns_and_not_characters() -> None:
    assert pad("你好", 6) == "你好  "
    assert pad("15", 4, right=True) == "  15"


@given(st.text(), st.integers(10, 60))
def test_wrapping_loses_nothing_but_spaces_and_fits(text: str, width: int) -> None:
    shown = printable(text)
    lines = wrap(shown, width, "  ")

    assert re.sub(r"\s", "", "".join(lines)) == re.sub(r"\s", "", shown)
    assert all(columns(line) <= width for line in lines)


def test_wrapping_breaks_at_spaces() -> None:
    assert wrap("heard 'Sweet' for 'Suite'", 16, "  ") == ["  heard 'Sweet'", "  for 'Suite'"]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("a@b.example", "`a@b.example`"),
        ("a | b", "<code>a &#124; b</code>"),
        ("`x`", "<code>&#96;x&#96;</code>"),
        ("<b>", "`<b>`"),
        ("", "<code></code>"),
        ("C:\\x", "<code>C&#58;&#92;x</code>"),
    ],
)
def test_a_code_span_holds_in_text_and_in_tables(text: str, span: str) -> None:
    assert code(text) == span


def test_prose_is_neither_markup_nor_mention_nor_link() -> None:
    shown = prose("<img> **b** [x](y) @team #1 http://e.example WWW.e.example `c` a|b")

    assert not re.search(r"[<>*\[\]@`|]|#(?!\d+;)|://|www\.", shown, re.IGNORECASE)
