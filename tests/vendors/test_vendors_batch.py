"""
One suite that every adapter for recorded files passes, against servers that replay its protocol.

The fixtures beside it say for each vendor which requests are right, how replies and errors look,
and what must come of them.
"""

from __future__ import annotations

import asyncio
import inspect
import time

import pytest
from helpers.http_server import Reply, serving
from helpers.vendor_protocols import KEY, each, encoded, fixtures, recorded, replaying, sent, speech

from pytest_asrbench import errors
from pytest_asrbench.errors import InputError, ProviderError, TransientError
from pytest_asrbench.providers import registry
from pytest_asrbench.providers.base import Configuration
from pytest_asrbench.providers.jobs import Later

BATCH = fixtures("batch")
LOCAL = {  # and what others do the talking for: all of them have tests of their own
    "command", "faster-whisper", "livekit", "moonshine", "nemo", "onnx-asr", "pipecat",
    "pocketsphinx", "pywhispercpp", "recorded", "sherpa-onnx", "transformers", "vosk", "wyoming",
}  # fmt: skip
by_vendor = pytest.mark.parametrize("fixture", BATCH, ids=lambda f: f.use)
MODEL_IN_ROUTE = {"gemini", "modulate"}
KEYED = [fixture for fixture in BATCH if fixture.data["env"]]


def hear(provider, audio=None):
    async def call():
        try:
            return await provider.transcribe(audio or speech())
        finally:
            await provider.aclose()

    return asyncio.run(call())


def failed(provider, audio=None) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        hear(provider, audio)
    # What a library raises holds the request, and that the key: a debugger would show it.
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return caught.value


def first(fixture):
    return next(iter(fixture.data["answers"].values()))["reply"]


def test_every_vendor_has_its_fixtures():
    assert {f.use for f in BATCH} == set(registry.BUILTIN) - LOCAL - {"aws", "deepgram-flux"}


@pytest.mark.slow
@pytest.mark.parametrize(("fixture", "case"), each(BATCH, "answers"))
def test_the_text_is_what_the_vendor_returned(fixture, case, monkeypatch):
    with replaying(fixture, case["reply"]) as server:
        transcript = hear(fixture.provider(server.url, monkeypatch))

    fixture.check(transcript, case)
    assert transcript.latency_ms is None  # the engine's to say


@pytest.mark.slow
@pytest.mark.parametrize("fixture", recorded("batch"), ids=lambda f: f.use)
def test_a_recorded_exchange_gives_its_text(fixture, monkeypatch):
    with replaying(fixture, first(fixture)) as server:
        fixture.check(
            hear(fixture.provider(server.url, monkeypatch)), fixture.data["answers"]["success"]
        )

    asked = sent(server)
    assert [part for part in fixture.data["sends"] if part.replace("KEY", KEY) not in asked] == []


@pytest.mark.slow
@by_vendor
def test_the_request_is_as_documented(fixture, monkeypatch):
    with replaying(fixture, first(fixture)) as server:
        hear(fixture.provider(server.url, monkeypatch))

    requests = sent(server)
    for part in fixture.data["sends"]:
        assert part.replace("KEY", KEY) in requests
    places = [requests.index(part) for part in fixture.data.get("in_order", ())]
    assert places == sorted(places)


@pytest.mark.slow
@by_vendor
def test_a_configured_model_language_and_parameter_are_sent_and_described(fixture, monkeypatch):
    told = {}
    if fixture.data["model_sent"]:
        told["model"] = "m-7"
    if fixture.data.get("language_sent", True):
        told["language"] = "fr-FR"
    with replaying(fixture, first(fixture)) as server:
        told |= fixture.terms()
        provider = fixture.provider(server.url, monkeypatch, params={"a_knob": True}, **told)
        described = provider.describe()
        if fixture.use in MODEL_IN_ROUTE:
            assert "no route POST" in str(failed(provider))
        else:
            hear(provider, speech(language="de"))

    asked = sent(server)
    assert "a_knob" in asked
    assert "True" not in asked
    assert "fr" in asked or "language" not in told
    assert told.get("model", "") in asked
    assert described.custom
    assert described.settings["a_knob"] is True
    assert described.settings.get("language") == told.get("language")
    assert described.settings.get("terms") == told.get("terms")
    assert all(spelled in asked for spelled in fixture.data["terms"])
    assert described.use == fixture.use
    assert described.model == told.get("model", described.model)
    assert KEY not in repr(described)


@by_vendor
def test_without_configuration_it_is_the_default_protocol(fixture, monkeypatch):
    described = fixture.provider("http://localhost:1", monkeypatch).describe()

    assert not described.custom
    assert described.reusable
    if not fixture.data["terms"]:
        with pytest.raises(InputError, match=r"takes no terms; remove|unknown option 'terms'"):
            fixture.provider("http://localhost:1", monkeypatch, terms=["Zyrtec"])


