"""
Put the real output of commands into pages: python tools/fill_outputs.py PAGE.md…

A comment `<!-- output[FROM:TO]: COMMAND -->` is followed by a fenced block, which gets those lines
of what the command prints in the repository's root on an 80-column screen without colours.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = re.compile(
    r"(<!-- output(?:\[(-?\d*):(-?\d*)\])?: (.+?) -->\n```\w*\n).*?(?=^```)",
    re.DOTALL | re.MULTILINE,
)


def filled(text: str) -> str:
    """The page with every command's output as it is today."""
    return PLACE.sub(lambda found: found[1] + lines(found[4], found[2], found[3]), text)


def lines(command: str, start: str | None, end: str | None) -> str:
    """Some lines of what a command prints; its exit code is its own business."""
    print(command)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "PATH": path, "COLUMNS": "80", "NO_COLOR": "1"},
    )
    shown = done.stdout.rstrip("\n").splitlines()
    part = shown[slice(int(start) if start else None, int(end) if end else None)]
    if not part:
        raise SystemExit(f"{command}: printed nothing there")
    return "\n".join(line.rstrip() for line in part) + "\n"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = Path(name)
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
