"""
How long `asrbench lint` takes, audio included.

    python bench/lint.py [CLIPS] [SECONDS]     300 clips of 67 s by default, as VoiceCodeBench has
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import soundfile

from pytest_asrbench.datasets import load
from pytest_asrbench.lint import lint
from pytest_asrbench.verifiers.rules import Rules

RATE = 16_000
WORDS = ("please", "send", "it", "to", "the", "desk", "before", "noon", "and", "call", "me", "back")


def write(folder: Path, clips: int, seconds: float) -> None:
    chance = np.random.default_rng(0)
    rows = [{"schema": 1, "name": "bench", "language": "en"}]
    for n in range(clips):
        noise = 0.1 * chance.standard_normal(int(seconds * RATE))
        soundfile.write(folder / f"{n:04d}.wav", noise, RATE)
        codes = [f"{chance.integers(10, 99)}" for _ in range(5)]
        said = " ".join(chance.choice(WORDS, 120))
        entities = [{"type": "reference_id", "canonical": f"BH-{code}"} for code in codes]
        reference = f"{said} b h {' b h '.join(codes)}"
        row = {"id": f"{n:04d}", "audio": f"{n:04d}.wav", "reference": reference}
        rows.append({**row, "entities": entities})
    (folder / "clips.jsonl").write_text("\n".join(map(json.dumps, rows)))


def main() -> None:
    clips = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 67.0
    with tempfile.TemporaryDirectory() as name:
        write(Path(name), clips, seconds)
        start = time.perf_counter()
        dataset = load(name, Path())
        findings = list(lint(dataset, Rules()))
        took = time.perf_counter() - start
    print(f"{clips} clips of {seconds:.0f} s linted in {took:.1f} s, {len(findings)} findings")


if __name__ == "__main__":
    main()
