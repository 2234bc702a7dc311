"""The dataset's folder: where its audio may be, and which revision of a benchmark it holds."""

from __future__ import annotations

import os
import re
from pathlib import Path

RE_COMMIT = re.compile(r"[0-9a-f]{40}")


class DatasetFolder:
    """Finds files named by a dataset; none may lead outside, by name or by symbolic link."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._root = os.path.realpath(_hub_cache(path) or path)
        self._parents: dict[str, bool] = {}

    def file(self, name: str) -> Path:
        """The path of a file named relative to the folder. Raises ValueError with the reason."""
        parent, _, _ = name.rpartition("/")
        if "\\" in name or "\0" in name:
            raise ValueError(f"audio {name!r}: use / between folders")
        if name[0] in "/~" or ":" in name.partition("/")[0]:
            raise ValueError(f"audio {name!r} must be relative to the dataset's folder")
        if ".." in name and ".." in name.split("/"):
            raise ValueError(f"audio {name!r} must stay inside the dataset's folder, without ..")
        if not self._inside(parent, name):
            raise ValueError(f"audio {name!r} is a link that leads outside the dataset's folder")
        return self.path / name

    def _inside(self, parent: str, name: str) -> bool:
        # A folder's real place is looked up once: large sets hold thousands of files in each.
        if parent not in self._parents:
            self._parents[parent] = self._under_root(parent)
        link = os.path.islink(os.path.join(self.path, name))
        return self._under_root(name) if link else self._parents[parent]

    def _under_root(self, name: str) -> bool:
        real = os.path.realpath(os.path.join(self.path, name))
        return real == self._root or real.startswith(self._root.rstrip(os.sep) + os.sep)


def revision(path: Path) -> str | None:
    """The commit of a downloaded benchmark, where its folder tells it.

    Read from the Hugging Face cache (`snapshots/<commit>/`), or from what a download with
    `--local-dir` leaves (`.cache/huggingface/download/…metadata`).
    """
    real = path.absolute()
    for folder in (real, *real.parents[:2]):
        if folder.parent.name == "snapshots" and RE_COMMIT.fullmatch(folder.name):
            return folder.name
        notes = sorted((folder / ".cache/huggingface/download").glob("**/*.metadata"))
        for line in (n.read_text(encoding="utf-8", errors="replace").split("\n")[0] for n in notes):
            if RE_COMMIT.fullmatch(line):
                return line
    return None


def _hub_cache(path: Path) -> Path | None:
    """The repository's folder in a Hugging Face cache: its snapshots are links into `blobs/`."""
    for folder in (path, *path.parents):
        if folder.parent.name == "snapshots" and (folder.parent.parent / "blobs").is_dir():
            return folder.parent.parent
    return None
