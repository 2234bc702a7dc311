"""The clock of a run is the machine's, whatever the tests beside it make of theirs."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
import time_machine
from freezegun import freeze_time
from helpers.http_server import error, in_turn, serving, text
from helpers.plugin_suite import TEST_CLIP

from pytest_asrbench import clock
from pytest_asrbench.store import Store

FROZEN = {
    "freezegun": lambda: freeze_time("2026-03-01"),
    "time-machine": lambda: time_machine.travel("2026-03-01", tick=False),
}
CLIENT = """
import httpx, pytest_asrbench
from pytest_asrbench.providers.http import pick, post

@pytest_asrbench.provider("mine", version="1")
class Client:
    def __init__(self): self.client = httpx.AsyncClient(timeout=60)
    async def transcribe(self, audio):
        return pick(await post(self.client, {url!r}, content=audio.wav), "text")
    async def aclose(self): await self.client.aclose()
"""
DATES = """
from threading import Event
{imports}

{freeze}
def test_due_date():
    Event().wait(1.5)
"""


@pytest.mark.slow
@pytest.mark.parametrize("freeze", FROZEN.values(), ids=FROZEN)
def test_a_mocked_clock_is_not_ours(freeze):
    began, before = clock.monotonic(), clock.now()
    with freeze():
        assert time.time() != pytest.approx(before, abs=60)
        assert clock.now() == pytest.approx(before, abs=60)
        assert clock.monotonic() > began
        assert clock.utc_now()[:4] == f"{datetime.fromtimestamp(before, UTC):%Y}"
    assert clock.now() == pytest.approx(time.time(), abs=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("imports", "freeze"),
    [
        ("from freezegun import freeze_time", "@freeze_time('2026-03-01')"),
        ("import time_machine", "@time_machine.travel('2026-03-01', tick=False)"),
    ],
    ids=FROZEN,
)
def test_a_test_that_stops_the_clock_stops_no_run(suite, workers, imports, freeze):
    """Back-offs, turns and time-outs that begin in it come to their end."""
    suite.many(6)
    limits = {"requests_per_minute": 240, "backoff_s": 0.3}
    suite.settings["providers"] = {"mine": {"use": "mine", **limits}}
    suite.file("test_dates.py", DATES.format(imports=imports, freeze=freeze))
    suite.file("test_first.py", TEST_CLIP)
    with serving(in_turn([text("so 4100 it is"), error(503), error(503)], text("none"))) as server:
        suite.provider(CLIENT.format(url=server.url))

        tests = ("test_first.py::test_clip[c00]", "test_dates.py", "test_suite.py")
        result = suite.run(*tests, *workers, "--asr-gate=off", provider="mine", own_process=True)

    assert result.ret == pytest.ExitCode.OK
    assert len(server.requests) == 8
    stored = [entry.recorded_at[:10] for _, entry in Store(suite.folder / ".asrbench").entries()]
    assert stored == [clock.utc_now()[:10]] * 6
