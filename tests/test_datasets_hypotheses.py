"""Recorded transcripts: their file formats, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_asrbench.datasets.hypotheses import check_coverage, read_hypotheses
from pytest_asrbench.errors import InputError

ROWS = [{"audio_id": "002", "pred_text": "  raw, Text "}, {"audio_id": "003", "pred_text": ""}]


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def jsonl(*rows: object) -> str:
    return "\n".join(json.dumps(row) for row in rows)


PREDICTIONS = {
    "run_metadata": {"model_id": "m"},
    "items": [{"audio_id": row["audio_id"], "model_transcript": row["pred_text"]} for row in ROWS],
}
FORMATS = [
    ("h.jsonl", jsonl(*ROWS)),
    ("h.jsonl", jsonl(*({"clip": r["audio_id"], "text": r["pred_text"]} for r in ROWS))),
    ("h.jsonl", jsonl(*({"id": r["audio_id"], "hypothesis": r["pred_text"]} for r in ROWS))),
    ("h.json", json.dumps(PREDICTIONS)),
    ("h.csv", 'audio_id,pred_text\r\n002,"  raw, Text "\r\n003,""\r\n'),
]


@pytest.mark.parametrize(("name", "text"), FORMATS)
def test_each_format_gives_the_text_untouched(tmp_path: Path, name: str, text: str) -> None:
    found = read_hypotheses(write(tmp_path, name, text))

    assert {key: value.text for key, value in found.items()} == {"002": "  raw, Text ", "003": ""}


def test_latency_and_model_are_kept(tmp_path: Path) -> None:
    row = {"audio_id": "1", "pred_text": "x", "latency_ms": 41, "reported_model": "m-3"}

    found = read_hypotheses(write(tmp_path, "h.jsonl", jsonl(row)))["1"]

    assert (found.latency_ms, found.reported_model) == (41.0, "m-3")


def cassette(*systems: str) -> str:
    header = {
        "schema": 1,
        "cassette": "c",
        "providers": {name: {} for name in systems},
        "verifiers": {},
    }
    rows = [{"clip": "1", "provider": name, "repeat": 1, "text": f"by {name}"} for name in systems]
    return jsonl(header, *rows, {**rows[0], "repeat": 2}, {"judged": "by a", "verifier": "llm"})


def test_a_cassette_gives_the_transcripts_of_one_system(tmp_path: Path) -> None:
    one, two = (
        write(tmp_path, "1.jsonl", cassette("a")),
        write(tmp_path, "2.jsonl", cassette("a", "b")),
    )

    assert read_hypotheses(one)["1"].text == "by a"
    assert read_hypotheses(two, system="b")["1"].text == "by b"
    with pytest.raises(InputError, match="holds transcripts by a, b; say `system:`"):
        read_hypotheses(two)
    with pytest.raises(InputError, match="holds none by system 'c', but by a, b"):
        read_hypotheses(two, system="c")


FAULTS = [
    (jsonl({"audio_id": "1"}), "1: no transcript under pred_text"),
    (jsonl({"audio_id": "1", "pred_text": None}), "1: no transcript under pred_text"),
    (jsonl({"audio_id": "1", "pred_text": 5}), "1: no transcript under pred_text"),
    (jsonl({"pred_text": "x"}), "no clip id; write it under one of audio_id, clip"),
    (jsonl({"audio_id": "9", "pred_text": "x"}), "9 is no clip of the dataset"),
    (jsonl({"audio_id": "1", "pred_text": "x", "latency_ms": "fast"}), "'fast' is no number"),
    (jsonl({"audio_id": "1", "pred_text": "x", "latency_ms": -1}), "-1 is no number"),
    (jsonl({"audio_id": "1", "pred_text": "x", "latency_ms": 10**400}), "000 is no number"),
    (jsonl({"audio_id": "1", "pred_text": "x", "latency_ms": 1e300}), "1e+300 is no number"),
]


@pytest.mark.parametrize(("text", "expected"), FAULTS)
def test_a_fault_names_its_row(tmp_path: Path, text: str, expected: str) -> None:
    path = write(tmp_path, "h.jsonl", text)

    with pytest.raises(InputError) as caught:
        read_hypotheses(path, clips=["1", "2"])

    assert str(caught.value).startswith(f"{path}:1: ")
    assert expected in str(caught.value)


def test_an_id_that_stands_twice_names_both_rows(tmp_path: Path) -> None:
    path = write(tmp_path, "h.jsonl", jsonl(ROWS[0], ROWS[1], ROWS[0]))

    with pytest.raises(InputError, match=r":3: 002 has a transcript already \(row 1\); keep one"):
        read_hypotheses(path)


def test_a_fault_of_released_predictions_names_the_item(tmp_path: Path) -> None:
    path = write(tmp_path, "h.json", json.dumps({"items": [ROWS[0], {"audio_id": "7"}]}))

    with pytest.raises(InputError, match="item 2: 7: no transcript"):
        read_hypotheses(path)


def test_incomplete_coverage_lists_the_clips(tmp_path: Path) -> None:
    path = tmp_path / "h.jsonl"

    check_coverage(path, {"1", "2"}, ["1", "2"])
    with pytest.raises(InputError, match=r"no transcript for 2 clips \(2, 3\); add them"):
        check_coverage(path, {"1"}, ["1", "2", "3"])


def submission(folder: Path) -> Path:
    measured = {"en-US/conv-0-turn-0": {"roundTripMs": 269.1}}
    write(folder, "en-US/conv-0-turn-0.txt", "B H 7.\n")
    write(folder, "zh-CN/conv-0-turn-0.txt", "")
    write(folder, "latency.json", json.dumps({"meta": {}, "measurements": measured}))
    write(folder, "metadata.yaml", "model: acme-stt\nversion: '1'\n")
    return folder


def test_a_mu_bench_submission_is_read_by_locale_and_id(tmp_path: Path) -> None:
    found = read_hypotheses(submission(tmp_path))

    assert {key: value.text for key, value in found.items()} == {
        "en-US/conv-0-turn-0": "B H 7.\n",
        "zh-CN/conv-0-turn-0": "",
    }
    first, second = found.values()
    assert (first.latency_ms, second.latency_ms) == (269.1, None)
    assert first.reported_model == "acme-stt"


def test_streaming_latency_is_the_final_text_and_the_first(tmp_path: Path) -> None:
    times = {"en-US/conv-0-turn-0": {"ttftMs": 190, "completeMs": 780.5}}
    submission(tmp_path)
    write(tmp_path, "latency.json", json.dumps({"meta": {}, "measurements": times}))

    found = read_hypotheses(tmp_path)["en-US/conv-0-turn-0"]

    assert (found.first_text_ms, found.latency_ms) == (190.0, 780.5)


def test_a_latency_that_no_call_took_is_none(tmp_path: Path) -> None:
    times = {"en-US/conv-0-turn-0": {"ttftMs": 10**400, "completeMs": 1e300}}
    submission(tmp_path)
    write(tmp_path, "latency.json", json.dumps({"meta": {}, "measurements": times}))

    found = read_hypotheses(tmp_path)["en-US/conv-0-turn-0"]

    assert (found.first_text_ms, found.latency_ms) == (None, None)


def test_faults_of_a_submission_are_listed(tmp_path: Path) -> None:
    submission(tmp_path)
    (tmp_path / "en-US/conv-0-turn-0.txt").write_bytes(b"\xff")

    with pytest.raises(InputError) as caught:
        read_hypotheses(tmp_path, clips=["en-US/conv-0-turn-0"])

    first, second = str(caught.value).split("\n")
    assert "en-US/conv-0-turn-0.txt can't be read" in first
    assert "zh-CN/conv-0-turn-0 is no clip of the dataset" in second


def test_a_folder_without_locales_is_no_submission(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no <locale>/<id>.txt here; give a submission's folder"):
        read_hypotheses(tmp_path)


REFUSED = [
    ("h.csv", "audio_id,pred_text\n002,the fee is $15,000\n003,x\n", ":2: more fields than col"),
    ("h.csv", "audio_id,pred_text,pred_text\n002,a,b\n", ":1: column 'pred_text' stands twice"),
    ("h.jsonl", jsonl({"clip": "002", "text": "", "error": "timeout"}), ":1: 002: its call failed"),
    ("h.jsonl", jsonl({"clip": "2", "text": "x", "error": {"kind": "auth"}}), ":1: 2: its call f"),
]


@pytest.mark.parametrize(("name", "text", "says"), REFUSED)
def test_no_half_or_failed_transcript_is_read(
    tmp_path: Path, name: str, text: str, says: str
) -> None:
    with pytest.raises(InputError) as refused:
        read_hypotheses(write(tmp_path, name, text))

    assert says in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_an_empty_error_is_none(tmp_path: Path) -> None:
    path = write(tmp_path, "h.jsonl", jsonl({"clip": "002", "text": "x", "error": None}))

    assert read_hypotheses(path)["002"].text == "x"
