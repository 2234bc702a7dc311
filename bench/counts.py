"""
How often the costly things are done for each further clip of a recorded run: counts, not seconds.

    python bench/counts.py [FEWER] [MORE]      60 and 120 clips by default

Two recorded runs under the profiler, one longer than the other: what the clips between them took,
start-up aside, is the same on every machine. `tests/test_costs.py` holds the counts to
`bench/counts.json`, so that none grows unseen; `--write` stores what is counted now.
"""

from __future__ import annotations

import json
import os
import pstats
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import plugin

STORED = Path(__file__).with_suffix(".json")
USUAL = (60, 120)
ROOM = 1.02
"""A count is stored with so much room: no clip is quite like the others."""
FILES = ("open", "stat", "lstat", "scandir", "listdir", "mkdir", "unlink", "rename", "replace",
         "rmdir", "readlink", "link", "utime")  # fmt: skip

Function = tuple[str, int, str]
"""File, line and name, as the profiler has them; a built-in has no file."""


COUNTED: dict[str, Callable[[Function], bool]] = {
    "tokenisations": lambda f: f[0].endswith("rules/tokens.py") and f[2] == "tokenise",
    "values compiled": lambda f: f[0].endswith("rules/matcher.py") and f[2] == "_compiled",
    "patterns made": lambda f: "verifiers/rules" in f[0] and f[2] == "__init__",
    "regular expressions compiled": lambda f: (
        f[0].endswith("re/_compiler.py") and f[2] == "compile"
    ),
    "normaliser calls": lambda f: "whisper_normalizer" in f[0] and f[2] == "__call__",
    "file operations": lambda f: f[2][:-1].split(".")[-1] in FILES and "built-in" in f[2],
    "calls of the verifier": lambda f: "pytest_asrbench/verifiers" in f[0],
    "calls of the package": lambda f: "pytest_asrbench" in f[0],
}


def counts(clips: int, *options: str) -> dict[str, int]:
    """Of one recorded run."""
    with tempfile.TemporaryDirectory() as place:
        folder, out = Path(place, "run"), Path(place, "profile")
        chance = random.Random(1)
        plugin.write(folder, [plugin.clip(n, chance) for n in range(clips)], words=True)
        command = [sys.executable, "-m", "cProfile", "-o", str(out), "-m", "pytest", "-q"]
        command += ["test_measured.py", "--asr-provider=recorded", "--asr-gate=off"]
        command += ["-p", "pytest_asrbench.plugin", "-p", "no:cacheprovider", *options]
        environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        environment["PYTHONPATH"] = os.pathsep.join(sys.path)
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(done.stdout + done.stderr)
        return summed(pstats.Stats(str(out)))


def summed(profile: pstats.Stats) -> dict[str, int]:
    calls = {function: figures[1] for function, figures in profile.stats.items()}  # type: ignore[attr-defined]
    return {
        name: sum(count for function, count in calls.items() if counted(function))
        for name, counted in COUNTED.items()
    }


def between(short: dict[str, int], long: dict[str, int], clips: int) -> dict[str, float]:
    """What each of so many further clips took."""
    return {name: (long[name] - short[name]) / clips for name in COUNTED}


def grown(now: dict[str, float]) -> list[str]:
    """A line for each count that is above what is stored."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    return [
        f"{name}: {count:.2f} a clip, {stored[name]:.2f} stored"
        for name, count in now.items()
        if count > stored[name]
    ]


def main(arguments: Sequence[str]) -> int:
    numbers = [int(each) for each in arguments if each.isdigit()]
    fewer, more = numbers or USUAL
    now = between(counts(fewer), counts(more), more - fewer)
    for name, count in now.items():
        print(f"{name:<30}{count:>10.2f} a clip")
    if "--write" in arguments:
        stored = {name: round(count * ROOM + 0.05, 2) for name, count in now.items()}
        STORED.write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")
        return 0
    faults = grown(now)
    print(*(f"grown: {fault}" for fault in faults), sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
