"""
Vendors that stream over gRPC: one call that goes both ways, bytes in and bytes out.

A subclass makes and reads its vendor's messages with the classes that the vendor publishes; the
rest is the same for all: the pace, sending and hearing at once, a bounded wait for the last text,
and what a status means.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, ClassVar
from urllib.parse import urlsplit

from pytest_asrbench.errors import AuthError, InputError, ProviderError, TransientError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.base import Frames
from pytest_asrbench.providers.failures import refusal, short
from pytest_asrbench.providers.secrets import replaying, scrub
from pytest_asrbench.providers.streaming import StreamingVendor
from pytest_asrbench.providers.vendor import joined
from pytest_asrbench.providers.websocket import RATE_LIMIT, SERVER, DialogueFailure

LONGEST_MESSAGE = 16 << 20  # bytes
NETWORK: DialogueFailure = partial(TransientError, kind="network")
LATE: DialogueFailure = partial(TransientError, kind="timeout")
FAILURES: Mapping[str, DialogueFailure] = {
    "UNAUTHENTICATED": AuthError,
    "PERMISSION_DENIED": AuthError,
    "RESOURCE_EXHAUSTED": RATE_LIMIT,
    "UNAVAILABLE": NETWORK,
    "DEADLINE_EXCEEDED": LATE,
    "ABORTED": SERVER,
    "INTERNAL": SERVER,
    "UNKNOWN": SERVER,
}

Piece = tuple[str, bool]
"""A text, and whether it is final."""


class GrpcStream(StreamingVendor):
    """`url` is `https://HOST`, or `http://HOST:PORT` for a server without TLS."""

    METHOD: ClassVar[str]
    FRAME_MS: ClassVar[int] = 100

    def opening(self, language: str) -> bytes:
        """The first message: what is asked for."""
        raise NotImplementedError

    def check_params(self) -> None:
        """Raises InputError for fields that the vendor's messages don't have."""
        if replaying():
            return
        try:
            self.opening(self.spelled("en"))
        except (TypeError, ValueError) as error:
            raise InputError(f"provider {self.use}: params: {short(str(error))}") from None

    def audio(self, pcm: bytes) -> bytes:
        """A message with a frame."""
        raise NotImplementedError

    def pieces(self, message: bytes) -> Iterator[Piece]:
        """The texts in an answer, in order. Raises ValueError for what is none."""
        raise NotImplementedError

    async def metadata(self) -> tuple[tuple[str, str], ...]:
        """How the key travels."""
        return (("authorization", f"Bearer {self.key}"),)

    async def stream(self, frames: Frames) -> Transcript:
        channel = self._channel()
        try:
            return await self._heard(channel, frames)
        finally:
            channel.close()

    def _channel(self) -> Any:
        import grpc

        place = urlsplit(self.url)
        options = [("grpc.max_receive_message_length", LONGEST_MESSAGE), ("grpc.enable_retries", 0)]
        if place.scheme == "http":
            return grpc.insecure_channel(place.netloc, options=options)
        secure = grpc.ssl_channel_credentials()
        host = place.netloc if place.port else f"{place.netloc}:443"
        return grpc.secure_channel(host, secure, options=options)

    async def _heard(self, channel: Any, frames: Frames) -> Transcript:
        outbox: SimpleQueue[bytes | None] = SimpleQueue()
        outbox.put(self.opening(self.spelled(frames.language)))
        call = channel.stream_stream(self.METHOD)(
            iter(outbox.get, None), metadata=await self.metadata()
        )
        inbox = _answers(call)
        speaking = asyncio.create_task(self._speak(frames, outbox))
        texts: list[str] = []
        pending = False
        try:
            while (message := await self._next(inbox, speaking)) is not None:
                for text, final in self._read(message):
                    frames.text_heard()
                    pending = not final
                    texts += [text] if final else []
            frames.text_complete()
            if pending or not speaking.done():
                what = f"{self.host} ended the stream with speech or text that it never made final"
                raise TransientError(what, host=self.host, kind="incomplete")
            return Transcript(joined(texts))
        finally:
            speaking.cancel()
            outbox.put(None)
            call.cancel()

    async def _speak(self, frames: Frames, outbox: SimpleQueue[bytes | None]) -> None:
        async for pcm in frames:
            outbox.put(self.audio(pcm))
        outbox.put(None)

    async def _next(self, inbox: asyncio.Queue[Any], speaking: asyncio.Task[None]) -> Any:
        """The next answer, None at the end; bounded once all speech is sent."""
        hearing = asyncio.ensure_future(inbox.get())
        try:
            await asyncio.wait({hearing, speaking}, return_when=asyncio.FIRST_COMPLETED)
            if speaking.done():
                speaking.result()
            async with asyncio.timeout(self.final_wait_s):
                message = await hearing
        except TimeoutError:
            raise TransientError(
                f"{self.host} sent no final transcript within {self.final_wait_s:g} s of the end "
                "of speech",
                host=self.host,
                kind="timeout",
            ) from None
        finally:
            hearing.cancel()
        if isinstance(message, Exception):
            raise self._failure(message) from None
        return message

    def _read(self, message: bytes) -> list[Piece]:
        try:
            return [(text, final) for text, final in self.pieces(message) if text.strip()]
        except Exception as error:  # of protobuf, whose classes its versions name differently
            what = f"{self.host} sent a message of another shape: {type(error).__name__}"
            raise ProviderError(what, host=self.host, kind="reply") from None

    def _failure(self, error: Any) -> ProviderError:
        said = scrub(short(str(error.details() or error.code().name)), (self.key,))
        kind = FAILURES.get(error.code().name)
        line = f"{self.host}: {said}"
        return kind(line, host=self.host) if kind else refusal(said, self.host)


def _answers(call: Any) -> asyncio.Queue[Any]:
    """A call's answers, then None or the error that ended it.

    A thread reads them: gRPC's own asyncio calls lose the server's status where it ends a call
    while they write.
    """
    import grpc

    loop = asyncio.get_running_loop()
    inbox: asyncio.Queue[Any] = asyncio.Queue()

    def hear() -> None:
        last: Exception | None = None
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            try:
                for message in call:
                    loop.call_soon_threadsafe(inbox.put_nowait, message)
            except grpc.RpcError as error:
                last = error
            loop.call_soon_threadsafe(inbox.put_nowait, last)

    Thread(target=hear, daemon=True).start()
    return inbox
