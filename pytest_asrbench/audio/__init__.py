"""
One recording as a provider sees it: bytes, samples, rate, language, and nothing of the clip.

Anything that soundfile reads is accepted (WAV, FLAC, OGG, MP3, AIFF, …). A damaged file raises
AudioError here, before a provider could turn it into an innocent-looking empty transcript.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import shlex
import struct
import tempfile
import wave
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_asrbench.audio import foreign
from pytest_asrbench.audio.wav_length import false_length
from pytest_asrbench.errors import AudioError

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

SAMPLE_BYTES = 2  # of 16-bit PCM
LONGEST_S = 3600.0  # of a recording: no vendor takes more in one call, and most take less
LARGEST = 1 << 29  # bytes, of the file and of its samples: an hour of stereo at 44.1 kHz is less
FULL_SCALE = 32_768  # what soundfile divides whole samples by, so that they survive
# libsndfile's format -> (media type, file suffix)
FORMATS = {
    "WAV": ("audio/wav", ".wav"),
    "WAVEX": ("audio/wav", ".wav"),
    "RF64": ("audio/wav", ".wav"),
    "FLAC": ("audio/flac", ".flac"),
    "OGG": ("audio/ogg", ".ogg"),
    "MP3": ("audio/mpeg", ".mp3"),
    "MPEG": ("audio/mpeg", ".mp3"),
    "AIFF": ("audio/aiff", ".aiff"),
    "AU": ("audio/basic", ".au"),
    "CAF": ("audio/x-caf", ".caf"),
}
OTHER_FORMAT = ("application/octet-stream", ".audio")
RE_SHORT_WAV = re.compile(r"^data : (\d+) \(should be (\d+)\)", re.MULTILINE)
WAV_HEADER = struct.Struct("<4sI8sIHHIIHH4sI")
MOST_CHANNELS, HIGHEST_RATE = 1024, 655_350  # that libsndfile takes
FLOAT_BYTES = 4
CUT = "cut it into clips"
FILE = "write it again into a file: ffmpeg -i IN.flac OUT.flac"
UNKNOWN_LENGTH = 1 << 62  # samples; libsndfile's word for it
STREAMED_WAV = 0x7FFF_0000  # sizes from here on mean "unknown": the file was written into a pipe


@dataclass(frozen=True, eq=False, repr=False)
class Audio:
    """
    What a provider gets to transcribe.

    data        the file's bytes, as they lie on disk
    media_type  such as audio/flac
    suffix      the file suffix of that format, such as .flac
    rate        samples a second of the file
    channels    how many of them at once
    decoded     16-bit PCM where the file holds such samples, else float32 (samples, channels)
    language    the clip's language tag, such as en or es-MX
    """

    data: bytes
    media_type: str
    suffix: str
    rate: int
    channels: int
    decoded: bytes | NDArray[float32]
    language: str

    def __repr__(self) -> str:
        return f"<Audio {self.media_type} {self.rate} Hz {self.duration_s:.2f} s {self.language}>"

    @property
    def duration_s(self) -> float:
        """Length in seconds."""
        whole = isinstance(self.decoded, bytes)
        count = len(self.decoded) // (SAMPLE_BYTES * self.channels) if whole else len(self.decoded)
        return count / self.rate

    @cached_property
    def sha256(self) -> str:
        """SHA-256 (hex) of the file's bytes."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def pcm_sha256(self) -> str:
        """SHA-256 (hex) of what the file decodes to: of a lossy one, or one written again, too."""
        pcm = self.decoded if isinstance(self.decoded, bytes) else _pcm16(self.decoded)
        return hashlib.sha256(pcm).hexdigest()

    @cached_property
    def signal(self) -> NDArray[float32]:
        """The recording as float32 in -1..1, shape (samples, channels)."""
        if not isinstance(self.decoded, bytes):
            return self.decoded
        import numpy as np

        whole = np.frombuffer(self.decoded, "<i2").astype(np.float32)
        return (whole / np.float32(FULL_SCALE)).reshape(-1, self.channels)

    @cached_property
    def samples(self) -> NDArray[float32]:
        """Mono float32 in -1..1 at the file's rate, shape (samples,); channels are averaged."""
        mono: NDArray[float32] = self.signal.mean(axis=1)
        return mono

    @cached_property
    def wav(self) -> bytes:
        """The whole recording as a 16-bit PCM WAV file, at the file's own rate and channels."""
        pcm = self.decoded if isinstance(self.decoded, bytes) else _pcm16(self.decoded)
        return _wav(pcm, rate=self.rate, channels=self.channels)

    def wav_at(self, rate: int) -> bytes:
        """A mono 16-bit PCM WAV file at `rate` samples a second."""
        return _wav(self.pcm16(rate), rate=rate, channels=1)

    def pcm16(self, rate: int) -> bytes:
        """Mono 16-bit little-endian PCM without a header, at `rate` samples a second."""
        return _pcm16(self.samples_at(rate))

    def samples_at(self, rate: int) -> NDArray[float32]:
        """`samples` at `rate` samples a second, as most models want them."""
        if rate == self.rate:
            return self.samples
        import soxr

        resampled: NDArray[float32] = soxr.resample(self.samples, self.rate, rate)
        return resampled

    @cached_property
    def path(self) -> Path:
        """The recording in a file for systems that want one; it is removed with this object.

        Its name is a neutral one: the clip's own often says what is spoken.
        """
        handle, name = tempfile.mkstemp(prefix="audio-", suffix=self.suffix)
        with os.fdopen(handle, "wb") as file:
            file.write(self.data)
        weakref.finalize(self, Path(name).unlink, missing_ok=True)
        return Path(name)


