"""A real HTTP/1.1 server on loopback that answers as it is told, and counts what it was asked."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    at: float


@dataclass(frozen=True)
class Reply:
    """`held` keeps it back as long as it says so; `cut` sends so many bytes of it and then resets
    the connection."""

    body: str | bytes = '{"text": "hello"}'
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    held: Callable[[], bool] | None = None
    cut: int | None = None


def text(words: str, **reply: object) -> Reply:
    return Reply(json.dumps({"text": words}), **reply)  # type: ignore[arg-type]  # fields of Reply


def error(status: int, message: str = "no", **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(json.dumps({"error": {"message": message}}), status, named)


Answer = Callable[[Request], Reply]


class Server:
    """`answer` is called for each request; `requests` holds those received, in order."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.requests: list[Request] = []
        self.in_flight = 0
        self.most_in_flight = 0
        self.url = ""
        self._connections: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    def connections(self) -> int:
        """How many were ever made."""
        return len(self._connections)

    def open_connections(self) -> int:
        """Those that neither side has closed."""
        return sum(not r.at_eof() and not w.is_closing() for r, w in self._connections)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections.append((reader, writer))
        try:
            while (request := await read(reader)) is not None:
                if not await self._reply(request, writer):
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client has gone
        except asyncio.CancelledError:
            pass  # the server stops; a client that pools connections keeps them open
        finally:
            writer.close()

    async def _reply(self, request: Request, writer: asyncio.StreamWriter) -> bool:
        self.requests.append(request)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            reply = self.answer(request)
            await asyncio.sleep(reply.delay_s)
            while reply.held is not None and reply.held():
                await asyncio.sleep(0.01)
        finally:
            self.in_flight -= 1
        raw = encoded(reply)
        if reply.cut is not None:
            writer.write(raw[: reply.cut])
            await writer.drain()
            writer.transport.abort()  # a reset, not an orderly end
            return False
        writer.write(raw)
        await writer.drain()
        return True


async def read(reader: asyncio.StreamReader) -> Request | None:
    head = await reader.readuntil(b"\r\n\r\n") if not reader.at_eof() else b""
    if not head:
        return None
    first, *lines = head.decode("latin-1").rstrip().split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines)}
    if headers.get("transfer-encoding") == "chunked":
        body = b"".join([chunk async for chunk in _chunks(reader)])
    else:
        body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(method, path, headers, body, time.monotonic())


async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """What a client sends that doesn't know the length yet."""
    while size := int(await reader.readline(), 16):
        yield (await reader.readexactly(size + 2))[:-2]
    await reader.readline()


def encoded(reply: Reply) -> bytes:
    body = reply.body if isinstance(reply.body, bytes) else reply.body.encode()
    headers = {
        "content-type": "application/json",
        "content-length": str(len(body)),
        **reply.headers,
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {reply.status} X\r\n{lines}\r\n".encode() + body


@contextmanager
def serving(answer: Answer) -> Iterator[Server]:
    """The server runs in a thread of its own and stops with the block."""
    server = Server(answer)

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


@contextmanager
def beside(service: AbstractAsyncContextManager[None]) -> Iterator[None]:
    """A service runs in a thread and a loop of its own as long as the block does."""
    ready, stop = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def main() -> None:
        async with service:
            ready.set()
            await stop.wait()

    def run() -> None:
        loop.run_until_complete(main())
        loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()


def in_turn(replies: Iterable[Reply], then: Reply | None = None) -> Answer:
    """These replies, one a request; afterwards `then` for ever."""
    left = iter(replies)
    return lambda request: next(left, then or Reply())
