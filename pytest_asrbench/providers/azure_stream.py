"""
Azure AI Speech, streamed: the protocol of Microsoft's Speech SDK.

WS {url}?language=…   auth: `Ocp-Apim-Subscription-Key`; X-ConnectionId: a number of ours
url          wss://{region}.stt.speech.microsoft.com/…, or a resource's own domain
frames       headers, an empty line, a body; a binary one begins with its headers' length (16 bits)
send         speech.config, speech.context (phrases to boost), audio with the header of a WAV file,
             audio with PCM, audio without anything at the end
hear         turn.start, speech.hypothesis (Text), speech.phrase (RecognitionStatus, DisplayText),
             turn.end: terminal
text         DisplayText of phrases whose status is Success, joined by a space
model        neither sent nor reported
request id   context.serviceTag of turn.start
errors       another RecognitionStatus, such as Error or BadRequest; a refused handshake

Profanity comes masked (`***`) unless params say {profanity: raw}. `params` go into the query.
SDK: azure-cognitiveservices-speech 1.53, as it speaks to a server of ours
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, ClassVar
from uuid import uuid4

import httpx

from pytest_asrbench.clock import now
from pytest_asrbench.errors import AudioError, AuthError, InputError, ProviderError, TransientError
from pytest_asrbench.files import json_value
from pytest_asrbench.providers import languages
from pytest_asrbench.providers.azure import NO_PLACE, Azure
from pytest_asrbench.providers.failures import short
from pytest_asrbench.providers.http import configured, pick, pick_text, said_text
from pytest_asrbench.providers.needs import Need, extra
from pytest_asrbench.providers.streaming import RegionalStream
from pytest_asrbench.providers.terms import Spelling
from pytest_asrbench.providers.websocket import (
    RATE_LIMIT,
    SERVER,
    Dialogue,
    DialogueFailure,
    Message,
)

ROUTE = "/speech/recognition/conversation/cognitiveservices/v1"
NOTHING_SAID = frozenset({"nomatch", "initialsilencetimeout", "babbletimeout", "endofdictation"})
CONFIG = {"context": {"system": {"name": "pytest-asrbench", "version": "1"}}}


def phrases(terms: list[str], model: str) -> dict[str, Any]:
    """A phrase list, as the SDK puts it into the context."""
    items = [{"Text": term} for term in terms]
    return {"dgi": {"Groups": [{"Type": "Generic", "Items": items}], "bias": 1.0}}


class AzureStream(RegionalStream):
    """Also raises InputError where neither an endpoint nor a region is given."""

    use: ClassVar[str] = Azure.use
    KEY: ClassVar[str] = Azure.KEY
    MODEL: ClassVar[str | None] = "real-time"  # for the record
    TERMS: ClassVar[Spelling | None] = staticmethod(phrases)
    FRAME_MS: ClassVar[int] = 100  # as the SDK sends them
    spell: ClassVar[Callable[[str], str]] = staticmethod(languages.regional)

    @classmethod
    def needs(cls) -> list[Need]:
        return [*Azure.needs(), extra("stream")]

    def endpoint(self, region: str | None) -> str:
        given = os.environ.get("AZURE_SPEECH_ENDPOINT", "").strip().rstrip("/")
        region = region or os.environ.get("AZURE_SPEECH_REGION", "").strip()
        if region:
            return f"wss://{region}.stt.speech.microsoft.com{ROUTE}"
        if not given:
            raise InputError(NO_PLACE)
        return given.replace("https://", "wss://") + "/stt" + ROUTE

    def headers(self) -> dict[str, str]:
        return {"Ocp-Apim-Subscription-Key": self.key, "X-ConnectionId": uuid4().hex}

    def address(self, language: str) -> str:
        fields = configured(**({"language": language} | self.params))
        return str(httpx.URL(self.url).copy_merge_params(fields))

    def dialogue(self, language: str) -> Dialogue:
        context = {"phraseDetection": {"language": language}, **self.boost}
        return _Turn(context, self.stream_rate, host=self.host, secrets=(self.key,))


class _Turn(Dialogue):
    FAILURES: ClassVar[Mapping[str, DialogueFailure]] = {
        "error": SERVER,
        "serviceunavailable": SERVER,
        "servicetimeout": SERVER,
        "toomanyrequests": RATE_LIMIT,
        "forbidden": AuthError,
        "badrequest": ProviderError,
        "unsupportedaudio": AudioError,
    }

    def __init__(self, context: Mapping[str, Any], rate: int, **about: Any) -> None:
        super().__init__(**about)
        self.context = context
        self.rate = rate
        self.number = uuid4().hex  # of the turn, in all our messages

    def opening(self) -> Iterable[Message]:
        yield self._text("speech.config", CONFIG)
        yield self._text("speech.context", self.context)
        yield self._audio(_wav_header(self.rate), "Content-Type: audio/x-wav\r\n")

    def audio(self, pcm: bytes) -> Message:
        return self._audio(pcm)

    def closing(self) -> Iterator[Message]:
        yield self._audio(b"")

    def decoded(self, raw: Message) -> Any:
        """`Path` as the field `path`, beside those of the body."""
        head, _, body = str(raw).partition("\r\n\r\n")
        lines = dict(line.lower().split(":", 1) for line in head.split("\r\n") if ":" in line)
        try:
            return {"path": lines["path"].strip(), **json_value(body or "{}")}
        except (KeyError, TypeError, ValueError):
            what = f"{self.host} sent a message of another shape: {short(str(raw))}"
            raise ProviderError(what, host=self.host, kind="reply") from None

    def hear(self, message: Any) -> bool:
        kind = pick_text(message, "path")
        if kind == "speech.hypothesis":
            return self.piece(pick_text(message, "Text"), final=False)
        if kind == "speech.phrase":
            return self._phrase(message, pick_text(message, "RecognitionStatus"))
        if kind == "turn.start":
            self.request_id = said_text(message, "context.serviceTag")
        if kind == "turn.end":
            self._end()
        return False

    def _phrase(self, message: Any, status: str) -> bool:
        if status == "Success":
            best = pick(message, "NBest.0.Display", "")  # with params {format: detailed}
            return self.piece(pick(message, "DisplayText", best), final=True)
        if status.lower() not in NOTHING_SAID:
            raise self.failure(f"recognition ended with {status}", status)
        self.pending = False
        return False

    def _end(self) -> None:
        if not self.ended:
            what = f"{self.host} ended the turn before the end of speech"
            raise TransientError(what, host=self.host, kind="incomplete")
        self.complete = True

    def _text(self, path: str, body: Mapping[str, Any]) -> str:
        head = self._head(path, "Content-Type: application/json; charset=utf-8\r\n")
        return f"{head}\r\n{json.dumps(body)}"

    def _audio(self, data: bytes, about: str = "") -> bytes:
        head = self._head("audio", about).encode()
        return struct.pack(">H", len(head)) + head + data

    def _head(self, path: str, about: str) -> str:
        at = datetime.fromtimestamp(now(), UTC).isoformat(timespec="milliseconds")[:-6]
        return f"Path: {path}\r\nX-RequestId: {self.number}\r\nX-Timestamp: {at}Z\r\n{about}"


def _wav_header(rate: int) -> bytes:
    """Of a file whose length nobody knows yet: 16-bit mono."""
    about = struct.pack("<HHIIHH", 1, 1, rate, 2 * rate, 2, 16)
    return b"RIFF\0\0\0\0WAVEfmt " + struct.pack("<I", len(about)) + about + b"data\0\0\0\0"
