"""Verdicts on transcripts that are there already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from pytest_asrbench.commands import console
from pytest_asrbench.commands.settings import VerifierSettings
from pytest_asrbench.engine import Engine, run_all
from pytest_asrbench.errors import ProviderError
from pytest_asrbench.model import Clip, ClipRecord, Transcript, Verdict
from pytest_asrbench.providers.base import Configuration, Description
from pytest_asrbench.run import VerifierInfo
from pytest_asrbench.run.records import clip_of
from pytest_asrbench.verifiers.base import Verifier
from pytest_asrbench.verifiers.cases import VerifierCase
from pytest_asrbench.verifiers.overrides import (
    FILE_NAME,
    Decisions,
    digest_of,
    overridden,
    read_decisions,
)


@dataclass(frozen=True)
class GivenTranscripts:
    """Transcripts by clip id, as a provider that is asked for them."""

    transcripts: Mapping[str, Transcript]
    description: Description

    @classmethod
    def texts(cls, heard: Mapping[str, str]) -> GivenTranscripts:
        """Of which nobody needs to know where they come from."""
        return cls(
            {clip: Transcript(text) for clip, text in heard.items()}, Description("recorded")
        )

    def describe(self) -> Description:
        return self.description

    def lookup(self, clip_id: str) -> Transcript:
        """Raises ProviderError for a clip that has none."""
        try:
            return self.transcripts[clip_id]
        except KeyError:
            raise ProviderError(f"no transcript for clip {clip_id!r}") from None


def judged(
    verifier: Verifier,
    clips: Sequence[Clip],
    given: GivenTranscripts,
    folder: Path,
    decisions: Decisions | None = None,
) -> list[ClipRecord]:
    """The clips' records, in order; an error is in its record."""
    with TemporaryDirectory(prefix="asrbench-") as scratch:
        engine = Engine(
            clips=clips,
            dataset_folder=folder,
            provider=given,
            configuration=Configuration("recorded", "recorded"),
            verifier=verifier,
            store=None,
            run_store=Path(scratch),
            decisions=decisions,
        )
        return run_all(engine)


def judge_cases(
    verifier: Verifier, cases: Sequence[VerifierCase], path: Path
) -> dict[int, Verdict]:
    """The verdicts of a file's cases by row, in order; a row without one is told of on stderr."""
    given = GivenTranscripts.texts({str(case.row): case.transcript for case in cases})
    clips = [Clip(str(case.row), path, "", case.language, (case.entity,)) for case in cases]
    verdicts = {}
    for case, record in zip(cases, judged(verifier, clips, given, path.parent), strict=True):
        if verdict := record.entities[0].verdict:
            verdicts[case.row] = verdict
        elif record.error:
            console.err(f"{path}:{case.row}: {record.error.message}")
    return verdicts


class ChosenVerifier:
    """A verifier by name, with the human decisions beside the dataset on top.

    Raises InputError where the verifier is unknown or `verdicts.yaml` is faulty.
    """

    def __init__(
        self, name: str, rules: VerifierSettings, folder: Path, languages: Iterable[str] = ()
    ) -> None:
        self.verifier = rules.verifier(name, languages)
        self.decisions = read_decisions(folder / FILE_NAME)

    def records(
        self, clips: Sequence[Clip], given: GivenTranscripts, folder: Path
    ) -> list[ClipRecord]:
        """The clips' records, in order; an error is in its record."""
        return judged(self.verifier, clips, given, folder, self.decisions)

    def again(self, records: Sequence[ClipRecord]) -> list[ClipRecord]:
        """The records with new verdicts on their stored transcripts."""
        judged: dict[tuple[str, int], ClipRecord] = {}
        for repeat in sorted({record.repeat for record in records}):
            part = {record.clip: record for record in records if record.repeat == repeat}
            heard = {c: r.transcript for c, r in part.items() if r.transcript is not None}
            clips = [clip_of(part[clip]) for clip in heard]
            for new in self.records(clips, GivenTranscripts.texts(heard), Path()):
                judged[new.clip, repeat] = _newly_judged(part[new.clip], new)
        return [judged.get((record.clip, record.repeat), record) for record in records]

    def info(self, records: Sequence[ClipRecord]) -> VerifierInfo:
        """The verifier that judged, and how often people overruled it."""
        decided = sum(
            each.verdict is not None and overridden(each.verdict)
            for record in records
            for each in record.entities
        )
        return VerifierInfo.of(
            self.verifier.identity,
            overrides_digest=digest_of(self.decisions),
            overridden=decided,
        )


def _newly_judged(record: ClipRecord, judged: ClipRecord) -> ClipRecord:
    return replace(record, entities=judged.entities, judging=judged.judging, error=judged.error)
