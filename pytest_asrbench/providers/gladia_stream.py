"""
Gladia, streamed.

POST {url}/v2/live   {encoding, bit_depth, sample_rate, channels, model, language_config,
                     messages_config} -> id, url (a wss address with a pass of its own)
WS {that url}
send         PCM as binary frames; {"type": "stop_recording"} at the end
hear         {"type": "transcript", "data": {"is_final", "utterance": {"text"}}}
text         final utterances joined by a space
end          the server closes with 1000
errors       of the request, as for files; in the stream {"type": "error", "error": {…}}

API: https://docs.gladia.io/api-reference/v2/live/init
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, ClassVar

from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.base import Frames
from pytest_asrbench.providers.gladia import Gladia, vocabulary
from pytest_asrbench.providers.http import pick, pick_text, post, said_text
from pytest_asrbench.providers.streaming import StreamingVendor
from pytest_asrbench.providers.terms import Spelling
from pytest_asrbench.providers.websocket import Dialogue, Message, converse


class GladiaStream(StreamingVendor):
    """The key goes to `url` only; the stream has a pass of its own."""

    use: ClassVar[str] = Gladia.use
    KEY: ClassVar[str] = Gladia.KEY
    URL: ClassVar[str] = Gladia.URL
    MODEL: ClassVar[str | None] = "solaria-1"
    TERMS: ClassVar[Spelling | None] = staticmethod(vocabulary)

    def headers(self) -> dict[str, str]:
        return {"x-gladia-key": self.key}

    async def stream(self, frames: Frames) -> Transcript:
        wanted = self.merged(
            encoding="wav/pcm",
            bit_depth=16,
            sample_rate=self.stream_rate,
            channels=1,
            model=self.model,
            language_config={"languages": [self.spelled(frames.language)]},
            messages_config={"receive_partial_transcripts": True},
        )
        session = await post(self.client, f"{self.url}/v2/live", json=wanted)
        address = pick_text(session, "url")
        dialogue = _Live(host=self.host, secrets=(self.key, *address.split("=")[1:]))
        dialogue.request_id = said_text(session, "id")
        return await converse(address, {}, dialogue, frames, final_wait_s=self.final_wait_s)


class _Live(Dialogue):
    CLOSE_ENDS = True

    def closing(self) -> Iterator[Message]:
        yield json.dumps({"type": "stop_recording"})

    def hear(self, message: Any) -> bool:
        kind = pick(message, "type", "")
        if kind == "error":
            raise self.failure(pick(message, "error.message", pick(message, "error", "error")))
        if kind != "transcript":
            return False
        final = bool(pick(message, "data.is_final", False))
        return self.piece(pick_text(message, "data.utterance.text"), final=final)
