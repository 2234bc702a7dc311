"""
Spoilt files and answers, a million of them: none may end in anything but a line of our own.

    python bench/fuzz.py [--count 1000000] [--seed 1] [--target NAME …]

Prints for each reader how many texts it took and refused, and each kind of fault once, with the
seed that makes it again. Exit code 1 where there is a fault.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from helpers.fuzzing import NAMES, Target, at_random, targets


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", nargs="*", choices=NAMES, default=NAMES)
    args = parser.parse_args()
    failed = False
    with TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        for target in [each for each in targets(folder) if each.name in args.target]:
            failed |= fuzzed(target, folder, args.count // len(args.target), args.seed)
    return 1 if failed else 0


def fuzzed(target: Target, folder: Path, count: int, seed: int) -> bool:
    """Whether a fault was found."""
    faults: Counter[str] = Counter()
    first: dict[str, int] = {}
    started = time.perf_counter()
    for number in range(count):
        fault = target.fault(at_random(target, Random(f"{seed}/{target.name}/{number}")), folder)
        if fault:
            kind = fault.partition(":")[0]
            faults[kind] += 1
            if kind not in first:
                first[kind] = number
                print(f"  {target.name} {seed}/{number}: {fault}")
    took = time.perf_counter() - started
    print(f"{target.name:<17} {count:>9,} tried, {sum(faults.values()):,} faults, {took:.0f} s")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
