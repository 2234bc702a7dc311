"""
What a call sent and heard on the wire, for whoever asks: `asrbench providers check --fixture`.

Both HTTP clients and the websocket tell of it here; without a witness that costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

Moment = Literal["opening", "audio", "closing"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request with its answer. The request's body is not kept: the recording is ours."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    status: int
    media_type: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Told:
    """A message of a stream; `moment` says what of ours it is, None is the server's."""

    moment: Moment | None
    message: Any


@dataclass(slots=True)
class Notes:
    """All of one call. `secrets` may stand in it, and leave this process in no file."""

    answered: list[Exchange] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    stream: tuple[str, tuple[tuple[str, str], ...]] | None = None
    """Address and headers of the handshake."""
    secrets: set[str] = field(default_factory=set)


_notes: Notes | None = None


@contextmanager
def noted() -> Iterator[Notes]:
    """Inside, calls are noted: one at a time, of whichever thread."""
    global _notes  # the engine calls in a thread of its own, which no context reaches
    _notes = notes = Notes()
    try:
        yield notes
    finally:
        _notes = None


def answered(response: Any) -> None:
    """A reply of httpx, or of the fork that the OpenAI SDK may bring, its body read."""
    if _notes is not None:
        request = response.request
        media_type = response.headers.get("content-type", "")
        _notes.answered.append(
            Exchange(
                request.method,
                str(request.url),
                tuple(request.headers.items()),
                response.status_code,
                media_type.partition(";")[0],
                response.content,
            )
        )


def connected(url: str, headers: Any, secrets: tuple[str, ...]) -> None:
    """A websocket is about to open."""
    if _notes is not None:
        _notes.stream = url, tuple(headers.items())
        _notes.secrets.update(secrets)


def told(moment: Moment | None, message: Any) -> None:
    """A message went, or came."""
    if _notes is not None:
        _notes.told.append(Told(moment, message))
