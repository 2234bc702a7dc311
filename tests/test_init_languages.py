"""`asrbench init --language`: a folder that is green at once, in its language."""

from __future__ import annotations

import json

import pytest

from pytest_asrbench.cli import main
from pytest_asrbench.commands import samples
from pytest_asrbench.verifiers.packs import PACKS


def test_every_language_with_a_pack_has_a_sample():
    assert {code for code in PACKS if samples.sample_language(code) == code} == set(PACKS)


@pytest.mark.slow
@pytest.mark.parametrize("language", [*sorted(PACKS), "es-MX", "zh-Hant-TW"])
def test_a_folder_is_green_at_once_in_its_language(language, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    assert main(["init", "speech", "--language", language, "--ci", "none"]) == 0
    assert main(["lint", "speech"]) == 0
    hypotheses = tmp_path / "speech/recordings/sample.jsonl"
    asked = ["--hypotheses", str(hypotheses), "--name", "recorded"]
    assert main(["score", "--data", "speech", *asked]) == 0
    shown = capsys.readouterr().out
    assert "2 of 2" in shown

    row = json.loads(hypotheses.read_text(encoding="utf-8"))
    english = samples.sample_language(language) == "en"
    assert ("discount" in row["pred_text"]) == english


def test_a_language_without_a_pack_is_refused_with_those_that_have_one(tmp_path, capsys):
    assert main(["init", str(tmp_path / "speech"), "--language", "sw"]) == 2

    said = capsys.readouterr().err
    assert "--language sw: no language pack; known: de, en, es" in said
    assert not (tmp_path / "speech").exists()


def test_the_sample_is_in_the_money_of_its_region():
    assert samples.values("es-MX")["amount"] == '"$96"'
    assert samples.values("es-AR") == samples.values("es")
    assert samples.values("pt-PT")["amount"] == '"96 €"'
