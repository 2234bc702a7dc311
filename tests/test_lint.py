"""Each planted fault is found, with its row and rule; a sound clip is left alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from pytest_asrbench import cli
from pytest_asrbench.datasets import load
from pytest_asrbench.lint import Finding, lint
from pytest_asrbench.verifiers.rules import Rules

RATE = 16_000
HEADER = {"schema": 1, "name": "set", "language": "en"}
CLIP = {
    "id": "a",
    "audio": "a.wav",
    "reference": "please send it to order number b h seven four",
    "entities": [{"type": "reference_id", "canonical": "BH-74", "acoustic": "b h seven four"}],
}


def tone(seconds: float = 4.0, level: float = 0.3, rate: int = RATE) -> np.ndarray:
    return level * np.sin(np.linspace(0, 440 * 2 * np.pi * seconds, int(seconds * rate)))


def save(path: Path, samples: np.ndarray, rate: int = RATE, **options: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, samples, rate, **options)


def manifest(folder: Path, *clips: Mapping[str, Any], header: Mapping[str, Any] = HEADER) -> Path:
    path = folder / "clips.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in (header, *clips)), encoding="utf-8")
    return path


def found(path: Path, *, audio: bool = False) -> list[tuple[str, str, str]]:
    """(level, rule, clip or clip/entity) of each finding."""
    dataset = load(str(path), Path())
    return [_short(f) for f in lint(dataset, Rules(types=dataset.types, policy={}), audio=audio)]


def _short(finding: Finding) -> tuple[str, str, str]:
    name = "/".join(part for part in (finding.clip, finding.entity) if part)
    return finding.level, finding.rule, name


def entity(**change: object) -> dict[str, Any]:
    return {**CLIP, "entities": [{**CLIP["entities"][0], **change}]}  # type: ignore[dict-item, index] # a literal above


def test_a_sound_clip_has_no_finding(tmp_path: Path) -> None:
    save(tmp_path / "a.wav", tone())

    assert found(manifest(tmp_path, CLIP), audio=True) == []


TEXT_FAULTS = [
    (entity(canonical="BH-75"), ("error", "acoustic", "a/e01")),
    (entity(canonical="BH-75", acoustic=None), ("error", "reference", "a/e01")),
    (entity(acoustic="bee aitch seventy four"), ("warning", "spoken-form", "a/e01")),
    ({**CLIP, "reference": "nothing of the kind"}, ("error", "reference", "a/e01")),
    ({**CLIP, "reference": f"{CLIP['reference']} \u200b"}, ("warning", "encoding", "a")),
    ({**CLIP, "reference": f"{CLIP['reference']} cafÃ©"}, ("warning", "encoding", "a")),
    ({**CLIP, "reference": f"{CLIP['reference']} cafe\u0301"}, ("warning", "encoding", "a")),
    ({**CLIP, "reference": f"{CLIP['reference']} \ufffd"}, ("warning", "encoding", "a")),
    (entity(canonical="BH-74 "), ("warning", "encoding", "a/e01")),
    ({**CLIP, "language": "xx"}, ("warning", "unchecked", "a")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("clip", "expected"), TEXT_FAULTS)
def test_a_fault_of_the_text_is_found(
    tmp_path: Path, clip: dict[str, Any], expected: tuple[str, str, str]
) -> None:
    assert expected in found(manifest(tmp_path, clip))


PERSONAL = [
    ("phone_number", "212-664-7665", True),
    ("phone_number", "415-555-0132", False),
    ("phone_number", "+1 (312) 555-0199", False),
    ("phone_number", "415-555-0232", True),
    ("email_address", "j.ramirez@gmail.com", True),
    ("email_address", "j.ramirez@example.com", False),
    ("email_address", "a@mail.example.org", False),
    ("email_address", "a@host.test", False),
    ("email_address", "a@notexample.com", True),
    ("account_or_record_number", "4111 1111 1111 1111", True),
    ("account_or_record_number", "4111 1111 1111 1112", False),
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "value", "suspect"), PERSONAL)
def test_real_looking_personal_data_is_a_warning(
    tmp_path: Path, kind: str, value: str, suspect: bool
) -> None:
    clip = {**CLIP, "reference": value, "entities": [{"type": kind, "canonical": value}]}

    personal = [f for f in found(manifest(tmp_path, clip)) if f[1] == "personal"]

    assert personal == ([("warning", "personal", "a/e01")] if suspect else [])


def test_personal_data_in_the_reference_is_found_too(tmp_path: Path) -> None:
    clip = {"id": "a", "audio": "a.wav", "reference": "mail bob@corp.com or call (212) 664-7665"}

    assert found(manifest(tmp_path, clip)) == [("warning", "personal", "a")] * 2


def test_an_own_type_like_a_phone_number_is_one(tmp_path: Path) -> None:
    header = {**HEADER, "types": {"callback": {"like": "phone_number"}}}
    clip = {
        **CLIP,
        "reference": "212-664-7665",
        "entities": [{"type": "callback", "canonical": "212-664-7665"}],
    }

    assert ("warning", "personal", "a/e01") in found(manifest(tmp_path, clip, header=header))


def test_duplicates_are_found_and_near_ones(tmp_path: Path) -> None:
    same = {**CLIP, "id": "b"}
    near = {**CLIP, "id": "c", "reference": "please send it to order number b h seven four ok"}
    other = {**CLIP, "id": "d", "reference": "I was told that it is b h seven four by the agent"}

    duplicate = [
        f[2] for f in found(manifest(tmp_path, CLIP, same, near, other)) if f[1] == "duplicate"
    ]

    assert duplicate == ["b", "c"]


def test_clips_that_differ_in_their_values_are_no_duplicates(tmp_path: Path) -> None:
    other = {
        "id": "b",
        "audio": "b.wav",
        "reference": "please send it to order number b h seven five",
        "entities": [{"type": "reference_id", "canonical": "BH-75"}],
    }

    assert found(manifest(tmp_path, CLIP, other)) == []


def test_a_value_that_stands_twice_is_found(tmp_path: Path) -> None:
    twice = {
        **CLIP,
        "entities": [*CLIP["entities"], {"type": "reference_id", "canonical": "BH 74"}],
    }  # type: ignore[misc] # a literal above
    many = [{**CLIP, "id": f"n{n}", "reference": f"{n} b h seven four"} for n in range(5)]

    rules = [f[1:] for f in found(manifest(tmp_path, twice))]
    spread = [f[1:] for f in found(manifest(tmp_path, *many))]

    assert ("duplicate-value", "a/e02") in rules
    assert ("duplicate-value", "n3") in spread


def test_a_declared_type_that_nothing_uses_is_found(tmp_path: Path) -> None:
    header = {**HEADER, "types": {"code": {"like": "reference_id"}}}

    assert found(manifest(tmp_path, CLIP, header=header)) == [("warning", "type", "")]


def clipped() -> np.ndarray:
    return np.clip(tone(level=3.0), -1, 1)


AUDIO_FAULTS = [
    ("a.wav", tone(), 11_025, {}, ("warning", "rate", "a")),
    ("a.wav", np.stack([tone(), tone()], axis=1), RATE, {}, ("warning", "channels", "a")),
    ("a.wav", tone() * 0, RATE, {}, ("error", "silent", "a")),
    ("a.wav", clipped(), RATE, {}, ("warning", "clipped", "a")),
    ("a.wav", tone(301, rate=8_000), 8_000, {}, ("warning", "length", "a")),
    ("a.wav", tone(0.5), RATE, {}, ("warning", "cut", "a")),
    ("a.wav", tone(), RATE, {"format": "FLAC"}, ("warning", "format", "a")),
    ("a.mp3", tone(), RATE, {}, ("warning", "format", "a")),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "samples", "rate", "options", "expected"),
    AUDIO_FAULTS,
    ids=[f"{each[-1][1]}-{each[0]}" for each in AUDIO_FAULTS],
)
def test_a_fault_of_the_audio_is_found(
    tmp_path: Path,
    name: str,
    samples: np.ndarray,
    rate: int,
    options: dict[str, str],
    expected: tuple[str, str, str],
) -> None:
    save(tmp_path / name, samples, rate, **options)

    assert found(manifest(tmp_path, {**CLIP, "audio": name}), audio=True) == [expected]


@pytest.mark.parametrize("content", [None, b"", b"not audio at all"])
def test_audio_that_is_not_there_or_not_readable_is_an_error(
    tmp_path: Path, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "a.wav").write_bytes(content)

    assert found(manifest(tmp_path, CLIP), audio=True) == [("error", "audio", "a")]


def test_silence_is_right_where_nothing_is_said(tmp_path: Path) -> None:
    save(tmp_path / "a.wav", tone() * 0)

    assert (
        found(manifest(tmp_path, {"id": "a", "audio": "a.wav", "reference": ""}), audio=True) == []
    )


def test_the_command_prints_file_row_and_remedy_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = manifest(tmp_path, CLIP, {**entity(canonical="BH-75"), "id": "b"})
    report = tmp_path / "lint.json"

    code = cli.main(["lint", str(path), "--no-audio", "--json", str(report)])

    lines = capsys.readouterr().out.splitlines()
    assert code == 1
    assert lines[0].startswith(f"{path}:3: error: b/e01: 'BH-75' is not recoverable from its own ")
    assert lines[0].endswith("; correct canonical or acoustic [acoustic]")
    assert lines[-1] == f"{path}: 1 error, 1 warning"
    written = json.loads(report.read_text())
    assert {(f["row"], f["rule"]) for f in written["findings"]} == {
        (3, "acoustic"),
        (3, "duplicate"),
    }


@pytest.mark.parametrize(("flags", "code"), [([], 0), (["--strict"], 1)])
def test_warnings_fail_where_asked(tmp_path: Path, flags: list[str], code: int) -> None:
    path = manifest(tmp_path, {"id": "a", "audio": "a.wav", "reference": "mail bob@corp.com"})

    assert cli.main(["lint", str(path), "--no-audio", *flags]) == code


def test_a_faulty_manifest_is_linted_and_a_missing_one_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = manifest(tmp_path, {**CLIP, "id": "a b", "entites": []})

    assert cli.main(["lint", str(path)]) == 1
    out = capsys.readouterr().out
    assert f"{path}:2: error: clip: unknown key 'entites'; did you mean entities? [manifest]" in out
    assert f"{path}:2: error: a b: no audio at {tmp_path}/a.wav; add it or correct the path" in out
    assert "3 errors, 0 warnings" in out
    assert cli.main(["lint", str(tmp_path / "gone.yaml")]) == 2


def test_faults_of_form_hide_none_of_content(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = {**entity(type="refrence_id"), "id": "wrong"}
    unnamed = {**CLIP, "id": "unnamed", "audio": ""}
    unheard = {**entity(acoustic="q 9"), "id": "unheard", "audio": "b.wav"}
    save(tmp_path / "b.wav", tone(level=0.0))
    path = manifest(tmp_path, wrong, unnamed, unheard)

    code = cli.main(["lint", str(path)])

    lines = [line.removeprefix(f"{path}:") for line in capsys.readouterr().out.splitlines()]
    assert code == 1
    for text in (
        "2: error: wrong: entity 1: unknown type 'refrence_id'",
        f"2: error: wrong: no audio at {tmp_path}/a.wav",
        "3: error: unnamed: audio is empty",
        "4: error: unheard/e01: ",
        "4: error: unheard: silent",
    ):
        assert [line for line in lines if line.startswith(text)], text
    assert not [line for line in lines if "no audio" in line and "unnamed" in line]
