"""
Record what a Whisper model hears in a dataset, as JSONL of {audio_id, pred_text}.

    pip install faster-whisper
    python bench/record_whisper.py MODEL_FOLDER DATASET OUT.jsonl

MODEL_FOLDER holds a CTranslate2 conversion (model.bin, config.json, tokenizer.json, vocabulary).
The library's defaults decide everything but the clip's language; weights are used as int8 on CPU.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from faster_whisper import WhisperModel

from pytest_asrbench.datasets import load
from pytest_asrbench.files import write_atomic
from pytest_asrbench.model import Clip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("model", type=Path, metavar="MODEL_FOLDER")
    parser.add_argument("dataset", metavar="DATASET")
    parser.add_argument("out", type=Path, metavar="OUT.jsonl")
    arguments = parser.parse_args()
    model = WhisperModel(str(arguments.model), device="cpu", compute_type="int8")
    clips = load(arguments.dataset, Path()).clips
    write_atomic(arguments.out, "".join(lines(model, clips)))


def lines(model: WhisperModel, clips: tuple[Clip, ...]) -> Iterator[str]:
    for clip in clips:
        segments, _ = model.transcribe(str(clip.path), language=clip.language.split("-")[0])
        text = "".join(segment.text for segment in segments).strip()
        print(f"{clip.id}: {text}", flush=True)
        yield json.dumps({"audio_id": clip.id, "pred_text": text}, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    main()
