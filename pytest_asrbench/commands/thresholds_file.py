"""Finds the thresholds file that belongs to a run."""

from __future__ import annotations

from pathlib import Path

from pytest_asrbench.run import Run
from pytest_asrbench.settings.config import Settings


def thresholds_file(run: Run, given: Path | None) -> Path:
    """The file itself, or the run's in the folder that is given; default: `thresholds/` here."""
    here = Path.cwd()
    settings = Settings(
        folder=here,
        rootdir=here,
        thresholds=given or here / "thresholds",
        cache=here,
        provider=run.provider.name,
        mode="stream" if run.provider.mode == "stream" else "batch",
        tags=run.tags,
    )
    return settings.thresholds_file()
