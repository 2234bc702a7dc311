"""
onnx-asr (an extra): Parakeet, Canary, GigaAM, Whisper and others as ONNX models, without PyTorch.

model     a name such as nemo-parakeet-tdt-0.6b-v3, downloaded from Hugging Face; or a folder, and
          its kind as `load: {model: nemo-conformer-tdt}`
load      keywords of onnx_asr.load_model: quantization, providers, …
params    keywords of recognize: pnc, target_language, …

The language is sent to Whisper and Canary alone; the others know theirs. API:
https://istupakov.github.io/onnx-asr/
"""

from __future__ import annotations

from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import InputError
from pytest_asrbench.providers.embedded import RATE, Embedded

TOLD = ("canary", "whisper", "aed")  # in the names of kinds and models


class OnnxAsr(Embedded):
    use: ClassVar[str] = "onnx-asr"
    EXTRA: ClassVar[str] = "onnx-asr"
    PACKAGE: ClassVar[str] = "onnx-asr"
    MODEL: ClassVar[str | None] = "nemo-parakeet-tdt-0.6b-v3"

    def check(self) -> None:
        if self.place is not None and "model" not in self.load:
            raise InputError(
                f"provider {self.use}: {self.place} is of a kind that only you know; add "
                "load: {model: nemo-conformer-tdt}, or another kind that onnx-asr lists"
            )

    def new_model(self) -> Any:
        import onnx_asr

        how = dict(self.load)
        if self.place is not None:
            return onnx_asr.load_model(how.pop("model"), self.place, **how)
        return onnx_asr.load_model(self.model, **how)

    @property
    def told(self) -> bool:
        kind = f"{self.model} {self.load.get('model', '')}".lower()
        return any(word in kind for word in TOLD)

    def hear(self, model: Any, audio: Audio, language: str) -> str:
        how = ({"language": language} if self.told else {}) | self.params
        text: str = model.recognize(audio.samples_at(RATE), sample_rate=RATE, **how)
        return text
