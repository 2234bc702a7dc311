"""
Recognisers that run in this process from a package (an extra), and what their adapters share.

    model     a file or folder, relative to the settings' file, or a name, which is downloaded
    language  instead of each clip's own
    load      keywords for loading the model: device, precision, threads, …
    params    keywords for each recognition

A model on this machine is told by its content. It is loaded at the first clip: a run that replays
or is empty never needs it. One clip is heard at a time, as one already uses the cores.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping
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
from pytest_asrbench.providers.secrets import replaying

RATE = 16_000  # of all these models; other recordings are resampled


class Embedded(ABC):
    """Raises InputError where the package or the model is missing."""

    use: ClassVar[str]
    EXTRA: ClassVar[str]
    PACKAGE: ClassVar[str]
    """Whose version is recorded."""
    MODEL: ClassVar[str | None] = None
    NEEDS_MODEL: ClassVar[bool] = True
    FIRST_MODEL: ClassVar[str]
    """What a new configuration begins with, where no model is the default."""
    TOLD: ClassVar[bool] = True
    """Whether the model is told the language: where it knows its own, none may be configured."""
    concurrency = 1
    embedded = True
    stream_rate = RATE

    def __init__(
        self,
        *,
        model: str | None = None,
        language: str | None = None,
        load: Mapping[str, Any] | None = None,
        params: Mapping[str, Any] | None = None,
        folder: Path = Path(),
    ) -> None:
        need_extra(self.EXTRA, self.use)
        self.model = model or self.MODEL or ""
        if not self.model:
            raise InputError(f"provider {self.use}: needs 'model': a file, a folder or a name")
        self.folder = folder
        self.load = dict(load or {})
        self.language = language
        if language and not self.told:
            raise InputError(f"provider {self.use}: {self.model} takes no language; remove it")
        self.params = dict(params or {})
        self._lock = threading.Lock()
        self._model: Any = None
        if not replaying():
            self.check()

    def check(self) -> None:
        """Raises InputError for what can be told before a model is loaded."""
        _ = self.place

    def describe(self) -> Description:
        model = local.known_by_content(self.model, self.folder, folders=True)
        settings = local.known_by_content({**self.load, **self.params}, self.folder)
        package = version(self.PACKAGE) if extra(self.EXTRA).met else None
        settings = configured(language=self.language) | settings
        return Description(self.use, model, settings, package, custom=bool(self.params))

    def transcribe(self, audio: Audio) -> Transcript:
        language = languages.primary(self.language or audio.language)
        return Transcript(self.hear(self.loaded(), audio, language))

    @abstractmethod
    def new_model(self) -> Any:
        """What the package makes of model and `load`."""

    @abstractmethod
    def hear(self, model: Any, audio: Audio, language: str) -> str:
        """The text of a recording. `language` is a primary subtag, `en`."""

    @property
    def told(self) -> bool:
        return self.TOLD

    def loaded(self) -> Any:
        """The model, which stays."""
        with self._lock:
            if self._model is None:
                self._model = self.new_model()
            return self._model

    @property
    def place(self) -> Path | None:
        """Where the model lies; None for a name. Raises InputError for a path to nothing."""
        place = self.folder / Path(self.model).expanduser()
        if place.exists():
            return place
        if self.model.startswith((".", "/", "~")):
            raise InputError(f"provider {self.use}: no {place}; correct model")
        return None
