"""
A LiveKit agent's own recogniser, by LiveKit's own classes, against servers on loopback.

Each trap is a way in which a failure would pass for a transcript. `nox -s agents` runs these.
"""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest
from helpers.deepgram_server import deepgram, results
from helpers.http_server import Reply, serving
from helpers.vendor_protocols import KEY, speech
from helpers.vendor_streams import paced

from pytest_asrbench import audio as audio_files
from pytest_asrbench.audio import Audio
from pytest_asrbench.audio.speech_end import speech_end_s
from pytest_asrbench.errors import AuthError, InputError, ProviderError, TransientError
from pytest_asrbench.providers import registry
from pytest_asrbench.providers.base import Configuration

pytest.importorskip("livekit.agents", reason="pip install 'pytest-asrbench[livekit]'")
pytest.importorskip("livekit.plugins.deepgram")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # the frameworks' own
]
CLIPS = Path(__file__).parents[2] / "example_project" / "clips"
AGENT = """
from livekit.agents import stt
from livekit.plugins import deepgram, openai, silero

def live(host="HOST", **how):
    return deepgram.STT(base_url=f"http://{host}/v1/listen", model="nova-3-medical", **how)

async def written():
    return openai.STT(base_url="http://HOST/v1", model="whisper-9", api_key="KEY")

def adapted():
    return stt.StreamAdapter(stt=asked(), vad=vad())

def asked():
    return openai.STT(base_url="http://HOST/v1", api_key="KEY")

vad = silero.VAD.load

def fallback():
    return stt.FallbackAdapter([live(), live()], max_retry_per_stt=0)

def keyless():
    raise ValueError("no key like KEY")

LIST = [1]
def nothing(): return None
"""


@pytest.fixture
def agent(tmp_path, monkeypatch):
    """`agent.py` beside the settings, and a way to make providers of its functions."""
    monkeypatch.setenv("DEEPGRAM_API_KEY", KEY)
    monkeypatch.setenv("MY_API_KEY", KEY)

    def make(function: str, host: str = "localhost:1", mode: str = "stream", **options):
        # A module of its own for each test: Python imports one of a name only once.
        module = f"agent_{abs(hash((str(tmp_path), host)))}"
        text = AGENT.replace("HOST", host).replace("KEY", KEY)
        (tmp_path / f"{module}.py").write_text(text)
        if "vad" in options:
            options["vad"] = f"{module}:{options['vad']}"
        options = {"stt": f"{module}:{function}", **options}
        return registry.create(Configuration("ours", "livekit", options, tmp_path, mode=mode))

    return make


def hear(provider, clip: Audio | None = None):
    frames = paced(provider, clip or speech(0.3), realtime=True)
    return asyncio.run(provider.stream(frames)), frames


def failed(call) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        call()
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None  # it may hold the request, and in it the key
    return caught.value


def read(provider, clip: Audio | None = None):
    return asyncio.run(provider.transcribe(clip or speech(0.3)))


def test_the_team_s_own_object_streams_and_its_finals_are_joined(agent):
    heard = [results("hello", final=False), results("hello there", speech_final=True)]
    with deepgram(heard=heard, finalized=[results("you")]) as server:
        provider = agent("live", server.url, params={"keyterm": ["Zyrtec"]}, silence_s=0.1)
        transcript, frames = hear(provider)

    asked = server.requests[0].path
    assert transcript.text == "hello there you"
    assert (transcript.reported_model, transcript.request_id) == ("Deepgram/nova-3-medical", "r-1")
    assert "model=nova-3-medical" in asked
    assert "keyterm=Zyrtec" in asked
    assert len(server.pcm) == 2 * 16_000 * 0.4  # the clip, and the silence after it
    assert 0 < frames.since_last_frame_ms() < 1000  # the plugin's goodbye takes five seconds
    described = provider.describe()
    assert (described.use, described.custom, described.reusable) == ("livekit", True, False)
    assert described.settings["keyterm"] == ["Zyrtec"]


def test_a_batch_is_one_request_of_the_whole_recording(agent):
    with serving(lambda request: Reply('{"text": "hello you"}')) as server:
        transcript = read(agent("written", server.url.removeprefix("http://"), "batch"))

    assert transcript.text == "hello you"
    assert b"whisper-9" in server.requests[0].body


@pytest.mark.parametrize(
    ("status", "kind"), [(401, "auth"), (429, "rate limit"), (503, "server"), (402, "quota")]
)
def test_a_status_is_the_kind_that_it_is_elsewhere_and_asked_once(agent, status, kind):
    body = json.dumps({"error": {"message": f"no, {KEY}"}})
    with serving(lambda request: Reply(body, status)) as server:
        error = failed(lambda: read(agent("written", server.url.removeprefix("http://"), "batch")))

    assert error.kind == kind
    assert len(server.requests) == 1


def test_a_plugin_that_loses_the_status_is_no_broken_connection(agent):
    """LiveKit's Deepgram plugin looks for a transcript in a 401, and says "Connection error."."""
    with serving(lambda request: Reply('{"err_code": "INVALID_AUTH"}', 401)) as server:
        error = failed(lambda: read(agent("live", server.url.removeprefix("http://"), "batch")))

    assert (type(error), error.kind) == (ProviderError, "reply")


def test_a_refused_handshake_is_an_auth_error(agent):
    with deepgram(status=401) as server:
        error = failed(lambda: hear(agent("live", server.url)))

    assert type(error) is AuthError


def test_no_server_is_worth_another_try(agent):
    assert failed(lambda: hear(agent("live", "127.0.0.1:9"))).kind == "network"


