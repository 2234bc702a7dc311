"""The JSON Schema of the run file, as published in the package."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from pytest_asrbench.metrics.measures import MEASURES, Measure
from pytest_asrbench.model import ErrorRate, Rate


def run_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) that every run file holds to."""
    file = resources.files("pytest_asrbench") / "data" / "run.schema.json"
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    for part in (schema["properties"]["metrics"], schema["$defs"]["figures"]):
        known = part["properties"]
        for name, measure in MEASURES.items():
            if measure.figure:
                known.setdefault(name, _schema_of(measure))
    return schema


def _schema_of(measure: Measure) -> dict[str, Any]:
    """Of a measure that the file does not describe in words of its own."""
    nothing = measure.count(())
    if isinstance(nothing, Rate | ErrorRate):
        kind = "rate" if isinstance(nothing, Rate) else "error_rate"
        return {"$ref": f"#/$defs/{kind}", "description": measure.about}
    return {"type": ["number", "null"], "description": measure.about}
