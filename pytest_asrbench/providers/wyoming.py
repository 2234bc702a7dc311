"""
A Wyoming server (an extra), as Home Assistant's recognisers are: wyoming-faster-whisper, …

send      transcribe with the language and, where one is set, the model; audio-start, audio-chunk…,
          audio-stop
hear      transcript; a server that streams sends transcript-chunk before
url       tcp://localhost:10300 by default

API: https://github.com/OHF-Voice/wyoming
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, ClassVar
from urllib.parse import urlsplit

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import InputError, ProviderError, TransientError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers import languages
from pytest_asrbench.providers.base import Description, Frames
from pytest_asrbench.providers.failures import refusal, transport_error
from pytest_asrbench.providers.http import configured
from pytest_asrbench.providers.needs import need_extra

RATE = 16_000
CHUNK = 2 * 1024  # bytes, as its own clients send
URL = "tcp://localhost:10300"


class Wyoming:
    """Raises InputError where the package is missing or the address is none."""

    use: ClassVar[str] = "wyoming"
    EXTRA: ClassVar[str] = "wyoming"
    stream_rate = RATE

    def __init__(
        self, *, url: str = URL, model: str | None = None, language: str | None = None
    ) -> None:
        need_extra(self.EXTRA, self.use)
        address = urlsplit(url)
        if address.scheme != "tcp" or not address.port:
            raise InputError(f"provider wyoming: url is {URL} or the like, not {url!r}")
        self.url, self.model, self.language = url, model, language
        self.host = f"{address.hostname}:{address.port}"

    def describe(self) -> Description:
        url = None if self.url == URL else self.url
        return Description(self.use, self.model, configured(url=url, language=self.language))

    async def transcribe(self, audio: Audio) -> Transcript:
        pcm = audio.pcm16(RATE)
        async with self._asked(audio.language) as client:
            for start in range(0, len(pcm), CHUNK):
                await _say(client, pcm[start : start + CHUNK])
            return await self._heard(client, None)

    async def stream(self, frames: Frames) -> Transcript:
        async with self._asked(frames.language) as client:
            async for pcm in frames:
                await _say(client, pcm)
            return await self._heard(client, frames)

    @asynccontextmanager
    async def _asked(self, language: str) -> AsyncIterator[Any]:
        """A connection that waits for audio; what goes wrong with it is ours."""
        from wyoming.asr import Transcribe
        from wyoming.audio import AudioStart
        from wyoming.client import AsyncClient

        spoken = languages.primary(self.language or language)
        try:
            async with AsyncClient.from_uri(self.url) as client:
                await client.write_event(Transcribe(name=self.model, language=spoken).event())
                await client.write_event(AudioStart(rate=RATE, width=2, channels=1).event())
                yield client
        except (OSError, EOFError, asyncio.IncompleteReadError) as error:
            raise transport_error(error, self.host) from None

    async def _heard(self, client: Any, frames: Frames | None) -> Transcript:
        from wyoming.audio import AudioStop

        await client.write_event(AudioStop().event())
        while (event := await client.read_event()) is not None:
            data = event.data or {}
            if event.type == "error":
                raise refusal(str(data.get("text", "")), self.host)
            if event.type == "transcript-chunk" and frames is not None:
                frames.text_heard()
            if event.type == "transcript":
                return Transcript(self._text(data))
        raise TransientError(
            f"{self.host} closed the connection without a transcript",
            host=self.host,
            kind="incomplete",
        )

    def _text(self, data: Any) -> str:
        text = data.get("text")
        if not isinstance(text, str):
            says = f"{self.host} sent a transcript without text"
            raise ProviderError(says, host=self.host, kind="reply")
        return text


async def _say(client: Any, pcm: bytes) -> None:
    from wyoming.audio import AudioChunk

    await client.write_event(AudioChunk(rate=RATE, width=2, channels=1, audio=pcm).event())
