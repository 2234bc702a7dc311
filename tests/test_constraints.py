"""The audited versions are those that the project asks for."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "constraints.txt").read_text()
PINS = {
    str(canonicalize_name(name)): version
    for name, version in re.findall(r"^([\w.-]+)==(\S+)$", TEXT, re.MULTILINE)
}
OWN = "pytest-asrbench"
NOT_INSTALLED = {"faster-whisper"}  # the extra of that name, which no test of the suite needs


def asked() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    return [Requirement(text) for each in lists for text in each]


def test_every_dependency_has_an_audited_version_that_it_allows() -> None:
    assert len(PINS) > 50
    for requirement in asked():
        name = canonicalize_name(requirement.name)
        if name in {OWN, *NOT_INSTALLED}:
            continue
        assert requirement.specifier.contains(PINS[name], prereleases=True), requirement


def test_every_line_is_a_pin() -> None:
    lines = TEXT.splitlines()

    assert [line for line in lines if not line.startswith("#") and "==" not in line] == []


def test_the_workflow_audits_that_file_strictly() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/audit.yml").read_text())

    steps = workflow["jobs"]["pip-audit"]["steps"]
    (command,) = [each["run"] for each in steps if each.get("run", "").startswith("pip-audit")]
    assert "--strict" in command
    assert "--requirement constraints.txt" in command
    assert workflow["permissions"] == {"contents": "read"}
