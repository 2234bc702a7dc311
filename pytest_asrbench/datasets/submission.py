"""
A mu-bench submission: the transcripts of one system, as that repository collects them.

    <provider>/<locale>/<id>.txt      the raw transcript; an empty file: no speech heard
    <provider>/latency.json           {"meta": {"protocol": "batch", "region": "us-east-1", …},
                                       "measurements": {"<locale>/<id>": {"roundTripMs": 269.1}}}
    <provider>/metadata.yaml          model, organization, version, date, config

Streaming measurements have `ttftMs` and `completeMs` instead of `roundTripMs`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from pytest_asrbench.errors import InputError
from pytest_asrbench.files import load_yaml, read_json
from pytest_asrbench.files.fields import Faults
from pytest_asrbench.files.schema import LARGEST
from pytest_asrbench.model import Transcript

RE_LOCALE = re.compile(r"[a-z]{2}-[A-Z]{2}")


def read_texts(folder: Path, *, clips: Collection[str] | None = None) -> dict[str, Transcript]:
    """Transcripts by `<locale>/<id>`, with latency where it was measured. Raises InputError."""
    locales = [f for f in sorted(folder.iterdir()) if f.is_dir() and RE_LOCALE.fullmatch(f.name)]
    if not locales:
        raise InputError.at(folder, None, "no <locale>/<id>.txt here; give a submission's folder")
    times = _measurements(folder / "latency.json")
    model = _model(folder / "metadata.yaml")
    faults = Faults(folder)
    texts: dict[str, Transcript] = {}
    for file in (file for locale in locales for file in sorted(locale.glob("*.txt"))):
        name = f"{file.parent.name}/{file.stem}"
        if clips is not None and name not in clips:
            faults.add(None, f"{name} is no clip of the dataset; remove it or correct the name")
        texts[name] = _transcript(file, times.get(name, {}), model, faults)
    faults.check()
    return texts


def _transcript(file: Path, times: Any, model: str | None, faults: Faults) -> Transcript:
    try:
        text = file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        faults.add(None, f"{file.parent.name}/{file.name} can't be read: {error}")
        text = ""
    total = times.get("completeMs", times.get("roundTripMs")) if isinstance(times, dict) else None
    first = times.get("ttftMs") if isinstance(times, dict) else None
    return Transcript(
        text,
        reported_model=model,
        latency_ms=_milliseconds(total),
        first_text_ms=_milliseconds(first),
    )


def _measurements(path: Path) -> Mapping[str, Any]:
    if not path.exists():
        return {}
    data = read_json(path)
    measurements = data.get("measurements") if isinstance(data, dict) else None
    if not isinstance(measurements, dict):
        raise InputError.at(path, None, "measurements, an object by <locale>/<id>, is missing")
    return measurements


def _model(path: Path) -> str | None:
    data = load_yaml(path) if path.exists() else None
    model = data.get("model") if isinstance(data, dict) else None
    return model if isinstance(model, str) else None


def _milliseconds(value: object) -> float | None:
    """None for what is no number, or for one too large to be a time."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if abs(value) < LARGEST else None
