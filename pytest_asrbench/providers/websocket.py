"""
One stream over a websocket: sends frames, hears text, and knows when the transcript is complete.

A vendor's :class:`Dialogue` says what to send and what the server's messages mean; the rest is the
same for all: waiting until the server is ready, sending and hearing at the same time, the message
that ends the speech, a bounded wait for the last text. A stream that ends in any other way raises;
text that the server never made final is not returned.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from pytest_asrbench.errors import (
    ProviderError,
    TransientError,
)
from pytest_asrbench.files import json_value
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers import witness
from pytest_asrbench.providers.base import Frames
from pytest_asrbench.providers.failures import refusal, short, status_error, told_error
from pytest_asrbench.providers.replies import has_error
from pytest_asrbench.providers.secrets import scrub
from pytest_asrbench.providers.vendor import joined

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection, connect

READY_S = 15.0  # to connect, and again for the server to be ready
LEAVE_S = 1.0  # for the server to answer our goodbye
SILENT = logging.Logger("websockets", logging.CRITICAL)  # at level DEBUG it would log the key
LONGEST_MESSAGE = 16 << 20  # bytes; word lists of long clips exceed the library's 1 MiB

ORDERLY = frozenset({1000, 1005})  # with a status, and with none
LOST = 1006, "connection lost"

Message = str | bytes


class DialogueFailure(Protocol):
    """An error class, or one with its kind filled in."""

    def __call__(self, message: str, *, host: str | None) -> ProviderError: ...


RATE_LIMIT: DialogueFailure = partial(TransientError, kind="rate limit")
SERVER: DialogueFailure = partial(TransientError, kind="server")


class Dialogue(ABC):
    """The two sides of one stream; a subclass is a vendor's protocol, an object one clip."""

    WAITS: ClassVar[bool] = False
    """Whether the server says when it is ready for audio."""
    GRACE_S: ClassVar[float] = 0.0
    """How long late text may come after the complete transcript: no terminal event exists."""
    CLOSE_ENDS: ClassVar[bool] = False
    """Whether the vendor's orderly close after the end of speech is its terminal event."""
    CLOSES: ClassVar[Mapping[int, DialogueFailure]] = {}
    """What the vendor's own close codes mean; others may be tried again."""
    FAILURES: ClassVar[Mapping[str, DialogueFailure]] = {}
    """What the codes in the vendor's error messages mean."""

    def __init__(
        self, *, host: str, secrets: tuple[str, ...] = (), start: Mapping[str, Any] | None = None
    ) -> None:
        self.host = host
        self.secrets = secrets
        self.start = start
        self.ready = not self.WAITS
        self.ended = False  # the end of speech has been sent
        self.complete = False
        self.pending = False  # text came that is not final yet
        self.pieces: list[str] = []
        self.reported_model: str | None = None
        self.request_id: str | None = None
        self.billed_s: float | None = None

    def opening(self) -> Iterable[Message]:
        """Sent once connected."""
        return () if self.start is None else (json.dumps(self.start),)

    def audio(self, pcm: bytes) -> Message:
        """The message that carries a frame."""
        return pcm

    def closing(self) -> Iterable[Message]:
        """Sent after the last frame."""
        return ()

    def decoded(self, raw: Message) -> Any:
        """What a message holds: JSON, unless a vendor has frames of its own. Raises
        ProviderError."""
        return _decoded(raw, self.host)

    @abstractmethod
    def hear(self, message: Any) -> bool:
        """Take in a message (decoded JSON); whether it carried text. Raises ProviderError."""

    def forgives(self, message: Mapping[str, Any]) -> bool:
        """True if the error that this message names is none here."""
        return False

    def text(self) -> str:
        """The final transcript, by the vendor's rule."""
        return joined(self.pieces)

    def piece(self, text: Any, *, final: bool) -> bool:
        """Note a piece of transcript; whether it holds text."""
        if not isinstance(text, str):
            kind = type(text).__name__
            raise ProviderError(f"{self.host} sent a {kind} for text", host=self.host, kind="reply")
        if final:
            self.pieces.append(text)
        self.pending = bool(text.strip()) and not final
        return bool(text.strip())

    def failure(self, said: Any, code: Any = None) -> ProviderError:
        """The error that a message tells of."""
        line = scrub(short(str(said or code)), self.secrets)
        kind = self.FAILURES.get(str(code).lower())
        return kind(f"{self.host}: {line}", host=self.host) if kind else refusal(line, self.host)

    def closed(self, code: int, reason: str) -> ProviderError:
        """The error that the server's close means."""
        why = scrub(short(reason), self.secrets)
        line = f"{self.host} closed the stream early ({code}{': ' + why if why else ''})"
        return self.CLOSES.get(code, partial(TransientError, kind="network"))(line, host=self.host)


