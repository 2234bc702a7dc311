"""
Verdicts a second of the rules verifier, beside a plain token-join matcher in the same run.

    python bench/verifier.py [--clips N] [--profile]

150 words and 5 entities a clip, then 20 words and 1; 80% of the values are present, and every miss
is explained. Entities are compiled in a first round; "cold" compiles and judges each once, as a
run does. CPU time, so that other work on the machine counts less; the ratios to the plain matcher
count, not the seconds.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import re
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from pytest_asrbench.model import Entity
from pytest_asrbench.verifiers.rules import Rules

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from helpers.spoken_values import MAKERS, ORDINARY, Value

Clip = tuple[list[Entity], str]
PRESENT = 0.8
ROUNDS = 5


def clip(random: Random, words: int, entities: int) -> Clip:
    """Values in one of their forms, or in another value's, among ordinary words."""
    found: list[Entity] = []
    pieces: list[str] = []
    for k in range(entities):
        make = MAKERS[random.choice(sorted(MAKERS))]
        value = make(random)
        said: Value = value if random.random() < PRESENT else make(random)
        found.append(Entity(str(k), value.type, value.canonical, value.spoken[0]))
        pieces.append(random.choice(said.forms))
    length = sum(len(piece.split()) for piece in pieces)
    filler = [random.choice(ORDINARY) for _ in range(max(0, words - length))]
    for piece in pieces:
        filler.insert(random.randint(0, len(filler)), piece)
    return found, " ".join(filler)


def plain(clips: Sequence[Clip]) -> int:
    """The usual string scorer: tokens joined, substring looked for."""
    hits = 0
    for entities, transcript in clips:
        heard = "".join(re.findall(r"\w+", transcript.lower()))
        for entity in entities:
            hits += "".join(re.findall(r"\w+", entity.canonical.lower())) in heard
    return hits


def judged(rules: Rules) -> Callable[[Sequence[Clip]], int]:
    def run(clips: Sequence[Clip]) -> int:
        verdicts = (v for entities, text in clips for v in rules.judge(entities, text, "en"))
        return sum(verdict.present for verdict in verdicts)

    return run


def cold(clips: Sequence[Clip]) -> int:
    """Each value compiled and judged once, as a run does."""
    return judged(Rules())(clips)


def rate(work: Callable[[Sequence[Clip]], int], clips: Sequence[Clip]) -> float:
    """Verdicts a second of CPU, best of a few rounds."""
    verdicts = sum(len(entities) for entities, _ in clips)
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        work(clips)
        best = min(best, time.process_time() - start)
    return verdicts / best


def memory(rules: Rules, clips: Sequence[Clip]) -> tuple[int, int]:
    """Bytes held after one round and after three more: flat where transcripts are let go."""
    tracemalloc.start()
    run = judged(rules)
    run(clips)
    first, _ = tracemalloc.get_traced_memory()
    for _ in range(3):
        run(clips)
    last, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return first, last


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clips", type=int, default=400)
    parser.add_argument("--profile", action="store_true")
    args = parser.parse_args()
    random, rules = Random(1), Rules()
    columns = f"{'rules/s':>12}{'cold/s':>12}{'token join/s':>14}{'ratio':>8}{'cold':>8}"
    print(f"{'words':>6}{'entities':>10}{columns}")
    for words, entities in ((150, 5), (20, 1)):
        clips = [clip(random, words, entities) for _ in range(args.clips)]
        run = judged(rules)
        present = run(clips) / sum(len(e) for e, _ in clips)
        ours, once, theirs = rate(run, clips), rate(cold, clips), rate(plain, clips)
        figures = f"{ours:>12,.0f}{once:>12,.0f}{theirs:>14,.0f}"
        print(f"{words:>6}{entities:>10}{figures}{theirs / ours:>8.1f}{theirs / once:>8.1f}")
        print(f"       {present:.0%} judged present")
    first, last = memory(rules, clips)
    print(f"memory held: {first / 1e6:.1f} MB after one round, {last / 1e6:.1f} MB after four")
    if args.profile:
        clips = [clip(random, 150, 5) for _ in range(args.clips)]
        run(clips)  # compiles
        with cProfile.Profile() as profile:
            run(clips)
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)


if __name__ == "__main__":
    main()
