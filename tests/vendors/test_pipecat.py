"""
A pipecat agent's own recogniser, by pipecat's own classes, against servers on loopback.

Each trap is a way in which a failure would pass for a transcript. `nox -s agents` runs these.
"""

from __future__ import annotations

import asyncio
import json
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

pytest.importorskip("pipecat.pipeline.worker", reason="pip install 'pytest-asrbench[pipecat]'")
pytest.importorskip("deepgram")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # the framework's own
]
CLIPS = Path(__file__).parents[2] / "example_project" / "clips"
AGENT = """
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.frames.frames import ErrorFrame, TranscriptionFrame
from pipecat.services.deepgram.stt import DeepgramSTTService
from pipecat.services.openai.stt import OpenAISTTService
from pipecat.services.stt_service import STTService

def live(**how):
    settings = DeepgramSTTService.Settings(model="nova-3-medical", **how)
    return DeepgramSTTService(api_key="KEY", base_url="ws://HOST", settings=settings)

async def written():
    settings = OpenAISTTService.Settings(model="whisper-9")
    return OpenAISTTService(api_key="KEY", base_url="http://HOST/v1", settings=settings)

class Both(STTService):
    async def run_stt(self, audio):
        yield TranscriptionFrame("a half", "", "")
        yield ErrorFrame("the rest was lost")

def keyless():
    raise ValueError("no key like KEY")

def other_rate():
    return DeepgramSTTService(api_key="KEY", base_url="ws://HOST", sample_rate=8000)

vad = SileroVADAnalyzer
LIST = [1]
def nothing(): return None
"""


@pytest.fixture
def agent(tmp_path):
    """`agent.py` beside the settings, and a way to make providers of its functions."""

    def make(function: str, host: str = "localhost:1", mode: str = "stream", **options):
        # A module of its own for each test: Python imports one of a name only once.
        module = f"agent_{abs(hash((str(tmp_path), host)))}"
        text = AGENT.replace("HOST", host).replace("KEY", KEY)
        (tmp_path / f"{module}.py").write_text(text)
        if "vad" in options:
            options["vad"] = f"{module}:{options['vad']}"
        options = {"stt": f"{module}:{function}", **options}
        return registry.create(Configuration("ours", "pipecat", options, tmp_path, mode=mode))

    return make


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    monkeypatch.setenv("MY_API_KEY", KEY)


def hear(provider, clip: Audio | None = None):
    clip = clip or speech(0.3)
    frames = paced(provider, clip, realtime=True)
    frames.speech_end_s = speech_end_s(clip.samples, clip.rate)
    return asyncio.run(provider.stream(frames)), frames


def failed(call) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        call()
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None  # it may hold the request, and in it the key
    return caught.value


def read(provider, clip: Audio | None = None):
    return asyncio.run(provider.transcribe(clip or speech(0.3)))


def test_the_team_s_own_service_streams_until_its_text_is_finalized(agent):
    heard = [results("hello", final=False), results("hello there")]
    with deepgram(heard=heard, finalized=[results("you", from_finalize=True)]) as server:
        provider = agent("live", server.url, params={"keyterm": ["Zyrtec"]}, silence_s=0.3)
        transcript, frames = hear(provider)

    asked = server.requests[0].path
    assert transcript.text == "hello there you"
    assert transcript.reported_model == "DeepgramSTTService/nova-3-medical"
    assert "model=nova-3-medical" in asked
    assert "keyterm=Zyrtec" in asked
    assert server.told[:2] == ["Finalize", "CloseStream"]
    assert 0 < frames.after_speech_ms() < 1500  # stop_secs of the detector are in it
    described = provider.describe()
    assert (described.use, described.custom, described.reusable) == ("pipecat", True, False)
    assert described.settings["keyterm"] == ["Zyrtec"]


def test_trap_the_last_text_comes_after_the_pipeline_could_have_ended(agent):
    """EndFrame right after the speech closes the connection, and "" would be the transcript."""
    with deepgram(finalized=[results("late", from_finalize=True)], lag_s=1.2) as server:
        transcript, frames = hear(agent("live", server.url, silence_s=0.1))

    assert transcript.text == "late"
    assert frames.after_speech_ms() > 1200


def test_trap_no_text_at_all_is_no_empty_transcript(agent):
    with deepgram() as server:
        error = failed(lambda: hear(agent("live", server.url, silence_s=0.1, final_wait_s=1)))

    assert (type(error), error.kind) == (TransientError, "timeout")


def test_a_service_that_says_it_is_done_has_heard_nothing(agent):
    with deepgram(finalized=[results("", from_finalize=True)]) as server:
        transcript, _ = hear(agent("live", server.url, silence_s=0.1, final_wait_s=5))

    assert transcript.text == ""


def test_trap_text_that_was_never_made_final(agent):
    with deepgram(heard=[results("hello", final=False)]) as server:
        error = failed(lambda: hear(agent("live", server.url, silence_s=0.1, final_wait_s=1)))

    assert (type(error), error.kind) == (TransientError, "incomplete")


