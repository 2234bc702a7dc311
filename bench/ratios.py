"""
All that this project costs, in one table, as ratios taken in one run, with the machine's load.

    python bench/ratios.py [PART …] [--few 1000] [--clips 10000] [--collect 100000]

Parts: `recorded` (runs beside bare parametrised tests, with and without two workers, and
`asrbench score`), `verdicts` (the rules beside a token join), `start`, `collect`, `reports`,
`merge`, `live`.
All of them by default, some eight minutes on two idle cores. Times are CPU time, of child
processes too, so that a busy machine lies less; what is compared is run in turn.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import plugin
import verifier

from pytest_asrbench import run as runs
from pytest_asrbench.verifiers.rules import Rules

HERE = Path(__file__).parent
RUNS = 50
RECORDED = ("test_measured.py", "--asr-provider=recorded", "--asr-gate=off")
NO_VERIFIER = "--asr-verifier=nothing:Nothing"

Value = TypeVar("Value")


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    measured: str
    aim: str


@dataclass(frozen=True)
class Taken:
    """What a process took."""

    cpu_s: float
    wall_s: float
    memory_mib: float

    def less(self, other: Taken) -> Taken:
        """What the one took more than the other."""
        return Taken(
            self.cpu_s - other.cpu_s,
            self.wall_s - other.wall_s,
            self.memory_mib - other.memory_mib,
        )


CHILD = """
import os, resource, subprocess, sys, time
began = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, time.perf_counter() - began, used.ru_maxrss / 1024)
sys.exit(f"exit code {done.returncode}: {done.stdout[-2000:]}" if done.returncode > 1 else 0)
"""


def taken(folder: Path, *command: str) -> Taken:
    """A Python process: seconds, and the most memory that one process of it held."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder),
        "PYTHONPYCACHEPREFIX": str(plugin.BYTECODE),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, "-c", CHILD, sys.executable, *command],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(done.stderr)
    return Taken(*map(float, done.stdout.split()))


def pytest(folder: Path, *options: str) -> Taken:
    own = ("-p", "pytest_asrbench.plugin", "-p", "no:cacheprovider")
    return taken(folder, "-m", "pytest", "-q", *own, *options)


def least(rounds: int, *measures: Callable[[], Taken]) -> list[Taken]:
    """The cheapest of each; they take turns."""
    rows = [[measure() for measure in measures] for _ in range(rounds)]
    return [min(each, key=lambda one: one.cpu_s) for each in zip(*rows, strict=True)]


def suites(place: Path, clips: int) -> tuple[Path, Path]:
    chance = random.Random(1)
    made = [plugin.clip(n, chance) for n in range(clips)]
    whole, lean = place / f"whole{clips}", place / f"lean{clips}"
    plugin.write(whole, made, words=True)
    plugin.write(lean, made, words=False)
    return whole, lean


