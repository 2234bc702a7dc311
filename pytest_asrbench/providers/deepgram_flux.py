"""
Deepgram Flux, streamed: a recogniser for voice agents that finds the ends of turns itself.

WS {url}?model=…&encoding=linear16&sample_rate=…   auth: `Token <key>`
             a parameter that only v1 knows (language, interim_results, …) is refused with 400
ready        Connected
send         PCM as binary frames, 80 ms recommended; {"type": "CloseStream"} at the end
hear         TurnInfo (event, turn_index, transcript of the turn so far)
text         each turn's last transcript, joined by a space. CloseStream ends no turn: Deepgram
             decodes the rest, sends it as an Update, and says to take the last one for final
end          the server closes, without a status
language     flux-general-en knows English; flux-general-multi takes language_hint
errors       {"type": "Error", "code", "description"}

API: https://developers.deepgram.com/docs/flux/quickstart, …/docs/flux/close-stream
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, ClassVar

from pytest_asrbench.providers.deepgram import Deepgram
from pytest_asrbench.providers.http import pick, pick_text, said_text
from pytest_asrbench.providers.streaming import StreamingVendor
from pytest_asrbench.providers.terms import Spelling, named
from pytest_asrbench.providers.vendor import joined
from pytest_asrbench.providers.websocket import Dialogue, Message


class DeepgramFlux(StreamingVendor):
    """Streams only. Raises ProviderError for another language than the model's."""

    use: ClassVar[str] = "deepgram-flux"
    KEY: ClassVar[str] = Deepgram.KEY
    URL: ClassVar[str] = "wss://api.deepgram.com/v2/listen"
    MODEL: ClassVar[str | None] = "flux-general-en"
    FOR_OTHER_LANGUAGES: ClassVar[str | None] = "flux-general-multi"
    PCM: ClassVar[str] = "linear16"
    MULAW: ClassVar[str | None] = "mulaw"
    TERMS: ClassVar[Spelling | None] = staticmethod(named("keyterm"))
    FRAME_MS: ClassVar[int] = 80

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Token {self.key}"}

    def address(self, language: str) -> str:
        return self.with_query(
            model=self.model,
            encoding=self.encoding,
            sample_rate=self.stream_rate,
            language_hint=None if self.model == self.MODEL else language,
        )

    def dialogue(self, language: str) -> Dialogue:
        if self.model == self.MODEL:
            self.check_english(language, f"{self.FOR_OTHER_LANGUAGES}")
        return _Turns(host=self.host, secrets=(self.key,))


class _Turns(Dialogue):
    WAITS = True
    CLOSE_ENDS = True

    def __init__(self, **about: Any) -> None:
        super().__init__(**about)
        self.turns: dict[int, str] = {}

    def closing(self) -> Iterator[Message]:
        yield json.dumps({"type": "CloseStream"})

    def hear(self, message: Any) -> bool:
        kind = pick(message, "type", "")
        if kind == "Error":
            raise self.failure(pick(message, "description", "error"), pick(message, "code", None))
        if kind == "Connected":
            self.ready = True
            self.request_id = said_text(message, "request_id")
        if kind != "TurnInfo":
            return False
        turn = pick(message, "turn_index")
        self.turns[turn] = pick_text(message, "transcript")
        return bool(self.turns[turn])

    def text(self) -> str:
        return joined(self.turns[turn] for turn in sorted(self.turns))