@pytest.mark.slow
@pytest.mark.parametrize(("fixture", "case"), each(BATCH, "failures"))
def test_an_error_is_mapped_and_not_tried_again(fixture, case, monkeypatch):
    reply = Reply(encoded(case["body"]), case["status"], case.get("headers", {}))
    with replaying(fixture, first(fixture), broken={0: reply}) as server:
        error = failed(fixture.provider(server.url, monkeypatch))

    assert type(error) is getattr(errors, case["raises"])
    assert error.host == server.url.removeprefix("http://")
    assert f"answered {case['status']}: " in str(error)
    assert getattr(error, "retry_after", None) == case.get("retry_after")
    assert len(server.requests) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("fixture", "case"), each(BATCH, "jobs"))
def test_a_job_that_fails_is_an_error(fixture, case, monkeypatch):
    answer = case["reply"] if "step" not in case else first(fixture)
    broken = {case["step"]: Reply(encoded(case["reply"]))} if "step" in case else {}
    with replaying(fixture, answer, broken=broken) as server:
        error = failed(fixture.provider(server.url, monkeypatch))

    assert type(error) is getattr(errors, case["raises"])
    assert error.host


@pytest.mark.slow
@by_vendor
@pytest.mark.parametrize("status", [429, 503])
def test_a_passing_failure_is_left_to_the_engine(fixture, status, monkeypatch):
    reply = Reply('{"message": "busy"}', status, {"retry-after": "4"})
    with replaying(fixture, first(fixture), broken={0: reply}) as server:
        error = failed(fixture.provider(server.url, monkeypatch))

    assert type(error) is TransientError
    assert error.retry_after == 4
    assert len(server.requests) == 1


@pytest.mark.slow
@by_vendor
def test_a_cut_connection_may_be_tried_again(fixture, monkeypatch):
    with replaying(fixture, first(fixture), broken={0: Reply(cut=30)}) as server:
        error = failed(fixture.provider(server.url, monkeypatch))

    assert (type(error), error.kind) == (TransientError, "network")
    assert len(server.requests) == 1


@pytest.mark.slow
@by_vendor
def test_a_server_that_is_not_there_may_be_tried_again(fixture, monkeypatch):
    with serving(lambda request: Reply()) as server:
        url = server.url

    error = failed(fixture.provider(url, monkeypatch))

    assert (type(error), error.kind) == (TransientError, "network")


@pytest.mark.slow
@by_vendor
def test_a_slow_server_times_out(fixture, monkeypatch):
    with replaying(fixture, first(fixture), broken={0: Reply(delay_s=9)}) as server:
        error = failed(fixture.provider(server.url, monkeypatch, timeout_s=0.1))

    assert (type(error), error.kind) == (TransientError, "timeout")


@pytest.mark.slow
@by_vendor
def test_what_is_no_reply_is_an_error_and_no_transcript(fixture, monkeypatch):
    if fixture.use == "speechmatics":
        pytest.skip("its transcript is plain text")
    last = next(n for n, s in enumerate(fixture.data["steps"]) if s["reply"] == "$answer")
    for body in ("<html>busy</html>", '{"nothing": 1}', "null", '{"text": 5}'):
        if fixture.use in ("azure", "google") and body != "<html>busy</html>":
            continue  # no results at all mean that nothing was heard
        with replaying(fixture, None, broken={last: Reply(body)}) as server:
            error = failed(fixture.provider(server.url, monkeypatch))
        assert type(error) is ProviderError


@pytest.mark.slow
@pytest.mark.parametrize("fixture", KEYED, ids=lambda f: f.use)
@pytest.mark.parametrize("status", [400, 401])
def test_a_key_that_the_server_echoes_reaches_no_message(fixture, status, monkeypatch):
    reply = Reply(f'{{"message": "no such key {KEY} or Bearer {KEY}"}}', status)
    with replaying(fixture, first(fixture), broken={0: reply}) as server:
        error = failed(fixture.provider(server.url, monkeypatch))

    seen = error
    while seen is not None:
        assert KEY not in f"{seen} {seen!r} {seen.__dict__}"
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)


@pytest.mark.parametrize("fixture", KEYED, ids=lambda f: f.use)
def test_a_missing_key_is_one_line_that_names_the_variable(fixture, monkeypatch):
    provided = fixture.data["env"]
    for name in provided:
        monkeypatch.delenv(name, raising=False)
    options = fixture.data.get("options", {}) | {
        fixture.data.get("url_option", "url"): "http://localhost:1"
    }
    configuration = Configuration(fixture.use, fixture.use, options)

    if fixture.use == "google":
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere.json")
    with pytest.raises(InputError) as caught:
        registry.create(configuration)

    message = str(caught.value)
    assert message.startswith(f"provider {fixture.use}: ")
    assert next(iter(provided)) in message or "/nowhere.json" in message
    assert "\n" not in message


