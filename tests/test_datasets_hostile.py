"""Whatever a file holds, reading it ends in data or in an InputError, never in a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from pytest_asrbench.datasets import load
from pytest_asrbench.datasets.hypotheses import read_hypotheses
from pytest_asrbench.errors import InputError

LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
)
JSON = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


def shaped(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with these keys: all right, or each right, wrong or missing."""
    wrong = {key: value | JSON for key, value in fields.items()}
    return st.fixed_dictionaries(fields) | st.fixed_dictionaries({}, optional=wrong)


WORDS = st.sampled_from(["a", "b", "c", "x/y"]) | st.text("abé /.\u200b", max_size=6)
ENTITY = shaped(
    id=WORDS,
    type=st.sampled_from(["date", "url", "PERSON"]),
    canonical=WORDS,
    acoustic=WORDS,
    accept=st.lists(WORDS, max_size=2),
)
ENTITIES = st.lists(ENTITY | JSON, max_size=3)
NATIVE = shaped(
    id=WORDS,
    audio=WORDS,
    reference=WORDS,
    language=st.sampled_from(["en", "es-MX"]),
    tags=st.lists(WORDS),
    entities=ENTITIES,
)
VCB = shaped(
    file_name=WORDS,
    audio_id=WORDS,
    language=st.just("en"),
    transcripts=shaped(template=WORDS, acoustic=WORDS),
    entities=ENTITIES,
    entity_types=st.lists(WORDS),
    entity_count=st.integers(),
).map(lambda row: {"audio_id": "1", **row})
ETB = shaped(
    audio=WORDS,
    transcript=WORDS,
    subset=WORDS,
    entities=st.lists(WORDS) | WORDS,
    entity_types=st.lists(st.just("PERSON")),
    entity_tiers=st.lists(WORDS),
    id=WORDS,
).map(lambda row: {"entity_offsets": [], **row})
UTTERANCE = shaped(id=WORDS, locale=st.just("en-US"), transcript=WORDS, audio_path=WORDS)
SIDECAR = shaped(clip=st.just("en-US/a"), collects_input=st.booleans(), entities=ENTITIES)
HEADER = {"schema": 1, "name": "n", "language": "en"}

FILES: dict[str, tuple[st.SearchStrategy[Any], Callable[[Path, Any], Path]]] = {
    "native": (
        st.lists(NATIVE | JSON, max_size=3),
        lambda f, rows: jsonl(f, "clips", HEADER, *rows),
    ),
    "header": (
        shaped(schema=st.just(1), name=WORDS, types=JSON),
        lambda f, row: jsonl(f, "clips", row),
    ),
    "voicecodebench": (st.lists(VCB, max_size=3), lambda f, rows: jsonl(f, "metadata", *rows)),
    "etb": (st.lists(ETB, max_size=3), lambda f, rows: jsonl(f, "metadata", *rows)),
    "mu-bench": (st.lists(UTTERANCE | JSON, max_size=3), lambda f, rows: mubench(f, rows, [])),
    "sidecar": (st.lists(SIDECAR | JSON, max_size=3), lambda f, rows: mubench(f, [GOOD], rows)),
}
GOOD = {"id": "a", "locale": "en-US", "transcript": "", "audio_path": "a.wav"}


def jsonl(folder: Path, stem: str, *rows: object) -> Path:
    path = folder / f"{stem}.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def mubench(folder: Path, utterances: object, labels: list[object]) -> Path:
    path = folder / "manifest.json"
    path.write_text(json.dumps({"locales": [], "utterances": utterances}), encoding="utf-8")
    jsonl(folder, "entities", *labels)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILES)
@settings(max_examples=100, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_content_is_data_or_one_line_a_fault(
    tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject
) -> None:
    rows, write = FILES[kind]
    path = write(tmp_path_factory.mktemp("set"), data.draw(rows))

    try:
        dataset = load(str(path), Path())
    except InputError:
        event("refused")
    else:
        event("read")
        ids = [f"{clip.id}/{entity.id}" for clip in dataset.clips for entity in clip.entities]
        assert len(set(ids)) == len(ids)
        assert all(one.isascii() for one in ids)
        assert all(clip.path.is_relative_to(path.parent) for clip in dataset.clips)
        assert dataset.digest.startswith("sha256:")


@pytest.mark.slow
@settings(max_examples=100, suppress_health_check=list(HealthCheck))
@given(text=st.text(st.characters(codec="utf-8"), max_size=60))
@pytest.mark.parametrize("name", ["clips.yaml", "clips.jsonl", "manifest.json", "metadata.jsonl"])
def test_any_text_is_data_or_a_fault(
    tmp_path_factory: pytest.TempPathFactory, name: str, text: str
) -> None:
    path = tmp_path_factory.mktemp("set") / name
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InputError):
        load(str(path), Path())


ROW = shaped(audio_id=WORDS, pred_text=WORDS, latency_ms=st.floats(), reported_model=WORDS)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["h.jsonl", "h.json", "h.csv"])
@settings(max_examples=100, suppress_health_check=list(HealthCheck))
@given(
    rows=st.lists(ROW | JSON, max_size=3), text=st.text(st.characters(codec="utf-8"), max_size=40)
)
def test_any_hypotheses_are_transcripts_or_faults(
    tmp_path_factory: pytest.TempPathFactory, name: str, rows: list[Any], text: str
) -> None:
    path = tmp_path_factory.mktemp("hyps") / name
    lines = {
        "h.jsonl": "\n".join(json.dumps(row) for row in rows),
        "h.json": json.dumps({"items": rows}),
        "h.csv": f"audio_id,pred_text\n{text}",
    }
    path.write_text(lines[name], encoding="utf-8", newline="")

    try:
        found = read_hypotheses(path)
    except InputError:
        event("refused")
    else:
        event("read")
        assert all(isinstance(heard.text, str) for heard in found.values())
