"""What two clients sent, field by field: line, query, headers that matter, body."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from email import message_from_bytes
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import parse_qsl

from helpers.http_server import Request, Server
from helpers.vendor_streams import StreamServer

# Of the others (user agents, hosts, lengths, telemetry) none changes a transcript.
HEADERS = {
    "authorization",
    "cartesia-version",
    "content-type",
    "ocp-apim-subscription-key",
    "x-aai-model",
    "x-api-key",
    "x-gladia-key",
    "xi-api-key",
}
# Audio in JSON, and what a client counts of it: Speechmatics' up to what is acknowledged by then.
INCIDENTAL = {"audio_base_64", "content", "data", "last_seq_no"}
Sent = dict[str, str]


def of_server(server: Server) -> Sent:
    """All requests; one that is made again and again, until a job is done, counts once."""
    found: Sent = {}
    for request in server.requests:
        found |= dict(of_request(request))
    return found


def of_stream(server: StreamServer) -> Sent:
    """The handshake, what was asked before it, and the messages that hold no audio."""
    found = of_server(server.http) if server.http else {}
    handshake = server.requests[0]
    place, _, query = handshake.path.partition("?")
    found |= dict(_line("WS", place, query, handshake.headers.raw_items()))
    if server.framing:  # the first message of a kind: the SDK also sends telemetry
        for text in reversed(server.texts):
            found |= dict(_framed(text))
        return found
    for number, text in enumerate(server.texts, 1):
        found |= dict(_flat(f"message {number}", _decoded(text)))
    return found


def reason(name: str, known: Mapping[str, str]) -> str | None:
    """Why a field differs, where that is known; a name there may hold `*`."""
    return next((why for pattern, why in known.items() if fnmatchcase(name, pattern)), None)


def differing(sdk: Sent, adapter: Sent) -> dict[str, str]:
    """The fields that differ, with what each sent."""
    names = dict.fromkeys([*sdk, *adapter])
    return {
        name: f"SDK {sdk.get(name, 'nothing')}, adapter {adapter.get(name, 'nothing')}"
        for name in names
        if sdk.get(name) != adapter.get(name)
    }


def of_request(request: Request) -> Iterator[tuple[str, str]]:
    place, _, query = request.path.partition("?")
    yield from _line(request.method, place, query, request.headers.items())
    yield from _body(f"{request.method} {place}", request)


def _line(
    method: str, place: str, query: str, headers: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    who = f"{method} {place}"
    yield who, "sent"
    fields: dict[str, list[str]] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        fields.setdefault(name, []).append(value)
    for name, values in fields.items():
        yield f"{who} ?{name}", json.dumps(values)
    for name, value in headers:
        if name.lower() in HEADERS:
            yield f"{who} {name.lower()}:", value.partition(";")[0]


def _body(who: str, request: Request) -> Iterator[tuple[str, str]]:
    media_type = request.headers.get("content-type", "")
    if media_type.startswith("multipart/"):
        whole = f"Content-Type: {media_type}\r\n\r\n".encode() + request.body
        for part in message_from_bytes(whole).get_payload():
            yield from _part(who, part)
    elif media_type.startswith("application/json"):
        yield from _flat(who, json.loads(request.body))
    elif request.body:
        yield f"{who} body", _shown(request.body)


def _part(who: str, part: Any) -> Iterator[tuple[str, str]]:
    name = part.get_param("name", header="content-disposition")
    content = part.get_payload(decode=True)
    if part.get_filename():
        yield f"{who} {name} filename", part.get_filename()
        yield f"{who} {name} type", part.get_content_type()
    if content.startswith(b"{"):
        yield from _flat(f"{who} {name}", json.loads(content))
    else:
        yield f"{who} {name}", _shown(content)


def _flat(who: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, list) and any(isinstance(part, Mapping) for part in value):
        value = {str(number): part for number, part in enumerate(value)}
    if not isinstance(value, Mapping):
        yield who, json.dumps(value)
        return
    for name, inner in value.items():
        at = f"{who} {name}"
        yield from [(at, "audio")] if name in INCIDENTAL else _flat(at, inner)


def _framed(text: str) -> Iterator[tuple[str, str]]:
    """Azure's: headers, an empty line, JSON."""
    head, _, body = text.partition("\r\n\r\n")
    path = re.search(r"(?im)^.*path: ?(\S+)", head)
    if path and body.startswith("{"):
        yield from _flat(f"message {path[1]}", json.loads(body))


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _shown(content: bytes) -> str:
    return "a WAV file" if content.startswith(b"RIFF") else content.decode()
