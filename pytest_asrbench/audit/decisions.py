"""
Decisions of people against the verifier, added to `verdicts.yaml`.

The file belongs to people: comments, order and decisions that stand are kept.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pytest_asrbench.audit.sheet import Checked
from pytest_asrbench.errors import InputError
from pytest_asrbench.files import read_text, write_atomic
from pytest_asrbench.verifiers.overrides import Decision, read_decisions


def decided(checked: Iterable[Checked]) -> list[Decision]:
    """A decision for each row in which a person overruled the verifier, doubles once.

    Raises InputError where two rows decide the same value and transcript differently.
    """
    decisions: dict[tuple[str, str, str], Decision] = {}
    for each in checked:
        present, entity = each.present, each.row.entity
        if present is None or present == each.row.verdict.present:
            continue
        reason = each.note or "decided in an audit"
        digest = each.row.transcript_sha256
        decision = Decision(entity.type, entity.canonical, digest, present, reason)
        known = decisions.setdefault(decision.key, decision)
        if known.present != present:
            raise InputError(f"{each.row.id}: decided both ways in this sheet; make them agree")
    return list(decisions.values())


def add(decisions: Sequence[Decision], path: Path) -> int:
    """Add those that the file has not got, and return how many that were.

    Raises InputError where the file is faulty, or decides one of them the other way.
    """
    from ruamel.yaml import YAML

    standing = read_decisions(path)
    for decision in decisions:
        known = standing.get(decision.key)
        if known and known.present != decision.present:
            what = f"{decision.type} {decision.canonical!r} is decided the other way; drop one"
            raise InputError.at(path, None, what)
    new = [decision for decision in decisions if decision.key not in standing]
    if not new:
        return 0
    yaml = YAML()
    yaml.width = 4096  # a decision's line is the reader's to wrap
    data: Any = yaml.load(read_text(path)) if path.exists() else {"schema": 1}
    if not data.get("verdicts"):
        data["verdicts"] = []
    data["verdicts"].extend(map(_entry, new))
    buffer = io.StringIO()
    yaml.dump(data, buffer)
    write_atomic(path, buffer.getvalue())
    return len(new)


def _entry(decision: Decision) -> dict[str, str | bool]:
    return {
        "type": decision.type,
        "canonical": decision.canonical,
        "transcript": decision.transcript,
        "present": decision.present,
        "reason": decision.reason,
    }
