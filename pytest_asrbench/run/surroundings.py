"""Where a run takes place: commit, versions, machine."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

GIT_TIMEOUT_S = 5


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
    """What may change figures from one machine to another."""
    return {
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "cpus": str(os.cpu_count()),
    }
