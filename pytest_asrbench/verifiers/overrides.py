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
from typing import Any

from pytest_asrbench.errors import InputError
from pytest_asrbench.files import load_yaml_texts
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
    """Whether a person decided this verdict."""
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

    Raises InputError naming file and row for a key that is missing, unknown or doubled.
    """
    if not path.exists():
        return {}
    data, lines, cut = load_yaml_texts(path)
    for place in cut:
        if place[-1] == "canonical":
            what = "canonical ends before ` #`, which YAML takes for a comment; put it in quotes"
            raise InputError.at(path, lines[place], what)
    if not isinstance(data, dict) or data.get("schema") != "1":
        raise InputError.at(path, 1, "not a verdicts file; its first line must be `schema: 1`")
    rows = data.get("verdicts") or []
    if not isinstance(rows, list):
        raise InputError.at(path, 1, "verdicts must be a list of decisions")
    found: dict[tuple[str, str, str], Decision] = {}
    for n, row in enumerate(rows):
        line = lines.get(("verdicts", n))
        decision = _decision(path, line, row)
        if decision.key in found:
            raise InputError.at(path, line, "this value and transcript are decided twice; drop one")
        found[decision.key] = decision
    return found


def _decision(path: Path, line: int | None, row: Any) -> Decision:
    if not isinstance(row, dict) or set(row) != set(_KEYS):
        raise InputError.at(path, line, f"a decision has exactly the keys {', '.join(_KEYS)}")
    for key in _KEYS:
        if not isinstance(row[key], str) or not row[key]:
            raise InputError.at(path, line, f"{key} is empty; give its value")
    if row["present"] not in ("true", "false"):
        raise InputError.at(path, line, f"present is {row['present']!r}; write true or false")
    if not row["transcript"].startswith("sha256:"):
        raise InputError.at(path, line, "transcript must be sha256:…; `asrbench explain` prints it")
    return Decision(
        row["type"], row["canonical"], row["transcript"], row["present"] == "true", row["reason"]
    )
