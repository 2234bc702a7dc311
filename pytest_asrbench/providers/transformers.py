"""
Hugging Face's pipeline for speech recognition (an extra): any model that it takes.

model     a folder, or an id on the Hub such as openai/whisper-large-v3-turbo, which is downloaded
load      keywords of transformers.pipeline: device, dtype, chunk_length_s, …
params    keywords of each call: generate_kwargs, return_timestamps, …

Whisper's kin are told the language; the others know theirs. API:
https://huggingface.co/docs/transformers/main_classes/pipelines
"""

from __future__ import annotations

from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.providers.embedded import RATE, Embedded


class Transformers(Embedded):
    use: ClassVar[str] = "transformers"
    EXTRA: ClassVar[str] = "transformers"
    PACKAGE: ClassVar[str] = "transformers"
    FIRST_MODEL: ClassVar[str] = "openai/whisper-small"

    def new_model(self) -> Any:
        import transformers

        where = str(self.place or self.model)
        return transformers.pipeline("automatic-speech-recognition", model=where, **self.load)

    def hear(self, model: Any, audio: Audio, language: str) -> str:
        # A pipeline takes things out of what it is given, so each call gets its own.
        how = dict(self.params)
        if "whisper" in str(getattr(model.model.config, "model_type", "")):
            how["generate_kwargs"] = {"language": language, **how.get("generate_kwargs", {})}
        heard = model({"raw": audio.samples_at(RATE).copy(), "sampling_rate": RATE}, **how)
        text: str = heard["text"]
        return text
