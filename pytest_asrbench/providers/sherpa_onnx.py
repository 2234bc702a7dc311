"""
sherpa-onnx (an extra): models of Next-gen Kaldi, NeMo, Whisper, SenseVoice, Moonshine and others.

kind      which from_… of sherpa_onnx.OfflineRecognizer makes it: transducer, whisper, nemo_ctc, …;
          in a stream, of OnlineRecognizer
model     the folder with its files. Each that `kind` asks for is found by its name (tokens.txt,
          encoder….onnx); of several, the int8 one is taken
load      other keywords of from_…: num_threads, decoding_method, model_type, hotwords_file, …, and
          a file by its own name

A kind that knows languages is told the clip's. API: https://k2-fsa.github.io/sherpa/onnx/
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers import languages
from pytest_asrbench.providers.base import Description, Frames
from pytest_asrbench.providers.embedded import RATE, Embedded

LANGUAGES = ("language", "src_lang", "tgt_lang")
TAIL_S = 0.66  # of silence, in which an online model gives its last words, as in sherpa's examples
SHORTEST = 5  # letters of a file's name: `encode.onnx` is the encoder


class SherpaOnnx(Embedded):
    use: ClassVar[str] = "sherpa-onnx"
    EXTRA: ClassVar[str] = "sherpa-onnx"
    PACKAGE: ClassVar[str] = "sherpa-onnx"
    FIRST_MODEL: ClassVar[str] = "models/sherpa-onnx-zipformer-en"
    RECOGNISER: ClassVar[str] = "OfflineRecognizer"

    def __init__(
        self,
        *,
        kind: str,
        model: str | None = None,
        language: str | None = None,
        load: Mapping[str, Any] | None = None,
        folder: Path = Path(),
    ) -> None:
        self.kind = kind
        super().__init__(model=model, language=language, load=load, folder=folder)

    def describe(self) -> Description:
        plain = super().describe()
        settings = {"kind": self.kind, **plain.settings}
        return Description(plain.use, plain.model, settings, plain.version)

    def check(self) -> None:
        self._files(self._maker())

    def new_model(self) -> Any:
        """One for each language, each made when it is first heard."""
        return {}

    def recogniser(self, language: str) -> Any:
        """For clips in this language."""
        made, make = self.loaded(), self._maker()
        asked = inspect.signature(make).parameters
        told = {name: language for name in LANGUAGES if name in asked and name not in self.load}
        key = language if told else ""
        if key not in made:
            files = self._files(make)
            given = {name: self._own(value) for name, value in self.load.items()}
            made[key] = make(**files, **told, **given)
        return made[key]

    def hear(self, model: Any, audio: Audio, language: str) -> str:
        recogniser = self.recogniser(language)
        stream = recogniser.create_stream()
        stream.accept_waveform(RATE, audio.samples_at(RATE))
        recogniser.decode_stream(stream)
        text: str = stream.result.text
        return text

    def _maker(self) -> Callable[..., Any]:
        import sherpa_onnx

        kinds = getattr(sherpa_onnx, self.RECOGNISER)
        if (make := getattr(kinds, f"from_{self.kind}", None)) is None:
            known = ", ".join(name.removeprefix("from_") for name in dir(kinds) if "from_" in name)
            raise InputError(f"provider sherpa-onnx: no kind {self.kind!r}; known: {known}")
        return make  # type: ignore[no-any-return]  # the package has no types

    def _files(self, make: Callable[..., Any]) -> dict[str, str]:
        """The model's files by the names of their keywords."""
        return {name: self._file(name) for name in _files(make) if name not in self.load}

    def _file(self, name: str) -> str:
        if self.place is None or not self.place.is_dir():
            raise InputError(f"provider sherpa-onnx: no folder {self.folder / self.model}")
        wanted = "*.txt" if name == "tokens" else "*.onnx"
        files = [path for path in sorted(self.place.glob(wanted)) if _is(name, path)]
        if not files:
            raise InputError(
                f"provider sherpa-onnx: {self.place} has no file for {name!r}; name it: "
                f"load: {{{name}: FILE}}"
            )
        return str(next((path for path in files if "int8" in path.name), files[0]))

    def _own(self, value: Any) -> Any:
        """A path among the keywords is relative to the settings' file, or to the model."""
        if not isinstance(value, str) or self.place is None:
            return value
        places = (folder / value for folder in (self.folder, self.place))
        return next((str(place) for place in places if value and place.is_file()), value)


class SherpaOnnxStream(SherpaOnnx):
    """With an online model. The text is that of the whole clip: no endpoint resets it."""

    RECOGNISER: ClassVar[str] = "OnlineRecognizer"

    async def stream(self, frames: Frames) -> Transcript:
        import numpy as np

        recogniser = self.recogniser(languages.primary(self.language or frames.language))
        stream = recogniser.create_stream()
        async for pcm in frames:
            stream.accept_waveform(RATE, np.frombuffer(pcm, "<i2").astype(np.float32) / 32_768)
            if _decoded(recogniser, stream):
                frames.text_heard()
        stream.accept_waveform(RATE, np.zeros(int(TAIL_S * RATE), np.float32))
        stream.input_finished()
        _decoded(recogniser, stream)
        return Transcript(recogniser.get_result(stream))


def _decoded(recogniser: Any, stream: Any) -> bool:
    while recogniser.is_ready(stream):
        recogniser.decode_stream(stream)
    return bool(recogniser.get_result(stream))


def _files(make: Callable[..., Any]) -> list[str]:
    """The parameters without a default: they are files."""
    parameters = inspect.signature(make).parameters.values()
    return [each.name for each in parameters if each.default is each.empty]


def _is(name: str, path: Path) -> bool:
    """`tiny.en-encoder.int8.onnx` and `encode.onnx` are an `encoder`."""
    parts = re.split(r"[-.]", path.name)
    return any(len(part) >= SHORTEST and name.startswith(part) for part in parts)
