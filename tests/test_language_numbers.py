"""Number words: what a pack says it reads, and what num2words says it reads too."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from num2words import num2words

from pytest_asrbench.verifiers.languages.line import fold
from pytest_asrbench.verifiers.languages.matcher import reader
from pytest_asrbench.verifiers.packs import PACKS, pack

LANGUAGES = sorted(code for code in PACKS if pack(code).numbers.grammar is not None)
CHECKED = {"de": "de", "es": "es", "fr": "fr", "it": "it", "ja": "ja", "pt": "pt_BR", "tr": "tr",
           "vi": "vi"}  # fmt: skip
"""Language -> what num2words calls it; it has no zh and no hi."""
NUMBERS = st.integers(0, 130) | st.integers(0, 9999) | st.integers(0, 10**9)


@cache
def grammar(language):
    return reader(pack(language), "").tables.grammar


def read(language, words):
    """Every number that all of the words say."""
    flat = fold(words, pack(language))
    return {value for value, end in grammar(language).read(flat, 0) if end == len(flat)}


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@given(number=NUMBERS)
def test_what_is_said_is_read_and_has_no_other_reading(language, number):
    said = pack(language).numbers.grammar.say(number)

    assert read(language, said) == {number}, said


@pytest.mark.slow
@pytest.mark.parametrize("language", sorted(CHECKED))
@given(number=NUMBERS)
def test_what_another_library_says_is_read(language, number):
    assume(language != "tr" or number // 1000 % 10 != 1)  # it says 1001 and 381001 alike
    said = num2words(number, lang=CHECKED[language]).replace(",", "")
    assume("odicotto" not in said)  # it elides diciotto as if it were otto

    assert number in read(language, said), said


@pytest.mark.parametrize(
    ("language", "words", "value"),
    [
        ("de", "zwölfhundert", 1200),
        ("de", "zwoundzwanzig", 22),
        ("es", "diez y seis", 16),
        ("es", "doscientas mil", 200_000),
        ("fr", "nonante-neuf", 99),
        ("fr", "douze cents", 1200),
        ("hi", "बारह सौ अस्सी", 1280),
        ("hi", "two lakh", 200_000),
        ("it", "venti tre", 23),
        ("ja", "1万2060", 12060),
        ("pt", "quatorze", 14),
        ("tr", "dörtyüzkırkdört", 444),
        ("vi", "hai trăm linh sáu", 206),
        ("vi", "ba nghìn tư", 3400),
        ("zh", "一百二", 120),
        ("zh", "三千零五", 3005),
        ("zh", "两万三", 23_000),
    ],
)
def test_numbers_are_read_in_the_ways_people_say_them(language, words, value):
    assert value in read(language, words)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", "zwanzig eins"),
        ("es", "treinta uno"),
        ("fr", "soixante deux mille vingt cent"),
        ("pt", "trinta um"),
        ("vi", "sáu mười năm"),
    ],
)
def test_numbers_in_a_row_are_not_one(language, words):
    assert read(language, words) == set()
