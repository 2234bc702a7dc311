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


def asked() -> list[Requirement]:
    """What the extra `dev` installs, and no recogniser or framework that no test needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    (own,) = (text for text in extras["dev"] if text.startswith(f"{OWN}["))
    chosen = [extras[name] for name in sorted(Requirement(own).extras)]
    return [
        Requirement(text)
        for each in (project["dependencies"], *chosen, extras["dev"])
        for text in each
    ]


def test_every_dependency_has_an_audited_version_that_it_allows() -> None:
    assert len(PINS) > 50
    for requirement in asked():
        name = canonicalize_name(requirement.name)
        if name == OWN:
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
