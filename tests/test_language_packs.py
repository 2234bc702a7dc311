"""What the product does in a language that has a pack: proposals, explanations, own packs."""

from __future__ import annotations

import textwrap

import pytest

from pytest_asrbench.cli import main
from pytest_asrbench.model import Entity
from pytest_asrbench.verifiers import packs
from pytest_asrbench.verifiers.heard import Finder
from pytest_asrbench.verifiers.languages.explain import addendum
from pytest_asrbench.verifiers.languages.saying import proposed
from pytest_asrbench.verifiers.packs import PACKS, pack
from pytest_asrbench.verifiers.rules import Rules

VALUES = {
    "de": {"currency_amount": "12,50 €", "date": "5. März 2026", "time": "19:30"},
    "es": {"currency_amount": "1.243,50 €", "date": "5 de marzo de 2026", "time": "19:30"},
    "fr": {"currency_amount": "12,50 €", "date": "1er mars 2026", "time": "19 h 30"},
    "hi": {"currency_amount": "₹1,250", "date": "5 मार्च 2026", "time": "7:30"},
    "it": {"currency_amount": "12,50 €", "date": "5 marzo 2026", "time": "19:30"},
    "ja": {"currency_amount": "2,460円", "date": "2026年3月5日", "time": "20:25"},
    "pt": {"currency_amount": "R$ 12,50", "date": "5 de março de 2026", "time": "19h30"},
    "tr": {"currency_amount": "1.250,50 TL", "date": "5 Mart 2026", "time": "15:30"},
    "vi": {"currency_amount": "2.500.000 đồng", "date": "5/3/2026", "time": "19:30"},
    "zh": {"currency_amount": "¥1,280.50", "date": "2026年3月5日", "time": "15:30"},
}
EVERYWHERE = {
    "phone_number": "4155550132", "reference_id": "BH-7421", "version": "2.14.3",
    "email_address": "ana_perez@gmail.com", "url": "shop.example.com/a-b",
}  # fmt: skip
LANGUAGES = sorted(set(PACKS) - {"en"})


def test_every_language_has_values_here():
    assert set(VALUES) == set(LANGUAGES)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_form_that_is_proposed_carries_its_value(language):
    for kind, canonical in (VALUES[language] | EVERYWHERE).items():
        said = proposed(kind, canonical, language, {})
        verdict = Rules().judge([Entity("x", kind, canonical)], said, language)[0]

        assert said != canonical
        assert verdict.present, (kind, canonical, said, verdict.reason)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_type_is_explained_by_rules_that_the_addendum_has(language):
    found = addendum(language)

    for kind, numbers in pack(language).rules.items():
        assert set(numbers) <= set(found), kind


def test_explain_shows_the_readings_and_the_rule_of_the_language(capsys):
    said = "son doce euros con sesenta"
    asked = ["--type", "currency_amount", "--canonical", "12,50 €", "--language", "es"]

    assert main(["explain", *asked, said]) == 0

    shown = capsys.readouterr().out
    assert "reading     cents implied: 'doce euros con sesenta'" in shown
    assert "es 11       Currency: " in shown


TOY = """
    from pytest_asrbench.verifiers.packs import Grammar, NumberWords, Pack

    SWAHILI = Pack(
        language="sw",
        numbers=NumberWords(
            grammar=Grammar(
                words={
                    "sifuri": 0, "moja": 1, "mbili": 2, "tatu": 3, "nne": 4, "tano": 5,
                    "sita": 6, "saba": 7, "nane": 8, "tisa": 9,
                },
            ),
        ),
    )
"""


@pytest.fixture
def toy(tmp_path):
    path = tmp_path / "swahili.py"
    path.write_text(textwrap.dedent(TOY), encoding="utf-8")
    return f"{path}:SWAHILI"


def test_ten_digits_are_a_pack_that_judges_phone_numbers(toy):
    rules = Rules(packs={"sw": toy})
    phone = [Entity("p", "phone_number", "0712 345")]

    right = rules.judge(phone, "namba ni sifuri saba moja mbili tatu nne tano asante", "sw")[0]
    wrong = rules.judge(phone, "namba ni sifuri saba moja mbili tatu nne sita asante", "sw-KE")[0]
    longer = rules.judge(phone, "sifuri saba moja mbili tatu nne tano tano", "sw")[0]

    assert (right.present, right.sure) == (True, True)
    assert not wrong.present
    assert not longer.present


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        ("time", "9:30", "sw: no clock words; times can't be judged"),
        ("date", "2026-03-05", "sw: no months and weekdays; dates can't be judged"),
        ("currency_amount", "5 $", "sw: no currencies; amounts can't be judged"),
    ],
)
def test_a_type_whose_part_a_pack_lacks_says_so_and_others_are_judged(toy, kind, value, message):
    rules = Rules(packs={"sw": toy})

    with pytest.raises(Exception, match=message):
        rules.judge([Entity("x", kind, value)], "moja mbili", "sw")
    assert rules.judge([Entity("x", "phone_number", "12")], "moja mbili", "sw")[0].present


