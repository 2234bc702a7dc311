"""
What conditions cost: seconds of audio a second of one core, for each ready condition.

    python bench/conditions.py [--seconds 60] [--least 50] [--least-opus 20]

One clip of made speech-like sound at 16 kHz goes through each; CPU time counts, so a busy machine
gives the same figures. Exit code 1 where a condition is slower than asked for.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import process_time

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pytest_asrbench.conditions import Conditions
from pytest_asrbench.conditions.apply import applied
from pytest_asrbench.conditions.waveform import Waveform

NAMES = (
    "phone", "phone-alaw", "gsm", "opus-lowrate", "mp3", "noise:10", "reverb", "packet-loss:0.05",
    "clipping", "gain:-12", "speed:1.1", "pad:2", "cut-start:300", "dtmf:159", "noise:10+phone",
)  # fmt: skip
RATE = 16_000


def speech_like(seconds: float) -> Waveform:
    """Harmonics of a voice that comes and goes four times a second, as syllables do."""
    at = np.arange(round(seconds * RATE)) / RATE
    voice = sum(np.sin(2 * np.pi * 120 * k * at) / k for k in range(1, 25))
    return Waveform(0.2 * voice * (0.55 - 0.45 * np.cos(2 * np.pi * 4 * at)), RATE)


def times_real_time(name: str, sound: Waveform) -> float:
    """Of two rounds the quicker: the first imports."""
    condition = Conditions().named(name)
    spent = []
    for _ in range(2):
        started = process_time()
        applied(condition, sound, "bench", lambda names, rate: [])
        spent.append(process_time() - started)
    return sound.duration_s / max(min(spent), 1e-6)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--least", type=float, default=50)
    parser.add_argument("--least-opus", type=float, default=20)
    args = parser.parse_args()
    sound = speech_like(args.seconds)
    slow = 0
    for name in NAMES:
        found = times_real_time(name, sound)
        least = args.least_opus if "opus" in name else args.least
        slow += found < least
        print(f"{name:<18} {found:8,.0f} x real time{'  TOO SLOW' if found < least else ''}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
