"""What stands around the code: CI files, hooks, our action, pages that are generated."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_asrbench import cli
from pytest_asrbench.datasets.types import ENTITY_TYPES
from pytest_asrbench.verifiers.rules import VERSION

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
CURRENT = {  # major versions without Node 20, which runners no longer have
    "actions/checkout": "v6",
    "actions/setup-python": "v7",
    "actions/upload-artifact": "v7",
    "actions/download-artifact": "v8",
    "pypa/gh-action-pypi-publish": "release/v1",
}


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


def steps(path: Path) -> Iterator[dict[str, Any]]:
    content = read(path)
    for job in content.get("jobs", {"": content.get("runs", {})}).values():
        yield from job["steps"]


@pytest.mark.parametrize("path", [*WORKFLOWS, ROOT / "action.yml"], ids=lambda path: path.name)
def test_actions_are_current_and_sessions_exist(path: Path) -> None:
    sessions = set(
        re.findall(r"^def (\w+)\(session", (ROOT / "noxfile.py").read_text(), re.MULTILINE)
    )
    for step in steps(path):
        name, _, version = step.get("uses", "./").partition("@")
        assert name == "./" or CURRENT[name] == version
        assert set(re.findall(r"nox -s (\w+)", step.get("run", ""))) <= sessions


def test_ci_tries_every_python_that_the_project_names() -> None:
    quick = read(ROOT / ".github/workflows/ci.yml")["jobs"]["quick"]["strategy"]["matrix"]
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))

    assert quick["python"] == named
    assert quick["pytest"] == ["8", "9"]
    assert PROJECT["requires-python"] == f">={named[0]}"


def test_a_release_needs_no_key_and_is_attested() -> None:
    jobs = read(ROOT / ".github/workflows/release.yml")["jobs"]
    (publish,) = [s for s in jobs["pypi"]["steps"] if "pypi-publish" in s.get("uses", "")]

    assert jobs["pypi"]["permissions"] == {"id-token": "write"}
    assert publish["with"]["attestations"] is True
    assert "secrets." not in (ROOT / ".github/workflows/release.yml").read_text()


def test_versions_agree() -> None:
    citation = read(ROOT / "CITATION.cff")
    ruff = re.search(r"^ruff==(.+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    hooks = read(ROOT / ".pre-commit-config.yaml")["repos"]

    assert citation["version"] == PROJECT["version"]
    assert ruff
    assert hooks[0]["rev"] == f"v{ruff[1]}"


def test_the_hook_takes_every_manifest_of_a_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (hook,) = read(ROOT / ".pre-commit-hooks.yaml")
    monkeypatch.chdir(tmp_path)
    for folder in ("a", "b"):
        assert cli.main(["init", folder, "--ci", "none"]) == 0
    there = [str(p.relative_to(tmp_path)) for p in sorted(tmp_path.rglob("*")) if p.is_file()]
    matched = [path for path in there if re.search(hook["files"], path)]
    (tmp_path / "b/clips/discount.flac").unlink()
    capsys.readouterr()

    assert matched == ["a/clips.yaml", "b/clips.yaml"]
    assert cli.main([*hook["entry"].split()[1:], *matched]) == 1
    told = capsys.readouterr().out
    assert "a/clips.yaml: 0 errors" in told
    assert "b/clips.yaml: 1 error" in told


def test_the_policy_page_is_what_the_code_says() -> None:
    made = runpy.run_path(str(ROOT / "tools" / "fill_policy.py"))["page"]()

    page = (ROOT / "docs" / "policy.md").read_text("utf-8")
    assert page == made, "run: python tools/fill_policy.py"


def test_the_audit_page_is_of_this_version_and_of_every_type() -> None:
    page = (ROOT / "docs" / "verifier-audit.md").read_text("utf-8")

    assert f"Rules version {VERSION}, " in page
    assert {kind for kind in ENTITY_TYPES if page.count(f"| `{kind}` |") != 2} == set()


# The action, step by step


GH = """#!{python}
import json, os, sys
log = os.environ["GH_LOG"]
with open(log, "a") as file:
    file.write(json.dumps(sys.argv[1:]) + "\\n")
if sys.argv[1] == "api" and "--paginate" in sys.argv:
    print(os.environ.get("GH_THERE", ""))
