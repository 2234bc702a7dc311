"""
Finds the files that a run was judged by and that the change itself touches.

A replay proves that stored transcripts hold against stored thresholds. Where a pull request edits
either, it judges itself: that is no fault, and a reader should know. Files are compared with the
base commit: that of $ASRBENCH_BASE, else what GitHub or GitLab say that the change is measured
against. Without one, nothing is said.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_asrbench.counts import plural
from pytest_asrbench.files import json_value
from pytest_asrbench.run.build import Run

GIT_TIMEOUT_S = 20
SHOWN = 5
NAMES = ("clip", "audio_id", "id", "index")  # of a row's clip, in cassettes and hypotheses


def base_commit(environment: Mapping[str, str]) -> str | None:
    """The commit that the change is measured against, where somebody names it."""
    given = environment.get("ASRBENCH_BASE") or environment.get("CI_MERGE_REQUEST_DIFF_BASE_SHA")
    return given or _of_github(environment.get("GITHUB_EVENT_PATH"))


def _of_github(path: str | None) -> str | None:
    try:
        event = json_value(Path(path).read_text("utf-8")) if path else None
    except (OSError, ValueError):
        return None
    for key in ("pull_request", "base", "sha"):
        event = event.get(key) if isinstance(event, dict) else None
    return event if isinstance(event, str) else None


def notices(
    run: Run, base: str | None, root: Path, *, transcripts: Path | None, others: Sequence[Path]
) -> list[str]:
    """Lines on the files that the change touches: `transcripts`, where stored ones came from (a
    cassette, a store, recorded hypotheses), and `others`, what they were judged by."""
    stored = [record for record in run.records if record.source in ("cache", "recorded")]
    git = _Git(root, base or "")
    if not stored or not git.named():
        return []
    if not git.known():
        return [git.unknown()]
    lines = []
    if transcripts is not None and (what := git.touched(transcripts)):
        lines.append(
            f"{len(stored)} of {len(run.records)} transcripts come from {git.shown(transcripts)}, "
            f"which this change itself touches{what}"
        )
    named = [str(git.shown(path)) for path in others if git.touched(path)]
    if named:
        lines.append(f"this change itself touches what judges it: {', '.join(named)}")
    return lines


def imported(file: Path, base: str | None) -> list[str]:
    """The line on a cassette that is read into a store, where the change touches it: a run that
    replays the store sees no more of the file."""
    git = _Git(file.absolute().parent, base or "")
    if not git.named():
        return []
    if not git.known():
        return [git.unknown()]
    what = git.touched(file)
    return [f"{git.shown(file)}: this change itself touches it{what}"] if what else []


class _Git:
    """Asks git about paths; whatever it can't tell is told as untouched."""

    def __init__(self, root: Path, base: str) -> None:
        self.root = root
        self.base = base

    def run(self, *arguments: str) -> str | None:
        command = ["git", *arguments]
        try:
            done = subprocess.run(
                command, cwd=self.root, capture_output=True, timeout=GIT_TIMEOUT_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None

    def named(self) -> bool:
        return bool(self.base) and not self.base.startswith("-")

    def unknown(self) -> str:
        says = f"commit {self.base[:12]} is not fetched"
        return f"what this change itself touches can't be told: {says}"

    def known(self) -> bool:
        return self.run("cat-file", "-e", f"{self.base}^{{commit}}") is not None

    def shown(self, path: Path) -> Path:
        """As git names it, where it lies in the checkout."""
        top = self.run("rev-parse", "--show-toplevel")
        folder = Path(top.strip()) if top else self.root
        real = path.resolve()
        return real.relative_to(folder) if real.is_relative_to(folder) else path

    def touched(self, path: Path) -> str:
        """The remark on a file that differs from the base's; "" where it does not, or
        is none of this repository. Of a store's folder, whether files in it are committed."""
        name = self.shown(path)
        if name.is_absolute() or not path.exists():
            return ""
        if path.is_dir():
            kept = (self.run("ls-files", "-z", "--", str(path)) or "").count("\0")
            return f": {plural(kept, 'committed file')} in it" if kept else ""
        before = self.run("show", f"{self.base}:{name.as_posix()}")
        now = path.read_text("utf-8", errors="replace")
        if before is None:
            return f" ({self.base[:12]} has no such file)"
        return _rows(before, now) if before != now else ""


def _rows(before: str, now: str) -> str:
    """Clips whose rows are new or other, where a row is one clip."""
    old = set(before.split("\n"))
    names = [name for row in now.split("\n") if row not in old for name in _clip(row)]
    if not names:
        return " (rows were removed or are no JSON)"
    shown = ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")
    return f": {plural(len(names), 'row')} new or other ({shown})"


def _clip(row: str) -> Iterator[str]:
    try:
        value: Any = json.loads(row)
    except (ValueError, RecursionError):
        return
    if isinstance(value, dict) and "cassette" not in value:
        yield str(next((value[key] for key in NAMES if value.get(key)), "a verdict"))
