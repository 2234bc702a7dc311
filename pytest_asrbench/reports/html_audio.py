"""The sound of a clip's player in the HTML report: a link, or the file itself."""

from __future__ import annotations

import base64
import mimetypes
import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from pytest_asrbench.counts import plural
from pytest_asrbench.model import ClipRecord

Hear = Callable[[ClipRecord], bytes | None]
"""The WAV file of a record's clip under its condition, where it can be made again."""
MOST_MADE = 10_000_000  # bytes of sounds under conditions, unless embedding was asked for
MOST_EMBEDDED = 100_000_000  # bytes of audio; browsers choke on pages much larger than that


class Sound:
    """Sources for audio elements. `folder` is the dataset's, `home` that of the report."""

    def __init__(
        self, folder: Path | None, home: Path, embed: bool = False, hear: Hear | None = None
    ) -> None:
        self._hear = hear
        self._unheard = 0
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

    def under_condition(self, record: ClipRecord) -> str | None:
        """A data URI of what the provider was sent; no file lies anywhere that could be linked."""
        data = self._hear(record) if self._hear else None
        if data is None:
            return None
        most = MOST_EMBEDDED if self._embed else MOST_MADE
        if self._embedded + len(data) > most:
            self._unheard += 1
            return None
        self._embedded += len(data)
        return f"data:audio/wav;base64,{base64.b64encode(data).decode()}"

    def notices(self) -> list[str]:
        """Notices that the reader needs of the sound."""
        return [*self._linked(), *self._left_out()]

    def _left_out(self) -> list[str]:
        if not self._unheard:
            return []
        count = plural(self._unheard, "broken value")
        return [
            f"{count} without the sound under its condition, to keep the page small; asrbench "
            "condition makes it"
        ]

    def _linked(self) -> list[str]:
        if not self._too_many:
            return []
        most = MOST_EMBEDDED // 1_000_000
        count = plural(len(self._too_many), "clip")
        return [f"audio of {count} is linked: more than {most} MB to embed"]


def _data(path: Path) -> str:
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"
