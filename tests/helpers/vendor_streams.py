"""A websocket server that plays a vendor's part: it answers audio, and the end of speech."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Protocol

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from helpers.http_server import Reply, Server, beside, serving
from pytest_asrbench import audio as audio_files
from pytest_asrbench.engine.stream import PacedFrames
from pytest_asrbench.providers import aws_wire


@dataclass
class Part:
    """What the server does.

    `greeting` is sent at once; `ready` too, or after the client's opening message; `during` with
    the first audio; `after` once speech has ended. A mapping `{close: 1011, reason: …}` closes the
    stream.
    """

    greeting: list[Any] = field(default_factory=list)
    ready: list[Any] = field(default_factory=list)
    during: list[Any] = field(default_factory=list)
    after: list[Any] = field(default_factory=list)
    opens: bool = False
    end: list[str] = field(default_factory=list)
    audio: str | None = None
    status: int | None = None
    body: str = ""
    headers: dict[str, str] = field(default_factory=dict)


class Framing(Protocol):
    """How a vendor packs messages that are no plain JSON."""

    def packed(self, message: Any) -> str | bytes: ...

    def audio(self, message: str | bytes) -> bytes | None:
        """The PCM in a client's message, b"" at the end of speech; None for another message."""


class StreamServer:
    """Keeps what it was told: the request, texts, and audio as one piece of PCM."""

    def __init__(self, part: Part, framing: Framing | None = None) -> None:
        self.part = part
        self.framing = framing
        self.url = ""
        self.requests: list[Request] = []
        self.texts: list[str] = []
        self.frames: list[bytes] = []
        self.connected = 0
        self.left = 0
        self.http: Server | None = None

    @property
    def pcm(self) -> bytes:
        return b"".join(self.frames)

    def told(self) -> str:
        """Addresses, texts and bodies that the client sent."""
        asked = [f"{r.path}\n{r.body.decode()}" for r in self.http.requests] if self.http else []
        return "\n".join([*asked, self.requests[0].path, *self.texts])

    def refuse(self, connection: ServerConnection, request: Request) -> Response | None:
        self.requests.append(request)
        if self.part.status is None:
            return None
        response = connection.respond(HTTPStatus(self.part.status), self.part.body)
        for name, value in self.part.headers.items():
            response.headers[name] = value
        return response

    async def handle(self, socket: ServerConnection) -> None:
        self.connected += 1
        try:
            await self._play(socket)
            await socket.wait_closed()
        except ConnectionClosed:
            pass
        finally:
            self.left += 1

    async def _play(self, socket: ServerConnection) -> None:
        part = self.part
        await self._say(socket, part.greeting)
        if part.opens:
            self.texts.append(str(await socket.recv()))
        await self._say(socket, part.ready)
        left, heard = list(part.end), False
        async for message in socket:
            if (pcm := self._pcm(message, left)) is not None:
                self.frames.append(pcm)
                if not heard:
                    heard = True
                    await self._say(socket, part.during)
                continue
            self.texts.append(told(message))
            if self._ended(message, left):
                await self._say(socket, part.after)

    def _ended(self, message: str | bytes, left: list[str]) -> bool:
        if self.framing:
            return self.framing.audio(message) == b""
        left.pop(0)
        return not left

    async def _say(self, socket: ServerConnection, messages: list[Any]) -> None:
        for message in messages:
            if isinstance(message, dict) and "close" in message:
                await socket.close(message["close"], message.get("reason", ""))
            elif isinstance(message, str):
                await socket.send(message)
            else:
                packed = self.framing.packed if self.framing else json.dumps
                await socket.send(packed(message))

    def _pcm(self, message: str | bytes, end: list[str]) -> bytes | None:
        if self.framing:
            return self.framing.audio(message) or None
        if isinstance(message, bytes):
            return message
        assert end, f"unexpected {message!r}"
        if message == end[0] or (end[0] and squeezed(end[0]) in squeezed(message)):
            return None
        assert self.part.audio, f"unexpected {message!r}"
        return base64.b64decode(json.loads(message)[self.part.audio])


def squeezed(message: str) -> str:
    """JSON as clients write it, with spaces between its signs or without."""
    return message.replace(": ", ":").replace(", ", ",")


def told(message: str | bytes) -> str:
    """Also what is readable of a binary message."""
    return message if isinstance(message, str) else message.decode("latin-1")


class AzureFrames:
    """Headers, an empty line, JSON; audio with the length of its headers before them. Each answer
    names the turn that the client named."""

    turn = ""

    def packed(self, message: Any) -> str:
        body = {name: value for name, value in message.items() if name != "path"}
        head = f"X-RequestId:{self.turn}\r\nPath:{message['path']}\r\nContent-Type:application/json"
        return f"{head}\r\n\r\n{json.dumps(body)}"

    def audio(self, message: str | bytes) -> bytes | None:
        if named := re.search(r"X-RequestId: ?(\w+)", told(message)):
            self.turn = named[1]
        if isinstance(message, str):
            return None
        data = message[2 + int.from_bytes(message[:2], "big") :]
        return None if data.startswith(b"RIFF") else data


class AWSFrames:
    """Event stream frames, made and read by our own code, which others' is compared with."""

    def packed(self, message: Any) -> bytes:
        kind = message["kind"]
        what = "exception" if kind.endswith("Exception") else "event"
        body = {name: value for name, value in message.items() if name != "kind"}
        headers = {":message-type": what, f":{what}-type": kind}
        return aws_wire.packed(headers, json.dumps(body).encode())

    def audio(self, message: str | bytes) -> bytes | None:
        assert isinstance(message, bytes)
        return aws_wire.unpacked(message)[1]


FRAMINGS: Mapping[str, Callable[[], Framing]] = {"aws": AWSFrames, "azure": AzureFrames}


@contextmanager
def streaming(part: Part, framing: Framing | None = None) -> Iterator[StreamServer]:
    """The server runs in a thread of its own and stops with the block."""
    server = StreamServer(part, framing)

    @asynccontextmanager
    async def listening() -> AsyncIterator[None]:
        async with serve(
            server.handle, "127.0.0.1", 0, process_request=server.refuse, close_timeout=0.2
        ) as listener:
            port = next(iter(listener.sockets)).getsockname()[1]
            server.url = f"ws://127.0.0.1:{port}"
            yield

    with beside(listening()):
        yield server


@contextmanager
def playing(fixture: Any, part: Part) -> Iterator[StreamServer]:
    """As a fixture says: some vendors are first asked by HTTP where to connect to."""
    framing = FRAMINGS[fixture.data["framing"]]() if "framing" in fixture.data else None
    with streaming(part, framing) as server:
        session = fixture.data.get("session")
        if not session:
            yield server
            return
        body = json.dumps(session["reply"]).replace("URL", server.url)
        with serving(lambda request: Reply(body, session["status"])) as server.http:
            server.url = server.http.url
            yield server


def paced(provider: Any, clip: Any, *, realtime: bool = False) -> PacedFrames:
    """The clip's frames as the engine makes them for this provider."""
    frames = audio_files.frames(clip, provider.stream_rate, provider.frame_ms)
    return PacedFrames(frames, rate=provider.stream_rate, language=clip.language, realtime=realtime)
