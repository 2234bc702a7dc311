"""
`verdicts.yaml` beside a dataset: what people decided where they dispute the verifier.

    schema: 1
    verdicts:
      - type: email_address
        canonical: jose@example.com
        transcript: sha256:5f3a9c21…     # of the untouched text; `asrbench explain` prints it
        present: true
        reason: the accent is formatting in an e-mail

A decision wins over the verifier, is counted in every report and has its own digest; it does not
change the verifier's identity, so it never makes thresholds stale.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_asrbench.errors import InputError
from pytest_asrbench.files.fields import Fields
from pytest_asrbench.model import ClipRecord, Verdict

FILE_NAME = "verdicts.yaml"
MARK = "decided in verdicts.yaml: "
_KEYS = ("type", "canonical", "transcript", "present", "reason")


@dataclass(frozen=True, slots=True)
class Decision:
    """One human verdict on one value in one transcript (`sha256:…` of its text)."""

    type: str
    canonical: str
    transcript: str
    present: bool
    reason: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.type, self.canonical, self.transcript


Decisions = Mapping[tuple[str, str, str], Decision]
"""By type, canonical value and hash of the transcript."""


def transcript_hash(text: str) -> str:
    """`sha256:` of the untouched transcript, as decisions name it."""
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def overridden(verdict: Verdict) -> bool:
    """True if a person decided this verdict."""
    return verdict.reason.startswith(MARK)


def decided(record: ClipRecord, decisions: Decisions) -> ClipRecord:
    """The record with decisions on top: what a run shows, whoever judged and when."""
    if not decisions or record.transcript is None:
        return record
    digest = transcript_hash(record.transcript)
    entities = tuple(
        replace(judged, verdict=_on_top(judged.verdict, decisions.get(key)))
        if judged.verdict
        else judged
        for judged in record.entities
        for key in [(judged.entity.type, judged.entity.canonical, digest)]
    )
    return replace(record, entities=entities)


def _on_top(verdict: Verdict, decision: Decision | None) -> Verdict:
    if decision is None:
        return verdict
    reason = MARK + decision.reason
    if decision.present and verdict.present:
        return Verdict(True, True, reason, verdict.evidence, verdict.start, verdict.end)
    nearest = None if decision.present else verdict.nearest
    return Verdict(decision.present, True, reason, nearest=nearest)


def digest_of(decisions: Decisions) -> str | None:
    """`sha256:` of all decisions, whose order does not matter; None where there are none."""
    if not decisions:
        return None
    rows = sorted(
        [d.type, d.canonical, d.transcript, d.present, d.reason] for d in decisions.values()
    )
    return "sha256:" + hashlib.sha256(json.dumps(rows).encode()).hexdigest()


def read_decisions(path: Path) -> Decisions:
    """Decisions of a `verdicts.yaml`; none where the file is missing.

    Raises InputError with all faults: keys that are missing or unknown, decisions that stand twice.
    """
    if not path.exists():
        return {}
    fields = Fields.of_yaml(path, uncut=("canonical",))
    if fields.data.get("schema") != "1":
        raise InputError.at(path, 1, "not a verdicts file; its first line must be `schema: 1`")
    decisions: dict[tuple[str, str, str], Decision] = {}
    for entry in fields.objects("verdicts", "decision"):
        decision = _decision(entry)
        if decision.key in decisions:
            entry.fault(None, "this value and transcript are decided twice; drop one")
        decisions[decision.key] = decision
    fields.faults.check()
    return decisions


def _decision(entry: Fields) -> Decision:
    entry.only(*_KEYS)
    entry.need("present")
    transcript = entry.text("transcript")
    if transcript and not transcript.startswith("sha256:"):
        entry.wrong("transcript", "sha256:…, which `asrbench explain` prints")
    return Decision(
        entry.text("type"),
        entry.text("canonical"),
        transcript,
        bool(entry.flag("present")),
        entry.text("reason"),
    )