def test_trap_livekit_s_retries_would_return_a_part_as_the_whole(agent):
    """With its default of three, it connects anew and goes on with the audio to come."""
    lost, rest = [results("the first half")], [results("the second")]
    with deepgram(heard=lost, finalized=rest, dies_after=9_000) as server:
        error = failed(lambda: hear(agent("live", server.url), speech(1)))

    assert (type(error), error.kind) == (TransientError, "network")
    assert len(server.requests) == 1


def test_trap_a_stream_that_dies_when_all_was_said_is_no_empty_transcript(agent):
    """The plugin takes any close for the expected one once its input has ended."""
    with deepgram(dies_after=9_000, deaths=9) as server:
        error = failed(lambda: hear(agent("live", server.url), speech(0.3)))

    assert type(error) is TransientError


def test_trap_text_that_was_never_made_final(agent):
    with deepgram(heard=[results("hello", final=False)]) as server:
        error = failed(lambda: hear(agent("live", server.url, silence_s=0.1, final_wait_s=0.5)))

    assert (type(error), error.kind) == (TransientError, "timeout")


def test_trap_a_message_that_the_plugin_can_t_read_is_only_logged(agent):
    with deepgram(heard=[results("hi")], finalized=[{"type": "Results"}]) as server:
        error = failed(lambda: hear(agent("live", server.url, silence_s=0.1)))

    assert error.kind == "incomplete"
    assert "logged an error and went on" in str(error)


def test_trap_a_fallback_within_a_stream_loses_what_was_heard(agent):
    with deepgram(heard=[results("a half")], dies_after=9_000) as server:
        error = failed(lambda: hear(agent("fallback", server.url, silence_s=0.1), speech(1)))

    assert (type(error), error.kind) == (TransientError, "incomplete")
    assert "lost" in str(error)


def test_trap_a_detector_that_hears_no_silence_never_asks_the_recogniser(agent):
    """The recording ends with its speech: without silence after it, "" would be a success."""
    clip = audio_files.read(CLIPS / "refill.flac", "en")
    cut = int((speech_end_s(clip.samples, clip.rate) or 0) * clip.rate)
    clip = Audio(clip.data, clip.media_type, ".flac", clip.rate, 1, clip.decoded[: 2 * cut], "en")
    with serving(lambda request: Reply('{"text": "a refill"}')) as server:
        host = server.url.removeprefix("http://")
        deaf = agent("adapted", host, silence_s=0.01, final_wait_s=0.02, realtime=False)
        error = failed(lambda: hear(deaf, clip))
        transcript, frames = hear(agent("adapted", host), clip)
        as_a_session_does, _ = hear(agent("asked", host, vad="vad"), clip)

    assert "the detector heard no end of speech; raise silence_s" in str(error)
    assert transcript.text == as_a_session_does.text == "a refill"
    assert len(server.requests) == 2
    assert frames.since_last_frame_ms() > 400  # the detector waits, and that is the agent's latency


def test_silence_is_an_empty_transcript(agent):
    with deepgram() as server:
        transcript, frames = hear(agent("live", server.url, silence_s=0.1))

    assert transcript.text == ""
    assert frames.since_last_frame_ms() < 2000


@pytest.mark.parametrize(
    ("function", "mode", "says"),
    [
        ("keyless", "stream", r"agent_\d+:keyless raised ValueError: no key like \*\*\*"),
        ("nothing", "stream", r"gives NoneType, not a livekit.agents.stt.STT"),
        ("LIST", "stream", r"is no function; name one that builds the recogniser"),
        ("nowhere", "stream", r"has no 'nowhere'; correct the name"),
        (
            "written",
            "stream",
            r"does not stream by itself; name the agent's detector, vad: mod",
        ),
        ("fallback", "batch", None),
    ],
)
def test_what_can_t_be_measured_is_one_line_before_the_run(agent, function, mode, says):
    if says is None:
        agent(function, mode=mode)
        return
    with pytest.raises(InputError, match=says) as caught:
        agent(function, mode=mode)
    assert "\n" not in str(caught.value)


def test_a_run_with_workers_is_gated_by_the_agent_s_object(suite, monkeypatch):
    """Plugins register in the main thread, which no worker may forget; calls go on the engine's."""
    monkeypatch.setenv("DEEPGRAM_API_KEY", KEY)
    suite.many(3, missed=1)
    suite.audio()
    with deepgram(heard=[results("so 4100 and 4101 it is")]) as server:
        suite.file("agent.py", AGENT.replace("HOST", server.url))
        ours = {"use": "livekit", "stt": "agent:live", "silence_s": 0.1, "version": "1"}
        suite.settings["providers"] = {"ours": ours}
        options = ("--asr-mode=stream", "--asr-json=run.json", "--asr-update", "-n", "2")
        ran = suite.run(*options, provider="ours", own_process=True)
        again = suite.run("--asr-mode=stream", "--asr-cache-mode=replay", provider="ours")

    assert ran.ret == again.ret == pytest.ExitCode.OK
    run = (suite.folder / "run.json").read_text()
    assert "Deepgram/nova-3-medical" in run
    assert KEY not in run
    assert len(server.requests) == 3


def test_clips_go_side_by_side_and_nothing_of_one_reaches_another(agent):
    with deepgram(heard=[results("one")]) as server:
        provider = agent("live", server.url, silence_s=0.1)

        async def all_at_once():
            return await asyncio.gather(
                *(provider.stream(paced(provider, speech(0.3), realtime=True)) for _ in range(5))
            )

        began = time.perf_counter()
        heard = asyncio.run(all_at_once())

    assert [each.text for each in heard] == ["one"] * 5
    assert time.perf_counter() - began < 20
    assert len(server.requests) == 5
