"""What a provider gets to hear is exactly what lies on disk, or one line says why not."""

from __future__ import annotations

import gc
import hashlib
import io
import re
import struct
import subprocess
import sys
import wave
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from pytest_asrbench import audio
from pytest_asrbench.errors import AudioError


def tone(rate: int = 16_000, seconds: float = 0.5) -> np.ndarray:
    """A sine of 440 Hz as 16-bit samples."""
    radians = 2 * np.pi * 440 * np.arange(int(rate * seconds)) / rate
    return (8000 * np.sin(radians)).astype(np.int16)


def encoded(samples: np.ndarray, rate: int = 16_000, form: str = "WAV", **options: str) -> bytes:
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, rate, format=form, **options)
    return buffer.getvalue()


WHOLE_FLAC = encoded(tone(seconds=3), form="FLAC")
WHOLE_WAV = encoded(tone())


@pytest.fixture
def read(tmp_path):
    def read_bytes(data: bytes, name: str = "refund_415.flac") -> audio.Audio:
        path = tmp_path / name
        path.write_bytes(data)
        return audio.read(path, "en")

    return read_bytes


def wav_content(data: bytes) -> tuple[int, int, int, bytes]:
    with wave.open(io.BytesIO(data)) as file:
        return (
            file.getframerate(),
            file.getnchannels(),
            file.getsampwidth(),
            file.readframes(file.getnframes()),
        )


@pytest.mark.parametrize(
    ("form", "media_type", "suffix"),
    [
        ("WAV", "audio/wav", ".wav"),
        ("FLAC", "audio/flac", ".flac"),
        ("OGG", "audio/ogg", ".ogg"),
        ("MP3", "audio/mpeg", ".mp3"),
        ("AIFF", "audio/aiff", ".aiff"),
    ],
)
def test_each_format_is_told_by_its_content(read, form, media_type, suffix):
    heard = read(encoded(tone(), form=form), "no-suffix")

    assert (heard.media_type, heard.suffix, heard.rate) == (media_type, suffix, 16_000)
    assert heard.duration_s == pytest.approx(0.5, abs=0.1)


def test_the_bytes_are_the_file_and_hashed_as_such(read):
    data = encoded(tone(), form="FLAC")

    heard = read(data)

    assert heard.data == data
    assert heard.sha256 == hashlib.sha256(data).hexdigest()


@pytest.mark.slow
@given(arrays.arrays(np.int16, st.tuples(st.integers(1, 200), st.integers(1, 3))))
def test_sixteen_bit_samples_survive_unchanged(tmp_path_factory, samples):
    path = tmp_path_factory.mktemp("audio") / "clip.flac"
    path.write_bytes(encoded(samples, form="FLAC"))

    heard = audio.read(path, "en")

    rate, channels, width, pcm = wav_content(heard.wav)
    assert (rate, channels, width) == (16_000, samples.shape[1], 2)
    assert pcm == samples.astype("<i2").tobytes()


@pytest.mark.slow
@given(
    arrays.arrays(np.int16, st.tuples(st.integers(1, 200), st.integers(1, 3))),
    st.sampled_from([8_000, 16_000, 44_100]),
)
def test_a_plain_wav_reads_as_it_would_through_libsndfile(tmp_path_factory, samples, rate):
    folder = tmp_path_factory.mktemp("audio")
    (folder / "plain.wav").write_bytes(encoded(samples, rate))
    (folder / "same.flac").write_bytes(encoded(samples, rate, form="FLAC"))

    plain, same = (audio.read(path, "en") for path in sorted(folder.iterdir()))

    assert (plain.rate, plain.channels, plain.duration_s) == (
        same.rate, same.channels, same.duration_s,
    )  # fmt: skip
    np.testing.assert_array_equal(plain.signal, same.signal)
    assert (plain.wav, plain.pcm16(rate)) == (same.wav, same.pcm16(rate))


@pytest.mark.parametrize("subtype", ["PCM_24", "PCM_U8", "FLOAT", "ULAW"])
def test_a_wav_of_other_samples_is_read_too(read, subtype):
    heard = read(encoded(tone() / 32_768, subtype=subtype))

    assert heard.duration_s == 0.5
    np.testing.assert_allclose(heard.samples, tone() / 32_768, atol=0.01)


