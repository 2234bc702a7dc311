"""The tutorial's ten steps, run as they stand on the page."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
BLOCK = re.compile(
    r"^(?:<!-- exit code (?P<code>\d) -->\n)?```sh\n(?P<commands>.*?)^```\n"
    r"(?:\n```text\n(?P<shown>.*?)^```$)?",
    re.DOTALL | re.MULTILINE,
)
INSTALL = "pip install"  # the first step; the suite has it installed


def run(commands: str, folder: Path) -> tuple[int, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ASRBENCH", "PYTEST", "CI"))}
    kept = {k: v for k, v in kept.items() if not k.startswith("GITHUB")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", commands],
        cwd=folder,
        env={**kept, "PATH": path, "COLUMNS": "80", "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def is_shown(shown: str, printed: str) -> str | None:
    """The first line of the page that the output lacks; `…` stands for anything, also lines."""
    left = printed.splitlines()
    for line in shown.splitlines():
        if line == "…":
            continue
        pattern = re.sub(r"([][?*])", r"[\1]", line).replace("…", "*")
        while left and not fnmatchcase(left[0].rstrip(), pattern):
            left.pop(0)
        if not left:
            return line
        left.pop(0)
    return None


def test_there_are_ten_steps() -> None:
    numbers = re.findall(r"^## (\d+)\. ", PAGE, re.MULTILINE)

    assert numbers == [str(number) for number in range(1, 11)]
    assert len(re.findall(r"^```sh$", PAGE, re.MULTILINE)) == len(BLOCK.findall(PAGE))


@pytest.mark.slow
def test_the_ten_steps_do_what_the_page_says(tmp_path: Path) -> None:
    shutil.copy(ROOT / "example_project/clips/refund_amount.flac", tmp_path / "call.flac")
    checked = 0
    for block in BLOCK.finditer(PAGE):
        if INSTALL in block["commands"]:
            continue
        code, printed = run(block["commands"], tmp_path)
        assert code == int(block["code"] or 0), block["commands"] + printed
        assert is_shown(block["shown"] or "", printed) is None, printed
        checked += 1
    assert checked >= 10
