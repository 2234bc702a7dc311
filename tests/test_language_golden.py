"""
Verdicts in each language, stored beside the reader's version: a file a language.

Each row is a value in the way people of that language say it, or its nearest neighbour; `present`
was written by hand, after the language's addendum. Where a verdict changes on purpose, raise
`VERSION` in verifiers/languages/__init__.py and run this file; rows may be added freely.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_asrbench.model import Entity
from pytest_asrbench.verifiers.languages import VERSION
from pytest_asrbench.verifiers.packs import PACKS
from pytest_asrbench.verifiers.rules import Rules

FOLDER = Path(__file__).parent / "golden" / "languages"
LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def stored(language: str) -> list[dict[str, Any]]:
    text = (FOLDER / f"{language}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def judged(row: dict[str, Any], language: str) -> dict[str, Any]:
    """The row with what is said of it now."""
    entity = Entity("x", row["type"], row["canonical"])
    (verdict,) = Rules().judge([entity], row["transcript"], language)
    return {**row, "present": verdict.present, "sure": verdict.sure, "evidence": verdict.evidence}


def test_every_language_has_its_file() -> None:
    assert {*LANGUAGES, "en"} == set(PACKS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_verdicts_are_those_of_the_version(language: str) -> None:
    head, *rows = stored(language)

    assert head == {"version": VERSION}, __doc__
    assert len(rows) >= 50
    assert [judged(row, language) for row in rows] == rows, __doc__


if __name__ == "__main__":
    for name in LANGUAGES:
        rows = [{"version": VERSION}, *(judged(row, name) for row in stored(name)[1:])]
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
        (FOLDER / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
