"""
Speak every clip of clips.yaml again.

    apt-get install flite
    python example_project/make_clips.py [CLIP …]

A clip's reference is what is spoken, in the flite voice that one of its tags names. The same
flite gives the same samples, so an unchanged manifest leaves the files as they are.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import soundfile
import soxr

from pytest_asrbench.datasets import load
from pytest_asrbench.model import Clip

FOLDER = Path(__file__).parent
VOICES = {"awb", "kal16", "rms", "slt"}
RATE = 16_000


def main(chosen: list[str]) -> int:
    clips = load("clips.yaml", FOLDER).clips
    for clip in clips:
        if not chosen or clip.id in chosen:
            speak(clip)
    return 0


def speak(clip: Clip) -> None:
    (voice,) = VOICES.intersection(clip.tags)
    with tempfile.TemporaryDirectory() as folder:
        spoken = Path(folder, "spoken.wav")
        subprocess.run(
            ["flite", "-voice", voice, "-t", clip.reference, "-o", str(spoken)], check=True
        )
        samples, rate = soundfile.read(spoken, dtype="int16")
    if rate != RATE:
        samples = soxr.resample(samples, rate, RATE)
    soundfile.write(clip.path, samples, RATE, format="FLAC", subtype="PCM_16")
    print(f"{clip.path.name}  {voice}  {len(samples) / RATE:.1f} s")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
