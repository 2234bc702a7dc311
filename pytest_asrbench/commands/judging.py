"""Verdicts on transcripts that are there already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from pytest_asrbench.commands.settings import Rules
from pytest_asrbench.engine import Engine, run_all
from pytest_asrbench.errors import ProviderError
from pytest_asrbench.model import Clip, ClipRecord, Transcript
from pytest_asrbench.providers.base import Configuration, Description
from pytest_asrbench.run import VerifierInfo
from pytest_asrbench.run.records import clip_of
from pytest_asrbench.verifiers.overrides import FILE_NAME, digest_of, overridden, read_decisions


@dataclass(frozen=True)
class Given:
    """Transcripts by clip id, as a provider that is asked for them."""

    transcripts: Mapping[str, Transcript]
    description: Description

    def describe(self) -> Description:
        return self.description

    def lookup(self, clip_id: str) -> Transcript:
        """Raises ProviderError for a clip that has none."""
        try:
            return self.transcripts[clip_id]
        except KeyError:
            raise ProviderError(f"no transcript for clip {clip_id!r}") from None


class Judge:
    """A verifier by name, with the human decisions beside the dataset on top.

    Raises InputError where the verifier is unknown or `verdicts.yaml` is faulty.
    """

    def __init__(self, name: str, rules: Rules, folder: Path) -> None:
        self.verifier = rules.verifier(name)
        self.decisions = read_decisions(folder / FILE_NAME)

    def records(self, clips: Sequence[Clip], given: Given, folder: Path) -> list[ClipRecord]:
        """The clips' records, in order; an error is in its record."""
        with TemporaryDirectory(prefix="asrbench-") as scratch:
            engine = Engine(
                clips=clips,
                dataset_folder=folder,
                provider=given,
                configuration=Configuration("recorded", "recorded"),
                verifier=self.verifier,
                store=None,
                run_store=Path(scratch),
                decisions=self.decisions,
            )
            return run_all(engine)

    def again(self, records: Sequence[ClipRecord]) -> list[ClipRecord]:
        """The records with new verdicts on their stored transcripts."""
        found: dict[tuple[str, int], ClipRecord] = {}
        for repeat in sorted({record.repeat for record in records}):
            part = {record.clip: record for record in records if record.repeat == repeat}
            heard = {
                c: Transcript(r.transcript) for c, r in part.items() if r.transcript is not None
            }
            given = Given(heard, Description("recorded"))
            clips = [clip_of(part[clip]) for clip in heard]
            for judged in self.records(clips, given, Path()):
                found[judged.clip, repeat] = _newly_judged(part[judged.clip], judged)
        return [found.get((record.clip, record.repeat), record) for record in records]

    def info(self, records: Sequence[ClipRecord]) -> VerifierInfo:
        """Who judged, and how often people overruled."""
        decided = sum(
            judged.verdict is not None and overridden(judged.verdict)
            for record in records
            for judged in record.entities
        )
        return VerifierInfo.of(
            self.verifier.identity,
            overrides_digest=digest_of(self.decisions),
            overridden=decided,
        )


def _newly_judged(record: ClipRecord, judged: ClipRecord) -> ClipRecord:
    return replace(record, entities=judged.entities, judging=judged.judging, error=judged.error)