def recorded(asked: argparse.Namespace) -> Iterator[Row]:
    """Recorded runs: each further clip beside a bare parametrised test."""
    with tempfile.TemporaryDirectory() as scratch:
        sizes = {count: suites(Path(scratch), count) for count in (asked.few, asked.clips)}
        pytest(sizes[asked.few][0], *RECORDED)  # makes the bytecode
        figures = {}
        for count, (whole, lean) in sizes.items():
            figures[count] = least(
                2 if count == asked.few else 1,
                lambda whole=whole: pytest(whole, "test_bare.py"),
                lambda whole=whole: pytest(whole, *RECORDED),
                lambda lean=lean: pytest(lean, *RECORDED, NO_VERIFIER),
                lambda whole=whole: pytest(whole, "-p", "xdist", "-n2", "test_bare.py"),
                lambda whole=whole: pytest(whole, "-p", "xdist", "-n2", *RECORDED),
                lambda whole=whole: taken(
                    whole, "-m", "pytest_asrbench.cli", "score",
                    "--data", "clips.jsonl", "--hypotheses", "heard.jsonl",
                ),
            )  # fmt: skip
    few, many = figures[asked.few], figures[asked.clips]
    bare, full, lean, bare2, full2, score = (
        more.less(less) for more, less in zip(many, few, strict=True)
    )
    further = asked.clips - asked.few
    yield Row("a bare parametrised test", f"{1e6 * bare.cpu_s / further:.0f} µs", "")
    yield Row("a clip of a recorded run", f"{full.cpu_s / bare.cpu_s:.2f} bare tests", "3.0")
    yield Row("the same in memory", f"{full.memory_mib / bare.memory_mib:.2f} bare tests", "2.0")
    yield Row("a clip without verifier and WER", f"{lean.cpu_s / bare.cpu_s:.2f} bare tests", "1.4")
    whole_run = f"{few[1].cpu_s / few[0].cpu_s:.2f} and {many[1].cpu_s / many[0].cpu_s:.2f}"
    yield Row(
        f"whole runs of {asked.few:,} and {asked.clips:,} clips", f"{whole_run} bare runs", ""
    )
    yield Row("asrbench score", f"{score.cpu_s / full.cpu_s:.2f} of the run", "0.6")
    judging = full.wall_s - lean.wall_s
    limit = 1.2 * bare2.wall_s + judging / 2
    yield Row(
        "recorded run with -n 2, wall time",
        f"{full2.wall_s / limit:.2f} of 1.2 bare -n 2 + half the judging; "
        f"{full2.wall_s / full.wall_s:.2f} of the run without",
        "1",
    )


def verdicts(asked: argparse.Namespace) -> Iterator[Row]:
    """The rules beside the usual string scorer, which does 100,000 a second on a good day."""
    chance, rules = random.Random(1), Rules()
    for words, entities, clips in ((150, 5, 200), (20, 1, 1000)):
        made = [verifier.clip(chance, words, entities) for _ in range(clips)]
        work = verifier.judged(rules)
        work(made)
        rates = {
            "warm": verifier.rate(work, made),
            "cold": verifier.rate(verifier.cold, made),
            "join": verifier.rate(verifier.plain, made),
        }
        aim = {"warm": "1/10" if words == 150 else "1/8", "cold": "1/25"}
        for kind in ("warm", "cold"):
            yield Row(
                f"{kind} verdicts, {words} words",
                f"1/{rates['join'] / rates[kind]:.0f} of a token join, {rates[kind]:,.0f} a second",
                aim[kind],
            )


def start(asked: argparse.Namespace) -> Iterator[Row]:
    """Start-up of the inactive plugin and of commands on one clip; least of seven."""
    with tempfile.TemporaryDirectory() as scratch:
        folder, _ = suites(Path(scratch), 1)
        (folder / "test_one.py").write_text("def test_one(): pass\n")
        case = {"id": "1", "type": "time", "canonical": "noon", "transcript": "call me at noon"}
        (folder / "cases.jsonl").write_text(json.dumps(case) + "\n")
        none = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_one.py")
        commands = {
            "an inactive plugin": ((*none, "-p", "pytest_asrbench.plugin"), "20 ms"),
            "asrbench --help": (("--help",), "150 ms"),
            "asrbench score": (
                ("score", "--data", "clips.jsonl", "--hypotheses", "heard.jsonl"), "400 ms",
            ),
            "asrbench verify": (("verify", "cases.jsonl"), "400 ms"),
            "asrbench lint": (("lint", "clips.jsonl"), "400 ms"),
        }  # fmt: skip
        ours = {name: _cli(words) for name, (words, _) in commands.items()}
        bare, *others = least(
            8, *(lambda c=c: taken(folder, *c) for c in (none, *ours.values()))
        )  # the first round makes the bytecode
        for (name, (_, aim)), one in zip(commands.items(), others, strict=True):
            took = one.less(bare) if name == "an inactive plugin" else one
            yield Row(f"start: {name}", f"{1000 * took.cpu_s:.0f} ms", aim)


def _cli(words: tuple[str, ...]) -> tuple[str, ...]:
    return words if words[0] == "-m" else ("-m", "pytest_asrbench.cli", *words)


