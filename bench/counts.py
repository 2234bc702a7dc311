"""
How often the costly things are done for each further clip of a recorded run: counts, not seconds.

    python bench/counts.py [--write] [--plant MODULE]

Two recorded runs under the profiler, one longer than the other: what the clips between them took is
the same on every machine. A count above `bench/counts.json` is told, exit code 1; `--write` stores
what is counted now. `--plant` loads a plugin into a third run, whose costs must be told as well:
`tests/test_costs.py` has one that makes the package do its work anew.
"""

from __future__ import annotations

import argparse
import cProfile
import io
import json
import os
import pstats
import random
import sys
import tempfile
from collections.abc import Callable
from contextlib import chdir, redirect_stdout
from pathlib import Path

import plugin
import pytest

STORED = Path(__file__).with_suffix(".json")
FEWER, MORE = 30, 90
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
        folder = Path(place, "run")
        chance = random.Random(1)
        plugin.write(folder, [plugin.clip(n, chance) for n in range(clips)], words=True)
        asked = ["-q", "--import-mode=importlib", "-p", "no:cacheprovider", *options]
        asked += ["test_measured.py", "--asr-provider=recorded", "--asr-gate=off"]
        with chdir(folder), redirect_stdout(io.StringIO()) as told, cProfile.Profile() as profile:
            code = pytest.main(asked, plugins=["pytest_asrbench.plugin"])
        if code:
            raise SystemExit(told.getvalue())
        return summed(pstats.Stats(profile))


def summed(profile: pstats.Stats) -> dict[str, int]:
    calls = {function: figures[1] for function, figures in profile.stats.items()}  # type: ignore[attr-defined]
    return {
        name: sum(count for function, count in calls.items() if counted(function))
        for name, counted in COUNTED.items()
    }


def a_clip(short: dict[str, int], long: dict[str, int]) -> dict[str, float]:
    """What each further clip of the longer run took."""
    return {name: (long[name] - short[name]) / (MORE - FEWER) for name in COUNTED}


def grown(now: dict[str, float]) -> list[str]:
    """A line for each count that is above what is stored."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    return [
        f"{name} grew: {count:.2f} a clip, {stored[name]:.2f} stored"
        for name, count in now.items()
        if count > stored[name]
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="what a clip of a recorded run costs, in counts")
    parser.add_argument("--write", action="store_true", help="store what is counted now")
    parser.add_argument("--plant", metavar="MODULE", help="a plugin of which costs must be told")
    asked = parser.parse_args()
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    counts(FEWER)  # imports, and makes what is made once a process
    short = counts(FEWER)
    now = a_clip(short, counts(MORE))
    for name, count in now.items():
        print(f"{name:<30}{count:>10.2f} a clip")
    if asked.write:
        stored = {name: round(count * ROOM + 0.05, 2) for name, count in now.items()}
        STORED.write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")
        return 0
    faults = grown(now)
    print(*faults, sep="\n")
    if asked.plant and not faults:
        print("planted:", *grown(a_clip(short, counts(MORE, "-p", asked.plant))), sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
