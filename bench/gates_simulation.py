"""
How often the default gates of a noisy provider fail without a change, and how often they catch one.

    python bench/gates_simulation.py [--runs 10000] [--clips 30 100 300] [--jobs 2]

Each simulated run draws a baseline and a rerun of the same clips. Outcomes are clustered: a rerun
hears some clips anew, and all entities of such a clip move together. The gates are those that
`--asr-update` writes for a provider that is not steady: paired ones on CTEM, TSR and every type
with clips enough, Holm-corrected, and a ceiling on WER. A sample of the runs goes through
`pytest_asrbench.gates` as well and must come to the same failures.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pytest_asrbench import gates, run
from pytest_asrbench.gates import wording
from pytest_asrbench.metrics import stats
from pytest_asrbench.model import (
    Clip,
    ClipRecord,
    Dataset,
    Entity,
    ErrorRate,
    JudgedEntity,
    Verdict,
)

ALPHA = 0.05
TYPES = 12
PER_CLIP = (1, 2, 3, 3, 4, 5, 6)  # entities
WORDS = 25
CHECKED = 10  # runs of each batch that go through the real gates too

# Of the clips, how many a rerun hears anew; of the entities, how many are not near sure.
NOISE = {"calm": (0.05, 0.1), "usual": (0.2, 0.2), "wild": (1.0, 0.5)}

SLIPS = (0.0003, 0.001, 0.003, 0.01)  # of clips heard unusually, in a provider taken for steady

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class World:
    """Clips with entities, the chance that each is recovered, and how the clips vary."""

    clip: Ints
    type: Ints
    chance: NDArray[np.float64]
    edits: NDArray[np.float64]
    anew: float

    @property
    def clips(self) -> int:
        return len(self.edits)


@dataclass(frozen=True)
class Draw:
    """One run: what was recovered, and each clip's word edits."""

    hit: Bools
    edits: Ints


def world(rng: np.random.Generator, clips: int, noise: str) -> World:
    anew, shaky = NOISE[noise]
    sizes = rng.choice(PER_CLIP, clips)
    clip = np.repeat(np.arange(clips), sizes)
    ease = rng.beta(3, 1.5, clips)[clip]
    sure = (rng.random(len(clip)) < ease) * 0.96 + 0.02
    chance = np.where(rng.random(len(clip)) < shaky, rng.random(len(clip)), sure)
    return World(clip, rng.integers(0, TYPES, len(clip)), chance, rng.gamma(2, 2, clips), anew)


def draw(rng: np.random.Generator, w: World) -> Draw:
    """All entities of a clip lean the same way in a run: they share half of their luck."""
    own, shared = rng.random(len(w.clip)), rng.random(w.clips)[w.clip]
    luck = np.where(rng.random(len(w.clip)) < 0.5, shared, own)
    return Draw(luck < w.chance, rng.poisson(w.edits))


def again(rng: np.random.Generator, w: World, before: Draw) -> tuple[Draw, Draw]:
    """Baseline and rerun: clips that are heard anew are drawn for each, the rest is the same."""
    moved = rng.random(w.clips) < w.anew
    fresh = draw(rng, w)
    hit = np.where(moved[w.clip], fresh.hit, before.hit)
    return before, Draw(hit, np.where(moved, fresh.edits, before.edits))


def worse(rng: np.random.Generator, w: World, now: Draw, points: float, where: str) -> Draw:
    """CTEM lower by so many points: in whole clips, or in one type as far as it goes."""
    hit, wanted = now.hit.copy(), round(points / 100 * len(now.hit))
    if where == "one type":
        order = np.argsort(w.type != rng.integers(TYPES), kind="stable")
    else:
        order = np.argsort(rng.permutation(w.clips)[w.clip], kind="stable")
    lost = [at for at in order if hit[at]][:wanted]
    hit[lost] = False
    return Draw(hit, now.edits)


