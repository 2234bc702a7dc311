"""Write docs/run-file.md from the published schema: python tools/make_run_file.py"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pytest_asrbench.reports.schema import run_schema

PAGE = Path(__file__).parent.parent / "docs" / "run-file.md"
HEAD = """\
# The run file

`--asr-json FILE` (and `asrbench score --json FILE`) writes everything one run measured and where it
comes from. Reports, `asrbench score --run`, `compare`, `merge` and `trend` read run files only.

* JSON, UTF-8, `schema` first, one record a line: it greps, diffs and streams.
* `schema` is the version of the format. Fields may be added under the same number, so ignore those
  you don't know. A change of meaning gets a new number, and readers refuse one they don't know.
* A rate is hits, total and value; an error rate edits, reference and value. `value` is null where
  nothing was counted: neither 0 nor 1.
* Offsets count characters (Unicode code points) of the untouched transcript.
* Values and transcripts are never masked here, `--asr-redact` or not: keep the file where you keep
  the recordings.

The same as JSON Schema (draft 2020-12), generated into this page by `tools/make_run_file.py`:
[`pytest_asrbench/data/run.schema.json`](../pytest_asrbench/data/run.schema.json). To check a file
with the [`jsonschema`](https://pypi.org/project/jsonschema/) package:

```python
import json, jsonschema
from pytest_asrbench.reports.schema import run_schema

jsonschema.validate(json.load(open("asr-run.json")), run_schema())
```
"""
_PARTS = {
    "record": "A record: `records[]`",
    "condition": "A condition: `conditions[]`",
    "drop": "The drop from raw: `conditions[].drop`",
    "entity": "An entity: `records[].entities[]`",
    "nearest": "The nearest thing heard: `nearest`",
    "difference": "A difference: `nearest.differences[]`",
    "failure": "A failed call: `error`",
    "gate": "A gate: `gates[]`",
    "figures": "Figures of a slice: `metrics.slices[…]`",
    "rate": "A rate",
    "error_rate": "An error rate",
    "percentiles": "Percentiles",
    "value": "A plain number",
    "interval": "An interval",
}


def page(schema: Mapping[str, Any]) -> str:
    """The page's text."""
    sections = [HEAD, "## The file\n", *_table(schema)]
    for name in ("provider", "dataset", "verifier", "coverage", "metrics"):
        part = schema["properties"][name]
        sections += [f"\n## `{name}`\n", f"{part['description']}\n", *_table(part)]
    for name, title in _PARTS.items():
        part = schema["$defs"][name]
        sections += [f"\n## {title}\n", f"{part['description']}\n"]
        sections += _table(part) if "properties" in part else ["Two numbers: `[low, high]`."]
    return "\n".join(sections) + "\n"


def _table(part: Mapping[str, Any]) -> Iterator[str]:
    yield "| field | type | meaning |"
    yield "|---|---|---|"
    required = set(part.get("required", ()))
    for name, field in part["properties"].items():
        optional = "" if name in required else " (optional)"
        yield f"| `{name}` | {_type(field)}{optional} | {field['description']} |"


def _type(field: Mapping[str, Any]) -> str:
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return ", ".join("null" if value is None else f"`{value}`" for value in field["enum"])
    if "$ref" in field:
        return field["$ref"].rpartition("/")[2].replace("_", " ")
    if "anyOf" in field:
        return " or ".join(dict.fromkeys(map(_type, field["anyOf"])))
    if field["type"] == "array":
        return f"list of {_type(field['items'])}"
    if isinstance(field.get("additionalProperties"), Mapping):
        return f"map to {_type(field['additionalProperties'])}"
    return " or ".join([field["type"]] if isinstance(field["type"], str) else field["type"])


if __name__ == "__main__":
    PAGE.write_text(page(run_schema()), encoding="utf-8")
