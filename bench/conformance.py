"""
Which adapter passes which case: runs tests/vendors and prints a Markdown table.

    python bench/conformance.py > conformance.md

A cell counts the tests of a case: `3` passed, `2/3` some failed, `-` does not apply.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent / "tests" / "vendors"
SUITES = {"batch": TESTS / "test_vendors_batch.py", "stream": TESTS / "test_vendors_stream.py"}
RE_TEST = re.compile(r"::test_(\w+)\[(.+)\]$")


class Results:
    """Outcomes by (use, case)."""

    def __init__(self, uses: set[str]) -> None:
        self.uses = uses
        self.counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        found = RE_TEST.search(report.nodeid)
        if report.when != "call" or not found:
            return
        case, parameters = found.groups()
        # Names hold dashes themselves (assemblyai-sync), so the longest one that fits counts.
        fitting = [use for use in self.uses if f"-{use}-" in f"-{parameters}-"]
        if fitting:
            self.counts[max(fitting, key=len), case][report.outcome] += 1

    def table(self) -> list[str]:
        cases = list(dict.fromkeys(case for _, case in self.counts))
        uses = sorted({use for use, _ in self.counts})
        rows = ["| case | " + " | ".join(uses) + " |", "|---" * (len(uses) + 1) + "|"]
        for case in cases:
            cells = (self._cell(self.counts.get((use, case))) for use in uses)
            rows.append(f"| {case.replace('_', ' ')} | " + " | ".join(cells) + " |")
        return rows

    @staticmethod
    def _cell(counts: Counter[str] | None) -> str:
        if not counts or set(counts) == {"skipped"}:
            return "-"
        passed, failed = counts["passed"], counts["failed"]
        return f"{passed}/{passed + failed}" if failed else str(passed)


def main() -> int:
    worst = 0
    for mode, suite in SUITES.items():
        results = Results({path.parent.name for path in TESTS.glob(f"*/{mode}.yaml")})
        sys.stdout, shown = sys.stderr, sys.stdout
        code = pytest.main([str(suite), "-q", "-p", "no:cacheprovider"], plugins=[results])
        sys.stdout = shown
        print(f"\n## {mode}\n", *results.table(), sep="\n")
        worst = max(worst, int(code))
    return worst


if __name__ == "__main__":
    sys.exit(main())
