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
@pytest.mark.parametrize("language", [*sorted(PACKS), "es-MX", "zh-Hant-TW", "sw"])
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
