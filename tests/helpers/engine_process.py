"""
One process of a run, as an xdist worker is: `python -m helpers.engine_process '{"url": …, …}'`.

Prints one JSON object: what became of each clip, in the order in which it was asked for.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from helpers.engine_clips import Client, Judge, clips, engine
from pytest_asrbench.settings.parsing import Budget
from pytest_asrbench.store import Store
from pytest_asrbench.verifiers.llm import Llm
from pytest_asrbench.verifiers.rules import Rules

TESTS = Path(__file__).parents[1]


def start(folder: Path, url: str, **options: Any) -> subprocess.Popen[str]:
    """`run` and `cache` are folder names; `order` is the clips' numbers as this process asks."""
    arguments = json.dumps({"folder": str(folder), "url": url, **options})
    command = [sys.executable, "-m", "helpers.engine_process", arguments]
    return subprocess.Popen(command, cwd=TESTS, stdout=subprocess.PIPE, text=True)


def result(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    value: dict[str, Any] = json.loads(out)
    return value


def main(folder: str, url: str, run: str, count: int, **options: Any) -> None:
    cache, audio_s = options.pop("cache", None), options.pop("audio_s", None)
    cache_mode = options.pop("cache_mode", "fill")
    order = options.pop("order", None) or range(count)
    judge = Judge() if options.pop("judge", False) else None
    chat = options.pop("chat", None)
    votes = options.pop("votes", 1)
    llm = Llm(rules=Rules(), base_url=chat + "/v1", votes=votes) if chat else None
    work = engine(
        clips(Path(folder), count),
        Client(url),
        run_store=Path(folder, run),
        cache=Store(Path(folder, cache), mode=cache_mode) if cache else None,
        budget=Budget(audio_s=audio_s) if audio_s else None,
        verifier=llm or judge,
        **options,
    )
    work.start()
    records = [work.record(f"en-US/clip-{n}") for n in order]
    work.close()
    print(
        json.dumps(
            {
                "transcripts": [record.transcript for record in records],
                "sources": [record.source for record in records],
                "errors": [record.error and record.error.kind for record in records],
                "messages": [record.error and record.error.message for record in records],
                "present": [
                    [judged.verdict and judged.verdict.present for judged in record.entities]
                    for record in records
                ],
                "judged": judge.calls if judge else 0,
            }
        )
    )


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
