"""
Write the tables of docs/verifier-audit.md: python tools/fill_audit.py [--count N]

Agreement on the suite's own labelled rows, and how many neighbours of a value are taken for it.
With the default count that is a minute or two of CPU.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path

from pytest_asrbench.datasets.types import ENTITY_TYPES
from pytest_asrbench.metrics.stats import wilson
from pytest_asrbench.model import Entity, Rate
from pytest_asrbench.verifiers.agreement import Agreement, Scored, by_type, count
from pytest_asrbench.verifiers.cases import VerifierCase, read_cases
from pytest_asrbench.verifiers.rules import VERSION, Rules

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "bench")]

from helpers.neighbours import ENGLISH
from neighbours import Count, counted

PAGE = ROOT / "docs" / "verifier-audit.md"
CASES = ROOT / "tests" / "golden" / "rules_cases.txt"
LABELLED = ROOT / "tests" / "labelled"
PLACE = re.compile(r"(<!-- (\w+): .*? -->\n).*?(?=<!-- end -->)", re.DOTALL)
SEED = 1


def agreement() -> Iterator[str]:
    yield "| type | rows | agree | 95% interval | false accepts | misses |"
    yield "|---|---:|---:|---:|---:|---:|"
    scored = rows()
    parts = {**by_type(scored), "all": count(scored)}
    for kind in (each for each in (*ENTITY_TYPES, "all") if each in parts):
        yield _row(_name(kind), parts[kind])


def _row(name: str, part: Agreement) -> str:
    accepts = f"{part.false_accepts} of {part.absent}"
    misses = f"{part.misses} of {part.present}"
    cells = f"{part.rate.total} | {part.rate.hits} | {_interval(part.rate)}"
    return f"| {name} | {cells} | {accepts} | {misses} |"


def languages() -> Iterator[str]:
    yield "| language | rows | agree | 95% interval | false accepts | misses |"
    yield "|---|---:|---:|---:|---:|---:|"
    for path in sorted(LABELLED.glob("*.jsonl")):
        yield _row(f"`{path.stem}`", count(_judged(read_cases(path))))


def _judged(cases: Iterable[VerifierCase]) -> list[Scored]:
    rules, judged = Rules(), []
    for case in cases:
        verdict = rules.judge([case.entity], case.transcript, case.language)[0]
        present = bool(case.present)
        judged.append(Scored(case.id, case.entity.type, present, verdict.present, verdict.sure))
    return judged


def rows() -> list[Scored]:
    """Each labelled row of the table, judged now."""
    rules, judged = Rules(), []
    for number, line in enumerate(CASES.read_text(encoding="utf-8").splitlines()):
        if line and line[0] != "#":
            kind, canonical, transcript, label = line.split(" | ")
            entity = Entity("x", kind, canonical.replace("¦", "|"))
            verdict = rules.judge([entity], transcript, "en")[0]
            present = label == "present"
            judged.append(Scored(str(number), kind, present, verdict.present, verdict.sure))
    return judged


def neighbours(examples: int) -> Iterator[str]:
    columns = "neighbours | taken for the value | at most, 95% | own forms | missed | at most, 95%"
    yield f"| type | {columns} |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    by_kind: dict[str, list[tuple[bool, Count]]] = defaultdict(list)
    for (kind, _, own), each in counted(examples, SEED, None, ENGLISH).items():
        by_kind[kind].append((own, each))
        by_kind["all"].append((own, each))
    for kind in (*ENTITY_TYPES, "all"):
        sides = (_failed(c for own, c in by_kind[kind] if own is side) for side in (False, True))
        cells = (f"{rate.total:,} | {rate.hits} | {_most(rate)}" for rate in sides)
        yield f"| {_name(kind)} | {' | '.join(cells)} |"


def _failed(counts: Iterable[Count]) -> Rate:
    return sum((Rate(each.failed, each.tried) for each in counts), Rate(0, 0))


def _name(kind: str) -> str:
    return kind if kind == "all" else f"`{kind}`"


def _interval(rate: Rate) -> str:
    low, high = wilson(rate) or (0.0, 1.0)
    return f"{low:.3f}-{high:.3f}"


def _most(rate: Rate) -> str:
    """The upper end of the interval: what so many examples leave possible."""
    return f"{(wilson(rate) or (0.0, 1.0))[1]:.2%}"


def filled(text: str, examples: int) -> str:
    made = f"{examples:,} examples of neighbours, seed {SEED}"
    tables = {
        "stamp": lambda: [f"Rules version {VERSION}, {date.today()}; {made}."],
        "agreement": agreement,
        "languages": languages,
        "neighbours": lambda: neighbours(examples),
    }
    return PLACE.sub(lambda place: place[1] + "\n".join(tables[place[2]]()) + "\n", text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    examples = parser.parse_args().count
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), examples), encoding="utf-8")
