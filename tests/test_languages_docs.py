"""docs/languages.md: its pack judges, and what it prints is printed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pytest_asrbench.cli import main
from pytest_asrbench.verifiers.packs import PACKS

PAGE = Path(__file__).parent.parent / "docs" / "languages.md"
TEXT = PAGE.read_text(encoding="utf-8")
COMMANDS = [line.strip() for line in re.findall(r"^    (asrbench .*)$", TEXT, re.MULTILINE)]


def block(kind: str) -> str:
    return re.findall(rf"^```{kind}\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)[0]


def asked(word: str) -> list[str]:
    return next(shlex.split(c)[1:] for c in COMMANDS if word in c)


def test_every_language_has_its_addendum_there():
    assert set(re.findall(r"addenda/(\w+)\.md", TEXT)) == set(PACKS) - {"en"}


def test_explain_prints_what_the_page_shows(capsys):
    assert main(asked("siete y media")) == 0

    shown = capsys.readouterr().out
    assert shown.startswith(block(""))


def test_the_pack_of_ten_digits_is_found_by_the_settings(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("swahili.py").write_text(block("python"), encoding="utf-8")
    Path("asrbench.yaml").write_text(block("yaml"), encoding="utf-8")

    assert main(asked("sifuri")) == 0
    assert "present, sure" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["Grammar", "GrammarPlace", "NumberWords", "Script"])
def test_what_the_page_names_can_be_imported(name):
    import pytest_asrbench.verifiers.packs as packs

    assert f"`{name}" in TEXT
    assert hasattr(packs, name)
