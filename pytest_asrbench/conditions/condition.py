"""
A condition: a named chain of seeded transforms that each raw clip goes through.

    phone                            band, mulaw
    noise:10                         pink noise 10 dB below the clip
    noise:10+phone                   a caller with noise around, at the telephone
    kitchen                          as `conditions:` of the settings has it
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

SEED = 20261201


@dataclass(frozen=True)
class Step:
    """One transform with all its knobs, plain data. `content` digests what is beside them: the
    recordings of a noise, the file of a user's function."""

    name: str
    knobs: Mapping[str, Any] = field(default_factory=dict)
    content: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Files by their names alone: where they lie differs from machine to machine."""
        knobs = {key: _named(value) for key, value in self.knobs.items() if value not in ((), [])}
        return {"step": self.name, **knobs, **({"content": self.content} if self.content else {})}


def _named(value: Any) -> Any:
    if isinstance(value, tuple):
        return [Path(each).name for each in value]
    return Path(value).name if isinstance(value, str) and ".py:" in value else value


@dataclass(frozen=True)
class Condition:
    """`steps` in their order; other seeds give other noise of the same kind."""

    name: str
    steps: tuple[Step, ...]
    seed: int = SEED

    @cached_property
    def digest(self) -> str:
        """`sha256:` of all that the sound depends on but the clip and the libraries. Where a
        recording lies is no part of it."""
        steps = [
            {
                key: value
                for key, value in step.to_json().items()
                if not (key == "from" and step.content)
            }
            for step in self.steps
        ]
        text = json.dumps([steps, self.seed], sort_keys=True, separators=(",", ":"))
        return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def versions() -> dict[str, str]:
    """Of the libraries that the samples depend on."""
    import soundfile

    return {
        "libsndfile": soundfile.__libsndfile_version__,
        "numpy": version("numpy"),
        "soxr": version("soxr"),
    }
