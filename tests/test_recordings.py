"""Recordings as they come: any container, any script, whole folders, twice, and out again."""

from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray

from pytest_asrbench import audio, cli
from pytest_asrbench.commands.drafts import readable_id
from pytest_asrbench.datasets import load
from pytest_asrbench.errors import AudioError

MANIFEST = """\
schema: 1
name: calls
language: en
clips:
  # the first call ever
  - id: first
    audio: clips/first.wav
    reference: hello   # they said

  # the second
  - id: second
    audio: clips/second.wav
    reference: good bye
# the end
"""
DIGITS = "four one five five five five zero one three two"
PHONE = ("--entity", "phone_number=415-555-0132")
ffmpeg = pytest.mark.skipif(not shutil.which("ffmpeg"), reason="needs ffmpeg")


def tone(path: Path, *, seconds: float = 4.0, hertz: float = 300.0) -> NDArray[np.float64]:
    samples = 0.3 * np.sin(2 * np.pi * hertz * np.arange(int(seconds * 16_000)) / 16_000)
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, samples, 16_000)
    return samples


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two clips, the folder of the call."""
    (tmp_path / "speech").mkdir()
    (tmp_path / "speech/clips.yaml").write_text(MANIFEST)
    tone(tmp_path / "speech/clips/first.wav", hertz=200)
    tone(tmp_path / "speech/clips/second.wav", hertz=250)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def add(*arguments: str) -> int:
    return cli.main(["add", *arguments, "--data", "speech", "--yes"])


@pytest.mark.slow
@ffmpeg
@pytest.mark.parametrize("suffix", ["m4a", "mp4", "aac", "webm"])
def test_what_phones_and_browsers_record_is_converted(
    project: Path, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    tone(project / "call.wav")
    codec = ["-c:a", "libopus"] if suffix == "webm" else []
    subprocess.run(
        ["ffmpeg", "-v", "error", "-i", "call.wav", *codec, f"call.{suffix}"], check=True
    )

    assert add(f"call.{suffix}", *PHONE) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "asrbench add --convert does it, or run ffmpeg -i call." in line

    assert add(f"call.{suffix}", *PHONE, "--convert") == 0
    clip = load("speech", project).clips[-1]
    assert clip.path.name == "call.flac"
    assert audio.read(clip.path, "en").duration_s == pytest.approx(4.0, abs=0.2)


def test_without_ffmpeg_the_remedy_is_one_line(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "call.m4a").write_bytes(b"\0\0\0\x20ftypM4A " + bytes(40))
    monkeypatch.setenv("PATH", "")

    assert add("call.m4a", *PHONE, "--convert") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("call.m4a: ffmpeg, which converts it, is not installed; install it")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "subtype", "options"),
    [
        ("call.ulaw", "ULAW", ["--convert"]),
        ("call.al", "ALAW", ["--convert"]),
        ("call.raw", "ULAW", ["--raw", "mulaw"]),
        ("call.pcm", "PCM_16", ["--raw", "s16le@16000"]),
    ],
)
def test_telephone_audio_without_a_header(
    project: Path, capsys: pytest.CaptureFixture[str], name: str, subtype: str, options: list[str]
) -> None:
    samples = tone(project / "call.wav")
    soundfile.write(name, samples, 8_000, format="RAW", subtype=subtype)

    assert add(name, *PHONE) == 2
    assert "without a header" in capsys.readouterr().err
    assert add(name, *PHONE, *options) == 0
    found, rate = soundfile.read(load("speech", project).clips[-1].path)
    assert rate == (16_000 if "s16le@16000" in options else 8_000)
    assert np.corrcoef(found, samples)[0, 1] > 0.99


@pytest.mark.parametrize(
    ("name", "id_"),
    [
        ("电话 7", "DianHua_7"),
        ("звонок_3", "zvonok_3"),
        ("Größe", "Grosse"),
        ("通話 (1)", "TongHua_1"),
        ("...", "clip"),
    ],
)
def test_a_name_in_any_script_gets_a_readable_id(name: str, id_: str) -> None:
    assert readable_id(name) == id_


def test_the_same_recording_twice_is_said(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tone(project / "call.wav")
    assert add("call.wav", *PHONE) == 0
    assert "the same recording" not in capsys.readouterr().out

    shutil.copy("call.wav", "another.wav")
    assert add("another.wav", *PHONE) == 0
    assert "another: the same recording as call; asrbench remove call" in capsys.readouterr().out


def test_a_folder_and_a_table_of_references_become_clips(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for n, name in enumerate(["a", "b", "звонок 1", "left"]):
        tone(project / f"rec/{name}.wav", hertz=300 + n)
    (project / "refs.csv").write_text(
        "recording,transcript,phone_number,tags,agent\n"
        f'a.wav,"my number is {DIGITS}, thanks",415-555-0132,"smoke, phone",anna\n'
        "b,hello there,,,\n"
        "звонок 1.wav,good morning,,,\n"
    )

    assert add("rec", "--from", "refs.csv") == 0

    out = capsys.readouterr().out
    assert "not used: agent (no field of a clip, and no type)" in out
    assert "1 recording of rec without a row: left.wav" in out
    clips = {clip.id: clip for clip in load("speech", project).clips}
    assert list(clips) == ["first", "second", "a", "b", "zvonok_1"]
    assert clips["a"].tags == ("smoke", "phone")
    (entity,) = clips["a"].entities
    assert (entity.type, entity.canonical, entity.acoustic) == (
        "phone_number",
        "415-555-0132",
        DIGITS,
    )
    assert clips["b"].reference == "hello there"

    with (project / "refs.csv").open("a") as table:
        table.write("left.wav,the last one,,,\n")
    assert add("rec", "--from", "refs.csv") == 0
    out = capsys.readouterr().out
    assert "a-2: the same recording as a; left out" in out
    assert [clip.id for clip in load("speech", project).clips[5:]] == ["left"]
    assert add("rec", "--from", "refs.csv") == 0
    assert "nothing is new" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "table", "said"),
    [
        (["rec"], "", "rec is a folder; say what is said in its recordings with --from FILE"),
        (["rec/a.wav", "--from", "r.csv"], "file,text\n", "give a folder of recordings"),
        (["rec", "--from", "r.csv"], "file,text\nz.wav,hello\n", "r.csv:2: no recording rec/z.wav"),
        (["rec", "--from", "r.csv"], "file,text\na.wav,one, two\n", "r.csv:2: not as many fields"),
        (["rec", "--from", "r.csv"], "text\nhello\n", "r.csv:2: audio is missing"),
        (["rec/a.wav", "--raw", "gsm"], "", "write one of mulaw, alaw, s16le"),
    ],
)
def test_a_table_that_does_not_fit_adds_nothing(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    table: str,
    said: str,
) -> None:
    tone(project / "rec/a.wav")
    (project / "r.csv").write_text(table)

    try:
        code = add(*arguments)
    except SystemExit as exit_:
        code = int(str(exit_.code))

    assert code == 2
    assert said in capsys.readouterr().err
    assert (project / "speech/clips.yaml").read_text() == MANIFEST


def test_a_clip_leaves_with_its_recording_and_nothing_else_changes(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["remove", "secnd", "--data", "speech"]) == 2
    assert "no clip 'secnd'; did you mean second?" in capsys.readouterr().err

    assert cli.main(["remove", "first", "--data", "speech"]) == 0
    left = (project / "speech/clips.yaml").read_text()
    assert "hello" not in left
    assert left.endswith(MANIFEST[MANIFEST.index("\n  # the second") :])
    assert not (project / "speech/clips/first.wav").exists()

    assert cli.main(["remove", "second", "--data", "speech", "--keep-audio"]) == 0
    assert "clips: []" in (project / "speech/clips.yaml").read_text()
    assert (project / "speech/clips/second.wav").exists()
    tone(project / "call.wav")
    assert add("call.wav", *PHONE) == 0


def test_a_clip_leaves_a_jsonl_manifest(project: Path) -> None:
    manifest = project / "speech/clips.yaml"
    manifest.unlink()
    rows = [
        '{"schema": 1, "name": "calls", "language": "en"}',
        '{"id": "a", "audio": "clips/first.wav", "reference": "hello"}',
        '{"id": "b", "audio": "clips/first.wav", "reference": "good bye"}',
    ]
    (project / "speech/clips.jsonl").write_text("\n".join(rows) + "\n")

    assert cli.main(["remove", "a", "--data", "speech"]) == 0
    assert (project / "speech/clips.jsonl").read_text() == f"{rows[0]}\n{rows[2]}\n"
    assert (project / "speech/clips/first.wav").exists()  # b uses it too


def wav(told: int, pcm: bytes, after: bytes = b"") -> bytes:
    head = b"fmt " + struct.pack("<IHHIIHH", 16, 1, 1, 16_000, 32_000, 2, 16)
    body = b"WAVE" + head + b"data" + struct.pack("<I", told) + pcm + after
    return b"RIFF" + struct.pack("<I", len(body)) + body


NOTE = b"LIST" + struct.pack("<I", 2_000) + b"INFO" + bytes(range(1, 250)) * 8 + b"more"
PCM = (3_000 * np.sin(np.arange(32_000) / 5)).astype("<i2").tobytes()


@pytest.mark.parametrize("told", [0, 16_000, 60_000])
def test_a_header_that_tells_another_length_is_named(tmp_path: Path, told: int) -> None:
    path = tmp_path / "call.wav"
    path.write_bytes(wav(told, PCM))

    with pytest.raises(AudioError, match=rf"tells {told / 32_000:.2f} s, the file holds 2.00 s"):
        audio.read(path, "en")


@pytest.mark.parametrize(
    ("told", "after"),
    [(len(PCM), b""), (len(PCM), NOTE), (0xFFFF_FFFF, b""), (len(PCM), b"\0" * 5_000)],
    ids=["plain", "a note behind", "streamed", "filled up"],
)
def test_an_honest_header_is_believed(tmp_path: Path, told: int, after: bytes) -> None:
    path = tmp_path / "call.wav"
    path.write_bytes(wav(told, PCM, after))

    assert audio.read(path, "en").duration_s == 2.0
