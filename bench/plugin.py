"""
What the plugin costs: a recorded run against the same number of bare parametrised tests.

    python bench/plugin.py [--clips 1000] [--rounds 3] [--alone]

Prints two ratios, best of the rounds: the whole plugin (rules verifier, WER; at most 4), and the
plugin without normaliser and verifier (at most 1.5). One clip in five is misheard. pytest's own
start-up is in all of them, and all run from stored bytecode, as installed packages do; with
`--alone` pytest loads no other plugin, so that ours weighs most. The rounds take turns, so that
other work on the machine hits all three.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

BYTECODE = Path(tempfile.gettempdir(), "asrbench-bench-bytecode")
WORDS = [
    "please",
    "send",
    "the",
    "order",
    "to",
    "our",
    "new",
    "office",
    "and",
    "call",
    "me",
    "back",
]
BARE = """
import pytest

@pytest.mark.parametrize("clip", {ids!r})
def test_clip(clip):
    assert clip is not None
"""
MEASURED = """
def test_clip(asr_result):
    assert asr_result.transcript is not None
"""
# Judges nothing; references and transcripts are empty, so there is nothing to normalise.
NO_VERIFIER = """
from pytest_asrbench import Identity, Verdict

PRESENT = Verdict(True, True, "not judged")

class Nothing:
    identity = Identity("nothing", "1", "sha256:1")

    def judge(self, entities, transcript, language):
        return [PRESENT for _ in entities]
"""


def clip(n: int, spoken: random.Random) -> dict[str, object]:
    """20 words with 3 target values."""
    values = {
        "plain_number": str(1000 + n),
        "percentage": f"{n % 90 + 5}%",
        "version": f"{n % 7}.{n % 10}.1",
    }
    words = spoken.choices(WORDS, k=17)
    for value in values.values():
        words.insert(spoken.randrange(len(words)), value)
    return {
        "id": f"clip_{n:04}",
        "audio": f"{n}.wav",
        "reference": " ".join(words),
        "entities": [
            {"id": f"e{at}", "type": type_, "canonical": value}
            for at, (type_, value) in enumerate(values.items(), start=1)
        ],
    }


def write(folder: Path, clips: list[dict[str, object]], *, words: bool) -> None:
    """A suite of recorded clips; without `words` nothing is normalised."""
    folder.mkdir()
    language = "en" if words else "und"  # English alone has a normaliser to load
    header = {"schema": 1, "name": "bench", "language": language}
    rows = [header, *({**c, "reference": c["reference"] if words else ""} for c in clips)]
    heard = [
        {"audio_id": c["id"], "pred_text": misheard(n, str(c["reference"])) if words else ""}
        for n, c in enumerate(clips)
    ]
    lines(folder / "clips.jsonl", rows)
    lines(folder / "heard.jsonl", heard)
    (folder / "asrbench.yaml").write_text(
        "data: clips.jsonl\nproviders: {recorded: {use: recorded, hypotheses: heard.jsonl}}\n"
    )
    (folder / "nothing.py").write_text(NO_VERIFIER)
    (folder / "test_measured.py").write_text(MEASURED)
    (folder / "test_bare.py").write_text(BARE.format(ids=[c["id"] for c in clips]))


def misheard(n: int, reference: str) -> str:
    """Every fifth clip with one digit wrong and one word left out."""
    if n % 5:
        return reference
    _, rest = reference.split(" ", 1)
    digit = next(char for char in rest if char.isdigit())
    return rest.replace(digit, str((int(digit) + 1) % 10), 1)


def lines(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def seconds(folder: Path, *options: str) -> float:
    """Processor time that pytest takes on the options, start-up included: a busy machine lies."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONPYCACHEPREFIX": str(BYTECODE)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-m", "pytest", "-q", *options]
    before = os.times()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    after = os.times()
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return sum(after[2:4]) - sum(before[2:4])  # user and system time of children


def best(rounds: int, *measures: Callable[[], float]) -> list[float]:
    """The shortest of each; a first round, for the bytecode, doesn't count."""
    taken = [[measure() for measure in measures] for _ in range(rounds + 1)]
    return [min(times) for times in zip(*taken[1:], strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description="time the plugin against bare tests")
    parser.add_argument("--clips", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--alone", action="store_true", help="load no other installed plugin")
    asked = parser.parse_args()
    if asked.alone:
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        os.environ["PYTEST_ADDOPTS"] = "-p pytest_asrbench.plugin"
    spoken = random.Random(1)
    clips = [clip(n, spoken) for n in range(asked.clips)]
    with tempfile.TemporaryDirectory() as place:
        whole, without = Path(place, "whole"), Path(place, "without")
        write(whole, clips, words=True)
        write(without, clips, words=False)
        gate = ("test_measured.py", "--asr-provider=recorded", "--asr-gate=off")
        bare, full, lean = best(
            asked.rounds,
            lambda: seconds(whole, "test_bare.py"),
            lambda: seconds(whole, *gate),
            lambda: seconds(without, *gate, "--asr-verifier=nothing:Nothing"),
        )
    print("load of the machine: {:.1f}, {:.1f}, {:.1f}".format(*os.getloadavg()))
    print(f"bare pytest, {asked.clips} tests: {bare:.2f} s")
    print(f"recorded run: {full:.2f} s, ratio {full / bare:.2f} (at most 4)")
    print(f"without normaliser and verifier: {lean:.2f} s, ratio {lean / bare:.2f} (at most 1.5)")


if __name__ == "__main__":
    main()
