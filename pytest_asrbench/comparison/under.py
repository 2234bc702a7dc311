"""The part of a run that was measured under a condition, to stand beside others."""

from __future__ import annotations

from pathlib import Path

from pytest_asrbench.errors import InputError
from pytest_asrbench.run import Run


def under(name: str, run: Run, path: Path) -> Run:
    """The run's clips under a condition. Raises InputError, naming the file, where it has none."""
    parts = {part.condition.name: part for part in run.conditions if part.condition}
    if name not in parts:
        known = f"it has {', '.join(parts)}" if parts else "it has none"
        raise InputError.at(path, None, f"nothing was measured under {name!r}; {known}")
    return parts[name]
