"""
Try what a release would upload; nothing is uploaded: python tools/release.py [--tag v0.2.0]

Run by `nox -s release`, once dist/ has been built. With a tag the versions of pyproject.toml,
CITATION.cff and CHANGELOG.md must be that tag's. What the changelog says becomes dist/notes.md.
Source distribution and wheel are each installed into an environment of their own, on every Python
that the project names and the machine has, and gate a new folder of clips there.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VERSION = PROJECT["version"]
NEXT = "Unreleased"
PROGRAMS = "Scripts" if os.name == "nt" else "bin"
GATE = [
    ["asrbench", "init", "speech", "--ci", "none"],
    ["asrbench", "lint", "speech"],
    ["pytest", "speech", "--asr-provider=recorded", "--asr-gate=on", "-q", "-n", "2"],
]


def check_versions(tag: str) -> Iterator[str]:
    """What does not say the tag's version."""
    if tag != f"v{VERSION}":
        yield f"pyproject.toml says {VERSION}, the tag {tag}"
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    if f"\nversion: {VERSION}\n" not in citation:
        yield f"CITATION.cff does not say version: {VERSION}"
    if not section(VERSION):
        yield f"CHANGELOG.md has no section {VERSION}; name {NEXT} so, with the day"


def section(name: str) -> str:
    """What the changelog says under a heading that begins with `name`."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    place = re.search(
        rf"^## {re.escape(name)}\b[^\n]*\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL
    )
    return place[1].strip() if place else ""


def pythons() -> list[str]:
    """This one, and each other version that the project names and the machine has."""
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    own = f"3.{sys.version_info.minor}"
    others = (shutil.which(f"python{each}") for each in named if each != own)
    return [sys.executable, *(each for each in others if each and _works(each))]


def _works(python: str) -> bool:
    """A version manager's stand-in for a version that is switched off does not."""
    asked = [python, "-c", "import ensurepip, venv"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


def try_out(python: str, file: Path, folder: Path) -> None:
    """Install the file into a fresh environment, and gate a new folder of clips with it.

    Raises CalledProcessError.
    """
    venv, work = folder / "venv", folder / "work"
    work.mkdir(parents=True)
    subprocess.run([python, "-m", "venv", venv], check=True)
    programs = venv / PROGRAMS
    pip = [programs / "python", "-m", "pip", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", f"{file}[html]"], check=True)
    subprocess.run([*pip, "check"], check=True)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ASRBENCH", "PYTEST"))}
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    for command in GATE:
        program = shutil.which(command[0], path=str(programs)) or command[0]
        subprocess.run([program, *command[1:]], check=True, cwd=work, env={**kept, "PATH": path})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tag", help="v and the version")
    tag = parser.parse_args().tag
    faults = list(check_versions(tag)) if tag else []
    notes = section(VERSION) or section(NEXT)
    faults += [] if notes else [f"CHANGELOG.md says nothing of {VERSION}"]
    for fault in faults:
        print(f"release: {fault}", file=sys.stderr)
    if faults:
        return 1
    (DIST / "notes.md").write_text(f"{notes}\n", encoding="utf-8")
    for python in pythons():
        for file in sorted([*DIST.glob("*.whl"), *DIST.glob("*.tar.gz")]):
            with tempfile.TemporaryDirectory() as folder:
                print(f"== {file.name} on {python}", flush=True)
                try_out(python, file, Path(folder))
    print(f"\n{VERSION}: {', '.join(sorted(path.name for path in DIST.iterdir()))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
