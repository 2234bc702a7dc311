"""One suite that every streaming adapter passes, against servers that play its protocol."""

from __future__ import annotations

import asyncio
import io
import json
import sys
import time
from dataclasses import replace

import pytest
import soundfile
from helpers.vendor_protocols import KEY, each, fixtures, recorded, speech
from helpers.vendor_streams import Part, paced, playing

from pytest_asrbench import errors
from pytest_asrbench.engine.provider_code import ProviderCode
from pytest_asrbench.errors import AuthError, InputError, ProviderError, TransientError
from pytest_asrbench.providers import registry, websocket
from pytest_asrbench.providers.base import Configuration

STREAM = fixtures("stream")
GRPC = {"google", "nvidia-nim"}  # test_grpc_streams.py
by_vendor = pytest.mark.parametrize("fixture", STREAM, ids=lambda f: f.use)


def part(fixture, **also) -> Part:
    return Part(**(fixture.data["part"] | also))


def script(fixture, case) -> Part:
    return part(fixture, during=case.get("during", []), after=case["after"])


def success(fixture) -> Part:
    return script(fixture, fixture.data["answers"]["success"])


def hear(provider, clip=None, **how):
    clip = clip or speech()
    frames = paced(provider, clip, **how)

    async def call():
        try:
            return await provider.stream(frames)
        finally:
            await provider.aclose()

    return asyncio.run(call()), frames


def failed(provider, clip=None, **how) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        hear(provider, clip, **how)
    # What a library raises holds the request, and that the key: a debugger would show it.
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return caught.value


async def until(holds) -> None:
    async with asyncio.timeout(30):
        while not holds():
            await asyncio.sleep(0.01)


def test_every_streaming_vendor_has_its_fixtures():
    # These have tests of their own, as others do the talking there.
    others = {"livekit", "pipecat", "sherpa-onnx"}
    assert {f.use for f in STREAM} == set(registry.STREAMING) - GRPC - others


@pytest.mark.slow
@pytest.mark.parametrize(("fixture", "case"), each(STREAM, "answers"))
def test_the_text_is_put_together_by_the_vendors_rule(fixture, case, monkeypatch):
    with playing(fixture, script(fixture, case)) as server:
        provider = fixture.provider(server.url, monkeypatch)
        transcript, _ = hear(provider, realtime=case.get("paced", False))

    fixture.check(transcript, case)


@pytest.mark.slow
@pytest.mark.parametrize("fixture", recorded("stream"), ids=lambda f: f.use)
def test_a_recorded_exchange_gives_its_text(fixture, monkeypatch):
    with playing(fixture, success(fixture)) as server:
        transcript, _ = hear(fixture.provider(server.url, monkeypatch))

    fixture.check(transcript, fixture.data["answers"]["success"])


@pytest.mark.slow
@by_vendor
def test_the_request_is_as_documented(fixture, monkeypatch):
    with playing(fixture, success(fixture)) as server:
        hear(fixture.provider(server.url, monkeypatch))

    said = server.told()
    for wanted in fixture.data["sends"]:
        assert wanted in said
    for name, value in fixture.data["auth"].items():
        assert server.requests[0].headers[name] == str(value).replace("KEY", KEY)
    assert KEY not in said
    assert not any(word in said for word in fixture.data.get("never", ()))


@pytest.mark.slow
@by_vendor
def test_all_audio_arrives_in_order(fixture, monkeypatch):
    clip = speech(0.31)
    with playing(fixture, success(fixture)) as server:
        provider = fixture.provider(server.url, monkeypatch)
        hear(provider, clip)

    pcm = clip.pcm16(provider.stream_rate)
    assert server.pcm[: len(pcm)] == pcm
    assert not server.pcm[len(pcm) :].strip(b"\0")  # nothing is added but silence
    assert len(server.frames[0]) == 2 * provider.stream_rate * provider.frame_ms // 1000


@pytest.mark.slow
@by_vendor
def test_a_configured_model_language_and_parameter_are_sent_and_described(fixture, monkeypatch):
    with playing(fixture, success(fixture)) as server:
        told = {"model": "m-7"} if fixture.data.get("model_sent", True) else {}
        told |= fixture.terms()
        provider = fixture.provider(
            server.url, monkeypatch, language="fr-FR", params={"a_knob": True}, **told
        )
        hear(provider, speech(language="de"))

    said = server.told()
    assert told.get("model", "") in said
    assert "a_knob" in said
    assert "True" not in said
    assert "fr" in said
    described = provider.describe()
    assert (described.use, described.custom) == (fixture.use, True)
    assert described.model == told.get("model", described.model)
    assert described.settings.get("terms") == told.get("terms")
    assert all(spelled in said for spelled in fixture.data["terms"])
    assert KEY not in repr(described)


