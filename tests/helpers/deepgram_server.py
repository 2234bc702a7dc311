"""Deepgram's live route, for clients of others: it hears audio and is told when speech ends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from helpers.http_server import beside


def results(text: str, *, final: bool = True, **more: Any) -> dict[str, Any]:
    """A message with a piece of transcript, with all the fields that SDKs insist on."""
    alternative = {"transcript": text, "confidence": 0.9, "words": []}
    about = {
        "request_id": "r-1",
        "model_uuid": "m",
        "model_info": {"name": "n", "version": "v", "arch": "a"},
    }
    return {
        "type": "Results",
        "is_final": final,
        "speech_final": False,
        "start": 0.0,
        "duration": 1.0,
        "channel_index": [0, 1],
        "channel": {"alternatives": [alternative]},
        "metadata": about,
        **more,
    }


@dataclass
class Deepgram:
    """`heard` is said with the first audio, `finalized` when told to finalize, `lag_s` later.
    `dies_after` bytes the first `deaths` connections are cut."""

    heard: list[Any] = field(default_factory=list)
    finalized: list[Any] = field(default_factory=list)
    lag_s: float = 0.0
    status: int | None = None
    dies_after: int | None = None
    deaths: int = 1
    url: str = ""
    requests: list[Request] = field(default_factory=list)
    pcm: bytes = b""
    told: list[str] = field(default_factory=list)

    def refuse(self, connection: ServerConnection, request: Request) -> Response | None:
        self.requests.append(request)
        if self.status is None:
            return None
        return connection.respond(HTTPStatus(self.status), '{"err_msg": "Invalid credentials."}')

    async def handle(self, socket: ServerConnection) -> None:
        mortal = self.dies_after is not None and len(self.requests) <= self.deaths
        spoken = False
        async for message in socket:
            if isinstance(message, bytes):
                self.pcm += message
                if not spoken:
                    spoken = True
                    await self._say(socket, self.heard)
                if mortal and len(self.pcm) > (self.dies_after or 0):
                    await socket.close(1011, "NET-0001")
                    return
                continue
            kind = json.loads(message)["type"]
            self.told.append(kind)
            if kind == "Finalize":
                await asyncio.sleep(self.lag_s)
                await self._say(socket, self.finalized)
            if kind == "CloseStream":
                await self._say(socket, [{"type": "Metadata", "request_id": "r-1"}])
                await socket.close(1000)
                return

    async def _say(self, socket: ServerConnection, messages: list[Any]) -> None:
        for message in messages:
            await socket.send(json.dumps(message))


@contextmanager
def deepgram(**behaviour: Any) -> Iterator[Deepgram]:
    """The server runs in a thread of its own and stops with the block."""
    server = Deepgram(**behaviour)

    @asynccontextmanager
    async def listening() -> AsyncIterator[None]:
        async with serve(
            server.handle, "127.0.0.1", 0, process_request=server.refuse, close_timeout=0.2
        ) as listener:
            port = next(iter(listener.sockets)).getsockname()[1]
            server.url = f"127.0.0.1:{port}"
            yield

    with beside(listening()):
        yield server
