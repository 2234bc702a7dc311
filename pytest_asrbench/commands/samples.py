"""The sample clip of a new folder, in its language; see tools/samples.py."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from pytest_asrbench.verifiers.packs import subtags

ENGLISH = "en"
_CHECKED = "# The sample was made by espeak-ng, and Whisper heard its values."
_UNCHECKED = (
    "# The sample was made by espeak-ng. No recogniser has been heard to recover its values: its\n"
    "# recorded transcript is what one should write."
)


def sample_language(language: str) -> str:
    """The sample that a folder gets: its region's, its language's, or else the English one."""
    subtag, region = subtags(language)
    tags = (f"{subtag}-{region}", subtag)
    return next((tag for tag in tags if tag in _samples()), ENGLISH)


def templates(language: str, english: Mapping[str, str]) -> Mapping[str, str]:
    """File of the new folder -> its template."""
    if sample_language(language) == ENGLISH:
        return english
    return {
        **english,
        "clips.yaml": "init/languages/clips.yaml",
        "clips/discount.flac": f"init/languages/{sample_language(language)}.flac",
        "recordings/sample.jsonl": "init/languages/sample.jsonl.txt",
    }


def values(language: str) -> Mapping[str, str]:
    """Values that the templates are filled with."""
    chosen = sample_language(language)
    if chosen == ENGLISH:
        subtag, _ = subtags(language)
        return {"clip_language": "" if subtag == ENGLISH else "\n    language: en"}
    held = _samples()[chosen]
    percentage, amount = held["percentage"], held["amount"]
    return {
        "reference": _quoted(held["reference"]),
        "percentage": _quoted(percentage[0]),
        "percentage_said": _quoted(percentage[1]),
        "amount": _quoted(amount[0]),
        "amount_said": _quoted(amount[1]),
        "pred_text": _quoted(held["pred_text"]),
        "checked": _CHECKED if held["checked"] else _UNCHECKED,
    }


def _quoted(text: str) -> str:
    """As JSON and YAML both read it."""
    return json.dumps(text, ensure_ascii=False)


def _samples() -> Mapping[str, Any]:
    path = files("pytest_asrbench") / "templates" / "init" / "languages" / "samples.json"
    samples: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return samples
