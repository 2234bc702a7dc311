"""The surroundings of a run: commit, versions, machine."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

GIT_TIMEOUT_S = 5
RE_ADDRESS = re.compile(r"https?://[^\s<>\"']+")
RE_PULL = re.compile(r"refs/pull/([0-9]+)/")


def plugin_version() -> str:
    """`0.1.0`, of the installed distribution."""
    return version("pytest-asrbench")


def git_commit(folder: Path) -> str | None:
    """The commit that is checked out around a folder; None where there is no git or no commit."""
    command = ["git", "rev-parse", "--verify", "--quiet", "HEAD"]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=GIT_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None


def environment() -> dict[str, str]:
    """Versions that may change figures from one machine to another."""
    return {
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "cpus": str(os.cpu_count()),
    }


def links(variables: Mapping[str, str]) -> dict[str, str]:
    """Commit, branch, CI job and pull request of a run in CI, as name -> address.

    GitHub: https://docs.github.com/actions/reference/workflows-and-actions/variables
    GitLab: https://docs.gitlab.com/ci/variables/predefined_variables/
    """
    if variables.get("GITHUB_ACTIONS") == "true":
        links = _github(variables)
    elif variables.get("GITLAB_CI") == "true":
        links = _gitlab(variables)
    else:
        links = {}
    return {name: address for name, address in links.items() if RE_ADDRESS.fullmatch(address)}


def _github(given: Mapping[str, str]) -> dict[str, str]:
    place = f"{given.get('GITHUB_SERVER_URL', '')}/{given.get('GITHUB_REPOSITORY', '')}"
    links = {}
    if commit := given.get("GITHUB_SHA"):
        links[f"commit {commit[:12]}"] = f"{place}/commit/{commit}"
    pull = RE_PULL.match(given.get("GITHUB_REF", ""))
    if branch := given.get("GITHUB_HEAD_REF") or (not pull and given.get("GITHUB_REF_NAME")):
        links[f"branch {branch}"] = f"{place}/tree/{branch}"
    if job := given.get("GITHUB_RUN_ID"):
        links[f"job {given.get('GITHUB_JOB') or job}"] = f"{place}/actions/runs/{job}"
    if pull:
        links[f"pull request {pull[1]}"] = f"{place}/pull/{pull[1]}"
    return links


def _gitlab(given: Mapping[str, str]) -> dict[str, str]:
    place = given.get("CI_PROJECT_URL", "")
    links = {}
    if commit := given.get("CI_COMMIT_SHA"):
        links[f"commit {commit[:12]}"] = f"{place}/-/commit/{commit}"
    merge = given.get("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME")
    if branch := merge or given.get("CI_COMMIT_REF_NAME"):
        links[f"branch {branch}"] = f"{place}/-/tree/{branch}"
    if job := given.get("CI_JOB_URL"):
        links[f"job {given.get('CI_JOB_NAME', '')}".strip()] = job
    if number := given.get("CI_MERGE_REQUEST_IID"):
        target = given.get("CI_MERGE_REQUEST_PROJECT_URL", place)
        links[f"merge request {number}"] = f"{target}/-/merge_requests/{number}"
    return links
