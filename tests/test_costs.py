"""What each clip of a recorded run costs, in counts that are the same on every machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


@pytest.mark.slow
def test_no_count_has_grown_and_one_that_grows_is_named():
    """The plugin plants a regression: values compiled and texts normalised one by one."""
    command = [sys.executable, str(TESTS.parent / "bench" / "counts.py")]
    done = subprocess.run(
        [*command, "--plant", "helpers.costly"],
        env={**os.environ, "PYTHONPATH": str(TESTS), "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    _, _, planted = done.stdout.partition("planted:\n")
    assert "values compiled grew" in planted
    assert "normaliser calls grew" in planted
