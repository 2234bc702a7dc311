"""The native manifest, as YAML and as JSONL."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrbench.datasets import check_audio, load, missing_audio
from pytest_asrbench.datasets.types import ENTITY_TYPES
from pytest_asrbench.errors import InputError

HEADER = {"schema": 1, "name": "set", "language": "en"}

MANIFEST = """\
schema: 1
name: calls
language: en
types: {confirmation_code: {like: reference_id}}
clips:
  - id: refund_03
    audio: clips/refund_03.flac
    reference: it starts at 12:30, not no
    domain: support
    difficulty: hard
    tags: [smoke]
    entities:
      - {type: time, canonical: 12:30}
      - id: code
        type: confirmation_code
        canonical: 0132
        acoustic: oh one three two
        accept: [1.10, NO]
  - id: silence
    audio: clips/silence.flac
    reference: ""
    language: es-MX
"""


def write(folder: Path, text: str, name: str = "clips.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def jsonl(folder: Path, *rows: object) -> Path:
    return write(folder, "\n".join(json.dumps(row) for row in rows), "clips.jsonl")


def faults(path: Path, **types: str) -> list[str]:
    """The lines of the error that loading raises, without the folder."""
    with pytest.raises(InputError) as caught:
        load(str(path), Path(), types)
    return str(caught.value).replace(f"{path.parent}/", "").split("\n")


def test_scalars_are_read_as_they_were_written(tmp_path: Path) -> None:
    write(tmp_path, MANIFEST)

    dataset = load(str(tmp_path), Path())

    refund, silence = dataset.clips
    assert (dataset.name, dataset.layout, dataset.folder) == ("calls", "native", tmp_path)
    assert [e.id for e in refund.entities] == ["e01", "code"]
    assert [e.canonical for e in refund.entities] == ["12:30", "0132"]
    assert refund.entities[1].accept == ("1.10", "NO")
    assert refund.slices == {"domain": "support", "difficulty": "hard"}
    assert (refund.tags, refund.row, refund.path) == (
        ("smoke",),
        6,
        tmp_path / "clips/refund_03.flac",
    )
    assert (silence.reference, silence.language, silence.entities) == ("", "es-MX", ())
    assert dataset.types == {"confirmation_code": "reference_id"}


def test_jsonl_holds_the_same_data_as_yaml(tmp_path: Path) -> None:
    header = {**HEADER, "name": "calls", "types": {"confirmation_code": {"like": "reference_id"}}}
    code = {"id": "code", "type": "confirmation_code", "canonical": "0132"}
    refund = {
        "id": "refund_03",
        "audio": "clips/refund_03.flac",
        "reference": "it starts at 12:30, not no",
        "domain": "support",
        "difficulty": "hard",
        "tags": ["smoke"],
        "entities": [
            {"type": "time", "canonical": "12:30"},
            {**code, "acoustic": "oh one three two", "accept": ["1.10", "NO"]},
        ],
    }
    silence = {"id": "silence", "audio": "clips/silence.flac", "reference": "", "language": "es-MX"}
    (tmp_path / "j").mkdir()
    write(tmp_path, MANIFEST)
    path = jsonl(tmp_path / "j", header, refund, silence)

    assert load(str(path), Path()).digest == load(str(tmp_path), Path()).digest
    assert [clip.row for clip in load(str(path), Path()).clips] == [2, 3]


def test_a_number_in_jsonl_keeps_its_zeros(tmp_path: Path) -> None:
    entities = '[{"type": "version", "canonical": 1.10}]'
    row = f'{{"id": "a", "audio": "a.wav", "reference": "", "entities": {entities}}}'
    write(tmp_path, json.dumps(HEADER) + "\n" + row, "clips.jsonl")

    assert load(str(tmp_path), Path()).clips[0].entities[0].canonical == "1.10"


CLIP_FAULTS = [
    ({"id": "a b"}, "id 'a b': letters, digits and"),
    ({"id": "naïve"}, "id 'naïve': letters, digits and"),
    ({"id": "a//b"}, "id 'a//b': letters, digits and"),
    ({"id": None}, "id is missing"),
    ({"audio": "/etc/passwd"}, "must be relative to the dataset's folder"),
    ({"audio": "~/a.wav"}, "must be relative to the dataset's folder"),
    ({"audio": "C:/a.wav"}, "must be relative to the dataset's folder"),
    ({"audio": "x/../../a.wav"}, "must stay inside the dataset's folder, without .."),
    ({"audio": "x\\a.wav"}, "use / between folders"),
    ({"audio": ""}, "audio is empty"),
    ({"reference": None}, 'reference is missing; write "" where nothing is said'),
    ({"reference": "\ud800"}, "half a character"),
    ({"reference": True}, "reference must be text, not true; put it in quotes"),
    ({"language": "english"}, "language 'english' is no language tag"),
    ({"entites": []}, "unknown key 'entites'; did you mean entities?"),
    ({"entities": {"type": "date"}}, "entities must be a list"),
    ({"entities": ["x"]}, "entity 1 must have keys and values"),
    ({"entities": [{"type": "date"}]}, "entity 1: canonical is missing"),
    ({"entities": [{"canonical": "x"}]}, "entity 1: type is missing"),
    ({"entities": [{"type": "dat", "canonical": "x"}]}, "unknown type 'dat'; did you mean date?"),
    ({"entities": [{"id": "a/b", "type": "date", "canonical": "x"}]}, "id 'a/b': letters"),
    (
        {"entities": [{"id": "e", "type": "date", "canonical": "x"}] * 2},
        "entity 2: id 'e' is taken (row 2)",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("change", "expected"), CLIP_FAULTS, ids=[e for _, e in CLIP_FAULTS])
def test_a_fault_names_file_row_and_remedy(
    tmp_path: Path, change: dict[str, object], expected: str
) -> None:
    path = jsonl(tmp_path, HEADER, {"id": "a", "audio": "a.wav", "reference": "x", **change})

    first, *_ = faults(path)

    assert first.startswith("clips.jsonl:2: ")
    assert expected in first


@pytest.mark.slow
def test_all_faults_are_told_at_once_in_order(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """\
schema: 1
name: calls
language: en
clips:
  - id: a
    audio: ../a.wav
    reference:
  - id: a
    audio: a.wav
    reference: x
    entities:
      - {type: code, canonical: x}
