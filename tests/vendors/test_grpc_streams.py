"""Adapters that stream over gRPC, and their vendors' own clients, against a server on loopback."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from helpers.http_server import beside
from helpers.vendor_protocols import KEY, speech
from helpers.vendor_streams import paced

from pytest_asrbench import errors
from pytest_asrbench.errors import InputError, ProviderError, TransientError
from pytest_asrbench.providers import registry
from pytest_asrbench.providers.base import Configuration

grpc = pytest.importorskip("grpc")
pytest.importorskip("google.cloud.speech_v2")
pytest.importorskip("riva.client")

from google.cloud.speech_v2 import types  # noqa: E402
from riva.client.proto import riva_asr_pb2 as riva  # noqa: E402

ENV = {"GOOGLE_ACCESS_TOKEN": KEY, "GOOGLE_CLOUD_PROJECT": "p1", "NVIDIA_API_KEY": KEY}
METHODS = {
    "google": "/google.cloud.speech.v2.Speech/StreamingRecognize",
    "nvidia-nim": "/nvidia.riva.asr.RivaSpeechRecognition/StreamingRecognize",
}
USES = sorted(METHODS)
by_vendor = pytest.mark.parametrize("use", USES)
PARTIAL, FIRST, LAST = ("yes it", False), ("Yes, it is. ", True), ("Five.", True)


@dataclass
class GrpcServer:
    """Answers the first audio with `during` and the end with `after`; `code` aborts instead."""

    use: str
    during: list = field(default_factory=lambda: [PARTIAL])
    after: list = field(default_factory=lambda: [FIRST, LAST])
    code: Any = None
    hang: bool = False
    url: str = ""
    requests: list = field(default_factory=list)
    metadata: dict = field(default_factory=dict)

    async def handle(self, requests, context):
        self.metadata = dict(context.invocation_metadata())
        if self.code:
            await context.abort(self.code, f"no, {KEY}")
        async for data in requests:
            self.requests.append(read(self.use, data))
            if len(self.requests) == 2:
                for said in self.during:
                    yield answer(self.use, *said)
        if self.hang:
            await asyncio.sleep(60)
        for said in self.after:
            yield answer(self.use, *said)

    @property
    def pcm(self):
        return b"".join(
            r.audio if self.use == "google" else r.audio_content for r in self.requests[1:]
        )


def read(use, data):
    if use == "google":
        return types.StreamingRecognizeRequest.deserialize(data)
    return riva.StreamingRecognizeRequest.FromString(data)


def answer(use, text, final):
    result = {"alternatives": [{"transcript": text}], "is_final": final}
    if use == "google":
        said = types.StreamingRecognizeResponse(results=[result, {}])
        return types.StreamingRecognizeResponse.serialize(said)
    return riva.StreamingRecognizeResponse(results=[result]).SerializeToString()


@contextmanager
def serving(use, **how):
    server = GrpcServer(use, **how)

    @asynccontextmanager
    async def listening():
        listener = grpc.aio.server()
        service, _, name = METHODS[use][1:].partition("/")
        handler = grpc.stream_stream_rpc_method_handler(server.handle)
        listener.add_generic_rpc_handlers(
            [grpc.method_handlers_generic_handler(service, {name: handler})]
        )
        server.url = f"http://127.0.0.1:{listener.add_insecure_port('127.0.0.1:0')}"
        await listener.start()
        yield
        await listener.stop(0)

    with beside(listening()):
        yield server


@pytest.fixture(autouse=True)
def _keys(monkeypatch):
    for name, value in ENV.items():
        monkeypatch.setenv(name, value)


def hear(use, url, clip=None, **options):
    provider = registry.create(
        Configuration(use, use, {"url": url, "realtime": "false", **options}, mode="stream")
    )
    frames = paced(provider, clip or speech())

    async def call():
        return await provider.stream(frames)

    return asyncio.run(call()), provider, frames


def failed(use, url, **options) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        hear(use, url, **options)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    assert KEY not in f"{caught.value} {caught.value.__dict__}"
    return caught.value


@pytest.mark.slow
@by_vendor
def test_a_clip_is_streamed_and_its_final_texts_joined(use):
    clip = speech(0.31)
    with serving(use) as server:
        heard, provider, frames = hear(use, server.url, clip, terms=["Zyrtec", "DL 42"])

    assert heard.text == "Yes, it is. Five."
    assert server.pcm == clip.pcm16(16_000)
    assert frames.first_text_ms is not None
    asked = str(server.requests[0])
    for part in ("en-US", "16000", "Zyrtec", "DL 42", "interim_results: true"):
        assert part in asked
    described = provider.describe()
    assert (described.custom, described.settings["terms"]) == (True, ["Zyrtec", "DL 42"])
    if use == "google":
        assert 'model: "chirp_3"' in asked
        assert server.metadata["authorization"] == f"Bearer {KEY}"
        assert server.metadata["x-goog-request-params"] == f"recognizer={provider.recogniser}"
    else:
        assert "authorization" not in server.metadata  # a server of one's own asks for no key


@pytest.mark.slow
def test_nvidias_own_server_gets_the_key_and_the_models_number():
    with serving("nvidia-nim") as server:
        hear("nvidia-nim", server.url, function_id="f-1", params={"verbatim_transcripts": True})

    assert server.metadata["authorization"] == f"Bearer {KEY}"
    assert server.metadata["function-id"] == "f-1"
    assert server.requests[0].streaming_config.config.verbatim_transcripts
    with pytest.raises(InputError, match=r"provider google: params: .*a_knob"):
        hear("google", server.url, params={"a_knob": True})
    with pytest.raises(InputError, match=r"provider nvidia-nim: params: .*a_knob"):
        hear("nvidia-nim", server.url, params={"a_knob": True})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "raises", "kind"),
    [
        ("UNAUTHENTICATED", "AuthError", "auth"),
        ("RESOURCE_EXHAUSTED", "TransientError", "rate limit"),
        ("UNAVAILABLE", "TransientError", "network"),
        ("INVALID_ARGUMENT", "ProviderError", "provider"),
    ],
)
def test_a_status_is_mapped_and_not_tried_again(code, raises, kind):
    with serving("google", code=getattr(grpc.StatusCode, code)) as server:
        error = failed("google", server.url)

    assert (type(error), error.kind) == (getattr(errors, raises), kind), error
    assert "no, ***" in str(error)
    assert error.host == server.url.removeprefix("http://")


@pytest.mark.slow
@by_vendor
def test_a_stream_without_its_whole_final_text_is_an_error(use):
    with serving(use, after=[PARTIAL]) as server:
        error = failed(use, server.url)
    assert (type(error), error.kind) == (TransientError, "incomplete")

    with serving(use, hang=True) as server:
        error = failed(use, server.url, final_wait_s="0.2")
    assert (type(error), error.kind) == (TransientError, "timeout")
    assert "no final transcript within 0.2 s" in str(error)

    assert failed(use, server.url).kind == "network"  # nobody is there any more


@pytest.mark.slow
def test_googles_own_client_reads_the_server_and_asks_the_same():
    from google.auth.credentials import AnonymousCredentials
    from google.cloud.speech_v2 import SpeechAsyncClient
    from google.cloud.speech_v2.services.speech.transports import SpeechGrpcAsyncIOTransport

    pcm = speech().pcm16(16_000)

    async def call(url):
        channel = grpc.aio.insecure_channel(url.removeprefix("http://"))
        transport = SpeechGrpcAsyncIOTransport(channel=channel, credentials=AnonymousCredentials())
        config = types.RecognitionConfig(
            model="chirp_3",
            language_codes=["en-US"],
            explicit_decoding_config={
                "encoding": "LINEAR16",
                "sample_rate_hertz": 16_000,
                "audio_channel_count": 1,
            },
        )
        asked = types.StreamingRecognitionConfig(
            config=config, streaming_features={"interim_results": True}
        )

        async def said():
            place = "projects/p1/locations/us/recognizers/_"
            yield types.StreamingRecognizeRequest(recognizer=place, streaming_config=asked)
            yield types.StreamingRecognizeRequest(audio=pcm)

        client = SpeechAsyncClient(transport=transport)
        replies = await client.streaming_recognize(requests=said())
        texts = [
            r.alternatives[0].transcript async for m in replies for r in m.results[:1] if r.is_final
        ]
        await channel.close()
        return "".join(texts)

    with serving("google") as server:
        text = asyncio.run(call(server.url))
        theirs = server.requests[0]
    with serving("google") as server:
        hear("google", server.url)

    assert text == "Yes, it is. Five."
    assert theirs == server.requests[0]


@pytest.mark.slow
def test_nvidias_own_client_reads_the_server_and_asks_the_same():
    import riva.client

    config = riva.client.StreamingRecognitionConfig(
        config=riva.client.RecognitionConfig(
            encoding=riva.client.AudioEncoding.LINEAR_PCM,
            sample_rate_hertz=16_000,
            audio_channel_count=1,
            max_alternatives=1,
            language_code="en-US",
        ),
        interim_results=True,
    )
    with serving("nvidia-nim") as server:
        auth = riva.client.Auth(uri=server.url.removeprefix("http://"))
        service = riva.client.ASRService(auth)
        replies = service.streaming_response_generator([speech().pcm16(16_000)], config)
        texts = [r.alternatives[0].transcript for m in replies for r in m.results if r.is_final]
        auth.channel.close()
        theirs = server.requests[0]
    with serving("nvidia-nim") as server:
        hear("nvidia-nim", server.url)

    assert "".join(texts) == "Yes, it is. Five."
    assert theirs.streaming_config == server.requests[0].streaming_config
