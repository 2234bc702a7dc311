"""A dataset's language tag in each vendor's form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrbench.providers import languages as form

TAGS = st.from_regex(r"[a-z]{2,3}([-_]([A-Za-z]{4}|[A-Za-z]{2}|[0-9]{3}))?", fullmatch=True)
FORMS = [form.primary, form.regional, form.deepgram, form.google, form.speechmatics]


@pytest.mark.parametrize(
    ("tag", "primary", "regional", "deepgram", "google", "speechmatics"),
    [
        ("en", "en", "en-US", "en", "en-US", "en"),
        ("en-US", "en", "en-US", "en-US", "en-US", "en"),
        ("en_gb", "en", "en-GB", "en-GB", "en-GB", "en"),
        ("es-MX", "es", "es-MX", "es", "es-MX", "es"),
        ("es-419", "es", "es-419", "es-419", "es-419", "es"),
        ("tr-TR", "tr", "tr-TR", "tr", "tr-TR", "tr"),
        ("vi-VN", "vi", "vi-VN", "vi", "vi-VN", "vi"),
        ("zh-CN", "zh", "zh-CN", "zh-CN", "cmn-Hans-CN", "cmn"),
        ("zh-hant", "zh", "zh-Hant", "zh-Hant", "cmn-Hant-TW", "cmn"),
        ("zh", "zh", "zh-CN", "zh", "cmn-Hans-CN", "cmn"),
        ("pt-BR", "pt", "pt-BR", "pt-BR", "pt-BR", "pt"),
        ("sw", "sw", "sw", "sw", "sw", "sw"),
        ("multi", "multi", "multi", "multi", "multi", "multi"),
        ("auto", "auto", "auto", "auto", "auto", "auto"),
    ],
)
def test_a_tag_becomes_what_the_vendor_writes(
    tag, primary, regional, deepgram, google, speechmatics
):
    assert [spell(tag) for spell in FORMS] == [primary, regional, deepgram, google, speechmatics]


@pytest.mark.slow
@given(TAGS)
def test_a_form_stays_what_it_is(tag):
    """A configuration may already hold the vendor's own form."""
    for spell in FORMS:
        assert spell(spell(tag)) == spell(tag)


@pytest.mark.slow
@given(TAGS)
def test_the_language_itself_is_kept(tag):
    for spell in (form.primary, form.regional, form.deepgram):
        assert form.primary(spell(tag)) == form.primary(tag)
