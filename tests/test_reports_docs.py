"""Pages on CI and reports say what the package does."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import yaml

DOCS = Path(__file__).parent.parent / "docs"


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_the_workflows_in_docs_are_those_that_init_writes() -> None:
    page = (DOCS / "ci.md").read_text(encoding="utf-8")

    assert runpy.run_path(str(DOCS.parent / "tools" / "fill_ci.py"))["filled"](page) == page


def test_the_workflows_in_docs_are_yaml() -> None:
    found = [yaml.safe_load(block) for block in blocks("ci.md", "yaml")]

    assert len(found) == 5
    assert all(found)


def test_forks_replay_in_both_workflows() -> None:
    github, _, _, gitlab, _ = blocks("ci.md", "yaml")

    for workflow in (github, gitlab):
        assert "ASRBENCH_CACHE_MODE" in workflow
        assert "replay" in workflow
        assert "--asr-gate=on" in workflow
