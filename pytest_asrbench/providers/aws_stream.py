"""
Amazon Transcribe, streamed over a websocket. (Its batch route reads from S3 alone.)

WS {url}?language-code=…&media-encoding=pcm&sample-rate=…&X-Amz-…   auth: a signature in the query
url          wss://transcribestreaming.{region}.amazonaws.com:8443/stream-transcription-websocket
auth         AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN with credentials that
             end; the secret itself is not sent
send         PCM in AudioEvent frames of 50 to 200 ms; an empty one at the end
hear         TranscriptEvent (Transcript.Results[].Alternatives.0.Transcript, IsPartial)
text         results that are not partial, joined by a space
end          the server closes
model        neither sent nor reported, unless params name a language-model-name
terms        none: a vocabulary is made in the account, and params name it: vocabulary-name
errors       frames of :message-type exception, with {"Message"}

API: https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, ClassVar

from pytest_asrbench.clock import now
from pytest_asrbench.errors import AuthError, InputError, ProviderError
from pytest_asrbench.files import json_value
from pytest_asrbench.providers import languages
from pytest_asrbench.providers.aws_wire import Credentials, packed, signed, unpacked
from pytest_asrbench.providers.http import form, pick, pick_list, pick_text
from pytest_asrbench.providers.needs import Need, either, extra, variable
from pytest_asrbench.providers.secrets import secret
from pytest_asrbench.providers.streaming import RegionalStream
from pytest_asrbench.providers.websocket import (
    RATE_LIMIT,
    SERVER,
    Dialogue,
    DialogueFailure,
    Message,
)

KEY_ID, TOKEN = "AWS_ACCESS_KEY_ID", "AWS_SESSION_TOKEN"
REGIONS = ("AWS_REGION", "AWS_DEFAULT_REGION")
AUDIO = {
    ":message-type": "event",
    ":event-type": "AudioEvent",
    ":content-type": "application/octet-stream",
}


class AWSStream(RegionalStream):
    """Streams only. Also raises InputError where no region is given."""

    use: ClassVar[str] = "aws"
    KEY: ClassVar[str] = "AWS_SECRET_ACCESS_KEY"
    MODEL: ClassVar[str | None] = "transcribe"  # for the record
    FRAME_MS: ClassVar[int] = 100
    spell: ClassVar[Callable[[str], str]] = staticmethod(languages.regional)

    @classmethod
    def needs(cls) -> list[Need]:
        region = either(*map(variable, REGIONS))
        return [variable(KEY_ID), variable(cls.KEY), region, extra("stream")]

    def endpoint(self, region: str | None) -> str:
        self.region = region or next(filter(None, map(os.environ.get, REGIONS)), "")
        if not self.region:
            raise InputError(
                "provider aws: give `region:` in its entry under providers:, or set AWS_REGION"
            )
        host = f"transcribestreaming.{self.region}.amazonaws.com:8443"
        return f"wss://{host}/stream-transcription-websocket"

    def headers(self) -> dict[str, str]:
        return {}  # the address holds it all

    def address(self, language: str) -> str:
        fields = self.merged(
            **{
                "language-code": language,
                "media-encoding": "pcm",
                "sample-rate": self.stream_rate,
            }
        )
        token = os.environ.get(TOKEN, "").strip()
        credentials = Credentials(secret(KEY_ID, self.use), self.key, token)
        at = datetime.fromtimestamp(now(), UTC)
        asked = form(fields, lists=",".join)
        return signed(self.url, asked, credentials, region=self.region, service="transcribe", at=at)

    def dialogue(self, language: str) -> Dialogue:
        return _Results(host=self.host, secrets=(self.key, os.environ.get(TOKEN, "")))


class _Results(Dialogue):
    CLOSE_ENDS = True
    FAILURES: ClassVar[Mapping[str, DialogueFailure]] = {
        "accessdeniedexception": AuthError,
        "expiredtokenexception": AuthError,
        "invalidsignatureexception": AuthError,
        "unrecognizedclientexception": AuthError,
        "limitexceededexception": RATE_LIMIT,
        "conflictexception": SERVER,
        "internalfailureexception": SERVER,
        "serviceunavailableexception": SERVER,
    }

    def audio(self, pcm: bytes) -> Message:
        return packed(AUDIO, pcm)

    def closing(self) -> Iterator[Message]:
        yield packed(AUDIO, b"")

    def decoded(self, raw: Message) -> Any:
        """The payload's JSON, and of the headers what kind of event or exception it is."""
        try:
            headers, payload = unpacked(raw if isinstance(raw, bytes) else raw.encode())
            kind = headers.get(":exception-type") or headers[":event-type"]
            return {"kind": kind, **json_value(payload)}
        except (KeyError, TypeError, ValueError):
            what = f"{self.host} sent what is no frame of an event stream"
            raise ProviderError(what, host=self.host, kind="reply") from None

    def hear(self, message: Any) -> bool:
        kind = pick_text(message, "kind")
        if kind.endswith("Exception"):
            raise self.failure(pick(message, "Message", kind), kind)
        if kind != "TranscriptEvent":
            return False
        results = pick_list(message, "Transcript.Results")
        heard = [self._result(result) for result in results]
        return any(heard)

    def _result(self, result: Any) -> bool:
        text = pick_text(result, "Alternatives.0.Transcript", "")
        return self.piece(text, final=not result.get("IsPartial"))
