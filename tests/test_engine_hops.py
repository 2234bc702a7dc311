"""The road from a test to the network is short enough to be read in one sitting."""

from __future__ import annotations

import asyncio
import sys
import threading
from pathlib import Path
from traceback import walk_stack

import httpx
import pytest
from helpers.http_server import Reply, serving

import pytest_asrbench

PACKAGE = str(Path(pytest_asrbench.__file__).parent)
MOST_HOPS = 12
OURS = """
import httpx, pytest_asrbench
from pytest_asrbench.providers.http import pick, post

@pytest_asrbench.provider("ours", version="1")
class Ours:
    def __init__(self, url):
        self.url, self.client = url, httpx.AsyncClient()

    async def transcribe(self, audio):
        return pick(await post(self.client, self.url, content=audio.wav), "text")

    async def aclose(self):
        await self.client.aclose()
"""
HEARD = '{"text": "so 4100", "results": {"channels": [{"alternatives": [{"transcript": "4100"}]}]}}'


def own(innermost, until=None):
    """Our functions on a stack, the innermost first."""
    names = []
    for frame, _ in walk_stack(innermost):
        if frame.f_code.co_name == until:
            break
        if frame.f_code.co_filename.startswith(PACKAGE):
            names.append(frame.f_code.co_qualname)
    return names


@pytest.mark.slow
@pytest.mark.parametrize("use", ["ours", "deepgram"])
def test_few_hops_lie_between_a_fixture_and_the_http_client(suite, monkeypatch, use):
    """The frames of the test that waits, and of the task that calls, down to the loop's thread."""
    hops = []
    send = httpx.AsyncClient.send

    async def recorded(self, request, **options):
        called = own(sys._getframe())
        waiting = []
        while waiting[:1] != ["LoopThread.wait"]:  # it makes use of the time at first
            await asyncio.sleep(0.05)
            stack = sys._current_frames()[threading.main_thread().ident]
            waiting = own(stack, until="asr_result")
        hops.append([*waiting, *called])
        return await send(self, request, **options)

    monkeypatch.setattr(httpx.AsyncClient, "send", recorded)
    monkeypatch.setenv("DEEPGRAM_API_KEY", "0123456789")
    suite.clip("one", None, plain_number="4100")
    suite.provider(OURS)
    with serving(lambda request: Reply(HEARD)) as server:
        suite.settings["providers"] = {"x": {"use": use, "url": server.url}}
        result = suite.run("--asr-gate=off", provider="x")

    result.assert_outcomes(passed=1)
    [path] = hops
    assert {"Engine.record", "Scheduler.wait", "ClipTask.run", "Caller.call"} <= {*path}
    assert len(path) <= MOST_HOPS, path
