"""
Vosk (an extra): Kaldi's models, offline, in batch and stream.

model     the folder of a model, or a name such as vosk-model-small-en-us-0.15, which is downloaded
params    {words: [one, two]} is a grammar: only these are heard

API: https://alphacephei.com/vosk/
"""

from __future__ import annotations

import json
from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.base import Frames
from pytest_asrbench.providers.embedded import RATE, Embedded
from pytest_asrbench.providers.vendor import joined


class Vosk(Embedded):
    use: ClassVar[str] = "vosk"
    EXTRA: ClassVar[str] = "vosk"
    PACKAGE: ClassVar[str] = "vosk"
    FIRST_MODEL: ClassVar[str] = "vosk-model-small-en-us-0.15"
    TOLD: ClassVar[bool] = False

    def new_model(self) -> Any:
        import vosk

        vosk.SetLogLevel(-1)
        try:
            if self.place is not None:
                return vosk.Model(model_path=str(self.place), **self.load)
            return vosk.Model(model_name=self.model, **self.load)
        except SystemExit:  # its answer to a name that it does not know
            raise InputError(f"provider vosk: no model {self.model!r}; correct the name") from None

    def hear(self, model: Any, audio: Audio, language: str) -> str:
        recogniser = self._recogniser(model)
        pieces = []
        pcm = audio.pcm16(RATE)
        for start in range(0, len(pcm), RATE):  # half a second
            if recogniser.AcceptWaveform(pcm[start : start + RATE]):
                pieces.append(_text(recogniser.Result()))
        return joined([*pieces, _text(recogniser.FinalResult())])

    async def stream(self, frames: Frames) -> Transcript:
        recogniser = self._recogniser(self.loaded())
        pieces, heard = [], False
        async for pcm in frames:
            if recogniser.AcceptWaveform(pcm):
                pieces.append(_text(recogniser.Result()))
                frames.text_final()
            if not heard and json.loads(recogniser.PartialResult()).get("partial"):
                heard = True
                frames.text_heard()
        pieces.append(_text(recogniser.FinalResult()))
        if pieces[-1]:
            frames.text_final()
        return Transcript(joined(pieces))

    def _recogniser(self, model: Any) -> Any:
        """A fresh one for each clip: it adapts to what it hears."""
        import vosk

        words = self.params.get("words")
        if unknown := self.params.keys() - {"words"}:
            raise InputError(f"provider vosk: no parameter {min(unknown)!r}; known: words")
        grammar = [json.dumps([*words, "[unk]"])] if words else []
        return vosk.KaldiRecognizer(model, RATE, *grammar)


def _text(result: str) -> str:
    return str(json.loads(result).get("text", ""))