def failures(w: World, before: Draw, now: Draw) -> set[str]:
    """The gates that fail, by the arithmetic of the defaults on bare arrays."""
    p, least = {}, {}
    for name, chosen, whole in _testable(w, before):
        clips = w.clip[chosen]
        was, has = (np.bincount(clips, d.hit[chosen], w.clips).astype(int) for d in (before, now))
        size = np.bincount(clips, minlength=w.clips)
        if whole:
            was, has = (was == size).astype(int), (has == size).astype(int)
        pairs = zip(was[size > 0].tolist(), has[size > 0].tolist(), strict=True)
        clips_of_gate = [((a,), (b,)) for a, b in pairs]
        p[name] = stats.permutation_drop(clips_of_gate)
        least[name] = stats.least_drop_p(clips_of_gate)
    found = {name for name, each in stats.tarone(p, least, ALPHA).items() if each <= ALPHA}
    return found | ({"wer"} if _wer_fails(w, before, now) else set())


def _testable(w: World, before: Draw) -> Iterator[tuple[str, Bools, bool]]:
    """CTEM, TSR and the types whose test can fail."""
    everything = np.ones(len(w.clip), bool)
    missed = np.unique(w.clip[~before.hit])
    sizes = {"ctem": len(np.unique(w.clip[before.hit]))}
    sizes["tsr"] = len(np.unique(w.clip)) - len(missed)
    for n in sorted({int(each) for each in w.type}):
        sizes[f"recovery:type_{n:02}"] = len(np.unique(w.clip[(w.type == n) & before.hit]))
    for name, size in sizes.items():
        if size >= math.log2(3 / ALPHA):
            of_type = w.type == int(name[-2:]) if ":" in name else everything
            yield name, of_type, name == "tsr"


def _wer_fails(w: World, before: Draw, now: Draw) -> bool:
    risen = now.edits.sum() - before.edits.sum()
    if risen < 2 * math.sqrt(w.clips) * before.edits.std():
        return False  # far from three standard errors: no need to draw them
    draws = stats.resampled_ratios([(int(each), WORDS) for each in before.edits])
    total = WORDS * w.clips
    bound = before.edits.sum() / total + 3 * float(draws.std())
    limit = wording.ceiling(Fraction(bound).limit_denominator(10**6), Fraction(bound + 0.01))
    return Fraction(int(now.edits.sum()), total) > limit


def by_the_real_gates(w: World, before: Draw, now: Draw) -> set[str]:
    """The same through records, thresholds and gates."""
    made = gates.update(_run(w, before), None, []).thresholds
    assert made is not None
    return {each.name for each in gates.evaluate(_run(w, now), made) if each.failed}


def _run(w: World, drawn: Draw) -> run.Run:
    entities: list[list[JudgedEntity]] = [[] for _ in range(w.clips)]
    for clip, type_, hit in zip(w.clip.tolist(), w.type.tolist(), drawn.hit.tolist(), strict=True):
        own = entities[clip]
        entity = Entity(f"e{len(own)}", f"type_{type_:02}", f"{clip}/{len(own)}")
        own.append(JudgedEntity(entity, Verdict(hit, True, "")))
    words = "a " * WORDS
    records = tuple(
        ClipRecord(
            f"c{n}",
            words,
            "en",
            tuple(entities[n]),
            transcript=words,
            source="live",
            words=ErrorRate(int(drawn.edits[n]), WORDS),
        )
        for n in range(w.clips)
    )
    clips = tuple(
        Clip(r.clip, Path("x"), words, "en", tuple(e.entity for e in r.entities)) for r in records
    )
    return run.Run(
        plugin="0",
        started="",
        provider=run.ProviderInfo("p", "p"),
        dataset=run.DatasetInfo.of(Dataset("d", Path("d"), clips)),
        verifier=run.VerifierInfo("v", "1", "0"),
        coverage=run.Coverage(w.clips),
        records=records,
        normaliser="plain",
    )


