"""
What reports cost, and whether the HTML page stays quick: python bench/reports.py [CLIPS]

Times each format for a run of that many clips (default 5,000, of 100 words and 4 values) and, where
chromium is there, the page's load and a keystroke in its search, beside the same for 500 clips.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from helpers import chromium
from helpers import report_runs as sample

from pytest_asrbench.model import ClipRecord
from pytest_asrbench.reports import html, markdown, terminal
from pytest_asrbench.reports.view_model import ViewModel, gather
from pytest_asrbench.run import Run

SENTENCE = "refund order please send the invoice for my account before march fifth to oak street"
WORDS = SENTENCE.split()


def records(count: int) -> list[ClipRecord]:
    random.seed(1)
    base = sample.run().records
    made = []
    for n in range(count):
        said = random.choices(WORDS, k=100)
        heard = [random.choice(WORDS) if random.random() < 0.1 else word for word in said]
        entities = tuple(
            replace(judged, entity=replace(judged.entity, id=f"e{at}"))
            for at, judged in enumerate(
                [*base[0].entities, *base[1].entities] if n % 3 else base[2].entities * 4
            )
        )
        made.append(
            replace(
                base[n % 5],
                clip=f"clip_{n:05}",
                reference=" ".join(said),
                transcript=" ".join(heard),
                entities=entities,
            )
        )
    return made


def timed(label: str, call: Callable[..., Any], *args: object) -> Any:
    start = time.perf_counter()
    result = call(*args)
    print(f"{label:<28} {time.perf_counter() - start:7.2f} s")
    return result


def page(facts: ViewModel, program: str | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        timed("html", html.write, facts, path)
        print(f"{'  its size':<28} {path.stat().st_size / 1e6:7.1f} MB")
        if program is None:
            return
        with chromium.page(program) as tab:
            tab.size(1200, 900)
            timed("  loaded by chromium", tab.open, path)
            took = tab.run(KEYSTROKE)
            print(f"{'  a keystroke in its search':<28} {took:7.1f} ms")


KEYSTROKE = """(() => {
  const box = document.getElementById("search");
  const times = [];
  for (const text of ["r", "re", "ref", "refu", "zzz", ""]) {
    const start = performance.now();
    box.value = text;
    box.dispatchEvent(new Event("input"));
    document.body.offsetHeight;
    times.push(performance.now() - start);
  }
  return Math.max(...times);
})()"""


def main() -> None:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    for count in (min(500, most), most):
        print(f"-- {count} clips")
        measured: Run = sample.run(records=records(count))
        facts = timed("facts", gather, measured, [])
        assert isinstance(facts, ViewModel)
        timed("terminal, all misses", lambda f: list(terminal.lines(f, verbosity=1)), facts)
        timed("terminal, word alignment", lambda f: list(terminal.lines(f, verbosity=2)), facts)
        timed("markdown", markdown.report, facts)
        page(facts, chromium.find())


if __name__ == "__main__":
    main()
