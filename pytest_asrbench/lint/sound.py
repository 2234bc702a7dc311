"""Audio that no system could do justice to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pytest_asrbench import audio
from pytest_asrbench.conditions import Condition
from pytest_asrbench.conditions.fit import unfit
from pytest_asrbench.errors import AudioError
from pytest_asrbench.lint.finding import Finding, error, warning
from pytest_asrbench.model import Clip

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

USUAL_RATES = (8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000)
LONGEST_S = 300.0  # several vendors refuse or cut longer files
SILENCE_DBFS = -60.0
FULL = 0.999
CLIPPED_RUN = 4  # samples in a row at full scale: one alone may be a peak
CLIPPED_RUNS = 3
WORDS_PER_SECOND = 7.0  # faster than anyone speaks: the recording is cut, or the wrong one
LOSSY = ("audio/mpeg", "audio/ogg")


def sound(clip: Clip, conditions: Sequence[Condition] = ()) -> Iterator[Finding]:
    """Unreadable, silent, clipped, too long, cut, of an odd rate or a lossy format; no fit for a
    condition."""
    try:
        recording = audio.read(clip.path, clip.language)
    except AudioError as failure:
        yield error("audio", str(failure), clip)
        return
    yield from _shape(clip, recording)
    yield from _level(clip, recording.samples)
    for condition in conditions:
        for why in unfit(condition, recording.rate, recording.duration_s):
            yield warning("condition", f"no fit for {condition.name}: {why}", clip)
    words = len(clip.reference.split())
    if words > WORDS_PER_SECOND * recording.duration_s:
        what = f"{words} words in {recording.duration_s:.1f} s"
        yield warning("cut", f"{what}: cut short, or another clip's audio; check it", clip)


def _shape(clip: Clip, recording: audio.Audio) -> Iterator[Finding]:
    if recording.duration_s > LONGEST_S:
        what = f"{recording.duration_s:.0f} s long (over {LONGEST_S:.0f})"
        yield warning("length", f"{what}; cut it into clips", clip)
    if recording.rate not in USUAL_RATES:
        known = ", ".join(str(rate) for rate in USUAL_RATES)
        yield warning("rate", f"odd rate {recording.rate} Hz; convert to one of {known}", clip)
    if recording.channels > 1:
        what = f"{recording.channels} channels; systems mix or drop them differently"
        yield warning("channels", f"{what}; keep one", clip)
    if recording.media_type in LOSSY:
        yield warning("format", f"{recording.media_type} loses detail; keep the WAV or FLAC", clip)
    elif clip.path.suffix.lower() not in (recording.suffix, ".wave"):
        what = f"the file is {recording.media_type}, its name says {clip.path.suffix}"
        yield warning("format", f"{what}; rename it", clip)


def _level(clip: Clip, samples: NDArray[float32]) -> Iterator[Finding]:
    import numpy as np

    loudness = float(np.sqrt(np.mean(np.square(samples, dtype="float64"))))
    level = 20 * np.log10(max(loudness, 1e-10))
    if level < SILENCE_DBFS and clip.reference.strip():
        what = f"silent ({level:.0f} dBFS), but the reference is not empty"
        yield error("silent", f"{what}; record it again", clip)
    runs = _clipped_runs(samples)
    if runs >= CLIPPED_RUNS:
        what = f"clipped in {runs} places"
        yield warning("clipped", f"{what}; record it at a lower level", clip)


def _clipped_runs(samples: NDArray[float32]) -> int:
    """The number of times that the signal stays at its full scale for some samples."""
    import numpy as np

    full = np.abs(samples) >= FULL
    edges = np.flatnonzero(np.diff(full.astype("int8"), prepend=0, append=0))
    lengths = edges[1::2] - edges[::2]
    return int(np.count_nonzero(lengths >= CLIPPED_RUN))