def test_an_installed_package_offers_its_pack_by_an_entry_point(toy, tmp_path, monkeypatch):
    info = tmp_path / "asrbench_swahili-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: asrbench-swahili\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{packs.GROUP}]\nsw = swahili:SWAHILI\n")
    monkeypatch.syspath_prepend(tmp_path)
    packs._load.cache_clear()
    phone = [Entity("p", "phone_number", "0712")]

    assert packs.known("sw")
    assert "sw" in packs.listed()
    assert Rules().judge(phone, "sifuri saba moja mbili", "sw-KE")[0].present
    assert main(["init", str(tmp_path / "speech"), "--language", "sw", "--ci", "none"]) == 0
    packs._load.cache_clear()


def test_settings_name_a_pack_of_the_users_own(toy, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "asrbench.yaml").write_text("packs: {sw: swahili.py:SWAHILI}\n")
    asked = ["--type", "phone_number", "--canonical", "07", "--language", "sw"]

    assert main(["explain", *asked, "sifuri saba"]) == 0
    assert "present, sure" in capsys.readouterr().out


def test_a_pack_changes_the_identity_of_its_own_language_alone(toy):
    english = Rules(languages=("en-US",)).identity

    assert Rules(languages=("en",), packs={"sw": toy}).identity == english
    assert Rules(languages=("en", "es")).identity != english
    assert Rules(languages=("en", "sw"), packs={"sw": toy}).identity != english
    assert Rules(languages=("es-MX",)).identity == Rules(languages=("es",)).identity


@pytest.mark.parametrize(
    ("language", "transcript", "present"),
    [
        ("en-GB", "the fifth of march 2026", True),
        ("en-IN", "5/3/2026", True),
        ("en-GB", "May third 2026", False),
        ("en-US", "May third 2026", True),
        ("en", "the fifth of march 2026", False),
    ],
)
def test_the_region_of_english_decides_the_order_of_a_date(language, transcript, present):
    date = [Entity("d", "date", "5/3/2026")]

    assert Rules().judge(date, transcript, language)[0].present == present


def test_an_option_wins_over_the_region():
    date = [Entity("d", "date", "5/3/2026")]
    rules = Rules(policy={"date": {"date_order": "month-first"}})

    assert rules.judge(date, "May third 2026", "en-GB")[0].present


@pytest.mark.parametrize(
    ("language", "canonical", "transcript", "present"),
    [
        ("es-ES", "1.243,50 €", "1.243,50 euros", True),
        ("es-MX", "$1,243.50", "1,243.50 pesos", True),
        ("es-MX", "$1,200", "mil doscientos dólares", False),
        ("es-ES", "1.200 €", "mil doscientos euros", True),
        ("de-CH", "1'243.50 CHF", "tausendzweihundertdreiundvierzig Franken fünfzig", True),
        ("pt-PT", "12,50 €", "doze euros e cinquenta cêntimos", True),
    ],
)
def test_the_region_decides_marks_and_signs(language, canonical, transcript, present):
    amount = [Entity("a", "currency_amount", canonical)]

    assert Rules().judge(amount, transcript, language)[0].present == present


def test_values_that_nobody_said_are_found_in_every_language():
    finder = Finder(Rules())
    said = "son doce euros con cincuenta a las siete y media, a ana@gmail.com"

    found = finder.find(said, "es-ES")

    assert [(heard.type, heard.canonical) for heard in found] == [
        ("currency_amount", "doce euros con cincuenta"),
        ("time", "siete y media"),
        ("email_address", "ana@gmail.com"),
    ]
    assert all(finder.carried(heard, said, "es-ES") for heard in found)
    assert not any(finder.carried(heard, "son trece euros", "es-ES") for heard in found)


@pytest.mark.parametrize(
    ("canonical", "transcript", "present"),
    [
        ("1,00,000", "one lakh", True),
        ("12,50,000", "twelve and a half lakhs", True),
        ("2,00,00,000", "2 crore", True),
        ("100,000", "1,00,000", True),
        ("1,00,000", "1,00,0000", False),
        ("1,000", "1,00,000", False),
        ("1,00,000", "ten lakh", False),
    ],
)
def test_figures_may_be_marked_by_lakhs(canonical, transcript, present):
    number = [Entity("n", "plain_number", canonical)]

    assert Rules().judge(number, transcript, "en-IN")[0].present == present
