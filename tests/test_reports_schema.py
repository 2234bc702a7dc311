"""The published schema is what run files hold, field by field."""

from __future__ import annotations

import json
import runpy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from helpers import report_runs as sample

from pytest_asrbench.reports.schema import run_schema
from pytest_asrbench.reports.view_model import ViewModel
from pytest_asrbench.run import read, write


def closed(schema: Any) -> Any:
    """The schema with every object closed, so that a field it doesn't know is a fault."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {name: closed(part) for name, part in schema.items()}
    if schema.get("type") == "object" and "properties" in schema:
        parts["additionalProperties"] = False
    return parts


VALIDATOR = jsonschema.Draft202012Validator(closed(run_schema()))


def run_file(facts: ViewModel, path: Path) -> Any:
    write(replace(facts.run, gates=facts.gates), path)
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "make", [sample.red, sample.green, sample.outage, sample.repeated, sample.hostile]
)
def test_run_files_hold_to_the_schema(make: Callable[[], ViewModel], tmp_path: Path) -> None:
    data = run_file(make(), tmp_path / "run.json")

    assert [f"{fault.json_path}: {fault.message}" for fault in VALIDATOR.iter_errors(data)] == []
    assert read(tmp_path / "run.json").records == make().run.records


def without(data: Any, *path: Any) -> Any:
    *way, last = path
    target = data
    for step in way:
        target = target[step]
    del target[last]
    return data


@pytest.mark.parametrize(
    "path",
    [
        ("schema",),
        ("records", 0, "transcript"),
        ("records", 0, "entities", 0, "canonical"),
        ("metrics", "ctem", "total"),
        ("provider", "protocol"),
        ("gates", 0, "detail"),
    ],
)
def test_a_file_that_lacks_a_field_is_refused(path: tuple[Any, ...], tmp_path: Path) -> None:
    data = without(run_file(sample.red(), tmp_path / "run.json"), *path)

    assert not VALIDATOR.is_valid(data)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("schema",), 2),
        (("records", 0, "source"), "guessed"),
        (("records", 0, "repeat"), 0),
        (("gates", 0, "outcome"), "ok"),
        (("metrics", "ctem", "hits"), -1),
        (("dataset", "digest"), "md5:00"),
        (("records", 0, "secret"), "x"),
    ],
)
def test_a_wrong_value_is_refused(path: tuple[Any, ...], value: Any, tmp_path: Path) -> None:
    data = run_file(sample.red(), tmp_path / "run.json")
    *way, last = path
    target = data
    for step in way:
        target = target[step]
    target[last] = value

    assert not VALIDATOR.is_valid(data)


def test_the_schema_is_a_valid_one_and_every_field_says_what_it_is() -> None:
    schema = run_schema()
    jsonschema.Draft202012Validator.check_schema(schema)

    def undescribed(node: Any, name: str) -> list[str]:
        found = []
        for key, part in node.get("properties", {}).items():
            found += [] if part.get("description") else [f"{name}.{key}"]
            found += undescribed(part, f"{name}.{key}")
        return found

    for name, part in {"run": schema, **schema["$defs"]}.items():
        assert undescribed(part, name) == []


def test_the_page_in_docs_lists_the_fields_of_the_schema() -> None:
    docs = Path(__file__).parent.parent / "docs"
    maker = runpy.run_path(str(docs.parent / "tools" / "make_run_file.py"))

    assert (docs / "run-file.md").read_text(encoding="utf-8") == maker["page"](run_schema())
