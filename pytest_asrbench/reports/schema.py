"""The JSON Schema of the run file, as published in the package."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any


def run_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) that every run file holds to."""
    file = resources.files("pytest_asrbench") / "data" / "run.schema.json"
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema
