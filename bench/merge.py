"""
Merge and gate a large sharded run: 100 parts of 1,000 clips each, 3 entities and 20 words a clip.

    python bench/merge.py

Prints seconds and peak memory of `asrbench merge --gate`, in a process of its own. The parts take
a minute to write.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pytest_asrbench import cli, gates, run
from pytest_asrbench.model import ClipRecord, Dataset, Entity, JudgedEntity, Nearest, Verdict

PARTS = 100
CLIPS = 1000
ENTITIES = 3
WORDS = 20
TYPES = ("time", "date", "url", "phone_number", "email_address", "percentage", "version")
MISS = Nearest("something else that was heard", 10, 39, "one 5 missing")


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        # In processes of their own: a child's peak memory is never below its parent's.
        subprocess.run([sys.executable, __file__, "parts", scratch], check=True)
        subprocess.run([sys.executable, __file__, "merge", scratch], check=True)


def merge(folder: Path) -> None:
    paths = map(str, folder.glob("part*.json"))
    files = ["--thresholds", str(folder / "p.yaml"), "--json", str(folder / "all.json")]
    started = time.perf_counter(), time.process_time()
    code = cli.main(["merge", *paths, "--gate", "-q", *files])
    seconds = time.perf_counter() - started[0]
    cpu = time.process_time() - started[1]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{PARTS} parts x {CLIPS} clips merged and gated: exit {code}")
    print(f"{seconds:.1f} s ({cpu:.1f} s of CPU), {peak:.0f} MiB at the peak")


def write_parts(folder: Path) -> None:
    """The run files, and thresholds that the whole holds."""
    chance = random.Random(1)
    records = [record(chance, n) for n in range(PARTS * CLIPS)]
    clips = tuple(run.records.clip_of(each) for each in records)
    dataset = Dataset("bench", folder / "clips.jsonl", clips)
    whole = part(dataset, records, "1/1")
    made = gates.update(whole, None, []).thresholds
    assert made is not None
    gates.write(made, folder / "p.yaml")
    for n in range(PARTS):
        chosen = records[n * CLIPS : (n + 1) * CLIPS]
        run.write(part(dataset, chosen, f"{n + 1}/{PARTS}"), folder / f"part{n + 1}.json")


def part(dataset: Dataset, records: list[ClipRecord], shard: str) -> run.Run:
    return run.build(
        records,
        dataset=dataset,
        expected=[each.clip for each in records],
        providers=[run.ProviderInfo("p", "recorded", deterministic=True)],
        verifiers=[run.VerifierInfo("rules", "1", "sha256:0")],
        started="2026-01-01T00:00:00Z",
        plugin="0.1.0",
        shard=shard,
        normaliser="plain",
    )


def record(chance: random.Random, n: int) -> ClipRecord:
    text = " ".join(f"word{chance.randrange(3000)}" for _ in range(WORDS))
    entities = tuple(judged(chance, n, m) for m in range(ENTITIES))
    return ClipRecord(
        clip=f"clip_{n:05}",
        reference=text,
        language="en",
        entities=entities,
        row=n + 2,
        audio=f"audio/clip_{n:05}.flac",
        audio_sha256="0" * 64,
        duration_s=60.0,
        slices={"domain": chance.choice(("a", "b", "c", "d")), "difficulty": "light"},
        transcript=text.replace("word1", "ward1"),
        source="recorded",
    )


def judged(chance: random.Random, n: int, m: int) -> JudgedEntity:
    entity = Entity(f"e{m}", chance.choice(TYPES), f"value {n} {m}", f"value {n} {m} as spoken")
    if chance.random() < 0.7:
        return JudgedEntity(entity, Verdict(True, True, "found as written", "word12", 0, 6))
    return JudgedEntity(entity, Verdict(False, True, "a digit is missing", nearest=MISS))


if __name__ == "__main__":
    steps = {"parts": write_parts, "merge": merge}
    if len(sys.argv) > 1:
        steps[sys.argv[1]](Path(sys.argv[2]))
    else:
        main()
