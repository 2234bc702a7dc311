"""
Deepgram, pre-recorded audio.

POST {url}   body: the WAV bytes; every option is a query field   auth: `Token <key>`, not Bearer
text         results.channels[].alternatives.0.transcript   ("" is valid: no speech), one a channel
model        metadata.model_info.<id>: name, version
request id   metadata.request_id

The model is always sent: without it Deepgram uses an old one. Punctuation, formatting and filler
words are off unless the user configures them.
API: https://developers.deepgram.com/reference/speech-to-text/listen-pre-recorded
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.audio.telephone import is_telephone, mulaw
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers import languages
from pytest_asrbench.providers.http import pick, pick_list, pick_text, post, said_text
from pytest_asrbench.providers.terms import Spelling
from pytest_asrbench.providers.vendor import Vendor, joined, wav

WITH_KEYWORDS = ("nova-2", "nova-general", "nova-phonecall", "enhanced", "base", "whisper")


def vocabulary(terms: list[str], model: str) -> dict[str, Any]:
    """Key terms since Nova-3, which refuses the keywords of older models."""
    return {"keywords" if model.startswith(WITH_KEYWORDS) else "keyterm": terms}


class Deepgram(Vendor):
    """A file in one request."""

    use: ClassVar[str] = "deepgram"
    KEY: ClassVar[str] = "DEEPGRAM_API_KEY"
    URL: ClassVar[str] = "https://api.deepgram.com/v1/listen"
    MODEL: ClassVar[str | None] = "nova-3"
    MULAW: ClassVar[str | None] = "mulaw"
    TERMS: ClassVar[Spelling | None] = staticmethod(vocabulary)
    spell: ClassVar[Callable[[str], str]] = staticmethod(languages.deepgram)

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Token {self.key}"}

    async def transcribe(self, audio: Audio) -> Transcript:
        bare = self.native and is_telephone(audio)
        form = {"encoding": self.MULAW, "sample_rate": audio.rate} if bare else {}
        fields = {"model": self.model, "language": self.spelled(audio.language), **form}
        reply = await post(
            self.client,
            self.url,
            params=self.merged(**fields),
            content=mulaw(audio.pcm16(audio.rate)) if bare else wav(audio),
            headers={"Content-Type": "audio/basic" if bare else "audio/wav"},
        )
        channels = pick_list(reply, "results.channels")
        pick(channels, "0")  # there always is one
        return Transcript(
            text=joined(pick_text(channel, "alternatives.0.transcript") for channel in channels),
            reported_model=reported_model(reply),
            request_id=said_text(reply, "metadata.request_id"),
        )


def reported_model(reply: Any) -> str | None:
    """`2-general-nova 2024-01-18.26916`, or the bare id where Deepgram says no more."""
    model = said_text(reply, "metadata.models.0")
    if model is None:
        return None
    info = pick(reply, "metadata.model_info", {})
    about = info.get(model) if isinstance(info, dict) else None
    said = [said_text(about, "name") or model, said_text(about, "version")]
    return " ".join(filter(None, said))
