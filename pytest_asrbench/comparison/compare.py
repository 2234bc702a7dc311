"""
Runs side by side, over the clips that all of them measured.

Two runs are comparable where dataset, verifier and normaliser are the same. Others are refused, or,
where asked for, compared over the clips whose target values agree, with a line that says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from pytest_asrbench.comparison.lost import Lost, lost
from pytest_asrbench.errors import InputError
from pytest_asrbench.metrics import stats
from pytest_asrbench.metrics.recovery import entity_key
from pytest_asrbench.metrics.summary import Figures, figures
from pytest_asrbench.model import ClipRecord, Rate
from pytest_asrbench.run import Run, clip_digest


@dataclass(frozen=True, slots=True)
class Contender:
    """One run in a comparison: `label` sets it apart, `figures` are over the common clips."""

    label: str
    run: Run
    figures: Figures
    only: tuple[str, ...]
    """Entities that it alone recovers, in every repeat, as `clip/entity`."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two contenders. The p-values are two-sided and Holm-corrected over all pairs.

    `only_a` and `only_b` are entities that one recovers in every repeat and the other in none;
    `differ` counts the clips whose transcripts are not the same text.
    """

    a: str
    b: str
    p_ctem: float
    p_tsr: float
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    differ: Rate


@dataclass(frozen=True, slots=True)
class Comparison:
    """`spearman` correlates WER with CTEM and TSR over three or more contenders."""

    contenders: tuple[Contender, ...]
    pairs: tuple[Pair, ...]
    clips: int
    entities: int
    normaliser: str
    spearman: Mapping[str, float] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    lost: tuple[Lost, ...] = ()
    """Those first that tell contenders apart."""

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(sorted({t for each in self.contenders for t in each.figures.recovery}))

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": 1,
            "clips": self.clips,
            "entities": self.entities,
            "normaliser": self.normaliser,
            "notices": list(self.notices),
            "runs": [_contender_to_json(each) for each in self.contenders],
            "pairs": [_pair_to_json(each) for each in self.pairs],
            "spearman": dict(self.spearman),
            "lost": [asdict(each) for each in self.lost],
        }


def _contender_to_json(contender: Contender) -> dict[str, Any]:
    run = contender.run
    return {
        "label": contender.label,
        "started": run.started,
        "git_commit": run.git_commit,
        "provider": run.provider.to_json(),
        "metrics": contender.figures.to_json(),
        "only_recovered_here": list(contender.only),
    }


def _pair_to_json(pair: Pair) -> dict[str, Any]:
    return {
        "a": pair.a,
        "b": pair.b,
        "p_ctem": pair.p_ctem,
        "p_tsr": pair.p_tsr,
        "only_a": list(pair.only_a),
        "only_b": list(pair.only_b),
        "transcripts_differ": pair.differ.to_json(),
    }


def compare(runs: Sequence[tuple[Path, Run]], *, anyway: bool = False) -> Comparison:
    """The comparison of two or more runs with the files they come from.

    Raises InputError where fewer than two are given, where dataset, verifier or normaliser differ
    and `anyway` was not asked for, or where no clip was measured by all.
    """
    if len(runs) < 2:
        raise InputError("asrbench compare: give two run files or more")
    notices = _differences(runs)
    if notices and not anyway:
        raise InputError("\n".join(f"{notice}; --anyway compares them still" for notice in notices))
    common = _common([run for _, run in runs])
    if not common:
        raise InputError("no clip was measured by all of these runs; nothing to compare")
    everything = {record.clip for _, run in runs for record in run.records}
    if len(common) < len(everything):
        left = len(everything) - len(common)
        notices.append(f"{left} of {len(everything)} clips left out: not measured by all alike")
    labels = _labels([run for _, run in runs])
    parts = [[r for r in run.records if r.clip in common] for _, run in runs]
    contenders = _contenders(labels, [run for _, run in runs], parts)
    return Comparison(
        contenders=contenders,
        pairs=_pairs(labels, parts),
        clips=len(common),
        entities=sum(len(r.entities) for r in parts[0] if r.repeat == 1),
        normaliser=" and ".join(dict.fromkeys(run.normaliser for _, run in runs)),
        spearman=_spearman(contenders),
        notices=tuple(notices),
        lost=lost(parts),
    )


def _differences(runs: Sequence[tuple[Path, Run]]) -> list[str]:
    """Differences that make the runs no fair comparison, one line each."""
    first_path, first = runs[0]
    differences = []
    for path, run in runs[1:]:
        for what, mine, theirs in (
            ("dataset", run.dataset.digest, first.dataset.digest),
            ("verifier", " ".join(run.verifier.key), " ".join(first.verifier.key)),
            ("verdicts.yaml", run.verifier.overrides_digest, first.verifier.overrides_digest),
            ("normaliser", run.normaliser, first.normaliser),
        ):
            if mine != theirs:
                differences.append(f"{path}: {what} {mine} is not {theirs} as in {first_path}")
    return differences


def _common(runs: Sequence[Run]) -> set[str]:
    """Clips with the same target values that every run measured in every repeat."""
    digests: dict[str, set[str]] = defaultdict(set)
    measured: list[set[str]] = []
    for run in runs:
        failed = {record.clip for record in run.errors}
        measured.append({record.clip for record in run.records} - failed)
        for record in run.records:
            digests[record.clip].add(clip_digest(record))
    return {clip for clip in set.intersection(*measured) if len(digests[clip]) == 1}


def _labels(runs: Sequence[Run]) -> list[str]:
    """Names, with as much more as sets them apart."""
    for tell in (
        lambda run: run.provider.name,
        lambda run: f"{run.provider.name} {run.provider.mode}",
        lambda run: f"{run.provider.name} {run.provider.model or ''}".strip(),
        lambda run: f"{run.provider.name} {run.started}",
    ):
        labels = [tell(run) for run in runs]
        if len(set(labels)) == len(labels):
            return labels
    return [f"{run.provider.name} #{n}" for n, run in enumerate(runs, start=1)]


def _contenders(
    labels: Sequence[str], runs: Sequence[Run], parts: Sequence[Sequence[ClipRecord]]
) -> tuple[Contender, ...]:
    always = [_outcomes(part)[0] for part in parts]
    ever = [_outcomes(part)[1] for part in parts]
    contenders = []
    for n, (label, run, part) in enumerate(zip(labels, runs, parts, strict=True)):
        others = set().union(*(keys for m, keys in enumerate(ever) if m != n))
        only = tuple(key for key in always[n] if key not in others)
        contenders.append(Contender(label, run, figures(part), only))
    return tuple(contenders)


def _outcomes(records: Sequence[ClipRecord]) -> tuple[dict[str, None], set[str]]:
    """Entities recovered in every repeat, in order, and those recovered in any."""
    hits: dict[str, list[bool]] = defaultdict(list)
    for record in records:
        for judged in record.entities:
            present = judged.verdict is not None and judged.verdict.present
            hits[entity_key(record, judged.entity.id)].append(present)
    always = {key: None for key, outcomes in hits.items() if all(outcomes)}
    return always, {key for key, outcomes in hits.items() if any(outcomes)}


def _pairs(labels: Sequence[str], parts: Sequence[Sequence[ClipRecord]]) -> tuple[Pair, ...]:
    chosen = list(combinations(range(len(labels)), 2))
    clips = [_by_clip(part) for part in parts]
    scores = {
        (measure, n): _scores(each, clips[0], whole=measure == "tsr")
        for n, each in enumerate(clips)
        for measure in ("ctem", "tsr")
    }
    raw = {
        f"{measure}:{a}:{b}": stats.two_sided(
            list(zip(scores[measure, a], scores[measure, b], strict=True))
        )
        for a, b in chosen
        for measure in ("ctem", "tsr")
    }
    p = stats.holm(raw)
    outcomes = [_outcomes(part) for part in parts]
    return tuple(
        Pair(
            a=labels[a],
            b=labels[b],
            p_ctem=p[f"ctem:{a}:{b}"],
            p_tsr=p[f"tsr:{a}:{b}"],
            only_a=tuple(key for key in outcomes[a][0] if key not in outcomes[b][1]),
            only_b=tuple(key for key in outcomes[b][0] if key not in outcomes[a][1]),
            differ=_differ(clips[a], clips[b]),
        )
        for a, b in chosen
    )


Clips = Mapping[str, Sequence[ClipRecord]]


def _by_clip(records: Sequence[ClipRecord]) -> Clips:
    clips: dict[str, list[ClipRecord]] = defaultdict(list)
    for record in records:
        clips[record.clip].append(record)
    return clips


def _scores(clips: Clips, order: Clips, *, whole: bool) -> list[tuple[int, ...]]:
    """Each clip's recovered entities, or whether it has all, in the repeats of a run."""
    return [
        tuple(_score(record, whole) for record in clips[clip])
        for clip in order
        if order[clip][0].entities
    ]


def _score(record: ClipRecord, whole: bool) -> int:
    return int(record.whole) if whole else len(record.recovered)


def _differ(a: Clips, b: Clips) -> Rate:
    """Clips whose first transcripts are not the same text."""
    other = sum(a[clip][0].transcript != b[clip][0].transcript for clip in a)
    return Rate(other, len(a))


def _spearman(contenders: Sequence[Contender]) -> dict[str, float]:
    correlations = {}
    for name in ("ctem", "tsr"):
        pairs = [(c.figures.wer.value, getattr(c.figures, name).value) for c in contenders]
        known = [(wer, value) for wer, value in pairs if wer is not None and value is not None]
        rho = stats.spearman([wer for wer, _ in known], [value for _, value in known])
        if rho is not None:
            correlations[name] = rho
    return correlations