def edited(data: bytes, at: int, form: str, value: int) -> bytes:
    return data[:at] + struct.pack(form, value) + data[at + struct.calcsize(form) :]


LISTED = WHOLE_WAV[:36] + b"LIST" + struct.pack("<I", 26) + b"INFO" + bytes(22) + WHOLE_WAV[36:]


@pytest.mark.parametrize(
    "data",
    [
        LISTED,
        edited(LISTED, 4, "<I", 36),  # the size never updated
        edited(WHOLE_WAV, 4, "<I", 0),
        WHOLE_WAV + b"junk",
    ],
    ids=["list chunk", "size too small", "no size", "trailing"],
)
def test_a_wav_with_more_or_less_in_it_is_read_as_libsndfile_does(read, data):
    expected, rate = soundfile.read(io.BytesIO(data), dtype="int16")

    heard = read(data)

    assert (np.frombuffer(heard.pcm16(rate), "<i2") == expected).all()


@pytest.mark.parametrize(
    ("at", "form", "value"),
    [(24, "<I", 2**31), (24, "<I", 0), (22, "<H", 65_535), (22, "<H", 0)],
    ids=["rate too high", "no rate", "too many channels", "no channels"],
)
def test_a_header_that_libsndfile_refuses_is_refused(read, at, form, value):
    with pytest.raises(AudioError, match="is not readable as audio"):
        read(edited(WHOLE_WAV, at, form, value))


def test_float_peaks_are_clipped_and_never_wrap_around(read):
    heard = read(encoded(np.array([1.5, -1.5, 1.0, -1.0]), subtype="FLOAT"))

    assert np.frombuffer(heard.pcm16(16_000), "<i2").tolist() == [32767, -32768, 32767, -32768]


def test_channels_are_averaged_to_mono(read):
    stereo = np.stack([tone(), np.zeros_like(tone())], axis=1)

    heard = read(encoded(stereo))

    assert heard.samples.shape == (8000,)
    assert heard.samples.dtype == np.float32
    np.testing.assert_allclose(heard.samples * 32_768, tone() / 2, atol=1)


@pytest.mark.parametrize("rate", [8_000, 22_050, 44_100, 48_000])
def test_resampling_keeps_pitch_and_length(read, rate):
    heard = read(encoded(tone(rate=rate), rate))

    pcm = np.frombuffer(heard.pcm16(16_000), "<i2")

    assert len(pcm) == pytest.approx(8000, abs=2)
    peak = np.argmax(np.abs(np.fft.rfft(pcm))) * 16_000 / len(pcm)
    assert peak == pytest.approx(440, abs=4)
    assert wav_content(heard.wav_at(16_000))[:3] == (16_000, 1, 2)


def test_the_wav_keeps_the_files_own_rate(read):
    assert wav_content(read(encoded(tone(8_000), 8_000)).wav)[0] == 8_000


def test_frames_are_the_recording_in_order_and_only_the_last_is_short(read):
    heard = read(encoded(tone(seconds=0.25)))

    frames = list(audio.frames(heard, 16_000, 20))

    assert {len(frame) for frame in frames[:-1]} == {640}
    assert len(frames[-1]) == 320
    assert b"".join(frames) == heard.pcm16(16_000)


@pytest.mark.parametrize(("rate", "frame_ms", "size"), [(11_025, 20, 440), (100, 1, 2)])
def test_frames_never_part_a_sample_and_never_are_empty(read, rate, frame_ms, size):
    heard = read(encoded(tone(seconds=0.25)))

    frames = list(audio.frames(heard, rate, frame_ms))

    assert {len(frame) for frame in frames[:-1]} == {size}
    assert b"".join(frames) == heard.pcm16(rate)


def test_nothing_about_the_clip_is_in_what_a_provider_sees(read, tmp_path):
    heard = read(encoded(tone(), form="FLAC"), "refund_415.flac")

    assert re.fullmatch(r"audio-\w+\.flac", heard.path.name)
    assert heard.path.parent != tmp_path
    assert heard.path.read_bytes() == heard.data
    assert "refund" not in repr(heard)


