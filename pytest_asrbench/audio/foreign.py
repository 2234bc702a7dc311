"""
Recordings as phones, browsers and telephone systems leave them, which libsndfile does not read.

    m4a, mp4, 3gp   `ftyp` at byte 4        webm, mkv   1A 45 DF A3        aac   FF F1, FF F9 (ADTS)
    wma             30 26 B2 75             amr         #!AMR
    ulaw, alaw      no header at all: known by the file's name, or because somebody says so

What has a header is converted by an installed ffmpeg; mu-law and A-law need none.
"""

from __future__ import annotations

import io
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from pytest_asrbench.errors import AudioError

SIGNS = (
    (4, b"ftyp", "an MP4 file (AAC, as phones record)"),
    (0, b"\x1a\x45\xdf\xa3", "a WebM file (Opus, as browsers record)"),
    (0, b"\xff\xf1", "an AAC stream"),
    (0, b"\xff\xf9", "an AAC stream"),
    (0, b"\x30\x26\xb2\x75", "a WMA file"),
    (0, b"#!AMR", "an AMR file"),
)
HEADERLESS: Mapping[str, str] = {
    ".ulaw": "mulaw",
    ".mulaw": "mulaw",
    ".ul": "mulaw",
    ".mu": "mulaw",
    ".alaw": "alaw",
    ".al": "alaw",
}
"""File suffix -> what is in it, at 8,000 samples a second."""
UNKNOWN = (".raw", ".pcm", ".vox")
SUBTYPES: Mapping[str, str] = {"mulaw": "ULAW", "alaw": "ALAW", "s16le": "PCM_16"}
"""Sample formats of a file without a header -> libsndfile's names."""
TELEPHONE_HZ = 8_000
TIMEOUT_S = 600


def kind(data: bytes, path: Path) -> str | None:
    """The kind of a recording that can be converted; None for what is not known here."""
    for offset, sign, name in SIGNS:
        if data[offset : offset + len(sign)] == sign:
            return name
    if codec := HEADERLESS.get(path.suffix.lower()):
        return f"{codec} without a header, by its name"
    return "a file without a header, by its name" if path.suffix.lower() in UNKNOWN else None


def remedy(path: Path) -> str:
    """The command to run, in one line."""
    if path.suffix.lower() in UNKNOWN:
        return f"say what it holds: asrbench add --raw {', '.join(SUBTYPES)} (@HZ where not 8000)"
    source, target = shlex.quote(str(path)), shlex.quote(str(path.with_suffix(".flac")))
    codec = HEADERLESS.get(path.suffix.lower())
    how = f"-f {codec} -ar {TELEPHONE_HZ} " if codec else ""
    return f"asrbench add --convert does it, or run ffmpeg {how}-i {source} -ac 1 {target}"


def converted(path: Path, raw: str | None = None) -> bytes:
    """The recording as WAV. `raw` is what a file without a header holds: `mulaw`, `s16le@16000`.

    Raises AudioError in one line.
    """
    codec, _, rate = (raw or HEADERLESS.get(path.suffix.lower(), "")).partition("@")
    if codec:
        return _headerless(path, codec, int(rate or TELEPHONE_HZ))
    if path.suffix.lower() in UNKNOWN:
        raise AudioError(f"{path}: is {kind(b'', path)}; {remedy(path)}")
    return _by_ffmpeg(path)


def _headerless(path: Path, codec: str, rate: int) -> bytes:
    import soundfile

    try:
        samples, _ = soundfile.read(
            path,
            dtype="int16",
            samplerate=rate,
            channels=1,
            format="RAW",
            subtype=SUBTYPES[codec],
            endian="LITTLE" if codec == "s16le" else None,
        )
    except (soundfile.SoundFileError, OSError) as error:
        raise AudioError(f"{path}: can't be read as {codec}: {error}") from None
    wav = io.BytesIO()
    soundfile.write(wav, samples, rate, format="WAV", subtype="PCM_16")
    return wav.getvalue()


def _by_ffmpeg(path: Path) -> bytes:
    if not (program := shutil.which("ffmpeg")):
        raise AudioError(
            f"{path}: ffmpeg, which converts it, is not installed; install it (apt install ffmpeg, "
            "brew install ffmpeg), or save the recording as WAV or FLAC"
        )
    asked = ["-nostdin", "-v", "error", "-i", f"file:{path}", "-map", "0:a:0"]
    try:
        done = subprocess.run(
            [program, *asked, "-c:a", "pcm_s16le", "-f", "wav", "-"],
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise AudioError(f"{path}: ffmpeg failed: {error}") from None
    if done.returncode or not done.stdout:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        why = "".join(last) or f"exit {done.returncode}"
        raise AudioError(f"{path}: ffmpeg can't convert it: {why}")
    return done.stdout
