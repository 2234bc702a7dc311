"""The sound of a clip's player in the HTML report: a link, or the file itself."""

from __future__ import annotations

import base64
import mimetypes
import os
from pathlib import Path
from urllib.parse import quote

from pytest_asrbench.counts import plural

MOST_EMBEDDED = 100_000_000  # bytes of audio; browsers choke on pages much larger than that


class Sound:
    """Sources for audio elements. `folder` is the dataset's, `home` that of the report."""

    def __init__(self, folder: Path | None, home: Path, embed: bool = False) -> None:
        self._folder = folder.resolve() if folder else None
        self._home = home
        self._embed = embed
        self._embedded = 0
        self._too_many: set[Path] = set()

    def source(self, audio: str | None) -> str | None:
        """A relative address or a data URI; None where there is no such file in the dataset."""
        if self._folder is None or audio is None:
            return None
        path = (self._folder / audio).resolve()
        if not path.is_relative_to(self._folder) or not path.is_file():
            return None
        if self._embed:
            size = path.stat().st_size
            if self._embedded + size <= MOST_EMBEDDED:
                self._embedded += size
                return _data(path)
            self._too_many.add(path)  # a clip has a player for each of its repeats
        return quote(Path(os.path.relpath(path, self._home)).as_posix())

    def notices(self) -> list[str]:
        """Notices that the reader needs of the sound."""
        if not self._too_many:
            return []
        most = MOST_EMBEDDED // 1_000_000
        count = plural(len(self._too_many), "clip")
        return [f"audio of {count} is linked: more than {most} MB to embed"]


def _data(path: Path) -> str:
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"
