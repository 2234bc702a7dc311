"""
What the engine costs on top of the network, in ratios of one run on this machine.

    python bench/engine.py [CLIPS]      300 clips of 2 s by default; the server answers in 200 ms

live        a pytest run with 32 calls at once and nothing stored, against the network's time plus a
            bare pytest run: the best of ten rounds each
workers     the same with -n 4: still one call a clip
replay      the same again from the store: no call
recorded    1,000 recorded clips without normaliser and verifier, against bare parametrised tests
store       10,000 entries: opening it, and looking one up
memory      what is in use after 50 and after all clips
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
import wave
from pathlib import Path
from random import Random

ROOT = Path(__file__).parent.parent
BYTECODE = Path(tempfile.gettempdir(), "asrbench-bench-bytecode")
LATENCY_S = 0.2
CONCURRENCY = 32
ROUNDS = 10
MIB = 1024  # ru_maxrss counts KiB on Linux

SERVER = """
import asyncio, sys
sys.path.insert(0, {tests!r})
from helpers.http_server import Reply, Server, text

calls = 0

def answer(request):
    global calls
    if request.method == "GET":
        return Reply(str(calls))
    calls += 1
    return text("call me at noon", delay_s={latency})

async def main():
    listening = await asyncio.start_server(Server(answer).handle, "127.0.0.1", 0, limit=2**20)
    print(listening.sockets[0].getsockname()[1], flush=True)
    await listening.serve_forever()

asyncio.run(main())
"""

CONFTEST = """
import httpx, pytest, pytest_asrbench
from pytest_asrbench.providers.base import Description

class Client:
    def __init__(self):
        # The engine bounds the calls; and plain HTTP needs no certificates, which take 20 ms.
        self.client = httpx.AsyncClient(limits=httpx.Limits(), verify=False)

    def describe(self):
        return Description("bench", "m1")

    async def transcribe(self, audio):
        reply = await self.client.post({url!r}, content=audio.wav)
        return reply.json()["text"]

    async def aclose(self):
        await self.client.aclose()

@pytest.fixture(scope="session")
def asr_provider():
    return Client()
"""

TEST = "def test_clip(asr_result):\n    assert asr_result.transcript is not None\n"
BARE = (
    "import pytest\n@pytest.mark.parametrize('n', range({count}))\n"
    "def test_clip(n):\n    assert n is not None\n"
)


def write_suite(folder: Path, count: int, url: str) -> None:
    rows = [{"schema": 1, "name": "bench", "language": "en"}]
    for n in range(count):
        path = folder / "clips" / f"{n}.wav"
        path.parent.mkdir(exist_ok=True)
        with wave.open(str(path), "wb") as file:
            file.setparams((1, 2, 16_000, 0, "NONE", ""))
            file.writeframes(Random(n).randbytes(2 * 2 * 16_000))
        entity = {"type": "time", "canonical": "noon"}
        row = {"id": f"clip-{n}", "audio": f"clips/{n}.wav", "reference": "call me at noon"}
        rows.append({**row, "entities": [entity]})
    (folder / "clips.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "asrbench.yaml").write_text("data: clips.jsonl\n")
    (folder / "conftest.py").write_text(CONFTEST.format(url=url))
    (folder / "test_clips.py").write_text(TEST)


def pytest_s(folder: Path, *options: str) -> float:
    """Seconds of a whole pytest process, start-up and report included."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(BYTECODE)}  # as installed packages have
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return time.perf_counter() - began


def first_run_s(folder: Path, *options: str) -> float:
    """The same where nothing is stored yet. What was is not removed but moved away: some file
    systems are slow to make files for a while after they removed many."""
    stored = folder / ".asrbench"
    stored.rename(folder.with_name(f"stored-{stored.stat().st_ino}"))
    return pytest_s(folder, *options)


def calls(url: str) -> int:
    with urllib.request.urlopen(url) as reply:
        return int(reply.read())