def base64_text(pcm: bytes) -> str:
    """A frame for vendors whose messages are all JSON."""
    return base64.b64encode(pcm).decode()


async def converse(
    url: str,
    headers: Mapping[str, str],
    dialogue: Dialogue,
    frames: Frames,
    *,
    final_wait_s: float,
) -> Transcript:
    """Stream one clip. Raises ProviderError; one try."""
    witness.connected(url, headers, dialogue.secrets)
    socket = await _connected(url, headers, dialogue)
    try:
        await _Stream(socket, dialogue, frames).hold(final_wait_s)
    finally:
        await socket.close()
    return Transcript(
        dialogue.text(),
        reported_model=dialogue.reported_model,
        request_id=dialogue.request_id,
        billed_s=dialogue.billed_s,
    )


async def _connected(url: str, headers: Mapping[str, str], dialogue: Dialogue) -> ClientConnection:
    from websockets.exceptions import (
        InvalidHandshake,
        InvalidMessage,
        InvalidStatus,
        InvalidURI,
    )

    host = dialogue.host
    connecting = _one_address()(
        url,
        logger=SILENT,
        additional_headers=headers,
        compression=None,  # speech does not shrink, and deflating it takes time
        open_timeout=READY_S,
        close_timeout=LEAVE_S,
        max_size=LONGEST_MESSAGE,
    )
    try:
        return await connecting
    except InvalidStatus as error:
        reply = error.response
        body = (reply.body or b"").decode("utf-8", "replace")
        raise status_error(
            reply.status_code, reply.headers, body, host, secrets=dialogue.secrets
        ) from None
    except InvalidMessage as error:
        if not isinstance(error.__cause__, EOFError | OSError):  # it answered, and no HTTP
            raise _no_websocket(host, error) from None
        what = f"connection to {host} failed: it was closed before the answer"
        raise TransientError(what, host=host, kind="network") from None
    except (InvalidHandshake, InvalidURI, EOFError) as error:
        raise _no_websocket(host, error) from None
    except TimeoutError:
        raise TransientError(f"{host} did not answer in time", host=host, kind="timeout") from None
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise TransientError(
            f"connection to {host} failed: {why}", host=host, kind="network"
        ) from None


def _no_websocket(host: str, error: Exception) -> ProviderError:
    return ProviderError(f"{host} speaks no websocket here ({type(error).__name__})", host=host)


@cache
def _one_address() -> type[connect]:
    """A redirect would take the headers, and in them the key, to where nobody sent it."""
    from websockets.asyncio.client import connect

    class OneAddress(connect):
        def process_redirect(self, exc: Exception) -> Exception:
            return exc

    return OneAddress


