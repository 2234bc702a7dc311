"""
Servers that fail in every way that a transport knows, and count who called.

A fault of HTTP writes bytes to the connection as it likes; one of a websocket acts after the
handshake, or in its place. Each says which of our errors it must become, and whether another try
may help.
"""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial

from helpers.http_server import beside, read
from pytest_asrbench.errors import (
    AudioError,
    AuthError,
    ProviderError,
    QuotaError,
    TransientError,
)

Writer = asyncio.StreamWriter
Play = Callable[[Writer], Awaitable[None]]


@dataclass(frozen=True)
class Fault:
    """`error` is the class that it must become, `kind` the word in tables."""

    name: str
    play: Play
    error: type[ProviderError]
    kind: str

    @property
    def tried_again(self) -> bool:
        return issubclass(self.error, TransientError)


async def send(data: bytes, writer: Writer) -> None:
    writer.write(data)
    await writer.drain()


async def reset(data: bytes, writer: Writer) -> None:
    """Some bytes, and then no orderly end."""
    await send(data, writer)
    writer.transport.abort()


async def end(data: bytes, writer: Writer) -> None:
    """Some bytes, and then an end that comes too early."""
    await send(data, writer)
    writer.close()


async def leave(data: bytes, writer: Writer) -> None:
    """Likewise, once what the client sent has been read: an end that overtakes nothing."""
    await send(data, writer)
    await asyncio.sleep(0.05)
    writer.close()


async def hang(data: bytes, writer: Writer) -> None:
    """Some bytes, and then nothing for longer than anybody waits."""
    await send(data, writer)
    await asyncio.sleep(30)


async def drip(writer: Writer) -> None:
    """A header without an end, a byte at a time, each in time."""
    writer.write(b"HTTP/1.1 200 OK\r\nx-drip: ")
    for _ in range(600):
        await send(b"a", writer)
        await asyncio.sleep(0.05)


def reply(status: int | str, body: bytes = b"", *headers: str, length: int | None = None) -> bytes:
    lines = [f"HTTP/1.1 {status} X", f"content-length: {len(body) if length is None else length}"]
    return "\r\n".join([*lines, *headers, "", ""]).encode() + body


GOOD = b'{"text": "hello"}'
GZIP = "content-encoding: gzip"
CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
BUSY = b'{"error": {"message": "busy"}}'


def _of(name: str, error: type[ProviderError], kind: str, data: bytes, how=send) -> Fault:
    return Fault(name, partial(how, data), error, kind)


def _status(status: int, error: type[ProviderError], kind: str, body: bytes = BUSY) -> Fault:
    return _of(f"status {status}", error, kind, reply(status, body))