@pytest.mark.slow
@by_vendor
def test_latency_is_from_the_last_frame_to_the_complete_text(fixture, monkeypatch):
    """The pace is that of speech; time to the first text is kept; goodbyes do not count."""
    with playing(fixture, success(fixture)) as server:
        provider = fixture.provider(server.url, monkeypatch)
        started = time.perf_counter()
        _, frames = hear(provider, speech(0.4), realtime=True)
        took_ms = 1000 * (time.perf_counter() - started)

    latency_ms = frames.since_last_frame_ms()
    assert 0 <= latency_ms <= took_ms - 400
    assert latency_ms == frames.since_last_frame_ms()  # the clock was stopped
    assert 0 < frames.first_text_ms < took_ms


@pytest.mark.slow
@by_vendor
def test_silence_after_partials_is_an_error_and_no_partial_transcript(fixture, monkeypatch):
    with playing(fixture, part(fixture, during=[fixture.data["partial"]])) as server:
        error = failed(fixture.provider(server.url, monkeypatch, final_wait_s="0.2"))

    assert (type(error), error.kind) == (TransientError, "timeout")
    assert "no final transcript within 0.2 s" in str(error)
    assert error.host == server.url.partition("://")[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    "fixture", [f for f in STREAM if {"terminal", "unfinished"} & set(f.data)], ids=lambda f: f.use
)
def test_text_that_was_never_made_final_is_an_error(fixture, monkeypatch):
    last = fixture.data.get("unfinished") or fixture.data["terminal"]
    with playing(fixture, part(fixture, during=[fixture.data["partial"]], after=[last])) as server:
        error = failed(fixture.provider(server.url, monkeypatch))

    assert (type(error), error.kind) == (TransientError, "incomplete")


@pytest.mark.slow
@by_vendor
@pytest.mark.parametrize("code", [1000, 1011])
@pytest.mark.parametrize("when", ["during", "after"])
def test_a_stream_that_ends_too_early_is_an_error(fixture, when, code, monkeypatch):
    if fixture.data.get("close_ends") and (when, code) == ("after", 1000):
        pytest.skip("this close is the vendor's terminal event")
    close = {"close": code, "reason": "going away"}
    with playing(fixture, part(fixture, **{when: [fixture.data["partial"], close]})) as server:
        provider = fixture.provider(server.url, monkeypatch)
        long = {"clip": speech(9), "realtime": True} if when == "during" else {}
        error = failed(provider, **long)

    assert type(error) is TransientError
    assert f"closed the stream early ({code}" in str(error)


@pytest.mark.slow
@by_vendor
def test_a_terminal_event_before_the_end_of_speech_completes_nothing(fixture, monkeypatch):
    case = fixture.data["answers"]["success"]
    early = [*case["after"], {"close": 1000}]
    with playing(fixture, part(fixture, during=early)) as server:
        error = failed(fixture.provider(server.url, monkeypatch), speech(9), realtime=True)

    assert type(error) is TransientError


@pytest.mark.slow
@pytest.mark.parametrize(("fixture", "case"), each(STREAM, "failures"))
@pytest.mark.parametrize("when", ["during", "after"])
def test_an_error_is_mapped_and_not_tried_again(fixture, case, when, monkeypatch):
    with playing(fixture, part(fixture, **{when: [case["say"]]})) as server:
        error = failed(fixture.provider(server.url, monkeypatch))

    assert type(error) is getattr(errors, case["raises"])
    assert error.host == server.url.partition("://")[2]
    assert server.connected == 1


@pytest.mark.slow
@by_vendor
@pytest.mark.parametrize(
    ("status", "raises"), [(401, AuthError), (429, TransientError), (503, TransientError)]
)
def test_a_refused_connection_is_mapped_and_the_key_kept_secret(
    fixture, status, raises, monkeypatch
):
    refusal = part(fixture, status=status, body=f"no {KEY}", headers={"retry-after": "3"})
    with playing(fixture, refusal) as server:
        error = failed(fixture.provider(server.url, monkeypatch))

    assert type(error) is raises
    assert getattr(error, "retry_after", 3) == 3
    assert len(server.requests) == 1
    seen = error
    while seen is not None:
        assert KEY not in f"{seen} {seen!r} {seen.__dict__}"
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)