def steady_fails(rng: np.random.Generator, clips: int, slips: float) -> bool:
    """Whether a provider passes for steady by three equal repeats, and the next run fails.

    `slips` is the chance that a clip is heard in another way than usual. Plain floors fail where
    CTEM, TSR or a type recovers one less.
    """
    if rng.random() >= (1 - slips) ** (3 * clips):
        return False
    w = world(rng, clips, "usual")
    usual, other = draw(rng, w), draw(rng, w)
    moved = rng.random(clips) < slips
    now = np.where(moved[w.clip], other.hit, usual.hit)
    lost = usual.hit & ~now
    if not lost.any():
        return False
    types = [np.bincount(w.type, hit, TYPES) for hit in (usual.hit, now)]
    whole = [clips - len(np.unique(w.clip[~hit])) for hit in (usual.hit, now)]
    fewer = now.sum() < usual.hit.sum() or whole[1] < whole[0]
    return bool(fewer or (types[1] < types[0]).any())


@dataclass(frozen=True)
class Task:
    clips: int
    noise: str
    points: float
    where: str
    runs: int
    seed: int
    slips: float = 0.0


def simulate(task: Task) -> int:
    """Runs in which at least one gate failed."""
    rng = np.random.default_rng(task.seed)
    if task.slips:
        return sum(steady_fails(rng, task.clips, task.slips) for _ in range(task.runs))
    failed = 0
    for n in range(task.runs):
        w = world(rng, task.clips, task.noise)
        before, now = again(rng, w, draw(rng, w))
        now = worse(rng, w, now, task.points, task.where) if task.points else now
        found = failures(w, before, now)
        if n < CHECKED:
            real = by_the_real_gates(w, before, now)
            assert found == real, f"{found} by hand, {real} by the gates"
        failed += bool(found)
    return failed


def share(pool: ProcessPoolExecutor, jobs: int, runs: int, **what: object) -> tuple[int, int]:
    """(failed, runs) of a simulation, spread over processes."""
    each = -(-runs // jobs)
    tasks = [Task(runs=each, seed=seed, **what) for seed in range(jobs)]  # type: ignore[arg-type] # fields by name
    return sum(pool.map(simulate, tasks)), each * jobs


def shown(failed: int, runs: int) -> str:
    low, high = stats.wilson(stats.Rate(failed, runs)) or (0.0, 1.0)
    return f"{failed / runs:.1%} ({low:.1%}-{high:.1%})"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--runs", type=int, default=10_000, help="for false alarms")
    parser.add_argument("--power-runs", type=int, default=1_000)
    parser.add_argument("--clips", type=int, nargs="+", default=[30, 100, 300])
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args(arguments)
    with ProcessPoolExecutor(args.jobs) as pool:
        print("false alarms: a rerun without change fails a gate (95% interval)\n")
        print("| noise | " + " | ".join(f"n={n}" for n in args.clips) + " |")
        print("|---|" + "---:|" * len(args.clips))
        for noise in NOISE:
            cells = [
                shown(*share(pool, args.jobs, args.runs, clips=n, noise=noise, points=0, where=""))
                for n in args.clips
            ]
            print(f"| {noise} | {' | '.join(cells)} |", flush=True)
        print("\nfalse alarms of plain floors, after three repeats without any difference\n")
        print("| clips slip | " + " | ".join(f"n={n}" for n in args.clips) + " |")
        print("|---|" + "---:|" * len(args.clips))
        for slips in SLIPS:
            what = {"noise": "", "points": 0, "where": "", "slips": slips}
            cells = [shown(*share(pool, args.jobs, args.runs, clips=n, **what)) for n in args.clips]
            print(f"| {slips:.2%} | {' | '.join(cells)} |", flush=True)
        print("\npower: a CTEM drop of so many points fails a gate\n")
        print("| noise | lost in | drop | " + " | ".join(f"n={n}" for n in args.clips) + " |")
        print("|---|---|---:|" + "---:|" * len(args.clips))
        for noise in NOISE:
            for where in ("whole clips", "one type"):
                for points in (3, 5, 10):
                    what = {"noise": noise, "points": points, "where": where}
                    cells = [
                        f"{failed / runs:.0%}"
                        for n in args.clips
                        for failed, runs in [
                            share(pool, args.jobs, args.power_runs, clips=n, **what)
                        ]
                    ]
                    row = f"| {noise} | {where} | {points} | {' | '.join(cells)} |"
                    print(row, flush=True)


if __name__ == "__main__":
    main()
