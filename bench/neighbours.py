"""
Neighbours of values, judged by the rules: how many are taken for the value, by type and by kind.

    python bench/neighbours.py [--count N] [--seed N] [--type TYPE] [--language L] [--kinds]
                               [--show N]

Each example is a value beside words that say another one (the value must be absent), or beside
words of its own (it must be present). 200,000 by default, the kinds in turn. `--kinds` prints every
kind that failed instead of the types alone, `--show N` N examples of each. Exit code 1 where
anything failed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from pytest_asrbench.datasets.types import ENTITY_TYPES
from pytest_asrbench.model import Entity
from pytest_asrbench.verifiers.rules import Rules

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from helpers.neighbours import ENGLISH, ByKind, Example, by_kind, examples
from helpers.neighbours.tongues import FAMILIES as TONGUES

SHOWN = 3
Kind = tuple[str, str]


@dataclass
class Count:
    """How often a kind was tried, and what failed of it."""

    tried: int = 0
    failed: int = 0
    crashed: int = 0
    sure: int = 0
    shown: list[Example] = field(default_factory=list)


def judged(rules: Rules, example: Example) -> tuple[bool, bool]:
    """Whether the value was found, and whether the rules were sure."""
    entity = Entity("x", example.type, example.canonical, example.acoustic)
    (verdict,) = rules.judge([entity], example.transcript, example.language)
    return verdict.present, verdict.sure


def counted(
    count: int, seed: int, type: str | None, made_by: ByKind
) -> dict[tuple[str, str, bool], Count]:
    rules, counts = Rules(), defaultdict[tuple[str, str, bool], Count](Count)
    for example in examples(Random(seed), count, type, made_by):
        counter = counts[example.type, example.kind, example.present]
        counter.tried += 1
        try:
            present, sure = judged(rules, example)
        except Exception:  # a crash of the rules is counted and shown like any other fault
            counter.crashed += 1
            present, sure = not example.present, True
        if present != example.present:
            counter.failed += 1
            counter.sure += sure
            if len(counter.shown) < SHOWN * 10:
                counter.shown.append(example)
    return counts


def _summed(counts: list[Count]) -> tuple[int, int]:
    return sum(c.tried for c in counts), sum(c.failed for c in counts)


def _share(tried: int, failed: int) -> str:
    return f"{failed:>7,} {failed / tried:>6.2%}" if tried else f"{'-':>7} {'':>6}"


def print_types(counts: dict[tuple[str, str, bool], Count]) -> None:
    print(f"{'type':<26}{'neighbours':>11}{'false accepts':>15}{'own forms':>11}{'missed':>15}")
    rows = [(type, [k for k in counts if k[0] == type]) for type in ENTITY_TYPES]
    for name, keys in (*rows, ("all", list(counts))):
        near, wrong = _summed([counts[k] for k in keys if not k[2]])
        own, missed = _summed([counts[k] for k in keys if k[2]])
        if near or own:
            print(
                f"{name:<26}{near:>11,}{_share(near, wrong):>15}{own:>11,}{_share(own, missed):>15}"
            )
    print(f"crashes: {sum(c.crashed for c in counts.values())}")


def print_kinds(counts: dict[tuple[str, str, bool], Count], show: int, *, every: bool) -> None:
    print(f"\n{'type':<26}{'kind':<42}{'tried':>7}{'failed':>8}{'':>8}{'sure':>7}{'crashed':>9}")
    for (type, kind, _), c in sorted(counts.items(), key=lambda item: item[0]):
        if c.failed or every:
            share = c.failed / c.tried
            print(
                f"{type:<26}{kind:<42}{c.tried:>7}{c.failed:>8}{share:>8.1%}{c.sure:>7}{c.crashed:>9}"
            )
            for example in Random(0).sample(c.shown, min(show, len(c.shown))):
                print(f"      {example.canonical!r} in {example.transcript!r}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--type", choices=ENTITY_TYPES)
    parser.add_argument("--language", choices=("en", *TONGUES), default="en")
    parser.add_argument("--kinds", action="store_true", help="every kind that failed")
    parser.add_argument("--every", action="store_true", help="with the kinds that held")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="examples of each")
    args = parser.parse_args()
    started = time.process_time()
    made_by = ENGLISH if args.language == "en" else by_kind(TONGUES[args.language])
    counts = counted(args.count, args.seed, args.type, made_by)
    print_types(counts)
    if args.kinds or args.every or args.show:
        print_kinds(counts, args.show, every=args.every)
    print(f"\n{time.process_time() - started:.0f} s of CPU")
    return 1 if any(c.failed for c in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
