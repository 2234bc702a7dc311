"""The benchmarks' layouts, each as a small hand-made folder, and how a layout is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_asrbench.datasets import load, missing_audio
from pytest_asrbench.errors import InputError

VCB = {
    "file_name": "audio/001.wav",
    "audio_id": "001",
    "language": "en",
    "duration": 7.02,
    "domain": "contact_routing",
    "difficulty": "medium",
    "speaker": {"id": "s1"},
    "transcripts": {
        "template": "Mail {{e01}}.",
        "acoustic": "Mail a at b dot com.",
        "canonical": "Mail a@b.com.",
    },
    "entities": [
        {
            "id": "e01",
            "type": "email_address",
            "role": "recipient",
            "acoustic": "a at b dot com",
            "canonical": "a@b.com",
        }
    ],
    "entity_types": ["email_address"],
    "entity_count": 1,
}
MU = {
    "locales": ["en-US", "zh-CN"],
    "utterances": [
        {
            "id": "conv-0-turn-0",
            "locale": locale,
            "conversation_id": "conv-0",
            "turn_index": 0,
            "transcript": text,
            "audio_path": f"audio/{locale}/conv-0-turn-0.wav",
            "duration_sec": 3.3,
        }
        for locale, text in [("en-US", "B H 7."), ("zh-CN", "<unintelligible>")]
    ],
}
ETB = [
    {
        "audio": "audio/a1.wav",
        "transcript": "mr smith flew to oslo",
        "subset": "MLCommons_TestPortion",
        "entities": json.dumps(["smith", "oslo"]),
        "entity_types": ["PERSON", "GPE"],
        "entity_tiers": ["A", "B"],
        "entity_offsets": [],
        "duration_s": 2.0,
    },
    {
        "audio": "audio/a2.wav",
        "transcript": "nothing",
        "subset": "Belebele_Fleurs_TestPortion",
        "entities": "[]",
        "entity_types": "[]",
        "entity_tiers": "[]",
        "entity_offsets": "[]",
        "duration_s": 1.0,
    },
]


def rows(path: Path, *data: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row) for row in data), encoding="utf-8")
    return path


def fault(spec: object) -> str:
    with pytest.raises(InputError) as caught:
        load(str(spec), Path())
    return str(caught.value)


def test_voicecodebench_is_read_with_roles_and_slices(tmp_path: Path) -> None:
    rows(tmp_path / "data/metadata.jsonl", VCB)

    (clip,) = load(str(tmp_path), Path()).clips

    assert (clip.id, clip.reference) == ("001", "Mail a at b dot com.")
    assert clip.path == tmp_path / "data/audio/001.wav"
    assert clip.slices == {"domain": "contact_routing", "difficulty": "medium"}
    assert clip.entities[0].attributes == {"role": "recipient"}
    assert (clip.entities[0].canonical, clip.row) == ("a@b.com", 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"entity_count": 2}, "entity_count is 2, but entities has 1"),
        ({"entity_types": ["url"]}, "entity_types are not the types of the entities"),
        ({"entities": None}, "entity_count is 1, but entities has 0"),
        ({"transcripts": {"template": "{{e02}}", "acoustic": "x"}}, "no entity has that id"),
        ({"transcripts": {"canonical": "x"}}, "transcripts: acoustic is missing"),
        ({"transcripts": None}, "transcripts is missing"),
        ({"language": None}, "language is missing"),
        ({"file_name": "../001.wav"}, "must stay inside the dataset's folder"),
        ({"audio_id": ""}, "audio_id is empty"),
    ],
)
def test_a_voicecodebench_row_that_contradicts_itself_is_refused(
    tmp_path: Path, change: dict[str, object], expected: str
) -> None:
    path = rows(tmp_path / "metadata.jsonl", {**VCB, **change})

    assert f"{path}:1: " in fault(path)
    assert expected in fault(path)


def test_a_repeated_audio_id_names_both_rows(tmp_path: Path) -> None:
    path = rows(tmp_path / "metadata.jsonl", VCB, VCB)

    assert f"{path}:2: id '001' is taken (row 1)" in fault(path)


def test_the_revision_is_read_from_the_hub_cache(tmp_path: Path) -> None:
    commit = "fb99d20aaade0cc16e9a33198c3fca1b1126972a"
    repo = tmp_path / "datasets--besimple-ai--voice-code-bench"
    rows(repo / f"snapshots/{commit}/data/metadata.jsonl", VCB)
    (repo / "blobs").mkdir()
    (repo / "blobs/0af3").write_bytes(b"RIFF")
    audio = repo / f"snapshots/{commit}/data/audio/001.wav"
    audio.parent.mkdir()
    audio.symlink_to(repo / "blobs/0af3")  # a snapshot is links into blobs/

    dataset = load(str(repo / "snapshots" / commit), Path())

    assert dataset.revision == commit
    assert missing_audio(dataset) == []


def test_the_revision_is_read_from_a_local_download(tmp_path: Path) -> None:
    commit = "f222a2d9aaade0cc16e9a33198c3fca1b1126972"
    rows(tmp_path / "data/metadata.jsonl", VCB)
    note = tmp_path / ".cache/huggingface/download/data/metadata.jsonl.metadata"
    note.parent.mkdir(parents=True)
    note.write_text(f"{commit}\nabc\n1764450000.0\n")

    assert load(str(tmp_path), Path()).revision == commit
    assert load(str(tmp_path / "data/metadata.jsonl"), Path()).revision == commit


def test_mu_bench_ids_are_keyed_by_locale(tmp_path: Path) -> None:
    rows(tmp_path / "manifest.json", MU)

    dataset = load(str(tmp_path), Path())

    assert [clip.id for clip in dataset.clips] == ["en-US/conv-0-turn-0", "zh-CN/conv-0-turn-0"]
    assert [clip.language for clip in dataset.clips] == ["en-US", "zh-CN"]
    assert dataset.clips[1].reference == "<unintelligible>"
    assert dataset.clips[0].slices == {"locale": "en-US"}
    assert dataset.notes == (
        "no entities.jsonl: CTEM, TSR and the input-collection slice are not measured",
    )


def test_mu_bench_takes_entities_from_the_sidecar(tmp_path: Path) -> None:
    rows(tmp_path / "manifest.json", MU)
    rows(
        tmp_path / "entities.jsonl",
        {
            "clip": "en-US/conv-0-turn-0",
            "collects_input": True,
            "entities": [{"type": "reference_id", "canonical": "BH7"}],
        },
    )

    dataset = load(str(tmp_path), Path())

    first, second = dataset.clips
    assert [(e.id, e.canonical) for e in first.entities] == [("e01", "BH7")]
    assert first.slices == {"locale": "en-US", "input_collection": "yes"}
    assert (second.entities, dataset.notes) == ((), ())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"clip": "conv-0-turn-0"}, "is no utterance of manifest.json; write <locale>/<id>"),
        ({"clip": "en-US/conv-0-turn-0", "entities": [{"type": "x"}]}, "unknown type 'x'"),
        ({"clip": "en-US/conv-0-turn-0", "collects": True}, "did you mean collects_input?"),
        ({"clip": "en-US/conv-0-turn-0", "collects_input": "yes"}, "must be true or false"),
    ],
)
def test_a_fault_of_the_sidecar_names_its_row(tmp_path: Path, row: object, expected: str) -> None:
    rows(tmp_path / "manifest.json", MU)
    path = rows(tmp_path / "entities.jsonl", row)

    assert f"{path}:1: " in fault(tmp_path)
    assert expected in fault(tmp_path)


def test_etb_spans_carry_type_and_tier_and_negatives_stay(tmp_path: Path) -> None:
    rows(tmp_path / "metadata.jsonl", *ETB)

    dataset = load(str(tmp_path), Path())

    first, negative = dataset.clips
    assert [(e.canonical, e.type, e.attributes["tier"]) for e in first.entities] == [
        ("smith", "PERSON", "A"),
        ("oslo", "GPE", "B"),
    ]
    assert (first.id, first.slices) == ("a1", {"subset": "MLCommons_TestPortion"})
    assert (negative.entities, negative.row) == ((), 2)
    assert dataset.types["PERSON"] == "person_or_team_name"


def test_etb_ids_fall_back_to_the_row(tmp_path: Path) -> None:
    rows(tmp_path / "metadata.jsonl", *({**row, "audio": "x/a.wav"} for row in ETB))

    assert [clip.id for clip in load(str(tmp_path), Path()).clips] == ["0000", "0001"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"entity_tiers": ["A"]}, "2 entities, 2 types, 1 tiers; each entity needs all three"),
        ({"entity_types": "PERSON"}, "entity_types is not JSON"),
        ({"entity_types": ["PERSON", "MONEY"]}, "entity 2: unknown type 'MONEY'"),
        ({"audio": "/a1.wav"}, "must be relative to the dataset's folder"),
        ({"transcript": None}, "transcript is missing"),
    ],
)
def test_a_fault_of_an_etb_row_is_named(
    tmp_path: Path, change: dict[str, object], expected: str
) -> None:
    path = rows(tmp_path / "metadata.jsonl", {**ETB[0], **change})

    assert f"{path}:1: " in fault(path)
    assert expected in fault(path)


def parquet(folder: Path, table: object) -> None:
    from pyarrow import parquet

    folder.mkdir(parents=True)
    parquet.write_table(table, folder / "test-00000-of-00001.parquet")


def arrow(folder: Path, table: object) -> None:
    import pyarrow

    folder.mkdir(parents=True)
    file = folder / "data-00000-of-00001.arrow"
    with pyarrow.OSFile(str(file), "wb") as sink, pyarrow.ipc.new_stream(sink, table.schema) as to:
        to.write_table(table)


@pytest.mark.slow
@pytest.mark.parametrize(("write", "at"), [(parquet, "data"), (arrow, "test"), (arrow, ".")])
def test_etb_tables_hold_the_same_data_and_their_audio_is_unpacked(
    tmp_path: Path, write: Callable[[Path, object], None], at: str
) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    listed = [
        {
            **row,
            "entity_types": json.dumps(row["entity_types"]) if index == 0 else "[]",
            "entity_tiers": json.dumps(row["entity_tiers"]) if index == 0 else "[]",
            "entity_offsets": "[]",
            "audio": {"bytes": f"audio {index}".encode(), "path": f"a{index + 1}.wav"},
        }
        for index, row in enumerate(ETB)
    ]
    rows(tmp_path / "jsonl/metadata.jsonl", *ETB)
    write(tmp_path / "tables" / at, pyarrow.Table.from_pylist(listed))

    dataset = load(str(tmp_path / "tables"), Path())

    assert dataset.digest == load(str(tmp_path / "jsonl"), Path()).digest
    assert not any(clip.path.exists() for clip in dataset.clips)
    assert missing_audio(dataset) == []
    assert [clip.path.read_bytes() for clip in dataset.clips] == [b"audio 0", b"audio 1"]


FILES = {
    "voicecodebench": ("metadata.jsonl", [VCB]),
    "mu-bench": ("manifest.json", [MU]),
    "etb": ("metadata.jsonl", ETB),
    "native": (
        "clips.jsonl",
        [
            {"schema": 1, "name": "n", "language": "en"},
            {"id": "a", "audio": "a.wav", "reference": ""},
        ],
    ),
}
PAIRS = [(named, held) for named in FILES for held in FILES if named != held]


@pytest.mark.parametrize("layout", FILES)
def test_a_layout_is_found_by_its_marker_or_named(tmp_path: Path, layout: str) -> None:
    name, data = FILES[layout]
    path = rows(tmp_path / name, *data)

    found = [load(spec, Path()).layout for spec in (str(tmp_path), f"{layout}:{path}")]

    assert found == [layout, layout]


@pytest.mark.parametrize(("named", "held"), PAIRS)
def test_a_wrong_layout_says_what_it_looks_like(tmp_path: Path, named: str, held: str) -> None:
    name, data = FILES[held]
    path = rows(tmp_path / name, *data)

    message = fault(f"{named}:{path}")

    assert f"not {named}: " in message
    assert message.endswith(f"it looks like {held}, so write {held}:{path}")


def test_two_markers_are_a_usage_error(tmp_path: Path) -> None:
    rows(tmp_path / "metadata.jsonl", VCB)
    rows(tmp_path / "manifest.json", MU)

    assert "2 datasets here (metadata.jsonl, manifest.json); name the file" in fault(tmp_path)


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("metadata.jsonl", {"x": 1}, "of no known layout"),
        ("hyps.jsonl", {"audio_id": "1", "pred_text": "x"}, "give it to --hypotheses"),
        ("manifest.json", {"items": []}, "give it to --hypotheses"),
        ("notes.txt", {}, "not a dataset; one is YAML, JSONL, JSON, Parquet or Arrow"),
    ],
)
def test_a_file_that_is_no_dataset_says_so(
    tmp_path: Path, name: str, data: object, expected: str
) -> None:
    assert expected in fault(rows(tmp_path / name, data))


def test_an_empty_folder_or_an_unknown_layout_is_named(tmp_path: Path) -> None:
    assert "no dataset in this folder; looked for clips.yaml" in fault(tmp_path)
    assert "no such file or folder" in fault(tmp_path / "gone.yaml")
    assert "no layout 'vcb'; known: native, voicecodebench" in fault(f"vcb:{tmp_path.name}")