T, P = TransientError, ProviderError
HTTP = [
    *[_status(status, T, "server") for status in (409, 425, 500, 502, 503, 529)],
    *[_status(status, T, "timeout") for status in (408, 504)],
    _status(429, T, "rate limit"),
    *[_status(status, P, "provider") for status in (400, 404, 405, 410, 418, 422, 501, 505, 511)],
    *[_status(status, AuthError, "auth") for status in (401, 403)],
    _status(402, QuotaError, "quota"),
    *[_status(status, AudioError, "audio") for status in (413, 415)],
    *[_status(status, P, "provider") for status in (300, 301, 302, 303, 304, 307, 308)],
    *[_status(status, P, "reply", GOOD) for status in (202, 206)],
    _of("status 204", P, "reply", b"HTTP/1.1 204 X\r\n\r\n"),
    _of("status 599 without a body", P, "provider", reply(599)),
    _of("status 503, a page", T, "server", reply(503, b"<html>" * 9, "content-type: text/html")),
    _of("status 503, not to be decoded", T, "server", reply(503, b"abc", GZIP)),
    _of("status 503, cut", T, "server", reply(503, b"abc", length=99), end),
    _of("status 401, cut", AuthError, "auth", reply(401, b"abc", length=99), end),
    _of("status 503, deep JSON", T, "server", reply(503, b"[" * 100_000)),
    _of("status 503, half a character", T, "server", reply(503, b"\xff\xfe")),
    _of("retry-after that can't be", T, "rate limit", reply(429, BUSY, "retry-after: soon")),
    _of("nothing", P, "reply", reply(200)),
    _of("no JSON", P, "reply", reply(200, b"hello")),
    _of("a page", P, "reply", reply(200, b"<!doctype html>", "content-type: text/html")),
    _of("deep JSON", P, "reply", reply(200, b"[" * 100_000)),
    _of("a number too long", P, "reply", reply(200, b"9" * 9_000)),
    _of("half a character", P, "reply", reply(200, b'{"text": "\xff"}')),
    _of("a list", P, "reply", reply(200, b"[1]")),
    _of("null", P, "reply", reply(200, b"null")),
    _of("no text", P, "reply", reply(200, b"{}")),
    _of("a number for text", P, "reply", reply(200, b'{"text": 5}')),
    _of("an error inside", P, "provider", reply(200, b'{"text": "", "error": "worker died"}')),
    _of("a status inside", T, "server", reply(200, b'{"text": "", "error": {"code": 503}}')),
    _of("a job", P, "reply", reply(200, b'{"text": "", "id": "1", "status": "queued"}')),
    _of("not to be decoded", P, "reply", reply(200, GOOD, GZIP)),
    _of("decoded in part", P, "reply", reply(200, gzip.compress(GOOD)[:-12] + b"x" * 12, GZIP)),
    _of("too large", P, "reply", reply(200, b'"' + b"a" * (17 << 20) + b'"')),
    _of("a bomb", P, "reply", reply(200, gzip.compress(b" " * (64 << 20)), GZIP)),
    _of("no reply, closed", T, "network", b"", end),
    _of("no reply, reset", T, "network", b"", reset),
    _of("half a head, closed", T, "network", b"HTTP/1.1 200 OK\r\ncontent-", end),
    _of("half a body, closed", T, "network", reply(200, GOOD, length=99), end),
    _of("half a body, reset", T, "network", reply(200, GOOD, length=99), reset),
    _of("half a chunk", T, "network", CHUNKED + b"9\r\nabc", end),
    _of("no chunk's length", T, "network", CHUNKED + b"zz\r\nabc\r\n", end),
    _of("no HTTP", T, "network", b"SSH-2.0-OpenSSH_9\r\n\r\n", end),
    _of("two lengths", T, "network", reply(200, GOOD, "content-length: 3"), end),
    _of("a status that is none", T, "network", b"HTTP/1.1 abc OK\r\n\r\n", end),
    _of("silence", T, "timeout", b"", hang),
    _of("silence after the head", T, "timeout", reply(200, b"", length=9), hang),
    _of("silence within the body", T, "timeout", reply(200, GOOD, length=99), hang),
]


