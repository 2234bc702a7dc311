"""
A stratified sample of verdicts: system, type and verdict.

Strata are served in turn until the sample is full, so that a rare kind of verdict (a present
command, say) is looked at as often as a common one. Within a stratum the draw is random and seeded:
shares of a stratum are unbiased, the whole sample's are not the run's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from pytest_asrbench.model import ClipRecord, Entity, JudgedEntity, Verdict
from pytest_asrbench.run import Run
from pytest_asrbench.verifiers.overrides import transcript_hash

SIZE = 200  # what the benchmark's authors had people check
SEED = 20261129


@dataclass(frozen=True, slots=True)
class Row:
    """One verdict to check. `id` is `system|clip/entity#repeat`; `audio` is a path, or None."""

    id: str
    system: str
    entity: Entity
    language: str
    transcript: str
    transcript_sha256: str
    """Of the untouched text, as `verdicts.yaml` names it: a spreadsheet may change the cell."""
    verdict: Verdict
    verifier: str
    audio: Path | None = None

    @property
    def stratum(self) -> tuple[str, str, bool]:
        return self.system, self.entity.type, self.verdict.present


def rows(run: Run) -> Iterator[Row]:
    """Every judged entity of a run. Audio is where the run's dataset has it."""
    listed = Path(run.dataset.path)
    folder = listed if listed.is_dir() else listed.parent
    verifier = f"{run.verifier.id} {run.verifier.version} {run.verifier.digest}"
    for record in run.records:
        for judged in record.entities:
            if judged.verdict is not None and record.transcript is not None:
                yield _row(run.provider.name, record, judged, judged.verdict, verifier, folder)


def _row(
    system: str,
    record: ClipRecord,
    judged: JudgedEntity,
    verdict: Verdict,
    verifier: str,
    folder: Path,
) -> Row:
    return Row(
        id=f"{system}|{record.clip}/{judged.entity.id}#{record.repeat}",
        system=system,
        entity=judged.entity,
        language=record.language,
        transcript=record.transcript or "",
        transcript_sha256=transcript_hash(record.transcript or ""),
        verdict=verdict,
        verifier=verifier,
        audio=folder / record.audio if record.audio else None,
    )


def draw(rows: Iterable[Row], size: int = SIZE, seed: int = SEED) -> list[Row]:
    """At most `size` rows, in the order of their ids; the same for the same rows and seed."""
    strata: dict[tuple[str, str, bool], list[Row]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.id):
        strata[row.stratum].append(row)
    random = Random(seed)
    queues = [_shuffled(random, strata[stratum]) for stratum in sorted(strata)]
    drawn = [row for turn in range(size) for row in _turn(queues, turn)][:size]
    return sorted(drawn, key=lambda row: row.id)


def _shuffled(random: Random, queue: Sequence[Row]) -> list[Row]:
    return random.sample(queue, len(queue))


def _turn(queues: Sequence[Sequence[Row]], turn: int) -> list[Row]:
    return [queue[turn] for queue in queues if turn < len(queue)]
