"""
Time of a verdict on a long transcript that repeats one piece: python bench/long_texts.py

For every entity type the slowest of some pieces at --size characters, and how many times as long as
a quarter of them it took; 4 is linear. `--language de` asks another reader.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from test_verifier_bounds import VALUES

from pytest_asrbench.datasets.types import ENTITY_TYPES
from pytest_asrbench.model import Entity
from pytest_asrbench.verifiers.rules import Rules

PIECES = ("1.", "1:", "1-", "1 000 ", "one ", "a.", "@", "-", "/", "$1 ", "dot ", "一")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--language", default="en")
    parser.add_argument("--types", nargs="+", default=sorted(ENTITY_TYPES))
    args = parser.parse_args()
    rules = Rules(languages=(args.language,))
    for type_ in args.types:
        entity = Entity("e", type_, VALUES.get(type_, "alpha 1.1"))
        took = [measure(rules, entity, args.language, piece, args.size) for piece in PIECES]
        seconds, times, piece = max(took)
        print(f"{type_:25} {seconds:7.2f} s  {times:4.1f} times a quarter's  {piece!r}", flush=True)


def measure(
    rules: Rules, entity: Entity, language: str, piece: str, size: int
) -> tuple[float, float, str]:
    """Seconds of CPU, how many times those of a quarter of the text, the piece."""
    text = piece * (size // len(piece))
    quarter = seconds(rules, entity, language, text[: size // 4])
    whole = seconds(rules, entity, language, text)
    return whole, whole / quarter, piece


def seconds(rules: Rules, entity: Entity, language: str, text: str) -> float:
    before = time.process_time()
    rules.judge((entity,), text, language)
    return time.process_time() - before


if __name__ == "__main__":
    main()