def test_trap_a_service_that_connects_anew_has_lost_what_was_said(agent):
    lost, rest = [results("a half")], [results("the rest", from_finalize=True)]
    with deepgram(heard=lost, finalized=rest, dies_after=9_000) as server:
        error = failed(lambda: hear(agent("live", server.url), speech(1)))

    assert (type(error), error.kind) == (TransientError, "network")


def test_trap_an_error_frame_beside_text(agent):
    error = failed(lambda: hear(agent("Both", silence_s=0.1)))

    assert type(error) is ProviderError
    assert "the rest was lost" in str(error)


def test_a_refused_handshake_is_an_auth_error(agent):
    with deepgram(status=401) as server:
        error = failed(lambda: hear(agent("live", server.url)))

    assert type(error) is AuthError


def test_a_batch_is_one_segment_with_the_whole_recording(agent):
    with serving(lambda request: Reply('{"text": "hello you"}')) as server:
        transcript = read(agent("written", server.url.removeprefix("http://"), "batch"), speech(3))

    assert transcript.text == "hello you"
    assert b"whisper-9" in server.requests[0].body
    # Three seconds at 16 kHz, and half a second of silence that pipecat adds.
    assert len(server.requests[0].body) > 2 * 16_000 * 3.5


@pytest.mark.parametrize(("status", "kind"), [(401, "auth"), (400, "provider"), (402, "quota")])
def test_a_status_is_the_kind_that_it_is_elsewhere(agent, status, kind):
    """pipecat's Whisper services yield it as a text: "Unknown error occurred: Error code: 401"."""
    body = json.dumps({"error": {"message": f"no, {KEY}"}})
    with serving(lambda request: Reply(body, status)) as server:
        error = failed(lambda: read(agent("written", server.url.removeprefix("http://"), "batch")))

    assert error.kind == kind


def test_trap_a_segmented_service_gets_its_segments_by_frames_of_a_detector(agent):
    clip = audio_files.read(CLIPS / "refill.flac", "en")
    with serving(lambda request: Reply('{"text": "a refill"}')) as server:
        host = server.url.removeprefix("http://")
        by_energy, frames = hear(agent("written", host), clip)
        by_detector, _ = hear(agent("written", host, vad="vad"), clip)

    assert by_energy.text == "a refill"
    assert by_detector.text.startswith("a refill")  # one for each segment that it found
    assert 200 < frames.after_speech_ms() < 2000


def test_clips_go_side_by_side(agent):
    with deepgram(finalized=[results("one", from_finalize=True)]) as server:
        provider = agent("live", server.url, silence_s=0.1)

        async def all_at_once():
            clips = [paced(provider, speech(0.3), realtime=True) for _ in range(5)]
            for each in clips:
                each.speech_end_s = 0.3
            return await asyncio.gather(*map(provider.stream, clips))

        heard = asyncio.run(all_at_once())

    assert [each.text for each in heard] == ["one"] * 5


@pytest.mark.parametrize(
    ("function", "mode", "says"),
    [
        ("keyless", "stream", r"agent_\d+:keyless raised ValueError: no key like \*\*\*"),
        ("nothing", "stream", r"gives NoneType, not a pipecat STTService"),
        ("LIST", "stream", r"is no function; name one that builds the recogniser"),
        ("live", "batch", r"only streams; use --asr-mode=stream"),
    ],
)
def test_what_can_t_be_measured_is_one_line_before_the_run(agent, function, mode, says):
    with pytest.raises(InputError, match=says) as caught:
        agent(function, mode=mode)
    assert "\n" not in str(caught.value)


def test_a_service_of_another_rate_than_its_pipeline_is_told(agent):
    with deepgram() as server:
        error = failed(lambda: hear(agent("other_rate", server.url)))

    assert "wants 8000 Hz, and its pipeline has 16000" in str(error)


def test_a_run_with_workers_is_gated_by_the_agent_s_service(suite):
    suite.many(3, missed=1)
    suite.audio()
    with serving(lambda request: Reply('{"text": "so 4100 and 4101 it is"}')) as server:
        host = server.url.removeprefix("http://")
        suite.file("agent.py", AGENT.replace("HOST", host).replace("KEY", KEY))
        ours = {"use": "pipecat", "stt": "agent:written", "version": "1"}
        suite.settings["providers"] = {"ours": ours}
        ran = suite.run(
            "--asr-json=run.json", "--asr-update", "-n", "2", provider="ours", own_process=True
        )
        again = suite.run("--asr-cache-mode=replay", provider="ours")

    assert ran.ret == again.ret == pytest.ExitCode.OK
    run = (suite.folder / "run.json").read_text()
    assert "OpenAISTTService/whisper-9" in run
    assert KEY not in run
    assert len(server.requests) == 3
