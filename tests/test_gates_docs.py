"""The pages on gates, metrics and commands say what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from pytest_asrbench import cli
from pytest_asrbench.gates import read
from pytest_asrbench.gates.advice import LEVELS
from pytest_asrbench.gates.measures import MEASURES
from pytest_asrbench.gates.parse import allowed
from pytest_asrbench.metrics.wer import NORMALISERS

DOCS = Path(__file__).parent.parent / "docs"


def page(name):
    return (DOCS / name).read_text(encoding="utf-8")


def test_the_thresholds_file_of_the_page_is_one(tmp_path):
    text = next(
        b for b in re.findall(r"```yaml\n(.*?)```", page("gates.md"), re.DOTALL) if "gates:" in b
    )
    path = tmp_path / "nova3.yaml"
    path.write_text(text)
    found = read(path, "nova3")

    assert {"ctem", "recovery:*", "ctem:tag=smoke", "wer:locale=*"} <= found.gates.keys()


def test_the_exemptions_of_the_page_are_read(tmp_path):
    blocks = re.findall(r"```yaml\n(.*?)```", page("gates.md"), re.DOTALL)
    text = next(block for block in blocks if "quarantine" in block)
    path = tmp_path / "p.yaml"
    path.write_text(f"schema: 1\n{text}")

    assert len(read(path).quarantine) == 2


def test_every_measure_and_condition_is_named():
    text = page("gates.md")

    assert [name for name in MEASURES if f"`{name}`" not in text] == []
    conditions = {key for measure in MEASURES.values() for key in allowed(measure)}
    assert [key for key in conditions if f"`{key}" not in text] == []
    assert all(name.partition(" ")[0] in text for _, name in LEVELS)


def test_every_normaliser_and_command_is_named():
    assert all(f"`{name}`" in page("metrics.md") for name in NORMALISERS)
    assert [name for name in cli.COMMANDS if f"`{name}`" not in page("cli.md")] == []
