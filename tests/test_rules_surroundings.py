"""A value stays present among ordinary words and the signs that engines write around it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pytest_asrbench.model import Entity
from pytest_asrbench.verifiers.rules import Rules

RULES = Rules()
SAID = (
    ("currency_amount", "$20", ("$20", "20 dollars", "twenty dollars")),
    ("currency_amount", "$42.50", ("$42.50", "forty two dollars and fifty cents")),
    ("measurement", "500 mg", ("500 mg", "five hundred milligrams")),
    ("percentage", "12%", ("12%", "twelve percent")),
    ("time", "9:30 AM", ("9:30 AM", "nine thirty a.m.")),
    ("date", "March 5, 2026", ("March 5, 2026", "March fifth twenty twenty six")),
    ("phone_number", "415-555-0132",
     ("415-555-0132", "four one five, triple five, oh one three two")),
    ("reference_id", "BH-7421", ("BH-7421", "BH7421", "B H seven four two one")),
    ("email_address", "jo@example.com", ("jo@example.com", "jo at example dot com")),
    ("url", "example.com/help", ("example.com/help", "example dot com slash help")),
    ("person_or_team_name", "Kofi Mensah", ("Kofi Mensah",)),
    ("postal_address", "12 Mill Lane", ("12 Mill Lane", "twelve mill lane")),
    ("version", "2.14.3", ("2.14.3", "version two dot fourteen dot three")),
    ("ip_address", "10.0.0.7", ("10.0.0.7", "ten dot zero dot zero dot seven")),
    ("file_path", "/var/log/app", ("/var/log/app", "slash var slash log slash app")),
    ("code_symbol", "get_user", ("get_user", "get underscore user")),
    ("spelled_sequence", "QRT5", ("Q R T 5",)),
)  # fmt: skip
FORMS = [(kind, value, form) for kind, value, forms in SAID for form in forms]
WORDS = [
    *("the", "my", "that", "is", "was", "and", "so", "but", "please", "for", "with", "if", "we"),
    *("he", "can", "us", "in", "by", "as", "then", "okay", "uh", "now", "try", "need", "call"),
    *("product", "order", "customer", "real", "won", "day", "time", "total", "fee", "about"),
]
TEMPLATES = (
    "so {w} {f} ok", "it is {f} {w} we said", "{w}, {f}", "{w}: {f}.", "{f}. {w}", "{f}, {w} it",
    "{w}\n{f}\n{w}", '{w} "{f}"', "{w} '{f}'", "({f}) {w}", "{w} {f}... {w}", "{w} {f}\u2026{w} it",
    "{f}? {w}", "{w}... {f}!", "{w} - {f}",
)  # fmt: skip


@given(st.sampled_from(FORMS), st.sampled_from(WORDS), st.sampled_from(TEMPLATES))
def test_what_stands_around_a_value_takes_nothing_from_it(form, word, template):
    kind, value, said = form

    text = template.format(w=word, f=said)
    [verdict] = RULES.judge([Entity("x", kind, value)], text, "en")

    assert verdict.present, verdict.reason
