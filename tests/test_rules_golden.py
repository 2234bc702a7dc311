"""
Verdicts never change without a new version: stored thresholds rely on it.

After a wanted change raise VERSION in verifiers/rules/verifier.py, and after either write the file
anew; rows that are added need no version of their own:

    python tests/test_rules_golden.py
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from helpers.spoken_values import MAKERS, sentence

from pytest_asrbench.model import Entity
from pytest_asrbench.verifiers.rules import VERSION, Rules

FOLDER = Path(__file__).parent / "golden"
GOLDEN = FOLDER / "rules.jsonl"
TABLE = FOLDER / "rules_cases.txt"


def cases() -> list[dict[str, str | None]]:
    """Values of every type, said right and as another value; and the table of cases."""
    found: list[dict[str, str | None]] = []
    for kind, make in MAKERS.items():
        random = Random(kind)
        for k in range(12):
            value, other = make(random), make(random)
            said = random.choice((other if k % 3 == 0 else value).forms)
            found.append(
                _case(kind, value.canonical, value.spoken[k % 2 - 1], sentence(random, said))
            )
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line and line[0] != "#":
            kind, canonical, transcript, _ = line.split(" | ")
            found.append(_case(kind, canonical.replace("¦", "|"), None, transcript))
    return found


def _case(kind: str, canonical: str, acoustic: str | None, text: str) -> dict[str, str | None]:
    return {"type": kind, "canonical": canonical, "acoustic": acoustic, "transcript": text}


def rows() -> list[dict[str, Any]]:
    """The cases with what is said of them now; the first row is the verifier."""
    rules = Rules()
    found: list[dict[str, Any]] = [
        {"version": rules.identity.version, "digest": rules.identity.digest}
    ]
    for case in cases():
        entity = Entity("x", str(case["type"]), str(case["canonical"]), case["acoustic"])
        verdict = rules.judge([entity], str(case["transcript"]), "en")[0]
        judged = {"present": verdict.present, "sure": verdict.sure, "evidence": verdict.evidence}
        found.append({**case, **judged})
    return found


def stored() -> list[dict[str, Any]]:
    return [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]


def test_the_golden_file_has_hundreds_of_cases_of_every_type() -> None:
    found = stored()[1:]
    assert len(found) > 400
    assert {row["type"] for row in found} == set(MAKERS)
    assert {row["present"] for row in found} == {True, False}


def test_verdicts_are_those_of_the_version() -> None:
    assert stored()[0]["version"] == VERSION, f"a new version: {__doc__}"
    assert changed(stored(), rows()) == [], f"verdicts changed: {__doc__}"


def test_every_case_is_in_the_file() -> None:
    kept = {_key(row) for row in stored()[1:]}
    assert [row for row in rows()[1:] if _key(row) not in kept] == [], f"rows were added: {__doc__}"


def test_words_and_rules_are_those_of_the_version() -> None:
    assert stored()[0]["digest"] == Rules().identity.digest, f"the pack changed: {__doc__}"


def test_an_added_row_needs_no_new_version_and_a_changed_one_does() -> None:
    old = rows()[:40]
    assert changed(old, rows()) == []
    other = [*old[:-1], {**old[-1], "present": not old[-1]["present"]}]
    assert changed(other, rows()) == [_key(old[-1])]


def _key(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in ("type", "canonical", "acoustic", "transcript"))


def changed(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Cases that both have and judge otherwise."""
    known = {_key(row): row for row in new[1:]}
    return [_key(row) for row in old[1:] if _key(row) in known and known[_key(row)] != row]


def write() -> None:
    """The file anew; refused where a verdict changes and the version does not."""
    new = rows()
    moved = changed(stored(), new)
    if moved and stored()[0]["version"] == VERSION:
        raise SystemExit(f"{len(moved)} verdicts change: raise VERSION first\n{moved[0]}")
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in new]
    GOLDEN.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    write()
