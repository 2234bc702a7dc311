"""A voice agent's test-suite in small, for running the plugin on."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from pytest_asrbench.datasets import load
from pytest_asrbench.datasets.selection import with_tags
from pytest_asrbench.providers import registry as providers
from pytest_asrbench.verifiers import registry as verifiers

TEST_CLIP = """
def test_clip(asr_result):
    assert asr_result.transcript is not None
"""
PER_ENTITY = """
def test_value(asr_verdict):
    assert asr_verdict is not None
"""


class Suite:
    """Clips with recorded transcripts, thresholds and tests in a folder of its own."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        self.folder = pytester.path
        self.clips: list[dict[str, Any]] = []
        self.heard: dict[str, str | None] = {}
        self.gates: dict[str, Any] | None = None
        self.tests = TEST_CLIP
        self.settings: dict[str, Any] = {"verifier": "rules"}
        self.recording = "heard.jsonl"
        self.extra_plugins: list[str] = []
        self.stored: dict[str, Any] = {}

    def clip(
        self, name: str, heard: str | None, *, tags: tuple[str, ...] = (), **values: str
    ) -> None:
        """A clip whose target values are `type=canonical`; `heard` None: nothing was recorded."""
        entities = [
            {"id": f"e{n}", "type": type_, "canonical": value}
            for n, (type_, value) in enumerate(values.items(), start=1)
        ]
        self.heard[name] = heard
        self.clips.append(
            {
                "id": name,
                "audio": f"{name}.wav",
                "reference": f"so {' and '.join(values.values())} it is",
                "entities": entities,
                "tags": list(tags),
            }
        )

    def many(self, count: int, *, missed: int = 0) -> None:
        """Clips `c00`, `c01`, …, each with one number; the last `missed` ones are misheard."""
        for n in range(count):
            value = str(4100 + n)
            heard = value if n < count - missed else "something else"
            self.clip(f"c{n:02}", f"so {heard} it is", plain_number=value)

    def thresholds(self, **gates: Any) -> None:
        """Gates that are stored for the suite as it is when it runs."""
        self.gates = gates

    def run(
        self, *options: str, provider: str | None = "recorded", own_process: bool = False
    ) -> pytest.RunResult:
        """Write all files and run pytest on them; `own_process` where this one might end."""
        self.write(options)
        providers._registered.clear()  # a run in this process imports conftest.py again
        asked = [f"--asr-provider={provider}"] if provider else []
        run = (
            self.pytester.runpytest_subprocess if own_process else self.pytester.runpytest_inprocess
        )
        return run(*self.plugins(options), *asked, *options)

    def plugins(self, given: tuple[str, ...] = ()) -> list[str]:
        """Only what a run needs: loading every installed plugin takes longer than the tests."""
        names = ["pytest_asrbench.plugin", "xdist.plugin", *self.extra_plugins]
        names = [name for name in names if f"no:{name.partition('.')[0]}" not in given]
        # In this process the plugin is imported already, which pytest 8.0 warns of.
        options = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
        return options + [part for name in names for part in ("-p", name)]

    def write(self, options: tuple[str, ...] = ()) -> None:
        header = {"schema": 1, "name": "suite", "language": "en", "clips": self.clips}
        self.file("clips.yaml", json.dumps(header))
        rows = [{"audio_id": k, "pred_text": v} for k, v in self.heard.items() if v is not None]
        self.file(self.recording, "".join(json.dumps(row) + "\n" for row in rows))
        recorded = {"use": "recorded", "hypotheses": self.recording}
        settings = {"providers": {"recorded": recorded}, **self.settings}
        self.file("asrbench.yaml", json.dumps(settings))
        self.file("test_suite.py", self.tests)
        if self.gates is not None:
            tags = [o.partition("=")[2].split(",") for o in options if o.startswith("--asr-tags=")]
            self._write_thresholds([tag for part in tags for tag in part])

    def _write_thresholds(self, tags: list[str]) -> None:
        dataset = with_tags(load("clips.yaml", self.folder), tags)
        setup = self.settings.get("verifiers")
        verifier = verifiers.create(self.settings["verifier"], verifiers=setup).identity
        stored = {
            "schema": 1,
            "provider": {"name": "recorded"},
            "dataset": {
                "name": dataset.name,
                "digest": dataset.digest,
                "clips": {clip.id: clip.digest[:8] for clip in dataset.clips},
            },
            "verifier": {
                "id": verifier.id,
                "version": verifier.version,
                "digest": verifier.digest,
            },
            "gates": self.gates,
            **self.stored,
        }
        middle = f".{'+'.join(tags)}" if tags else ""
        self.file(f"thresholds/recorded{middle}.yaml", json.dumps(stored))

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def provider(self, code: str) -> None:
        """`conftest.py`, and audio for every clip: silence, each of another length."""
        self.file("conftest.py", code)
        self.audio()

    def audio(self) -> None:
        import numpy as np
        import soundfile

        for n, clip in enumerate(self.clips):
            soundfile.write(self.folder / clip["audio"], np.zeros(800 + n), 8000)

    def junit(self) -> ET.Element:
        """The JUnit report that `--junitxml=j.xml` wrote."""
        return ET.parse(self.folder / "j.xml").getroot()

    def run_file(self) -> dict[str, Any]:
        """The run file that `--asr-json=run.json` wrote."""
        found: dict[str, Any] = json.loads((self.folder / "run.json").read_text("utf-8"))
        return found
