"""Errors by their cause: an outage is one fault, however many clips it cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pytest_asrbench.counts import plural, some
from pytest_asrbench.model import ClipRecord
from pytest_asrbench.run.build import record_key


@dataclass(frozen=True, slots=True)
class Cause:
    """The cause that was told of these clips, word for word the same; `clips` in the run's
    order."""

    kind: str
    host: str | None
    message: str
    clips: tuple[str, ...]

    @property
    def text(self) -> str:
        """`timeout (api.example.com): no answer within 120 s`."""
        at = f" ({self.host})" if self.host else ""
        return f"{self.kind}{at}: {self.message}"

    def told(self, most: int = 3) -> str:
        """The same with the clips: `…: 12 clips, a, b, c and 9 more`."""
        return f"{self.text} ({plural(len(self.clips), 'clip')}: {some(self.clips, most)})"


def causes(errors: Iterable[ClipRecord]) -> Sequence[Cause]:
    """The commonest first."""
    causes: dict[tuple[str, str | None, str], list[str]] = {}
    for record in errors:
        if record.error:
            key = record.error.kind, record.error.host, _without(record, record.error.message)
            causes.setdefault(key, []).append(record_key(record.key, record.repeat))
    return sorted(_made(causes), key=lambda cause: -len(cause.clips))


def _made(clips_by_cause: dict[tuple[str, str | None, str], list[str]]) -> Iterator[Cause]:
    for (kind, host, message), clips in clips_by_cause.items():
        yield Cause(kind, host, message, tuple(clips))


def _without(record: ClipRecord, message: str) -> str:
    """The message less the clip's own name, which would make each one's another."""
    return message.removeprefix(f"{record.key}: ")