@pytest.mark.slow
def test_the_neutral_file_goes_with_its_object(read):
    heard = read(encoded(tone()))
    path = heard.path

    del heard
    gc.collect()

    assert not path.exists()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty; record it again"),
        (b"not audio at all, but text" * 9, "is not readable as audio (Format not recognised); "),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0", "run git lfs pull"),
        (encoded(np.zeros(0)), "holds no samples; record it again"),
        (WHOLE_FLAC[: len(WHOLE_FLAC) // 2], "is not readable as audio ("),
        (WHOLE_WAV[: len(WHOLE_WAV) // 2], "cut short, 0.25 of 0.50 s are there; copy it again"),
        (
            encoded(np.array([0.1] * 4_000 + [np.nan, np.inf]), 16_000, subtype="FLOAT"),
            "2 samples are not numbers, the first at 0.25 s; export it again",
        ),
    ],
    ids=["empty", "text", "lfs", "no samples", "half flac", "half wav", "nan"],
)
def test_damaged_audio_is_one_line_with_a_remedy(read, data, message):
    with pytest.raises(AudioError) as caught:
        read(data, "refund.flac")

    assert re.search(r"refund\.flac: .*" + re.escape(message), str(caught.value))
    assert "\n" not in str(caught.value)


def test_a_wav_written_into_a_pipe_is_whole_although_its_header_says_otherwise(read):
    at = WHOLE_WAV.index(b"data") + 4
    streamed = WHOLE_WAV[:at] + b"\xff\xff\xff\xff" + WHOLE_WAV[at + 4 :]

    assert read(streamed).duration_s == 0.5


def test_a_missing_file_says_so():
    with pytest.raises(AudioError, match=r"no-such\.wav: no such file; add it or correct"):
        audio.read(Path("no-such.wav"), "en")


def test_a_plain_wav_needs_no_audio_library(tmp_path):
    path = tmp_path / "clip.wav"
    path.write_bytes(WHOLE_WAV)
    code = (
        "import sys; from pathlib import Path; from pytest_asrbench import audio\n"
        f"print(len(audio.read(Path({str(path)!r}), 'en').wav))\n"
        "print({'numpy','soundfile','soxr'} & set(sys.modules))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stdout == f"{len(WHOLE_WAV)}\nset()\n"


def silence(path: Path, seconds: float, rate: int = 16_000, **options: str) -> Path:
    """Much sound in a small file."""
    with soundfile.SoundFile(path, "w", rate, 1, **options) as file:
        for _ in range(int(seconds / 60)):
            file.write(np.zeros(60 * rate, np.int16))
    return path


def unknown_length(path: Path) -> Path:
    """As an encoder leaves a FLAC that it wrote into a pipe: no number of samples."""
    data = bytearray(path.read_bytes())
    data[21] &= 0xF0
    data[22:26] = bytes(4)
    path.write_bytes(data)
    return path


@pytest.mark.slow
def test_a_recording_of_hours_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    """0.2 MB of FLAC took 1.4 GB, and a call that is paid for."""
    path = silence(tmp_path / "a.flac", 2 * 3600, 8_000, format="FLAC", subtype="PCM_16")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(soundfile.SoundFile, "buffer_read", None)  # it is not come to
        with pytest.raises(AudioError, match=r"a\.flac: lasts 2\.0 h, more than 1 h; cut it into"):
            audio.read(path, "en")
        with pytest.raises(AudioError, match=r"a\.flac: tells no length, .*; write it again into"):
            audio.read(unknown_length(path), "en")


def test_a_wav_of_hours_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(encoded(np.zeros(3_700, np.int16), rate=1))

    with pytest.raises(AudioError, match=r"lasts 1\.0 h"):
        audio.read(path, "en")


def test_a_file_larger_than_may_be_held_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    with path.open("wb") as file:
        file.truncate(audio.LARGEST + 1)

    with pytest.raises(AudioError, match=r"512 MiB, more than 512; cut it into clips"):
        audio.read(path, "en")


def test_many_channels_are_samples_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(encoded(np.zeros((1_000, 2), np.float32), subtype="FLOAT"))
    audio.read(path, "en")

    monkeypatch.setattr(audio, "LARGEST", 8_500)  # bytes; the samples are 8,000, the file more
    monkeypatch.setattr(audio, "FLOAT_BYTES", 5)
    with pytest.raises(AudioError, match=r"MiB of samples; cut it into clips"):
        audio.read(path, "en")
