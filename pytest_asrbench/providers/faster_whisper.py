"""
Whisper in this process by faster-whisper (an extra), on CPU or GPU.

model        a local folder (relative to the settings' file), or a name or Hugging Face id, which
             is downloaded at the first clip
text         the segments' texts, joined without anything between: each begins with its space
params       keywords of WhisperModel.transcribe: beam_size, vad_filter, temperature, …

API: https://github.com/SYSTRAN/faster-whisper
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers import languages, local
from pytest_asrbench.providers.base import Description
from pytest_asrbench.providers.http import configured
from pytest_asrbench.providers.needs import extra, need_extra
from pytest_asrbench.providers.terms import Spelling, boosted, hotwords

RATE = 16_000  # of the model; other recordings are resampled


class FasterWhisper:
    """Raises InputError where the package or the folder is missing."""

    use: ClassVar[str] = "faster-whisper"
    EXTRA: ClassVar[str] = "faster-whisper"
    MODEL: ClassVar[str] = "small"
    TERMS: ClassVar[Spelling | None] = staticmethod(hotwords)
    concurrency = 1  # one clip already uses the cores
    embedded = True

    def __init__(
        self,
        *,
        model: str | None = None,
        language: str | None = None,
        terms: Sequence[str] | None = None,
        device: str = "auto",
        compute_type: str = "default",
        params: Mapping[str, Any] | None = None,
        folder: Path = Path(),
    ) -> None:
        need_extra(self.EXTRA, self.use)
        self.model = model or self.MODEL
        self.place = _place(self.model, folder)
        self.language = language
        self.params = dict(params or {})
        self.terms = terms or None
        self.boost = boosted(self.use, hotwords, terms, model=self.model, params=self.params)
        self.loading = {"device": device, "compute_type": compute_type}
        self._lock = threading.Lock()
        self._model: Any = None

    def describe(self) -> Description:
        settings = configured(language=self.language, terms=self.terms) | self.loading | self.params
        # A local model is told by its content: it may change in its place.
        model = local.name_of(self.place) if isinstance(self.place, Path) else self.place
        package = version("faster-whisper") if extra(self.EXTRA).met else None
        custom = bool(self.params or self.boost)
        return Description(self.use, model, settings, package, custom=custom)

    def transcribe(self, audio: Audio) -> Transcript:
        import numpy as np

        samples = np.frombuffer(audio.pcm16(RATE), np.int16).astype(np.float32) / 32_768
        language = languages.primary(self.language or audio.language)
        asked = {"language": language, **self.boost, **self.params}
        segments, _ = self._loaded().transcribe(samples, **asked)
        return Transcript("".join(segment.text for segment in segments))

    def _loaded(self) -> Any:
        """The model, loaded at the first clip: a run that replays or is empty never needs it."""
        with self._lock:
            if self._model is None:
                from faster_whisper import WhisperModel

                self._model = WhisperModel(str(self.place), **self.loading)
            return self._model


def _place(model: str, folder: Path) -> Path | str:
    if (converted := folder / model).is_dir():
        if not (converted / "model.bin").is_file():
            raise InputError(
                f"provider faster-whisper: {converted} holds no model.bin; convert the model with "
                "ct2-transformers-converter"
            )
        return converted
    if model.startswith((".", "/", "~")) or model.count("/") > 1:
        raise InputError(f"provider faster-whisper: no folder {converted}; correct model")
    return model
