"""
Make recordings/whisper-tiny-degraded.jsonl: the recorded transcripts, with some types broken.

    python example_project/degrade.py

In each amount and clock time that Whisper did get right the last digit is changed, as a bad
release of a recogniser might. The thresholds of `degraded` are those of `recorded`: what was
reached before.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from pytest_asrbench.datasets import load
from pytest_asrbench.datasets.hypotheses import read_hypotheses
from pytest_asrbench.files import read_text, write_atomic
from pytest_asrbench.model import Clip
from pytest_asrbench.verifiers.registry import create

FOLDER = Path(__file__).parent
RECORDED = FOLDER / "recordings/whisper-tiny.jsonl"
DEGRADED = FOLDER / "recordings/whisper-tiny-degraded.jsonl"
THRESHOLDS = FOLDER.parent / "thresholds"
BROKEN = ("currency_amount", "time")
RE_LAST_DIGIT = re.compile(r"\d(?=\D*$)")


def main() -> int:
    heard = read_hypotheses(RECORDED)
    clips = load("clips.yaml", FOLDER).clips
    rows = ({"audio_id": c.id, "pred_text": degraded(c, heard[c.id].text)} for c in clips)
    write_atomic(DEGRADED, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    before = read_text(THRESHOLDS / "recorded.yaml")
    write_atomic(THRESHOLDS / "degraded.yaml", before.replace("name: recorded", "name: degraded"))
    return 0


def degraded(clip: Clip, transcript: str) -> str:
    """The transcript with another last digit wherever a value of a broken type was right."""
    verdicts = create("rules").judge(clip.entities, transcript, clip.language)
    for entity, verdict in zip(clip.entities, verdicts, strict=True):
        if entity.type in BROKEN and verdict.present:
            span = transcript[verdict.start : verdict.end]
            garbled = RE_LAST_DIGIT.sub(lambda digit: str((int(digit[0]) + 1) % 10), span)
            transcript = transcript[: verdict.start] + garbled + transcript[verdict.end :]
    return transcript


if __name__ == "__main__":
    sys.exit(main())
