"""
The example gated through the recogniser objects of two agents: python bench/agents.py

PocketSphinx answers behind OpenAI's route; both frameworks' own OpenAI classes and detectors of
speech ask it, as they ask a vendor. Each agent is measured, gated, and gated again after a change
that a team might make: a detector that takes 50 ms of silence for the end of speech.

Needs `pip install 'livekit-agents[openai,silero]' 'pipecat-ai[openai]' pocketsphinx`. What follows
goes to pytest: `--asr-tags smoke` measures a few clips only.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent
SERVER = ROOT / "tests" / "helpers" / "recogniser_server.py"
AGENT = """
from livekit.plugins import openai, silero
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.audio.vad.vad_analyzer import VADParams
from pipecat.services.openai.stt import OpenAISTTService

URL = "http://127.0.0.1:PORT/v1"


def build_livekit():
    return openai.STT(model="en-us", base_url=URL, api_key="none")


def calm():
    return silero.VAD.load(min_silence_duration=0.8, sample_rate=16000)


def hasty():
    return silero.VAD.load(min_silence_duration=0.05, sample_rate=16000)


def build_pipecat():
    settings = OpenAISTTService.Settings(model="en-us")
    return OpenAISTTService(api_key="none", base_url=URL, settings=settings)


def patient():
    return SileroVADAnalyzer(params=VADParams(stop_secs=0.8))


def rash():
    return SileroVADAnalyzer(params=VADParams(stop_secs=0.05))
"""
HOW = "concurrency: 1, final_wait_s: 60"  # PocketSphinx hears one clip at a time
SETTINGS = f"""
data: CLIPS
providers:
  livekit: {{use: livekit, stt: "agent:build_livekit", vad: "agent:CALM", rate: 16000,
            version: CALM, {HOW}}}
  pipecat: {{use: pipecat, stt: "agent:build_pipecat", vad: "agent:PATIENT",
            version: PATIENT, {HOW}}}
"""
SHOWN = (
    "CTEM",
    "latency",
    "ctem:",
    "complete:",
    "provider ",
    "model ",
    "FAILED",
    "error",
    "asrbench",
)


def main(options: list[str]) -> None:
    with tempfile.TemporaryDirectory() as made, serving() as port:
        folder = Path(made)
        (folder / "agent.py").write_text(AGENT.replace("PORT", str(port)))
        clips = str(ROOT / "example_project" / "clips.yaml")
        settings = SETTINGS.replace("CLIPS", clips)
        for agent in ("pipecat", "livekit"):
            configured = settings.replace("CALM", "calm").replace("PATIENT", "patient")
            (folder / "asrbench.yaml").write_text(configured)
            pytest(folder, agent, *options, "--asr-update")
            pytest(folder, agent, *options)
            configured = settings.replace("CALM", "hasty").replace("PATIENT", "rash")
            (folder / "asrbench.yaml").write_text(configured)
            pytest(folder, agent, *options)


@contextmanager
def serving() -> Iterator[int]:
    server = subprocess.Popen(
        [sys.executable, SERVER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert server.stdout is not None
    try:
        yield int(server.stdout.readline())
    finally:
        server.kill()


def pytest(folder: Path, agent: str, *options: str) -> None:
    command = ["-m", "pytest", "--pyargs", "pytest_asrbench.suite", f"--asr-provider={agent}"]
    command += ["--asr-mode=stream", *options]
    print(f"\n$ pytest {' '.join(command[2:])}", flush=True)
    ran = subprocess.run(
        [sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False
    )
    lines = ran.stdout.splitlines()
    print(*(line for line in lines if line.strip().startswith(SHOWN)), sep="\n")
    print(f"exit code {ran.returncode}", flush=True)
    if not lines:
        print(ran.stderr[-2000:])


if __name__ == "__main__":
    main(sys.argv[1:])