class FaultServer:
    """Plays one fault to all who call."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        self.calls = 0
        self.url = ""

    async def handle(self, reader: asyncio.StreamReader, writer: Writer) -> None:
        try:
            while await read(reader) is not None:
                self.calls += 1
                await self.fault.play(writer)
                if writer.is_closing():
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client has gone
        finally:
            with suppress(ConnectionError):
                writer.close()


@contextmanager
def failing(fault: Fault, serve: type[FaultServer] | None = None) -> Iterator[FaultServer]:
    """A server with this fault, in a thread of its own."""
    server = (serve or FaultServer)(fault)

    @asynccontextmanager
    async def listening() -> AsyncIterator[None]:
        listener = await asyncio.start_server(server.handle, "127.0.0.1", 0)
        server.url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
        yield
        listener.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    with beside(listening()):
        yield server


def frame(
    opcode: int, payload: bytes = b"", *, flags: int = 0x80, length: int | None = None
) -> bytes:
    """A frame of a websocket, with flags and a length that may be wrong."""
    size = len(payload) if length is None else length
    if size < 126:
        head = bytes([flags | opcode, size])
    else:
        head = bytes([flags | opcode, 127]) + size.to_bytes(8, "big")
    return head + payload


def text(said: str) -> bytes:
    return frame(1, said.encode())


def closing(code: int, reason: str = "") -> bytes:
    return frame(8, code.to_bytes(2, "big") + reason.encode())


def _refused(status: int, error: type[ProviderError], kind: str) -> Fault:
    return _of(f"handshake {status}", error, kind, reply(status, BUSY), end)


BAD_ACCEPT = (
    b"HTTP/1.1 101 X\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
    b"sec-websocket-accept: bm8=\r\n\r\n"
)
HANDSHAKES = [
    *[_refused(status, AuthError, "auth") for status in (401, 403)],
    *[_refused(status, T, "server") for status in (500, 502, 503)],
    _refused(402, QuotaError, "quota"),
    _refused(429, T, "rate limit"),
    *[_refused(status, P, "provider") for status in (200, 204, 301, 302, 307, 308, 400, 404, 426)],
    _of("another's accept", P, "provider", BAD_ACCEPT, end),
    _of("no HTTP", P, "provider", b"SSH-2.0-OpenSSH_9\r\n\r\n", end),
    _of("closed at once", T, "network", b"", end),
    _of("reset at once", T, "network", b"", reset),
    _of("half a head", T, "network", b"HTTP/1.1 101 X\r\nupgr", end),
    _of("silence", T, "timeout", b"", hang),
]
"""In place of the handshake."""

FINAL = text(
    '{"type": "Results", "is_final": true, "channel": {"alternatives": [{"transcript": "a"}]}}'
)
PARTIAL = FINAL.replace(b"true, ", b"false,")
LOST = 1 << 40  # a length that nobody has
STREAMS = [
    *[_of(f"close {code}", T, "network", closing(code, "why"), leave)
      for code in (1000, 1001, 1002, 1003, 1007, 1009, 1011, 1012, 1013, 1014, 4000, 4999)],
    _of("close 1008", AudioError, "audio", closing(1008, "no audio"), leave),
    _of("close without a code", T, "network", frame(8), leave),
    _of("a code that can't be", T, "network", frame(8, b"\x00\x01"), leave),
    _of("a final text, then close 1011", T, "network", FINAL + closing(1011), leave),
    _of("a partial text, then close 1000", T, "network", PARTIAL + closing(1000), leave),
    _of("closed without a word", T, "network", b"", leave),
    _of("reset", T, "network", b"", reset),
    _of("half a frame, reset", T, "network", FINAL[:9], reset),
    _of("no JSON", P, "reply", text("hello")),
    _of("half of JSON", P, "reply", text('{"type": "Resu')),
    _of("deep JSON", P, "reply", text("[" * 100_000)),
    _of("binary", P, "reply", frame(2, b"\xff\xfe\x00")),
    _of("text that is no UTF-8", T, "network", frame(1, b"\xff\xfe"), leave),
    _of("a frame without an end", T, "network", frame(1, b"{}", length=LOST), leave),
    _of("reserved flags", T, "network", frame(1, b"{}", flags=0xF0), leave),
    _of("an opcode that is none", T, "network", frame(5, b"{}"), leave),
    _of("a masked frame", T, "network", b"\x81\x82\x00\x00\x00\x00{}", leave),
    _of("a continuation of nothing", T, "network", frame(0, b"{}"), leave),
    _of("a ping too long", T, "network", frame(9, b"x" * 126), leave),
    _of("an error", P, "provider", text('{"type": "Error", "description": "worker died"}')),
    _of("an error beside text", P, "provider", text('{"type": "Metadata", "error": "died"}')),
    _of("a number for text", P, "reply", FINAL.replace(b'"a"', b" 5 ")),
    _of("silence", T, "timeout", b"", hang),
    _of("silence after a partial text", T, "timeout", PARTIAL, hang),
    _of("a fragment without its end", T, "timeout", frame(1, b"{}", flags=0), hang),
]  # fmt: skip
"""After it, once the first audio is there."""

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class FaultyStream(FaultServer):
    """Shakes hands as it should, and then plays the fault."""

    async def handle(self, reader: asyncio.StreamReader, writer: Writer) -> None:
        try:
            request = await read(reader)
            assert request is not None
            self.calls += 1
            key = request.headers["sec-websocket-key"].encode()
            accept = base64.b64encode(hashlib.sha1(key + GUID).digest()).decode()
            await send(
                b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
                + f"sec-websocket-accept: {accept}\r\n\r\n".encode(),
                writer,
            )
            await reader.read(1)
            playing = asyncio.create_task(self.fault.play(writer))
            while await reader.read(1 << 16):
                pass
            playing.cancel()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            with suppress(ConnectionError):
                writer.close()
