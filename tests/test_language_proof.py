"""A pack is proved before it judges; the pack of the docs is sound and agrees with its rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_asrbench.cli import main
from pytest_asrbench.verifiers import external
from pytest_asrbench.verifiers.languages.proof import faults
from pytest_asrbench.verifiers.packs import PACKS, Grammar, NumberWords, Pack, common, pack

DOCS = Path(__file__).parent.parent / "docs" / "packs"


def swedish() -> Pack:
    found: Pack = external.resolve(f"{DOCS / 'swedish.py'}:SWEDISH")
    return found


@pytest.mark.parametrize("language", sorted(set(PACKS) - {"en"}))
def test_our_own_packs_are_sound(language: str) -> None:
    assert faults(pack(language)) == []


def test_the_pack_of_the_docs_is_sound_and_agrees_with_its_rows(capsys):
    assert faults(swedish()) == []

    asked = ["verify", str(DOCS / "swedish.jsonl"), "--min-agreement", "1.0"]
    assert main(asked) == 0, capsys.readouterr()


def test_ten_digits_are_sound():
    digits = common.sequence("sifuri moja mbili tatu nne tano sita saba nane tisa")

    assert faults(Pack(language="sw", numbers=NumberWords(grammar=Grammar(words=digits)))) == []


def test_each_fault_is_told_in_a_line():
    whole = swedish()
    numbers, grammar = whole.numbers, whole.numbers.grammar
    words = {word: n for word, n in grammar.words.items() if n != 21} | {"sjuttio": 17}
    clock = replace(whole.clock, templates=(*whole.clock.templates, "halv {hour} = -30"))
    months = whole.calendar.months[:11]
    broken = replace(
        whole,
        numbers=replace(numbers, grammar=replace(grammar, words=words)),
        clock=clock,
        calendar=replace(whole.calendar, months=months),
    )

    told = faults(broken)

    assert any(line.startswith("numbers: 70: ") for line in told)
    assert any(line.startswith("numbers: 21: ") for line in told)
    assert "calendar: 11 months, not 12" in told
    assert any("no slot {hour}; known: {d}" in line for line in told)