def live(folder: Path, count: int, url: str) -> None:
    write_suite(folder, count, url)
    bare = folder.with_name("bare")  # not below, or the live run would collect it too
    bare.mkdir()
    (bare / "test_bare.py").write_text(BARE.format(count=count))
    options = ("--asr-provider=bench", "--asr-gate=off", f"--asr-concurrency={CONCURRENCY}")
    pytest_s(bare), pytest_s(folder, *options)  # these make the bytecode
    rounds = [(pytest_s(bare), first_run_s(folder, *options)) for _ in range(ROUNDS)]
    bare_s, taken_s = map(min, zip(*rounds, strict=True))
    network_s = count * LATENCY_S / CONCURRENCY
    print(
        f"live      {taken_s:.2f} s; network {network_s:.2f} s + bare pytest {bare_s:.2f} s: "
        f"{taken_s / (network_s + bare_s):.2f} times; load of the machine {os.getloadavg()[0]:.1f}"
    )
    before = calls(url)
    workers_s = first_run_s(folder, *options, "-n4")
    print(f"workers   {workers_s:.2f} s with -n 4; {calls(url) - before} calls")
    before = calls(url)
    replay_s = pytest_s(folder, *options, "--asr-cache-mode=replay")
    print(f"replay    {replay_s:.2f} s; {calls(url) - before} calls")


def recorded(folder: Path, count: int) -> None:
    """The engine's own part: what it adds to each test of a recorded run."""
    from pytest_asrbench.engine import Engine
    from pytest_asrbench.model import Clip, Entity, Transcript, Verdict
    from pytest_asrbench.providers.base import Configuration, Description
    from pytest_asrbench.verifiers.base import Identity

    class Recorded:
        def describe(self) -> Description:
            return Description("recorded", "file")

        def lookup(self, clip_id: str) -> Transcript:
            return Transcript("call me at noon")

    class Nothing:
        identity = Identity("nothing", "1", "sha256:0")

        def judge(self, entities, transcript, language):
            return [Verdict(True, True, "") for _ in entities]

    entities = tuple(Entity(f"e{n}", "time", "noon") for n in range(3))
    clips = [Clip(f"c{n}", folder / f"{n}.wav", "word " * 20, "en", entities) for n in range(count)]
    engine = Engine(
        clips=clips,
        dataset_folder=folder,
        provider=Recorded(),
        configuration=Configuration("recorded", "recorded"),
        verifier=Nothing(),
        store=None,
        run_store=folder / "run",
    )
    engine.start()
    began = time.perf_counter()
    for clip in clips:
        engine.record(clip.id)
    taken_s = time.perf_counter() - began
    engine.close()
    print(f"recorded  {1e6 * taken_s / count:.0f} microseconds of engine a clip")


def store(folder: Path, count: int) -> None:
    from pytest_asrbench.clock import utc_now
    from pytest_asrbench.model import Transcript
    from pytest_asrbench.providers.base import Description
    from pytest_asrbench.store import Entry, Store, TranscriptKey

    keys = [TranscriptKey(f"{n:064x}", Description("x"), "batch", "en") for n in range(count)]
    filling = Store(folder)
    for key in keys:
        filling.keep(Entry(key, Transcript("call me at noon"), utc_now()))
    began = time.perf_counter()
    opened = Store(folder)
    first = opened.transcript(keys[0])
    opened_s = time.perf_counter() - began
    began = time.perf_counter()
    found = sum(opened.transcript(key) is not None for key in keys)
    each_us = 1e6 * (time.perf_counter() - began) / count
    assert first is not None
    assert found == count
    print(
        f"store     {count:,} entries: opened in {1000 * opened_s:.1f} ms, "
        f"{each_us:.0f} microseconds a look-up"
    )


MEMORY = """
import resource, sys, tempfile
sys.path.insert(0, {tests!r})
from pathlib import Path
from helpers.engine_clips import Client, clips, engine
from pytest_asrbench.engine import run_all

with tempfile.TemporaryDirectory() as folder:
    work = clips(Path(folder), {count}, seconds=10)
    run_all(engine(work, Client({url!r})))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def memory(url: str, count: int) -> None:
    used = []
    for number in (50, count):
        code = MEMORY.format(tests=str(ROOT / "tests"), count=number, url=url)
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        used.append(int(out.stdout) / MIB)
    print(f"memory    {used[0]:.0f} MiB at most for 50 clips of 10 s, {used[1]:.0f} for {count}")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    code = SERVER.format(tests=str(ROOT / "tests"), latency=LATENCY_S)
    with (
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as server,
        tempfile.TemporaryDirectory() as folder,
    ):
        assert server.stdout is not None
        url = f"http://127.0.0.1:{server.stdout.readline().strip()}/"
        try:
            (Path(folder) / "live").mkdir()
            live(Path(folder, "live"), count, url)
            recorded(Path(folder), 1000)
            store(Path(folder, "store"), 10_000)
            memory(url, count)
        finally:
            server.kill()


if __name__ == "__main__":
    main()
