"""Where and when a run takes place: commit, versions, time."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

GIT_TIMEOUT_S = 5


def plugin_version() -> str:
    return version("pytest-asrbench")


def now() -> str:
    """UTC, ISO 8601, whole seconds: `2026-11-29T21:40:00Z`."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


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
