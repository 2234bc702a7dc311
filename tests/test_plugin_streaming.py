"""Streaming code of the user's own in whole runs: measured where it can be, else refused early."""

from __future__ import annotations

import sys

import pytest
import soxr  # noqa: F401 (loaded here, as runs in this process can not load it twice)

OK, USAGE = pytest.ExitCode.OK, pytest.ExitCode.USAGE_ERROR

CLASS = """
class Streams:
    realtime = False

    async def stream(self, frames):
        size = sum([len(frame) async for frame in frames])
        return f"so 4100 it is, after {size} bytes"
"""
DECORATED = f"import pytest_asrbench\n{CLASS}\npytest_asrbench.provider('own')"


@pytest.fixture
def heard(suite, monkeypatch):
    """Three clips with audio, and in none of their values a miss."""
    for n in range(3):
        suite.clip(f"c{n}", None, plain_number="4100")
    suite.audio()
    monkeypatch.setattr(sys, "path", [*sys.path])
    return suite


def by_decorator(suite):
    suite.file("conftest.py", f"{DECORATED}(Streams)\n")


def by_decorated_object(suite):
    suite.file("conftest.py", f"{DECORATED}(Streams())\n")


def by_name_in_the_settings(suite):
    suite.file("own_streams.py", CLASS)
    suite.settings["providers"] = {"own": {"use": "own_streams:Streams"}}


def by_name_of_an_object(suite):
    suite.file("own_streams.py", f"{CLASS}\nours = Streams()\n")
    suite.settings["providers"] = {"own": {"use": "own_streams:ours"}}


def by_entry_point(suite):
    suite.file("own_streams.py", CLASS)
    suite.file("own-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: own\nVersion: 1\n")
    suite.file(
        "own-1.dist-info/entry_points.txt",
        "[pytest_asrbench.providers]\nown = own_streams:Streams\n",
    )
    suite.pytester.syspathinsert(suite.folder)


def by_fixture(suite):
    suite.file(
        "conftest.py",
        f"import pytest\n{DECORATED}(Streams)\n"
        "@pytest.fixture(scope='session')\ndef asr_provider(): return Streams()\n",
    )


WAYS = [
    by_decorator,
    by_decorated_object,
    by_name_in_the_settings,
    by_name_of_an_object,
    by_entry_point,
    by_fixture,
]


@pytest.fixture(autouse=True)
def _own_module(monkeypatch):
    """Each run in this process imports its own."""
    monkeypatch.delitem(sys.modules, "own_streams", raising=False)
    yield
    sys.modules.pop("own_streams", None)


@pytest.mark.parametrize("given", WAYS)
def test_a_class_that_only_streams_is_measured(heard, workers, given):
    given(heard)

    result = heard.run(
        "--asr-mode=stream", "--asr-gate=off", "--asr-json=run.json", *workers, provider="own"
    )

    assert result.ret == OK
    assert result.parseoutcomes() == {"passed": 3}
    run = heard.run_file()
    assert (run["metrics"]["ctem"]["hits"], run["provider"]["mode"]) == (3, "stream")


@pytest.mark.parametrize("given", WAYS[:-1])
def test_in_batch_mode_it_is_refused_before_any_test(heard, workers, given):
    given(heard)

    result = heard.run(*workers, provider="own")

    assert result.ret == USAGE
    result.stderr.fnmatch_lines(
        ["ERROR: provider 'own': own* has no transcribe(); use --asr-mode*"]
    )
    assert len([line for line in result.errlines if line]) == 1


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("def stream(self, frames): return ''", "stream(frames) must be async; *"),
        ("async def stream(self, frames): yield ''", "stream(frames) yields, *"),
        ("async def stream(self): return ''", "stream(frames) must take that one argument, *"),
    ],
    ids=["sync", "generator", "arguments"],
)
def test_a_stream_that_cannot_be_called_is_refused_before_any_test(heard, workers, written, says):
    heard.file(
        "conftest.py",
        f"import pytest_asrbench\n@pytest_asrbench.provider('own')\nclass Own:\n    {written}\n",
    )

    result = heard.run("--asr-mode=stream", *workers, provider="own")

    assert result.ret == USAGE
    result.stderr.fnmatch_lines([f"ERROR: provider 'own': own: {says}"])
    assert len([line for line in result.errlines if line]) == 1


def test_what_a_conftest_deeper_down_brings_is_refused_at_its_first_test(heard, workers):
    heard.file("deeper/conftest.py", f"{DECORATED}(Streams)\n")
    heard.file("deeper/test_it.py", "def test_clip(asr_result): pass\n")
    heard.tests = ""

    result = heard.run("--asr-gate=on", *workers, provider="own")

    assert result.ret == USAGE
    result.stderr.fnmatch_lines(["ERROR: *'own': own has no transcribe(); use --asr-mode=stream"])


@pytest.mark.parametrize("value", ["-5", "0", "'x'", "16000.5", "True", "None"])
@pytest.mark.parametrize("name", ["frame_ms", "stream_rate"])
@pytest.mark.parametrize("where", ["class", "instance", "fixture"])
def test_frames_that_can_not_be_are_told_before_any_call(heard, where, name, value):
    setting = f"    {name} = {value}\n"
    if where != "class":
        setting = f"    def __init__(self): self.{name} = {value}\n"
    code = (
        "import pytest, pytest_asrbench\n"
        f"class Own:\n{setting}"
        "    async def stream(self, frames): open('called', 'w')\n"
        "@pytest.fixture(scope='session')\n"
        f"def asr_{'provider' if where == 'fixture' else 'x'}(): return Own()\n"
        "pytest_asrbench.provider('own')(Own)\n"
    )
    heard.provider(code)

    result = heard.run("--asr-mode=stream", "--asr-gate=off", provider="own")

    assert result.ret == USAGE
    assert len([line for line in result.errlines if line]) == 1
    unit = {"frame_ms": "milliseconds", "stream_rate": "Hz"}[name]
    result.stderr.fnmatch_lines([f"ERROR: *wn: {name} must be a whole number of {unit} above 0, *"])
    assert not (heard.folder / "called").exists()


def test_frames_that_can_not_be_are_told_once_by_workers(heard, workers):
    heard.provider(
        "import pytest_asrbench\n"
        "@pytest_asrbench.provider('own')\n"
        "class Own:\n"
        "    frame_ms = property(lambda self: -5)\n"
        "    async def stream(self, frames): return ''\n"
    )

    result = heard.run(*workers, "--asr-mode=stream", "--asr-gate=off", provider="own")

    assert result.ret == USAGE
    result.stderr.fnmatch_lines(["ERROR: provider 'own': own: frame_ms must be *, not -5"])


def test_frames_do_not_matter_in_batch_mode(heard):
    heard.provider(
        "import pytest_asrbench\n"
        "@pytest_asrbench.provider('own')\n"
        "class Own:\n"
        "    frame_ms = 0\n"
        "    def transcribe(self, audio): return ''\n"
    )

    assert heard.run("--asr-gate=off", provider="own").ret == OK