def read(path: Path, language: str) -> Audio:
    """Read and check one recording. Raises AudioError; the message names the file and a remedy."""
    try:
        if (size := path.stat().st_size) > LARGEST:
            raise AudioError(f"{path}: {size >> 20:,} MiB, more than {LARGEST >> 20}; {CUT}")
        data = path.read_bytes()
    except FileNotFoundError:
        raise AudioError(f"{path}: no such file; add it or correct the clip's audio") from None
    except OSError as error:
        raise AudioError(f"{path}: can't be read: {error.strerror}") from None
    audio = _plain_wav(data, language) or _any(path, data, language)
    _check_length(path, audio.duration_s)
    return audio


def of_samples(samples: NDArray[Any], rate: int, language: str) -> Audio:
    """A recording that was made here, as 16-bit WAV. Samples beyond -1..1 are limited."""
    pcm = _pcm16(samples)
    data = _wav(pcm, rate=rate, channels=1)
    return Audio(data, *FORMATS["WAV"], rate, 1, pcm, language)


def _plain_wav(data: bytes, language: str) -> Audio | None:
    """A 16-bit PCM WAV file of the plainest kind, with nothing in it but its samples; else None.

    What most clips are, and the one format whose samples need no decoder: a run that only sends
    such files has no use for soundfile and numpy, which take longer to import than all the rest.
    """
    if len(data) <= WAV_HEADER.size:
        return None
    riff, size, wave_fmt, fmt, form, channels, rate, _, block, bits, mark, held = (
        WAV_HEADER.unpack_from(data)
    )
    named = (riff, wave_fmt, fmt, form, mark) == (b"RIFF", b"WAVEfmt ", 16, 1, b"data")
    lengths = (len(data) - 8, len(data) - WAV_HEADER.size)
    whole = (size, held) == lengths and bits == 8 * SAMPLE_BYTES
    known = 0 < channels <= MOST_CHANNELS and 0 < rate <= HIGHEST_RATE
    if not (named and whole and known and block == channels * SAMPLE_BYTES and not held % block):
        return None
    return Audio(data, *FORMATS["WAV"], rate, channels, data[WAV_HEADER.size :], language)