class _Stream:
    """Speaks and hears at the same time."""

    def __init__(self, socket: ClientConnection, dialogue: Dialogue, frames: Frames) -> None:
        self.socket = socket
        self.dialogue = dialogue
        self.frames = frames
        self.ready = asyncio.Event()

    async def hold(self, final_wait_s: float) -> None:
        hearing = asyncio.create_task(self._hear())
        speaking = asyncio.create_task(self._speak())
        try:
            await asyncio.wait({hearing, speaking}, return_when=asyncio.FIRST_COMPLETED)
            # A speaker that meets a closed socket stops; why it is closed, the hearer knows.
            if speaking.done() and not hearing.done():
                speaking.result()
            async with asyncio.timeout(final_wait_s):
                await hearing
        except TimeoutError:
            raise TransientError(
                f"{self.dialogue.host} sent no final transcript within {final_wait_s:g} s of the "
                "end of speech",
                host=self.dialogue.host,
                kind="timeout",
            ) from None
        finally:
            for task in (hearing, speaking):
                task.cancel()
            await asyncio.gather(hearing, speaking, return_exceptions=True)

    async def _speak(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            for message in self.dialogue.opening():
                await self._say("opening", message)
            await self._until_ready()
            async for frame in self.frames:
                await self._say("audio", self.dialogue.audio(frame))
            self.dialogue.ended = True
            for message in self.dialogue.closing():
                await self._say("closing", message)
        except ConnectionClosed:
            pass  # the hearer raises, and knows the reason

    async def _say(self, moment: witness.Moment, message: Message) -> None:
        witness.told(moment, message)
        await self.socket.send(message)

    async def _until_ready(self) -> None:
        if self.dialogue.ready:
            return
        try:
            async with asyncio.timeout(READY_S):
                await self.ready.wait()
        except TimeoutError:
            raise TransientError(
                f"{self.dialogue.host} was not ready within {READY_S:g} s",
                host=self.dialogue.host,
                kind="timeout",
            ) from None

    async def _hear(self) -> None:
        """Until the transcript is complete."""
        dialogue, text = self.dialogue, ""
        while (raw := await self._next()) is not None:
            if _heard(dialogue, dialogue.decoded(raw)):
                self.frames.text_heard()
            if (final := dialogue.text()) != text:
                text = final
                self.frames.text_final()
            if dialogue.ready:
                self.ready.set()
            if dialogue.complete:
                self.frames.text_complete()
                if not dialogue.GRACE_S:
                    break
        if not dialogue.ended:
            raise TransientError(
                f"{dialogue.host} ended the stream before the end of speech",
                host=dialogue.host,
                kind="incomplete",
            )
        if dialogue.pending:
            raise TransientError(
                f"{dialogue.host} ended the stream with text that it never made final",
                host=dialogue.host,
                kind="incomplete",
            )

    async def _next(self) -> Message | None:
        """The next message; None when nothing more is expected."""
        from websockets.exceptions import ConnectionClosed

        complete = self.dialogue.complete
        try:
            async with asyncio.timeout(self.dialogue.GRACE_S if complete else None):
                message = await self.socket.recv()
                witness.told(None, message)
                return message
        except TimeoutError:
            return None
        except ConnectionClosed as error:
            code, reason = (error.rcvd.code, error.rcvd.reason) if error.rcvd else LOST
            witness.told(None, {"close": code})
            ends = self.dialogue.CLOSE_ENDS and self.dialogue.ended and code in ORDERLY
            if ends:
                self.frames.text_complete()
            if ends or complete:
                return None
            raise self.dialogue.closed(code, reason) from None


def _heard(dialogue: Dialogue, message: Any) -> bool:
    """True if the message carried text. Raises ProviderError for what none can be: one of another
    shape than the vendor's, or with an error beside its text."""
    try:
        carried = dialogue.hear(message)
    except (AttributeError, KeyError, TypeError, ValueError):  # of a number where an object stands
        raise ProviderError(
            f"{dialogue.host} sent a message of another shape: {short(scrub(str(message)))}",
            host=dialogue.host,
            kind="reply",
        ) from None
    if has_error(message) and not dialogue.forgives(message):
        raise told_error(message, dialogue.host, secrets=dialogue.secrets)
    return carried


def _decoded(raw: Message, host: str) -> Any:
    try:
        return json_value(raw)
    except ValueError:
        raise ProviderError(
            f"{host} sent no JSON: {short(scrub(str(raw)))!r}", host=host, kind="reply"
        ) from None
