"""
How long a large native manifest takes to load, and how much memory.

    python bench/load.py [ROWS]        100,000 JSONL rows by default: 20 words, 3 entities each
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from pytest_asrbench.datasets import load

MIB = 1024  # ru_maxrss counts KiB on Linux


def write(path: Path, rows: int) -> None:
    reference = "please send the form to the desk on the third floor and call me back at noon on "
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps({"schema": 1, "name": "bench", "language": "en"}) + "\n")
        for n in range(rows):
            entities = [
                {"type": "reference_id", "canonical": f"BH-{n}{k}", "acoustic": f"b h {n} {k}"}
                for k in range(3)
            ]
            row = {"id": f"clip_{n:06d}", "audio": f"clips/{n:06d}.flac", "domain": "support"}
            file.write(
                json.dumps({**row, "reference": reference + str(n), "entities": entities}) + "\n"
            )


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "clips.jsonl")
        write(path, rows)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MIB
        start = time.perf_counter()
        dataset = load(str(path), Path())
        loaded = time.perf_counter()
        digest = dataset.digest
        done = time.perf_counter()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MIB
    print(f"{len(dataset.clips):,} clips loaded in {loaded - start:.2f} s, peak {peak:.0f} MiB")
    print(f"of that {before:.0f} MiB for imports; digest {done - loaded:.2f} s {digest[:15]}…")


if __name__ == "__main__":
    main()