@pytest.mark.slow
@by_vendor
def test_a_key_that_the_server_echoes_in_the_stream_reaches_no_message(fixture, monkeypatch):
    close = {"close": 1011, "reason": f"who is {KEY}?"}
    with playing(fixture, part(fixture, during=[close])) as server:
        error = failed(fixture.provider(server.url, monkeypatch))

    assert "who is ***?" in str(error)


@pytest.mark.slow
@by_vendor
def test_no_key_is_logged(fixture, monkeypatch, caplog):
    caplog.set_level("DEBUG")
    with playing(fixture, success(fixture)) as server:
        hear(fixture.provider(server.url, monkeypatch))

    client = [r.getMessage() for r in caplog.records if r.name != "websockets.server"]
    assert not any(KEY in message for message in client)


@by_vendor
def test_a_server_that_is_not_there_may_be_tried_again(fixture, monkeypatch):
    with playing(fixture, Part()) as server:
        url = server.url

    error = failed(fixture.provider(url, monkeypatch))

    assert (type(error), error.kind) == (TransientError, "network")


@pytest.mark.slow
@pytest.mark.parametrize(
    "fixture", [f for f in STREAM if f.data["part"].get("ready")], ids=lambda f: f.use
)
def test_a_server_that_never_gets_ready_is_an_error_and_gets_no_audio(fixture, monkeypatch):
    monkeypatch.setattr(websocket, "READY_S", 0.2)
    with playing(fixture, replace(part(fixture), greeting=[], ready=[])) as server:
        error = failed(fixture.provider(server.url, monkeypatch))

    assert (type(error), error.kind) == (TransientError, "timeout")
    assert not server.frames


@pytest.mark.slow
@by_vendor
def test_cancelling_closes_the_stream(fixture, monkeypatch):
    with playing(fixture, part(fixture)) as server:
        provider = fixture.provider(server.url, monkeypatch)

        async def give_up():
            call = asyncio.create_task(provider.stream(paced(provider, speech(9), realtime=True)))
            while not server.frames:
                await asyncio.sleep(0.005)
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
            assert call.cancelled()
            await until(lambda: server.left)
            await provider.aclose()

        asyncio.run(give_up())


@by_vendor
def test_a_missing_package_is_one_line_that_names_the_extra(fixture, monkeypatch):
    for name in fixture.data["env"]:
        monkeypatch.setenv(name, KEY)
    monkeypatch.setitem(sys.modules, "websockets", None)

    with pytest.raises(InputError, match=r"pip install 'pytest-asrbench\[stream\]'"):
        registry.create(Configuration(fixture.use, fixture.use, mode="stream"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"frame_ms": "0"}, "frame_ms is a number above 0, not '0'"),
        ({"rate": "fast"}, "rate is a number above 0, not 'fast'"),
        ({"final_wait_s": "-1"}, "final_wait_s is a number above 0, not '-1'"),
    ],
)
def test_settings_that_cannot_work_are_one_line(options, message, monkeypatch):
    monkeypatch.setenv("DEEPGRAM_API_KEY", KEY)

    with pytest.raises(InputError, match=message):
        registry.create(Configuration("d", "deepgram", options, mode="stream"))


def test_a_vendor_may_be_sent_faster_than_speech_and_at_another_rate(monkeypatch):
    fixture = next(f for f in STREAM if f.use == "deepgram")
    monkeypatch.setenv("DEEPGRAM_API_KEY", KEY)
    options = {"realtime": "false", "rate": "8000", "frame_ms": "100"}
    with playing(fixture, success(fixture)) as server:
        provider = fixture.provider(server.url, monkeypatch, **options)
        hear(provider, speech(1.0))

    assert provider.realtime is False
    assert "sample_rate=8000" in server.requests[0].path
    assert [len(frame) for frame in server.frames] == [1600] * 10
    assert provider.describe().settings["rate"] == 8000


@pytest.mark.parametrize(
    ("use", "options", "remedy"),
    [
        ("deepgram-flux", {}, "flux-general-multi"),
        ("cartesia", {}, "ink-whisper"),
        (
            "assemblyai",
            {"model": "universal-streaming-english"},
            "universal-streaming-multilingual",
        ),
    ],
)
def test_a_model_for_english_is_not_asked_for_other_languages(use, options, remedy, monkeypatch):
    """It would write English words, and nobody would notice."""
    fixture = next(f for f in STREAM if f.use == use)
    with playing(fixture, success(fixture)) as server:
        error = failed(fixture.provider(server.url, monkeypatch, **options), speech(language="de"))

    assert error.kind == "language"
    assert f"knows English only, not 'de'; use model: {remedy}" in str(error)
    assert not server.requests


