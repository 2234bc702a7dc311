"""docs/settings.md and docs/plugin.md say what the code does."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from pytest_asrbench.plugin import fixtures
from pytest_asrbench.settings.file import read_settings_file
from pytest_asrbench.settings.options import OPTIONS
from pytest_asrbench.verifiers.registry import create

DOCS = Path(__file__).parent.parent / "docs"
TOOLS = DOCS.parent / "tools"
SETTINGS = (DOCS / "settings.md").read_text("utf-8")
PLUGIN = (DOCS / "plugin.md").read_text("utf-8")


def fill_settings():
    spec = importlib.util.spec_from_file_location("fill_settings", TOOLS / "fill_settings.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_of_settings_is_that_of_the_code():
    assert fill_settings().filled(SETTINGS) == SETTINGS
    for option in OPTIONS:
        assert f"`{option.flag}" in SETTINGS


def test_the_example_settings_file_is_read(tmp_path):
    example = re.search(r"```yaml\n(.*?)```", SETTINGS, re.DOTALL)[1]
    path = tmp_path / "asrbench.yaml"
    path.write_text(example, encoding="utf-8")

    found = read_settings_file(path)

    assert set(found.providers) == {"recorded", "nova3"}
    assert found.providers["nova3"]["params"] == {"smart_format": True}
    assert found.types == {"confirmation_code": "reference_id"}
    assert create("rules", types=found.types, policy=found.policy)


def test_every_fixture_is_explained():
    names = [name for name in vars(fixtures) if name.startswith("asr_")]

    assert len(names) == 7
    for name in names:
        assert f"| `{name}` |" in PLUGIN


def test_the_example_tests_run(suite):
    tests = re.findall(r"```python\n(.*?)```", PLUGIN, re.DOTALL)
    suite.many(2)
    suite.thresholds(ctem={"min": 1.0})
    suite.tests = tests[0]

    assert suite.run().ret == pytest.ExitCode.OK
