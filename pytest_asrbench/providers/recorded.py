"""
Transcripts made earlier, from a file: gates run offline, without keys and in a second.

The file is what `read_hypotheses` understands: a cassette (`system` names one of several in it),
JSONL of {audio_id, pred_text}, released VoiceCodeBench predictions, a mu-bench submission folder,
or a CSV of hypotheses.
The engine asks by clip id, so no audio needs to be there.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from pytest_asrbench.datasets.hypotheses import read_hypotheses
from pytest_asrbench.errors import ProviderError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.base import Description


class Recorded:
    """Raises InputError when the file is unreadable, ProviderError for a clip it doesn't hold."""

    paths: ClassVar[tuple[str, ...]] = ("hypotheses",)

    def __init__(self, *, hypotheses: Path, system: str | None = None) -> None:
        self.file = Path(hypotheses)
        self.system = system
        self.transcripts = read_hypotheses(self.file, system=system)

    def describe(self) -> Description:
        settings = {
            "hypotheses": self.file.name,
            **({"system": self.system} if self.system else {}),
        }
        model = self.system or self.file.stem
        return Description("recorded", model, settings, deterministic=True)

    def lookup(self, clip_id: str) -> Transcript:
        try:
            return self.transcripts[clip_id]
        except KeyError:
            what = f"{self.file.name} has no row for clip {clip_id!r}; record it, or add the row"
            raise ProviderError(what) from None
