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
AUDITED = ("dev", "docs", "release")  # what CI installs; recognisers' extras have gigabytes


def asked() -> list[Requirement]:
    """What the project and the audited extras ask for, with the extras that these name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    texts = [*project["dependencies"], *(text for name in AUDITED for text in extras[name])]
    named = [name for text in texts for name in Requirement(text).extras if OWN in text]
    return [Requirement(text) for text in (*texts, *(t for name in named for t in extras[name]))]


def test_every_dependency_has_an_audited_version_that_it_allows() -> None:
    assert len(PINS) > 50
    found = [requirement for requirement in asked() if requirement.name != OWN]
    assert {"httpx", "google-auth", "sphinx", "twine"} <= {each.name for each in found}
    for requirement in found:
        pinned = PINS[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(pinned, prereleases=True), requirement


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