@pytest.mark.parametrize("value", [f"{KEY}…", f"{KEY}\nmore", f"Bearer {KEY}", f"{KEY}\u00a0x"])
def test_a_key_that_no_header_can_carry_is_refused_unquoted(value, monkeypatch):
    monkeypatch.setenv("DEEPGRAM_API_KEY", value)

    with pytest.raises(InputError) as caught:
        registry.create(Configuration("d", "deepgram"))

    assert "DEEPGRAM_API_KEY holds a space, a line end or a letter" in str(caught.value)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("fixture", KEYED, ids=lambda f: f.use)
def test_stored_transcripts_need_no_key(fixture, monkeypatch):
    for name in fixture.data["env"]:
        monkeypatch.delenv(name, raising=False)
    options = fixture.data.get("options", {}) | {
        fixture.data.get("url_option", "url"): "http://localhost:1"
    }

    provider = registry.create(Configuration(fixture.use, fixture.use, options), replay=True)

    assert provider.describe().use == fixture.use


@pytest.mark.slow
@by_vendor
def test_cancelling_closes_the_connection(fixture, monkeypatch):
    """Else calls given up on would go on, and be paid for."""
    with replaying(fixture, first(fixture), broken={0: Reply(delay_s=60)}) as server:
        provider = fixture.provider(server.url, monkeypatch)

        async def give_up():
            call = asyncio.create_task(provider.transcribe(speech()))
            while not server.requests:
                await asyncio.sleep(0.005)
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
            assert call.cancelled()
            await until(lambda: not server.open_connections())
            await provider.aclose()

        asyncio.run(give_up())


async def until(holds) -> None:
    async with asyncio.timeout(30):
        while not holds():
            await asyncio.sleep(0.01)


@by_vendor
def test_it_is_async_so_that_many_clips_go_at_once(fixture, monkeypatch):
    provider = fixture.provider("http://localhost:1", monkeypatch)

    assert inspect.iscoroutinefunction(provider.transcribe)
    assert getattr(provider, "concurrency", None) is None


@pytest.mark.slow
@pytest.mark.parametrize("module", ["openai", "websockets", "faster_whisper", "google.auth"])
def test_no_library_is_imported_before_its_use(module):
    import subprocess
    import sys

    places = sorted({*registry.BUILTIN.values(), *registry.STREAMING.values()})
    names = ", ".join(place.partition(":")[0] for place in places)
    code = f"import sys; import {names}; sys.exit({module!r} in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# What only some vendors do


def test_soniox_deletes_what_it_uploaded_also_after_a_failure(monkeypatch):
    fixture = next(f for f in BATCH if f.use == "soniox")
    with replaying(fixture, None, broken={1: Reply('{"message": "no"}', 400)}) as server:
        failed(fixture.provider(server.url, monkeypatch))

    assert [f"{r.method} {r.path}" for r in server.requests][-1] == "DELETE /v1/files/f1"


def test_deleting_is_no_part_of_the_latency():
    """The answer is there before the vendor has tidied up."""

    async def slow() -> None:
        await asyncio.sleep(0.2)

    async def answer() -> tuple[float, float]:
        later = Later()
        started = time.perf_counter()
        later.do(slow())
        answered = time.perf_counter() - started
        await later.finish()
        return answered, time.perf_counter() - started

    answered, tidied = asyncio.run(answer())

    assert answered < tidied / 2


