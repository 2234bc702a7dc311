"""
Rows of ten languages, labelled by hand after the addenda before they were judged, a file each.

`asrbench verify tests/labelled/es.jsonl` prints their agreement by type. They are in the manner of
real engines: figures with local marks, half words, misheard neighbours. What two readers could
dispute is left out.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_asrbench.verifiers.cases import read_cases
from pytest_asrbench.verifiers.packs import PACKS
from pytest_asrbench.verifiers.rules import Rules

FOLDER = Path(__file__).parent / "labelled"
LANGUAGES = sorted(set(PACKS) - {"en"})


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_label_is_the_verdict(language: str) -> None:
    cases = read_cases(FOLDER / f"{language}.jsonl")
    rules = Rules()

    judged = [rules.judge([case.entity], case.transcript, case.language)[0] for case in cases]

    assert len(cases) > 200
    wrong = [c.id for c, v in zip(cases, judged, strict=True) if v.present != c.present]
    assert wrong == []
