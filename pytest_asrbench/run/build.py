"""From clip records to a run with all its metrics."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from pytest_asrbench.conditions import Condition
from pytest_asrbench.metrics import wer
from pytest_asrbench.metrics.summary import Metrics, summarise
from pytest_asrbench.model import ClipRecord, Dataset, Outcome, sound_key
from pytest_asrbench.run.provenance import (
    ConditionInfo,
    Coverage,
    DatasetInfo,
    ProviderInfo,
    VerifierInfo,
)


@dataclass(frozen=True)
class Run:
    """Everything a run measured and where it comes from; what the run file holds.

    `started` is UTC, ISO 8601 with Z. `shard` is K/N. `cache_mode` tells whether stored transcripts
    were wanted ("replay") or merely used. `records` are in the dataset's order, repeats together;
    their words were counted under `normaliser`.

    A run's own records are of raw clips. `conditions` are the same clips under one condition each:
    runs of their own, whose `condition` says which.
    """

    plugin: str
    started: str
    provider: ProviderInfo
    dataset: DatasetInfo
    verifier: VerifierInfo
    coverage: Coverage
    records: tuple[ClipRecord, ...]
    normaliser: str
    gates: tuple[Outcome, ...] = ()
    git_commit: str | None = None
    shard: str = "1/1"
    tags: tuple[str, ...] = ()
    repeats: int = 1
    cache_mode: str = "fill"
    environment: Mapping[str, str] = field(default_factory=dict)
    condition: ConditionInfo | None = None
    conditions: tuple[Run, ...] = ()
    links: Mapping[str, str] = field(default_factory=dict)
    """Commit, branch, CI job and pull request, as name -> address."""

    @cached_property
    def metrics(self) -> Metrics:
        """Counted from the records when first asked for; parts of a merge are never asked."""
        return summarise(self.records, self.normaliser)

    @property
    def selection(self) -> Literal["full", "partial"]:
        """Whether tests asked for every expected clip."""
        return "partial" if self.coverage.unselected else "full"

    @property
    def sharded(self) -> bool:
        return not self.shard.endswith("/1")

    @property
    def parts(self) -> tuple[Run, ...]:
        """Raw clips first, then those under each condition."""
        return (self, *self.conditions)

    @property
    def errors(self) -> tuple[ClipRecord, ...]:
        return tuple(record for record in self.records if not record.measured)


def build(
    records: Iterable[ClipRecord],
    *,
    dataset: Dataset,
    providers: Sequence[ProviderInfo],
    verifiers: Sequence[VerifierInfo],
    started: str,
    plugin: str,
    expected: Collection[str] | None = None,
    selected: Collection[str] | None = None,
    problems: Sequence[str] = (),
    git_commit: str | None = None,
    shard: str = "1/1",
    tags: Sequence[str] = (),
    repeats: int = 1,
    cache_mode: str = "fill",
    environment: Mapping[str, str] | None = None,
    links: Mapping[str, str] | None = None,
    normaliser: str | None = None,
    conditions: Sequence[Condition] = (),
) -> Run:
    """A run of these records, with metrics.

    `providers` and `verifiers` are the distinct ones that were seen, the run's own first; a second
    one becomes a problem. `expected` are the clip ids this run is answerable for (default: the
    whole dataset; a shard: its own), raw and under each of the `conditions`; `selected` the keys of
    those that tests asked for (default: all expected). `normaliser` defaults to `whisper-en` for
    English data and `plain` otherwise.
    """
    order = {clip.id: at for at, clip in enumerate(dataset.clips)}
    known = sorted(records, key=lambda r: (order.get(r.clip, len(order)), r.clip, r.repeat))
    name = normaliser or wer.normaliser_for({clip.language for clip in dataset.clips})
    measured = tuple(wer.measure(known, name))
    wanted = sorted(
        order if expected is None else set(expected), key=lambda clip: order.get(clip, len(order))
    )
    raw = Run(
        plugin=plugin,
        started=started,
        git_commit=git_commit,
        shard=shard,
        tags=tuple(tags),
        repeats=repeats,
        cache_mode=cache_mode,
        environment=dict(environment or {}),
        links=dict(links or {}),
        provider=providers[0],
        dataset=DatasetInfo.of(dataset),
        verifier=verifiers[0],
        coverage=Coverage(0, problems=(*_strangers(providers, verifiers), *problems)),
        records=(),
        normaliser=name,
    )
    under = [_part(raw, measured, wanted, selected, ConditionInfo.of(each)) for each in conditions]
    return replace(_part(raw, measured, wanted, selected, None), conditions=tuple(under))


def _part(
    run: Run,
    records: Sequence[ClipRecord],
    expected: Sequence[str],
    selected: Collection[str] | None,
    condition: ConditionInfo | None,
) -> Run:
    """The run of the raw clips, or of those under a condition."""
    name = condition.name if condition else None
    own = tuple(record for record in records if record.condition == name)
    chosen = [clip for clip in expected if selected is None or sound_key(clip, name) in selected]
    return replace(
        run,
        condition=condition,
        provider=replace(run.provider, reported_model=_reported_model(own)),
        coverage=_coverage(expected, set(chosen), own, run, problems=not condition),
        records=own,
    )


def record_key(clip: str, repeat: int) -> str:
    """`clip`, or `clip#2` for a later repeat."""
    return clip if repeat == 1 else f"{clip}#{repeat}"


def _coverage(
    expected: Sequence[str],
    selected: Collection[str],
    records: Sequence[ClipRecord],
    run: Run,
    *,
    problems: bool,
) -> Coverage:
    """What is wrong with the whole run is told of the raw clips alone."""
    have = {(record.clip, record.repeat) for record in records}
    return Coverage(
        expected=len(expected),
        unselected=sum(clip not in selected for clip in expected),
        missing=tuple(
            record_key(clip, repeat)
            for clip in expected
            if clip in selected
            for repeat in range(1, run.repeats + 1)
            if (clip, repeat) not in have
        ),
        problems=run.coverage.problems if problems else (),
    )


def _strangers(
    providers: Sequence[ProviderInfo], verifiers: Sequence[VerifierInfo]
) -> Iterator[str]:
    if len(providers) > 1:
        two = " and ".join(f"{each.use} {each.model or '(no model)'}" for each in providers[:2])
        yield f"{len(providers)} providers answered in one run: {two}; measure one at a time"
    if len(verifiers) > 1:
        two = " and ".join(f"{each.id} {each.version}" for each in verifiers[:2])
        yield f"{len(verifiers)} verifiers judged in one run: {two}; use one at a time"


def _reported_model(records: Iterable[ClipRecord]) -> str | None:
    """The model's name in the replies; several names are joined, for a vendor may switch."""
    names = dict.fromkeys(r.reported_model for r in records if r.reported_model)
    return ", ".join(names) or None