def collect(asked: argparse.Namespace) -> Iterator[Row]:
    """Collecting, of which pytest makes an object a test."""
    with tempfile.TemporaryDirectory() as scratch:
        whole, _ = suites(Path(scratch), asked.collect)
        bare, ours = least(
            1,
            lambda: pytest(whole, "--collect-only", "-qq", "test_bare.py"),
            lambda: pytest(whole, "--collect-only", "-qq", *RECORDED),
        )
    yield Row(
        f"collecting {asked.collect:,} clips", f"{ours.cpu_s / bare.cpu_s:.2f} of pytest's", "1.3"
    )


def reports(asked: argparse.Namespace) -> Iterator[Row]:
    """Files of many clips of three values, many run files, and merging."""
    clips = f"{asked.clips:,} clips"
    with tempfile.TemporaryDirectory() as scratch:
        whole, _ = suites(Path(scratch), asked.clips)
        pytest(whole, *RECORDED, "--asr-json=run.json", "--asr-html=page.html")
        size = (whole / "page.html").stat().st_size
        yield Row(f"HTML page of {clips}", f"{size / 1e6:.1f} MB", "15 MB")
        read_s, measured = timed(lambda: runs.read(whole / "run.json"))
        written_s, _ = timed(lambda: runs.write(measured, whole / "again.json"))
        took = f"written in {written_s:.1f} s, read in {read_s:.1f} s"
        yield Row(f"run file of {clips}", took, "3 s")
    yield from _many_runs(asked.few)


def merge(asked: argparse.Namespace) -> Iterator[Row]:
    """A large sharded run, of which the parts take a minute to write."""
    merged = re.search(r"([\d.]+) s of CPU\), (\d+) MiB", _printed("merge.py"))
    assert merged is not None
    took = f"{merged[1]} s, {merged[2]} MiB"
    yield Row("merging 100 parts of 1,000 clips", took, "25 s, 600 MB")


def _many_runs(count: int) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as scratch:
        whole, _ = suites(Path(scratch), count)
        pytest(whole, *RECORDED, "--asr-json=run0.json")
        text = (whole / "run0.json").read_text(encoding="utf-8")
        for n in range(1, RUNS):
            (whole / f"run{n}.json").write_text(text, encoding="utf-8")
        files = [f"run{n}.json" for n in range(RUNS)]
        for command in ("compare", "trend"):
            took = taken(whole, "-m", "pytest_asrbench.cli", command, *files)
            what = f"{command} of {RUNS} runs of {count:,} clips"
            yield Row(what, f"{took.cpu_s:.1f} s, {took.memory_mib:.0f} MiB", "5 s")


def timed(work: Callable[[], Value]) -> tuple[float, Value]:
    began = time.process_time()
    value = work()
    return time.process_time() - began, value


def live(asked: argparse.Namespace) -> Iterator[Row]:
    """A live run, which the network bounds."""
    told = _printed("engine.py")
    found = re.search(r"([\d.]+) times", told)
    assert found is not None
    yield Row("a live run with 32 calls at once", f"{found[1]} x network and bare pytest", "1.15")


def _printed(script: str) -> str:
    done = subprocess.run(
        [sys.executable, str(HERE / script)], capture_output=True, text=True, check=True
    )
    return done.stdout


PARTS = {each.__name__: each for each in (recorded, verdicts, start, collect, reports, merge, live)}


def main() -> None:
    parser = argparse.ArgumentParser(description="every ratio of this project in one table")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--few", type=int, default=1000)
    parser.add_argument("--clips", type=int, default=10_000)
    parser.add_argument("--collect", type=int, default=100_000)
    asked = parser.parse_args()
    print("| what | measured | at most |\n|---|---|---|", flush=True)
    for name in asked.parts or PARTS:
        for row in PARTS[name](asked):
            print(f"| {row.what} | {row.measured} | {row.aim} |", flush=True)
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"\nload of the machine: {load}; {os.cpu_count()} cores, Python {sys.version.split()[0]}")


if __name__ == "__main__":
    main()
