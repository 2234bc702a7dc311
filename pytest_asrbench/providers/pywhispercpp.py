"""
whisper.cpp in this process by pywhispercpp (an extra); `whisper.cpp` is its server.

model     a ggml file, or a name such as base.en or large-v3-turbo-q5_0, which is downloaded
load      keywords of pywhispercpp.model.Model: n_threads, …
params    keywords of transcribe: initial_prompt, temperature, …
text      the segments' texts, joined by a space: the package trims them

API: https://absadiki.github.io/pywhispercpp/
"""

from __future__ import annotations

from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.providers.embedded import RATE, Embedded
from pytest_asrbench.providers.vendor import joined

QUIET = {"print_progress": False, "print_realtime": False, "redirect_whispercpp_logs_to": None}


class PyWhisperCpp(Embedded):
    use: ClassVar[str] = "pywhispercpp"
    EXTRA: ClassVar[str] = "pywhispercpp"
    PACKAGE: ClassVar[str] = "pywhispercpp"
    MODEL: ClassVar[str | None] = "small"

    def new_model(self) -> Any:
        from pywhispercpp.model import Model

        return Model(str(self.place or self.model), **(QUIET | self.load))

    def hear(self, model: Any, audio: Audio, language: str) -> str:
        segments = model.transcribe(
            audio.samples_at(RATE), **({"language": language} | self.params)
        )
        return joined(segment.text for segment in segments)