def test_a_local_server_needs_no_key_and_gets_none(monkeypatch):
    fixture = next(f for f in BATCH if f.use == "vllm")
    with replaying(fixture, first(fixture)) as server:
        hear(fixture.provider(server.url, monkeypatch))

    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize(
    ("use", "options", "message"),
    [
        ("vllm", {}, "provider vllm: needs 'model'; add it to its entry under providers: in"),
        ("openai-compatible", {"model": "m"}, "provider openai-compatible: needs 'base_url'"),
        ("groq", {"client": "curl"}, "unknown client 'curl'; known: httpx, openai"),
        ("whisper.cpp", {"client": "openai"}, "use client: httpx"),
        ("deepgram", {"url": "nonsense"}, "url is not an address"),
        ("deepgram", {"modle": "nova-3"}, "unknown option 'modle'; known: model, language"),
        ("azure", {}, "AZURE_SPEECH_REGION"),
        ("modulate", {"terms": ["Zyrtec"]}, "provider modulate: the vendor takes no terms; remove"),
        ("vllm", {"model": "m", "terms": "Zyrtec"}, "vllm: terms is a list of words: [Zyrtec"),
        ("vllm", {"model": "m", "terms": ["a", " "]}, "vllm: terms is a list of words: [Zyrtec"),
        (
            "deepgram",
            {"terms": ["Zyrtec"], "params": {"keyterm": "DL"}},
            "provider deepgram: terms are sent as keyterm, which params hold too",
        ),
        (
            "openai",
            {"terms": ["Zyrtec"], "model": "gpt-4o-transcribe-diarize"},
            "provider openai: model gpt-4o-transcribe-diarize takes no terms; remove them",
        ),
        ("modulate", {"language": "fr"}, "provider modulate: the vendor takes no language"),
    ],
)
def test_settings_that_cannot_work_are_one_line(use, options, message, monkeypatch):
    for name in ("GROQ_API_KEY", "DEEPGRAM_API_KEY", "AZURE_SPEECH_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, KEY)
    for name in ("AZURE_SPEECH_REGION", "AZURE_SPEECH_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)

    with pytest.raises(InputError) as caught:
        registry.create(Configuration(use, use, options))

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("use", "client", "name"),
    [
        ("groq", "httpx", "timestamp_granularities[]"),
        ("groq", "openai", "timestamp_granularities[]"),
        ("openai", "httpx", "timestamp_granularities[]"),
        ("mistral", "httpx", "timestamp_granularities"),
    ],
)
def test_a_list_in_a_form_is_named_as_the_vendors_own_sdk_names_it(use, client, name, monkeypatch):
    fixture = next(f for f in BATCH if f.use == use)
    params = {"timestamp_granularities": ["word", "segment"]}
    with replaying(fixture, first(fixture)) as server:
        hear(fixture.provider(server.url, monkeypatch, client=client, params=params))

    assert sent(server).count(f'name="{name}"') == 2


@pytest.mark.parametrize(
    ("use", "model", "mode", "field"),
    [
        ("deepgram", "nova-3-medical", "batch", "keyterm"),
        ("deepgram", "nova-2-phonecall", "stream", "keywords"),
        ("openai", "gpt-4o-mini-transcribe", "batch", "prompt"),
        ("openai", "gpt-live-transcribe", "stream", "keywords"),
        ("openai", "gpt-realtime-whisper", "stream", None),
    ],
)
def test_terms_are_spelled_as_the_model_knows_them(use, model, mode, field, monkeypatch):
    for name in ("DEEPGRAM_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, KEY)
    options = {"model": model, "terms": ["Zyrtec", "DL 42"]}

    if field is None:
        with pytest.raises(InputError, match=f"model {model} takes no terms"):
            registry.create(Configuration(use, use, options, mode=mode))
        return
    provider = registry.create(Configuration(use, use, options, mode=mode))
    described = provider.describe()

    assert list(provider.boost) == [field]
    assert (described.custom, described.settings["terms"]) == (True, ["Zyrtec", "DL 42"])


def test_an_empty_list_of_terms_is_the_default_protocol(monkeypatch):
    """A vendor that takes none is asked for none."""
    monkeypatch.setenv("MODULATE_API_KEY", KEY)
    described = registry.create(Configuration("m", "modulate", {"terms": []})).describe()

    assert not described.custom
    assert "terms" not in described.settings


def test_a_parameter_with_an_empty_value_is_not_sent(monkeypatch):
    fixture = next(f for f in BATCH if f.use == "deepgram")
    params = {"language": None, "detect_language": True}
    with replaying(fixture, first(fixture)) as server:
        hear(fixture.provider(server.url, monkeypatch, params=params))

    assert server.requests[0].path == "/v1/listen?model=nova-3&detect_language=true"


def test_a_model_for_english_is_not_asked_for_other_languages(monkeypatch):
    fixture = next(f for f in BATCH if f.use == "modulate")
    with replaying(fixture, first(fixture)) as server:
        error = failed(fixture.provider(server.url, monkeypatch), speech(language="fr-FR"))

    assert "knows English only, not 'fr-FR'; use model: velma-2-stt-batch" in str(error)
    assert not server.requests


def test_deepgram_takes_native_telephone_audio_as_mu_law(monkeypatch):
    (fixture,) = [each for each in BATCH if each.use == "deepgram"]
    clip = speech(0.2)
    with replaying(fixture, first(fixture)) as server:
        hear(fixture.provider(server.url, monkeypatch, native=True), clip)

    (request,) = server.requests
    assert "encoding=mulaw" in request.path
    assert "sample_rate=8000" in request.path
    assert len(request.body) == len(clip.samples)
