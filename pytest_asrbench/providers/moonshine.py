"""
Moonshine (an extra), by its package moonshine-voice.

model     a folder with a model, and its architecture as `load: {model_arch: tiny}`; or an
          architecture (tiny, base, …), whose model of the clip's language is downloaded
load      keywords of moonshine_voice.Transcriber
text      its lines, joined by a space

API: https://github.com/moonshine-ai/moonshine
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import InputError
from pytest_asrbench.providers.embedded import RATE, Embedded
from pytest_asrbench.providers.vendor import joined


class Moonshine(Embedded):
    use: ClassVar[str] = "moonshine"
    EXTRA: ClassVar[str] = "moonshine"
    PACKAGE: ClassVar[str] = "moonshine-voice"
    MODEL: ClassVar[str | None] = "base"

    def check(self) -> None:
        _ = self._arch

    def new_model(self) -> Any:
        """One for each language, each made when it is first heard."""
        return {}

    @property
    def told(self) -> bool:
        return self.place is None

    def hear(self, model: Any, audio: Audio, language: str) -> str:
        known = language if self.told else ""
        if known not in model:
            model[known] = self._transcriber(known)
        samples = audio.samples_at(RATE).tolist()
        heard = model[known].transcribe_without_streaming(samples, RATE, **self.params)
        return joined(line.text for line in heard.lines)

    def _transcriber(self, language: str) -> Any:
        from moonshine_voice import Transcriber, get_model_for_language

        how = {name: value for name, value in self.load.items() if name != "model_arch"}
        if self.place:
            return Transcriber(self.place, self._arch, **how)
        path, arch = get_model_for_language(language, self._arch)
        return Transcriber(path, arch, **how)

    @cached_property
    def _arch(self) -> Any:
        from moonshine_voice import ModelArch

        name = str(self.load.get("model_arch", "base") if self.place else self.model)
        try:
            return ModelArch[name.upper().replace("-", "_")]
        except KeyError:
            known = ", ".join(arch.name.lower() for arch in ModelArch)
            raise InputError(
                f"provider moonshine: no architecture {name!r}; known: {known}"
            ) from None
