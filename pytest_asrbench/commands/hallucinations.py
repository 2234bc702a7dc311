"""The section that `asrbench score --hallucinations` adds: values heard where nobody said one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pytest_asrbench.commands.settings import VerifierSettings
from pytest_asrbench.counts import plural
from pytest_asrbench.errors import VerifierError
from pytest_asrbench.metrics.precision import Heard, Precision, precision
from pytest_asrbench.model import ClipRecord
from pytest_asrbench.run import Run
from pytest_asrbench.verifiers.heard import FINDERS, Finder
from pytest_asrbench.verifiers.rules import Rules

NUMERIC = frozenset(FINDERS) - {"email_address", "url"}
SHOWN = 20


def lines(run: Run, settings: VerifierSettings) -> Iterator[str]:
    """The section of the report, for 80 columns."""
    types = {**run.dataset.types, **settings.types}
    finder = Finder(Rules(types=types, policy=settings.policy, packs=settings.packs))
    records = [record for record in run.records if record.measured]
    known = [record for record in records if _has_pack(finder, record)]
    hallucinated = invented(known, finder, types)
    yield ""
    yield "heard though nobody said any (transcripts with one, of those where nobody did)"
    for name, rate in hallucinated.rates.items():
        yield f"  {name:<16} {rate.hits} of {rate.total}"
    for one in hallucinated.invented[:SHOWN]:
        yield f"  {one.clip}  {one.type}  {one.text!r}"
    if len(hallucinated.invented) > SHOWN:
        yield f"  … and {len(hallucinated.invented) - SHOWN} more"
    if len(known) < len(records):
        yield f"  {plural(len(records) - len(known), 'transcript')} not checked: no language pack"


def invented(records: list[ClipRecord], finder: Finder, types: Mapping[str, str]) -> Precision:
    """Values of the transcripts that neither the reference nor a target accounts for."""

    def holds(record: ClipRecord) -> frozenset[str]:
        targets = [judged.entity for judged in record.entities]
        kinds = {heard.type for heard in finder.find(record.reference, record.language)}
        kinds |= {types.get(target.type, target.type) for target in targets}
        digits = any(c.isdigit() for target in targets for c in target.canonical)
        number = {"plain_number"} if digits or kinds & NUMERIC else set()
        host = {"url"} if "email_address" in kinds else set()  # what is left of a garbled one
        return frozenset(kinds | number | host)

    def find(record: ClipRecord, text: str) -> list[Heard]:
        return [
            (heard.type, heard.start, heard.end)
            for heard in finder.find(text, record.language)
            if not _of_a_target(record, heard.start, heard.end)
            and not finder.carried(heard, record.reference, record.language)
        ]

    return precision(records, tuple(FINDERS), find=find, holds=holds)


def _of_a_target(record: ClipRecord, start: int, end: int) -> bool:
    """True if a target was heard there, rightly or garbled: then it is a hit or a miss already."""
    verdicts = [judged.verdict for judged in record.entities if judged.verdict]
    spans = [(v.start, v.end) for v in verdicts if v.start is not None and v.end is not None]
    spans += [(v.nearest.start, v.nearest.end) for v in verdicts if v.nearest]
    return any(start < stop and first < end for first, stop in spans)


def _has_pack(finder: Finder, record: ClipRecord) -> bool:
    try:
        finder.find("", record.language)
    except VerifierError:
        return False
    return True
