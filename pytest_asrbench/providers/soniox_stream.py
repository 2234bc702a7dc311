"""
Soniox, streamed.

WS {url}     auth: Bearer, in the header; a key in the first message is refused from 2027-01-15 on
send         first {model, audio_format, sample_rate, num_channels, language_hints}, then PCM as
             binary frames, an empty text frame at the end
hear         {tokens: [{text, is_final}], finished, error_code, error_message}; finished: terminal
text         texts of final tokens, joined without anything between; <end> and <fin> are marks
errors       error_code is a status as HTTP's

API: https://soniox.com/docs/stt/api-reference/websocket-api
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, ClassVar

from pytest_asrbench.providers.http import pick, status_error
from pytest_asrbench.providers.soniox import Soniox, vocabulary
from pytest_asrbench.providers.streaming import StreamingVendor
from pytest_asrbench.providers.terms import Spelling
from pytest_asrbench.providers.websocket import Dialogue, Message

MARKS = frozenset({"<end>", "<fin>"})


class SonioxStream(StreamingVendor):
    """`params` go into the first message."""

    use: ClassVar[str] = Soniox.use
    KEY: ClassVar[str] = Soniox.KEY
    URL: ClassVar[str] = "wss://stt-rt.soniox.com/transcribe-websocket"
    MODEL: ClassVar[str | None] = "stt-rt-v6"
    TERMS: ClassVar[Spelling | None] = staticmethod(vocabulary)

    def dialogue(self, language: str) -> Dialogue:
        start = self.merged(
            model=self.model,
            audio_format="pcm_s16le",
            sample_rate=self.stream_rate,
            num_channels=1,
            language_hints=[language],
        )
        return _Tokens(start=start, host=self.host, secrets=(self.key,))


class _Tokens(Dialogue):
    def closing(self) -> Iterator[Message]:
        yield ""

    def hear(self, message: Any) -> bool:
        if code := pick(message, "error_code", None):
            said = json.dumps({"message": pick(message, "error_message", "error")})
            raise status_error(int(code), {}, said, self.host, secrets=self.secrets)
        tokens = [t for t in pick(message, "tokens", []) if pick(t, "text") not in MARKS]
        self.pieces += [token["text"] for token in tokens if token.get("is_final")]
        self.pending = not all(token.get("is_final") for token in tokens)
        self.complete = bool(message.get("finished"))
        return bool(tokens)

    def text(self) -> str:
        return "".join(self.pieces)