"""


class Runner:
    """Runs the action's shell steps as a runner does: inputs and outputs put in, files for both."""

    def __init__(self, folder: Path, repo: Path, **inputs: str) -> None:
        self.action = read(ROOT / "action.yml")
        self.repo = repo
        given = {name: str(each.get("default", "")) for name, each in self.action["inputs"].items()}
        self.values = {f"inputs.{name}": text for name, text in {**given, **inputs}.items()}
        self.values |= {"github.event.number": "7", "github.repository": "o/r"}
        self.values["github.event.pull_request.base.sha"] = "HEAD"
        self.folder = folder
        self.outputs = folder / "outputs"
        self.log = folder / "gh.log"
        programs = folder / "programs"
        programs.mkdir()
        for name, text in (("gh", GH.format(python=sys.executable)), ("pip", "#!/bin/sh\n")):
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)
        path = (
            f"{programs}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        )
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("ASRBENCH", "PYTEST"))}
        kept = {k: v for k, v in kept.items() if not k.startswith(("GITHUB", "CI"))}
        self.environment = {**kept, "PATH": path, "RUNNER_TEMP": str(folder), "NO_COLOR": "1"}
        self.environment |= {"GITHUB_OUTPUT": str(self.outputs), "GH_LOG": str(self.log)}
        self.environment["GITHUB_ENV"] = str(folder / "env")

    def step(self, name: str, **more: str) -> subprocess.CompletedProcess[str]:
        (step,) = [each for each in self.action["runs"]["steps"] if each.get("name") == name]
        own = {key: self._filled(str(text)) for key, text in step.get("env", {}).items()}
        assert "${{" not in step["run"], "what is foreign reaches the shell by environment alone"
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.repo,
            env={**self.environment, **own, **more},
            capture_output=True,
            text=True,
            check=False,
        )
        if self.outputs.exists():
            for line in self.outputs.read_text().splitlines():
                key, _, value = line.partition("=")
                self.values[f"steps.gate.outputs.{key}"] = value
        return done

    def _filled(self, text: str) -> str:
        return re.sub(r"\$\{\{ (.+?) \}\}", lambda place: self.values.get(place[1], ""), text)

    def calls(self) -> list[list[str]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]


@pytest.mark.slow
def test_the_action_gates_keeps_reports_and_comments_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = tmp_path / "repo"
    repo.mkdir()
    monkeypatch.chdir(repo)
    assert cli.main(["init", "speech", "--ci", "none"]) == 0
    heard = repo / "speech/recordings/sample.jsonl"
    heard.write_text(heard.read_text().replace("$96", "$69"))
    (tmp_path / "runner").mkdir()
    runner = Runner(tmp_path / "runner", repo, provider="recorded", args="-q -p no:cacheprovider")

    for name in ("Install", "Lint", "Gate"):
        done = runner.step(name)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "FAILED gate[ctem]" in done.stdout
    out = Path(runner.values["steps.gate.outputs.out"])
    assert {each.name for each in out.iterdir()} == {
        "junit.xml", "report.html", "report.md", "run.json",
    }  # fmt: skip
    assert runner.step("Comment").returncode == 0
    assert runner.step("Comment", GH_THERE="41").returncode == 0
    first, second = runner.calls()[1], runner.calls()[3]
    assert first[:3] == ["pr", "comment", "7"]
    assert "repos/o/r/issues/comments/41" in second
    body = (tmp_path / "runner/comment.md").read_text()
    assert body.startswith("<!-- asrbench speech recorded -->\n")
    assert "$69" in body
    assert runner.step("Verdict").returncode == 1


@pytest.mark.slow
def test_the_action_replays_what_the_base_commit_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = tmp_path / "repo"
    (repo / "speech/thresholds").mkdir(parents=True)
    (repo / "speech/cassette.jsonl").write_text("base\n")
    (repo / "speech/thresholds/mine.yaml").write_text("schema: 1\n")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-C", str(repo)]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "base"]):
        subprocess.run([*git, *command], check=True)
    subprocess.run([*git, "remote", "add", "origin", str(repo)], check=True)
    (repo / "speech/cassette.jsonl").write_text("the fork's own\n")
    (tmp_path / "runner").mkdir()
    runner = Runner(tmp_path / "runner", repo, provider="mine")

    done = runner.step("Replay")

    assert done.returncode == 0, done.stderr
    told = dict(line.split("=", 1) for line in (tmp_path / "runner/env").read_text().splitlines())
    assert told["ASRBENCH_CACHE_MODE"] == "replay"
    assert Path(told["ASRBENCH_CACHE"]).read_text() == "base\n"
    assert (Path(told["ASRBENCH_THRESHOLDS"]) / "mine.yaml").is_file()
