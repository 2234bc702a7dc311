"""
NVIDIA NeMo (an extra): its ASR models, on a GPU or CPU.

model     a .nemo file, or an id such as nvidia/parakeet-tdt-0.6b-v3, which is downloaded
params    keywords of transcribe: source_lang and target_lang of Canary, timestamps, …

NeMo's models know their language; Canary is told it by `params`. API:
https://docs.nvidia.com/nemo-framework/user-guide/latest/nemotoolkit/asr/
"""

from __future__ import annotations

from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.providers.embedded import RATE, Embedded


class NeMo(Embedded):
    use: ClassVar[str] = "nemo"
    EXTRA: ClassVar[str] = "nemo"
    PACKAGE: ClassVar[str] = "nemo_toolkit"
    TOLD: ClassVar[bool] = False
    MODEL: ClassVar[str | None] = "nvidia/parakeet-tdt-0.6b-v3"

    def new_model(self) -> Any:
        from nemo.collections.asr.models import ASRModel

        if self.place is not None:
            return ASRModel.restore_from(str(self.place), **self.load)
        return ASRModel.from_pretrained(self.model, **self.load)

    def hear(self, model: Any, audio: Audio, language: str) -> str:
        heard = model.transcribe([audio.samples_at(RATE)], verbose=False, **self.params)
        # Transducers of older versions give the best and all hypotheses.
        best = heard[0] if isinstance(heard, tuple) else heard
        text = best[0]
        return text if isinstance(text, str) else str(text.text)