def _any(path: Path, data: bytes, language: str) -> Audio:
    """Whatever libsndfile can read. Raises AudioError."""
    import soundfile

    if lengths := false_length(data):
        raise AudioError(
            f"{path}: its header tells {lengths[0]:.2f} s, the file holds {lengths[1]:.2f} s; run "
            f"ffmpeg -ignore_length 1 -i {shlex.quote(str(path))} -c copy mended.wav"
        )
    try:
        with soundfile.SoundFile(io.BytesIO(data)) as file:
            form, rate, channels = file.format, file.samplerate, file.channels
            if file.frames >= UNKNOWN_LENGTH:
                raise AudioError(f"{path}: tells no length, as it was written into a pipe; {FILE}")
            _check_length(path, file.frames / rate)
            whole = file.subtype == "PCM_16"
            if file.frames * channels * (SAMPLE_BYTES if whole else FLOAT_BYTES) > LARGEST:
                raise AudioError(f"{path}: more than {LARGEST >> 20} MiB of samples; {CUT}")
            decoded = _int16(file) if whole else file.read(dtype="float32", always_2d=True)
            announced = _announced(file)
    except soundfile.SoundFileError as error:
        raise AudioError(f"{path}: {_unreadable(error, data, path)}") from None
    audio = Audio(data, *FORMATS.get(form, OTHER_FORMAT), rate, channels, decoded, language)
    _check(path, audio, announced / rate)
    return audio


def _int16(file: Any) -> bytes:
    return bytes(file.buffer_read(dtype="int16"))


def frames(audio: Audio, rate: int, frame_ms: int) -> Iterator[bytes]:
    """The recording as mono 16-bit PCM in frames of `frame_ms`, rounded down to whole samples but
    never to none; the last one may be shorter."""
    pcm = audio.pcm16(rate)
    size = 2 * max(1, rate * frame_ms // 1000)
    return (pcm[start : start + size] for start in range(0, len(pcm), size))


def _announced(file: Any) -> int:
    """Samples that the file's header promises. libsndfile itself trusts a WAV's size on disk."""
    match = RE_SHORT_WAV.search(file.extra_info)
    size = int(match[1]) if match else 0
    if not match or size >= STREAMED_WAV:
        return int(file.frames)
    return int(file.frames * size / max(int(match[2]), 1))


def _unreadable(error: Exception, data: bytes, path: Path) -> str:
    if not data:
        return "is empty; record it again"
    if data.startswith(b"version https://git-lfs"):
        return "is a Git LFS pointer; run git lfs pull"
    if what := foreign.kind(data, path):
        return f"is {what}, which systems are not sent; {foreign.remedy(path)}"
    # LibsndfileError: "Error opening <_io.BytesIO …>: Format not recognised."
    why = str(getattr(error, "error_string", error)).removeprefix("Error : ").rstrip(".")
    return f"is not readable as audio ({why}); save it as WAV or FLAC"


def _check_length(path: Path, seconds: float) -> None:
    """Raises AudioError before a long recording is decoded, sent and paid for."""
    if seconds > LONGEST_S:
        longest = f"{LONGEST_S / 3600:g} h"
        raise AudioError(f"{path}: lasts {seconds / 3600:.1f} h, more than {longest}; {CUT}")


def _check(path: Path, audio: Audio, announced_s: float) -> None:
    if not len(audio.decoded):
        raise AudioError(f"{path}: holds no samples; record it again")
    if audio.duration_s < announced_s:
        raise AudioError(
            f"{path}: cut short, {audio.duration_s:.2f} of {announced_s:.2f} s are there; "
            "copy it again"
        )
    if isinstance(audio.decoded, bytes):
        return
    import numpy as np

    broken = np.flatnonzero(~np.isfinite(audio.decoded).all(axis=1))
    if len(broken):
        raise AudioError(
            f"{path}: {len(broken)} samples are not numbers, the first at "
            f"{broken[0] / audio.rate:.2f} s; export it again"
        )


def _pcm16(signal: NDArray[Any]) -> bytes:
    import numpy as np

    scaled = np.clip(np.round(signal * FULL_SCALE), -FULL_SCALE, FULL_SCALE - 1)
    return scaled.astype("<i2").tobytes()


def _wav(pcm: bytes, *, rate: int, channels: int) -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(pcm)
    return buffer.getvalue()
