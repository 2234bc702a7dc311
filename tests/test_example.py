"""The example project is what its README says, and its gates turn green and red as promised."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import soundfile

from pytest_asrbench.datasets import load

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "example_project"
THRESHOLDS = ROOT / "thresholds"

pytestmark = pytest.mark.skipif(not EXAMPLE.is_dir(), reason="needs example_project")


@pytest.fixture(scope="module")
def clips():
    return load("clips.yaml", EXAMPLE).clips


def measured(folder: Path, tmp_path: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    """Exit code and run file of `pytest` in that folder, on transcripts made now."""
    report = tmp_path / "run.json"
    command = [sys.executable, "-m", "pytest", *arguments, f"--asr-json={report}"]
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("ASRBENCH_", "PYTEST_"))}
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", "--asr-cache-mode=off"],
        cwd=folder,
        env=clean,
        capture_output=True,
        text=True,
        check=False,
    )
    assert report.exists(), done.stdout + done.stderr
    return done.returncode, json.loads(report.read_text())


def outcomes(run: dict[str, Any]) -> dict[str, str]:
    return {gate["name"]: gate["outcome"] for gate in run["gates"]}


def test_the_clips_are_as_many_and_as_varied_as_promised(clips):
    entities = [entity for clip in clips for entity in clip.entities]

    assert len(clips) >= 30
    assert len(entities) >= 90
    assert len({entity.type for entity in entities}) >= 20
    assert len({clip.slices["domain"] for clip in clips}) >= 4
    assert {clip.slices["difficulty"] for clip in clips} == {"easy", "medium", "hard"}
    assert sum(not clip.entities for clip in clips) >= 3
    assert {tag for clip in clips for tag in clip.tags} == {"awb", "kal16", "rms", "slt", "smoke"}


def test_every_recording_is_short_and_16_khz_flac(clips):
    lengths = {}
    for clip in clips:
        found = soundfile.info(clip.path)
        assert (found.format, found.samplerate, found.channels) == ("FLAC", 16_000, 1)
        lengths[clip.id] = found.duration

    assert {clip: length for clip, length in lengths.items() if not 4 <= length <= 10} == {}
    assert {path.stem for path in EXAMPLE.glob("clips/*")} == {clip.id for clip in clips}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("folder", "where"),
    [(ROOT, ["example_project"]), (EXAMPLE, [])],
    ids=["from the root", "inside"],
)
def test_the_recorded_transcripts_hold_every_gate(tmp_path, folder, where):
    code, run = measured(folder, tmp_path, *where, "--asr-provider=recorded", "--asr-gate=on")

    assert code == 0, outcomes(run)
    assert set(outcomes(run).values()) == {"passed"}
    assert {"complete", "thresholds", "ctem", "tsr", "wer"} < set(outcomes(run))


@pytest.mark.slow
def test_the_degraded_transcripts_fail_with_exactly_the_types_that_they_broke(tmp_path):
    broken = runpy.run_path(str(EXAMPLE / "degrade.py"))["BROKEN"]

    code, run = measured(EXAMPLE, tmp_path, "--asr-provider=degraded", "--asr-gate=on")

    assert code == 1
    failed = {name for name, outcome in outcomes(run).items() if outcome == "failed"}
    types = {name.partition(":")[2] for name in failed if name.startswith("recovery:")}
    assert types == set(broken)
    assert failed - {f"recovery:{type_}" for type_ in broken} <= {"ctem", "tsr", "wer"}


def test_the_degraded_thresholds_are_those_of_the_recorded_ones():
    recorded, degraded = (
        (THRESHOLDS / f"{name}.yaml").read_text() for name in ("recorded", "degraded")
    )

    assert degraded == recorded.replace("name: recorded", "name: degraded")


@pytest.mark.slow
@pytest.mark.parametrize("provider", ["pocketsphinx", "myasr"])
def test_a_recogniser_transcribes_a_clip_of_the_example(tmp_path, provider):
    pytest.importorskip("pocketsphinx")

    code, run = measured(EXAMPLE, tmp_path, f"--asr-provider={provider}", "-k", "refund_amount")

    assert code == 0
    (record,) = run["records"]
    assert "forty two dollars" in record["transcript"]
    assert record["source"] == "live"