def test_assemblyai_gets_no_frame_of_less_than_50_ms(monkeypatch):
    """It would close the session."""
    fixture = next(f for f in STREAM if f.use == "assemblyai")
    with playing(fixture, success(fixture)) as server:
        hear(fixture.provider(server.url, monkeypatch), speech(0.31))

    assert {len(frame) for frame in server.frames} == {2 * 16_000 * 50 // 1000}


@pytest.mark.slow
@by_vendor
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(fixture, status, monkeypatch):
    """It would carry the key to another host: some libraries know only Authorization for one."""
    with playing(fixture, success(fixture)) as other:
        moved = part(fixture, status=status, headers={"Location": other.url})
        with playing(fixture, moved) as server:
            error = failed(fixture.provider(server.url, monkeypatch))

            assert (len(server.requests), other.requests) == (1, [])
            assert not other.http or not other.http.requests
    assert type(error) is ProviderError
    assert f"answered {status}: a redirect, which is not followed" in str(error)


ODD = [5, None, [], "text", {"type": 5}, {"message": []}, {"tokens": 3}, {"error_code": "x"}]


@pytest.mark.slow
@by_vendor
def test_a_message_of_another_shape_is_an_error_or_no_text(fixture, monkeypatch):
    """Whatever stands where the vendor's protocol has something else."""
    answer = fixture.data["answers"]["success"]["after"]
    keys = sorted({key for message in answer if isinstance(message, dict) for key in message})
    broken = [
        message | {key: value}
        for message in answer
        if isinstance(message, dict) and "close" not in message
        for key in keys
        for value in (5, [5], {"a": 5}, "x")
        if key in message
    ]
    for message in [*ODD, *broken[:: max(1, len(broken) // 8)]]:
        heard = part(fixture, after=[json.dumps(message), {"close": 1011}])
        with playing(fixture, heard) as server:
            try:
                hear(fixture.provider(server.url, monkeypatch))
            except ProviderError as error:
                said = str(error)
                assert len(said.splitlines()) == 1  # either end is right here


@pytest.mark.slow
@by_vendor
def test_an_error_beside_a_streams_text_is_an_error(fixture, monkeypatch):
    case = fixture.data["answers"]["success"]
    after = [
        m | {"error": "worker died"} if isinstance(m, dict) and "close" not in m else m
        for m in case["after"]
    ]
    heard = part(fixture, during=case.get("during", []), after=after)
    with playing(fixture, heard) as server:
        error = failed(fixture.provider(server.url, monkeypatch))

    assert "worker died" in str(error)


def test_json_without_an_end_is_an_error(monkeypatch):
    fixture = next(f for f in STREAM if f.use == "deepgram")
    with playing(fixture, part(fixture, after=["[" * 200_000])) as server:
        error = failed(fixture.provider(server.url, monkeypatch))

    assert (type(error), error.kind) == (ProviderError, "reply")


SAID = {
    "assemblyai": "encoding=pcm_mulaw",
    "deepgram": "encoding=mulaw",
    "deepgram-flux": "encoding=mulaw",
    "elevenlabs": "audio_format=ulaw_8000",
    "openai": '"audio/pcmu"',
    "speechmatics": '"encoding": "mulaw"',
    "xai": "encoding=mulaw",
}
"""How each vendor is told of 8 kHz mu-law."""


@pytest.mark.parametrize("fixture", STREAM, ids=lambda f: f.use)
def test_native_telephone_audio_goes_out_as_mu_law(fixture, monkeypatch):
    if fixture.use not in SAID:
        with pytest.raises(InputError, match="native"):
            fixture.provider("ws://127.0.0.1:1", monkeypatch, native="true")
        return
    clip = speech(0.4)
    with playing(fixture, success(fixture)) as server:
        provider = fixture.provider(server.url, monkeypatch, native="true", realtime="false")
        limits = Configuration(fixture.use, fixture.use).limits
        code = ProviderCode(provider, limits, "stream", 1)

        async def call():
            try:
                return await code.send("clip", clip)()
            finally:
                await provider.aclose()

        asyncio.run(call())

    assert SAID[fixture.use] in server.told()
    assert "16000" not in server.told()
    decoded, _ = soundfile.read(
        io.BytesIO(server.pcm), dtype="int16", samplerate=8000, channels=1, format="RAW",
        subtype="ULAW",
    )  # fmt: skip
    sent = clip.samples * 32768
    assert len(decoded) >= len(sent)
    assert abs(decoded[: len(sent)] - sent).max() <= 32  # mu-law's step at that level
    assert provider.describe().settings["native"] is True
