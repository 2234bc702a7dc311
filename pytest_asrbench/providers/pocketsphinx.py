"""
PocketSphinx with the English model that comes in its wheel: offline, nothing is downloaded.

A fresh decoder for every clip: a decoder that has heard other clips adapts to them, and then
returns other words when tests run in another order (also with batch normalisation of the
cepstra). That costs about half a second a clip.

API: https://pocketsphinx.readthedocs.io/en/stable/pocketsphinx.html
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import InputError, ProviderError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers import languages
from pytest_asrbench.providers.base import Description, Frames

RATE = 16_000  # of the model; other recordings are resampled
MODEL = "en-us"


class PocketSphinx:
    """Raises InputError where the package is missing, ProviderError for other languages."""

    EXTRA: ClassVar[str] = "pocketsphinx"
    MODEL: ClassVar[str] = MODEL
    FOR_OTHER_LANGUAGES: ClassVar[str | None] = None
    concurrency = 1  # it runs in this process, on one core
    embedded = True
    stream_rate = RATE

    def __init__(self) -> None:
        self.make_decoder = _decoder_class()
        self.version = version("pocketsphinx")

    def describe(self) -> Description:
        return Description("pocketsphinx", MODEL, version=self.version, deterministic=True)

    def transcribe(self, audio: Audio) -> Transcript:
        _check(audio.language)
        decoder = self._decoder()
        decoder.start_utt()
        decoder.process_raw(audio.pcm16(RATE), full_utt=True)
        return _finish(decoder)

    async def stream(self, frames: Frames) -> Transcript:
        _check(frames.language)
        decoder = self._decoder()
        decoder.start_utt()
        heard = False
        async for frame in frames:
            decoder.process_raw(frame)
            if not heard and decoder.hyp():
                heard = True
                frames.text_heard()
        return _finish(decoder)

    def _decoder(self) -> Any:
        return self.make_decoder(samprate=RATE, loglevel="FATAL")


def _check(language: str) -> None:
    if languages.primary(language) != "en":
        raise ProviderError(f"pocketsphinx knows English only, not {language!r}")


def _finish(decoder: Any) -> Transcript:
    decoder.end_utt()
    hypothesis = decoder.hyp()
    return Transcript(hypothesis.hypstr if hypothesis else "")


def _decoder_class() -> Any:
    try:
        from pocketsphinx import Decoder
    except ModuleNotFoundError:
        wheel = " (it has no wheel for Python 3.14 yet)" if sys.version_info >= (3, 14) else ""
        raise InputError(
            "provider pocketsphinx: the package is missing; "
            f"pip install 'pytest-asrbench[pocketsphinx]'{wheel}"
        ) from None
    return Decoder