""",
    )

    told = faults(path)
    assert [line.split(" ")[0] for line in told[:5]] == [
        "clips.yaml:5:",
        "clips.yaml:6:",
        "clips.yaml:8:",
        "clips.yaml:12:",
        "known",
    ]
    assert all(name in " ".join(told[4:]) for name in ENTITY_TYPES)


HEADER_FAULTS = [
    ({"schema": 2}, "schema '2' is not known; this version reads 1"),
    ({"name": None}, "name is missing"),
    ({"types": {"date": {"like": "time"}}}, "type date is built in"),
    ({"types": {"my code": {"like": "time"}}}, "a name has letters, digits"),
    ({"types": {"code": {"like": "refernce"}}}, "like: 'refernce' is not known"),
    ({"types": {"code": {"like": {"": None}}}}, "is not known; one of"),
    ({"types": {"code": {"like": "time"}}}, "type code is like reference_id in the settings"),
    ({"lang": "en"}, "unknown key 'lang'; did you mean language?"),
]


@pytest.mark.parametrize(("change", "expected"), HEADER_FAULTS, ids=[e for _, e in HEADER_FAULTS])
def test_a_fault_of_the_header_is_named(
    tmp_path: Path, change: dict[str, object], expected: str
) -> None:
    path = jsonl(tmp_path, {**HEADER, **change}, {"id": "a", "audio": "a", "reference": ""})

    assert expected in faults(path, code="reference_id")[0]


def test_a_type_of_the_settings_may_be_used(tmp_path: Path) -> None:
    entity = {"type": "code", "canonical": "B7"}
    jsonl(tmp_path, HEADER, {"id": "a", "audio": "a", "reference": "", "entities": [entity]})

    dataset = load(str(tmp_path), Path(), {"code": "reference_id"})

    assert dataset.types == {"code": "reference_id"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "empty; the first line is the header"),
        ('{"id": "a"}', ":1: the first line must be the header"),
        (json.dumps(HEADER), "no clips; add one"),
        (json.dumps(HEADER) + "\n[]", ":2: expected an object"),
        (json.dumps(HEADER) + "\n{", ":2: not JSON"),
        (json.dumps(HEADER) + '\n{"id": "a", "id": "b"}', ":2: not JSON: key 'id' stands twice"),
        (json.dumps(HEADER) + '\n{"id": NaN}', ":2: not JSON: NaN is no JSON value"),
    ],
)
def test_a_broken_jsonl_is_one_line(tmp_path: Path, text: str, expected: str) -> None:
    (line,) = faults(write(tmp_path, text, "clips.jsonl"))

    assert expected in line


def test_text_that_is_not_utf8_names_its_row(tmp_path: Path) -> None:
    path = tmp_path / "clips.jsonl"
    path.write_bytes(json.dumps(HEADER).encode() + b'\n{"id": "\xff"}')

    assert faults(path) == ["clips.jsonl:2: not UTF-8 (invalid start byte)"]


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    (tmp_path / "secret.wav").write_text("x")
    (tmp_path / "other").mkdir()
    (folder / "link.wav").symlink_to(tmp_path / "secret.wav")
    (folder / "inside.wav").write_text("x")
    (folder / "alias.wav").symlink_to("inside.wav")
    (folder / "away").symlink_to(tmp_path / "other")
    names = ["link.wav", "alias.wav", "away/x.wav"]
    rows = [{"id": name, "audio": name, "reference": ""} for name in names]

    path = jsonl(folder, HEADER, *rows)

    assert [line.split(": ")[1] for line in faults(path)] == ["link.wav", "away/x.wav"]


def test_missing_audio_is_listed_at_once(tmp_path: Path) -> None:
    write(tmp_path, MANIFEST)
    dataset = load(str(tmp_path), Path())

    assert missing_audio(dataset) == list(dataset.clips)
    with pytest.raises(InputError, match=r"(?s)clips.yaml:6: refund_03: no audio at .*:19: silen"):
        check_audio(dataset)


def test_a_relative_path_is_relative_to_the_base(tmp_path: Path) -> None:
    write(tmp_path, MANIFEST)

    assert load(tmp_path.name, tmp_path.parent).path == tmp_path / "clips.yaml"


RE_TEXT = st.text(st.characters(codec="utf-8"), min_size=1).filter(lambda text: text.strip())


@pytest.mark.slow
@given(reference=RE_TEXT, canonical=RE_TEXT)
def test_any_text_survives_jsonl(
    tmp_path_factory: pytest.TempPathFactory, reference: str, canonical: str
) -> None:
    entity = {"type": "domain_term", "canonical": canonical}
    row = {"id": "a", "audio": "a.wav", "reference": reference, "entities": [entity]}
    path = jsonl(tmp_path_factory.mktemp("set"), HEADER, row)

    clip = load(str(path), Path()).clips[0]

    assert (clip.reference, clip.entities[0].canonical) == (reference, canonical)


def test_a_value_that_yaml_cuts_short_is_refused(tmp_path: Path) -> None:
    """`12 Oak Street #4` is `12 Oak Street` to YAML, which another flat's address has too."""
    manifest = tmp_path / "clips.yaml"
    manifest.write_text(
        "schema: 1\nname: x\nlanguage: en # of all\nclips:\n"
        "  - id: a # the first\n    audio: a.wav\n"
        "    reference: twelve oak street number four  # slowly\n"
        "    entities:\n      - type: street_address\n        acoustic: 'x #4'\n"
        "        canonical: 12 Oak Street #4\n"
    )
    with pytest.raises(InputError) as refused:
        load(str(manifest), tmp_path, {})

    (line,) = [line for line in str(refused.value).splitlines() if "ends before" in line]
    assert "clips.yaml:11: canonical ends before ` #`" in line
    assert "put the value in quotes" in line
