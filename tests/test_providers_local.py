"""Providers without a network: PocketSphinx, recorded transcripts, commands, the user's code."""

from __future__ import annotations

import asyncio
import functools
import inspect
import json
import re
import subprocess
import sys
import time
from dataclasses import replace
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest
import soundfile

import pytest_asrbench
from pytest_asrbench import audio
from pytest_asrbench.audio import Audio
from pytest_asrbench.engine.stream import PacedFrames
from pytest_asrbench.errors import InputError, ProviderError, TransientError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers import registry
from pytest_asrbench.providers.base import (
    Configuration,
    Description,
    Limits,
    RecordedProvider,
    Streaming,
)

EXAMPLE = Path(__file__).parent.parent / "example_project" / "clips"
with_example = pytest.mark.skipif(not EXAMPLE.is_dir(), reason="needs example_project")


@pytest.fixture
def clip(tmp_path) -> Audio:
    path = tmp_path / "secret_value.flac"
    soundfile.write(path, np.zeros(800, np.int16), 8_000)
    return audio.read(path, "en")


@pytest.fixture(autouse=True)
def _own_names(monkeypatch):
    """Names registered by a test are gone after it."""
    monkeypatch.setattr(registry, "_registered", {})


def make(use: str, name: str | None = None, *, folder: Path = Path(), **options):
    return registry.create(Configuration(name or use, use, options, folder))


def hear(provider, clip: Audio) -> Transcript:
    result = provider.transcribe(clip)
    return asyncio.run(_finish(result)) if inspect.isawaitable(result) else result


async def _finish(result):
    return await result


# The registry


def test_code_of_ones_own_may_promise_equal_text():
    registry.provider("same", version="1", deterministic=True)(lambda audio: "")
    registry.provider("wavers", version="1")(lambda audio: "")

    described = {n: make(n).describe().deterministic for n in ("same", "wavers")}
    assert described == {"same": True, "wavers": False}


def test_an_unknown_name_lists_the_known_and_the_configured_ones():
    registry.provider("ours")(len)

    with pytest.raises(InputError) as caught:
        registry.create(Configuration("nova2", "nova2"), names=["nova3"])

    message = str(caught.value)
    assert message.startswith("unknown provider 'nova2'; known: ")
    assert {"nova3", "ours", "pocketsphinx", "recorded", "command"} <= set(
        message.removeprefix("unknown provider 'nova2'; known: ").split("; ")[0].split(", ")
    )
    assert message.endswith("; or give module:attr")


def test_every_built_in_name_leads_to_a_class():
    for name, reference in registry.BUILTIN.items():
        module, _, attribute = reference.partition(":")
        assert inspect.isclass(getattr(import_module(module), attribute)), name


@pytest.mark.parametrize(
    ("use", "options", "message"),
    [
        ("recorded", {}, "provider 'x': needs 'hypotheses'; add it to its entry under providers:"),
        ("pocketsphinx", {"modle": "a"}, "provider 'x': unknown option 'modle'; known: none"),
        ("command", {"argvs": "a"}, "unknown option 'argvs'; known: argv, version, model"),
        ("no_such_package:asr", {}, "no module 'no_such_package'; install it or correct the name"),
        ("json:transcribe", {}, "json has no 'transcribe'; correct the name"),
        ("json:__doc__", {}, "provider 'x': json:__doc__ can't be called and has no transcribe"),
    ],
)
def test_a_faulty_configuration_is_one_line(use, options, message):
    with pytest.raises(InputError) as caught:
        make(use, "x", **options)

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_module_beside_the_settings_is_found(tmp_path, monkeypatch, clip):
    monkeypatch.setattr(sys, "path", [*sys.path])
    Path(tmp_path, "beside_settings.py").write_text("def asr(audio): return 'from beside'\n")

    assert hear(make("beside_settings:asr", folder=tmp_path), clip).text == "from beside"


def test_a_module_that_breaks_while_imported_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    Path(tmp_path, "breaks_early.py").write_text("raise ValueError('no model\\nmore')\n")

    with pytest.raises(InputError) as caught:
        make("breaks_early:asr", folder=tmp_path)

    assert str(caught.value) == (
        "provider 'breaks_early:asr': importing breaks_early raised ValueError: no model"
    )


def test_another_packages_entry_point_is_a_name(monkeypatch, clip, tmp_path):
    """A real distribution on the path, as pip would leave it."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    Path(tmp_path, "acme_asr.py").write_text("def asr(audio): return 'acme'\n")
    info = tmp_path / "acme-1.0.dist-info"
    info.mkdir()
    info.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    info.joinpath("entry_points.txt").write_text(f"[{registry.GROUP}]\nacme = acme_asr:asr\n")

    assert isinstance(next(iter(registry.entry_points(group=registry.GROUP))), EntryPoint)
    assert "acme" in registry.known()
    assert hear(make("acme"), clip).text == "acme"


# The user's code


def test_a_decorated_function_is_a_provider_and_stays_a_function(clip):
    @pytest_asrbench.provider("ours")
    def ours(audio):
        return f"{audio.rate} Hz {audio.language}"

    assert ours(clip) == "8000 Hz en"
    assert hear(make("ours"), clip) == Transcript("8000 Hz en")


def test_async_functions_stay_async(clip):
    @pytest_asrbench.provider("ours", concurrency=3)
    async def ours(audio):
        return Transcript("later", reported_model="m")

    made = make("ours")

    assert inspect.iscoroutinefunction(made.transcribe)
    assert made.concurrency == 3
    assert hear(made, clip) == Transcript("later", reported_model="m")


def test_classes_take_the_options_of_their_configuration(clip):
    @pytest_asrbench.provider("ours")
    class Ours:
        concurrency = 2
        version = "7"
        stream_rate = 8_000

        def __init__(self, *, model, api_key=None):
            self.model = model

        def transcribe(self, audio):
            return self.model

        async def stream(self, frames):
            return "".join([frame.decode() async for frame in frames])

    made = make("ours", "ours-large", model="large", api_key="s3cret-value-9")

    async def frames():
        for letter in b"abc":
            yield bytes([letter])

    async def streamed():
        return await made.stream(frames())

    assert hear(made, clip).text == "large"
    assert isinstance(made, Streaming)
    assert asyncio.run(streamed()) == Transcript("abc")
    assert (made.concurrency, made.stream_rate) == (2, 8_000)
    assert made.describe() == Description(
        "ours", "large", {"model": "large", "api_key": "***"}, "7", reusable=True, custom=True
    )


def test_a_function_takes_the_options_as_keywords(clip):
    @pytest_asrbench.provider("ours")
    def ours(audio, *, beam="1"):
        return f"beam {beam}"

    assert hear(make("ours", beam="5"), clip).text == "beam 5"
    with pytest.raises(InputError, match="unknown option 'bean'; known: beam"):
        make("ours", bean="5")


def test_an_object_is_used_as_it_is_and_described_by_itself(clip, monkeypatch):
    class Ours:
        def describe(self):
            return Description("ours", "tiny", version="3")

        def transcribe(self, audio):
            return "object"

    monkeypatch.setitem(sys.modules, "its_module", type("Module", (), {"asr": Ours()}))

    made = make("its_module:asr")

    assert hear(made, clip).text == "object"
    assert made.describe() == Description("ours", "tiny", version="3")
    with pytest.raises(InputError, match="is an object and takes no options; give its class"):
        make("its_module:asr", model="x")


@pytest.mark.parametrize(("version", "reusable"), [(None, False), ("2026-11-29", True)])
def test_code_without_a_version_is_not_reused(version, reusable):
    registry.provider("ours", version=version)(lambda audio: "")

    described = make("ours").describe()

    assert (described.version, described.reusable) == (version, reusable)


class Streams:
    """Hears frames only."""

    async def stream(self, frames):
        return "".join([frame.decode() async for frame in frames])


class Wrong:
    """Methods that no mode can call; the first argument is the object's own."""

    def sync(self, frames):
        return ""

    async def yields(self, frames):
        yield ""

    async def more(self, frames, rate):
        return ""

    async def none(self):
        return ""

    def generator(self, audio):
        yield ""


def passed_on(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return function(*arguments)

    return wrapper


@pytest.mark.parametrize("target", [Streams, Streams()], ids=["class", "object"])
@pytest.mark.parametrize("registered", [True, False], ids=["decorated", "module:attr"])
def test_a_class_that_only_streams_is_a_provider_in_stream_mode(monkeypatch, target, registered):
    registry.provider("streams")(target)
    monkeypatch.setitem(sys.modules, "its_module", type("Module", (), {"asr": target}))
    use = "streams" if registered else "its_module:asr"

    async def frames():
        yield b"heard"

    registry.check(Configuration("x", use, mode="stream"))
    made = registry.create(Configuration("x", use, mode="stream"))
    text = asyncio.run(_finish(made.stream(frames())))

    assert text == Transcript("heard")
    assert not hasattr(made, "transcribe")
    for refused in (registry.check, registry.create):
        with pytest.raises(InputError) as caught:
            refused(Configuration("x", use))
        assert str(caught.value) == (
            f"provider 'x': {use} has no transcribe(); use --asr-mode=stream"
        )


@pytest.mark.parametrize(
    ("mode", "method", "says"),
    [
        ("stream", Wrong.sync, "stream(frames) must be async; write async def stream"),
        ("stream", Wrong.yields, "stream(frames) yields, but must return the text"),
        ("stream", Wrong.more, "stream(frames) must take that one argument, and takes (frames, ra"),
        ("stream", Wrong.none, "stream(frames) must take that one argument, and takes ()"),
        ("stream", passed_on(Wrong.yields), "stream(frames) yields, but must return the text"),
        ("batch", Wrong.generator, "transcribe(audio) yields, but must return the text"),
        ("batch", Wrong.none, "transcribe(audio) must take that one argument, and takes ()"),
    ],
)
@pytest.mark.parametrize("made", [True, False], ids=["object", "class"])
def test_a_method_that_cannot_be_called_so_is_one_line_at_the_start(mode, method, says, made):
    target = type("Ours", (), {"stream" if mode == "stream" else "transcribe": method})
    registry.provider("ours")(target() if made else target)

    for refused in (registry.check, registry.create):
        with pytest.raises(InputError) as caught:
            refused(Configuration("x", "ours", mode=mode))
        assert str(caught.value).startswith(f"provider 'x': ours: {says}")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda: "", "must take that one argument, and takes ()"),
        (lambda audio, model: "", "needs 'model'; add it to its entry"),
    ],
)
def test_a_function_with_other_arguments_is_one_line_at_the_start(function, says):
    registry.provider("ours")(function)

    with pytest.raises(InputError, match=re.escape(says)):
        registry.check(Configuration("x", "ours"))


def test_nothing_is_made_or_refused_before_it_is_known():
    """A class may get its methods when it is made, and what wraps an async function is fine."""

    class Later:
        def __init__(self):
            self.transcribe = lambda audio: "later"

    class Wrapped:
        stream = passed_on(Streams.stream)

        def __init__(self):
            raise AssertionError("a check makes nothing")

    registry.provider("later")(Later)
    registry.provider("wrapped")(Wrapped)

    registry.check(Configuration("x", "later"))
    registry.check(Configuration("x", "wrapped", mode="stream"))
    registry.check(Configuration("x", "of-a-conftest"))
    registry.check(Configuration("x", "no_such_package:asr"))
    assert registry.create(Configuration("x", "later")).transcribe(None) == Transcript("later")


@pytest.mark.parametrize(
    ("raised", "kind", "message"),
    [
        (ValueError("bad model\ndetails"), ProviderError, "ours raised ValueError: bad model"),
        (KeyError("text"), ProviderError, "ours raised KeyError: 'text'"),
        (TimeoutError(), TransientError, "ours raised TimeoutError"),
        (ConnectionResetError("peer"), TransientError, "ours raised ConnectionResetError: peer"),
        (ProviderError("as it was"), ProviderError, "as it was"),
    ],
)
@pytest.mark.parametrize("asynchronous", [False, True])
def test_what_user_code_raises_is_an_error_of_that_clip(clip, raised, kind, message, asynchronous):
    def ours(audio):
        raise raised

    async def later(audio):
        raise raised

    registry.provider("ours")(later if asynchronous else ours)

    with pytest.raises(ProviderError) as caught:
        hear(make("ours"), clip)

    assert type(caught.value) is kind
    assert str(caught.value) == message


def test_a_key_in_what_user_code_or_a_command_says_is_hidden(clip, monkeypatch):
    monkeypatch.setenv("OUR_API_KEY", "s3cret-value-9")

    @registry.provider("ours")
    def ours(audio):
        raise ValueError("401 for s3cret-value-9")

    with pytest.raises(ProviderError, match=r"ValueError: 401 for \*\*\*$"):
        hear(make("ours"), clip)
    with pytest.raises(ProviderError, match=r"exit 1: bad key \*\*\*$"):
        run("import os, sys; sys.exit('bad key ' + os.environ['OUR_API_KEY'])", clip)


@pytest.mark.parametrize("value", [None, b"bytes", 7, ["words"]])
def test_anything_but_text_is_an_error_and_never_an_empty_transcript(clip, value):
    registry.provider("ours")(lambda audio: value)

    with pytest.raises(ProviderError, match=f"ours returned {type(value).__name__}, not a str"):
        hear(make("ours"), clip)


def test_names_that_are_taken_are_refused():
    with pytest.raises(InputError, match="'pocketsphinx' is built in; register yours under"):
        registry.provider("pocketsphinx")(len)

    registry.provider("ours")(lambda audio: "one")
    with pytest.raises(InputError, match=r"'ours' is registered twice in .*; keep one"):
        registry.provider("ours")(lambda audio: "two")


# Recorded transcripts


def test_recorded_answers_by_clip_id_and_reads_no_audio(tmp_path):
    row = {"audio_id": "en-US/conv-1", "pred_text": " as it was \n"}
    Path(tmp_path, "tiny.jsonl").write_text(json.dumps(row) + "\n")

    made = make("recorded", hypotheses="tiny.jsonl", folder=tmp_path)

    assert isinstance(made, RecordedProvider)
    assert made.lookup("en-US/conv-1").text == " as it was \n"
    assert made.describe().model == "tiny"
    assert str(tmp_path) not in str(made.describe())
    with pytest.raises(ProviderError, match=r"tiny\.jsonl has no row for clip 'other'"):
        made.lookup("other")


# Commands

ECHO = [sys.executable, "-c"]


def run(code: str, clip: Audio, *words: str, folder: Path = Path(), **options) -> Transcript:
    return hear(
        make("command", argv=[*ECHO, code, *(words or ["{audio}"])], folder=folder, **options), clip
    )


@pytest.mark.slow
def test_a_program_that_never_stops_printing_is_ended(clip):
    endless = "import itertools, sys; [sys.std{}.write('no ' * 9999) for _ in itertools.{}]"

    with pytest.raises(ProviderError, match="more than 16 MiB on standard output; let it print"):
        run(endless.format("out", "count()"), clip)
    with pytest.raises(ProviderError, match=r"exit 1: the end$"):  # and it may chat beside
        run(endless.format("err", "repeat(0, 999)") + "; sys.exit('\\nthe end')", clip)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("written", "heard"),
    [
        ("call 415\\n", "call 415"),
        ("call 415\\r\\n", "call 415"),
        ("  two\\nlines \\n\\n", "  two\nlines \n"),
        ("", ""),
        ("caf\\u00e9", "café"),
    ],
)
def test_the_text_is_standard_output_less_one_line_ending(clip, written, heard):
    code = f"import sys; sys.stdout.buffer.write('{written}'.encode())"

    assert run(code, clip).text == heard


def test_the_placeholders_are_neutral_files(clip):
    code = (
        "import sys, wave; a, w = sys.argv[1:]; f = wave.open(w);"
        "print(open(a, 'rb').read(4).decode(), f.getframerate(), f.getnframes(), sys.argv[1:])"
    )

    heard = run(code, clip, "{audio}", "{wav}").text

    assert heard.startswith("fLaC 16000 1600 ")
    assert "secret_value" not in heard


def test_no_shell_ever_sees_the_command(clip):
    heard = run("import sys; print(sys.argv[1:])", clip, "$HOME; echo `id`", "x{audio}").text

    assert heard.startswith("['$HOME; echo `id`', 'x/")


def test_it_runs_in_the_settings_folder(clip, tmp_path):
    heard = run("import os; print(os.getcwd())", clip, folder=tmp_path).text

    assert Path(heard) == tmp_path


def test_one_line_of_words_is_split_as_a_shell_would(clip):
    made = make("command", argv=f"'{sys.executable}' -c 'print(1 + 1)' {{audio}}")

    assert hear(made, clip).text == "2"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import sys; sys.exit('first\\nno model file')", ": exit 1: no model file"),
        ("import sys; sys.exit(3)", ": exit 3: nothing on standard error"),
        ("import os; os.kill(os.getpid(), 9)", ": exit -9: nothing on standard error"),
        ("import sys; sys.stdout.buffer.write(b'\\xff\\xfe')", "its output is not UTF-8"),
    ],
)
def test_a_failing_command_is_an_error_with_its_last_words(clip, code, message):
    with pytest.raises(ProviderError) as caught:
        run(f"print('half a transcript'); {code}", clip)

    assert message in str(caught.value)
    assert "half a transcript" not in str(caught.value)


@pytest.mark.slow
def test_a_hanging_command_is_killed(clip, tmp_path):
    code = "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(600)"
    limits = Limits(timeout_s=1.0)
    options = {"argv": [*ECHO, code, "{audio}"]}
    made = registry.create(Configuration("c", "command", options, tmp_path, limits))

    with pytest.raises(TransientError, match="no answer within 1 s") as caught:
        hear(made, clip)

    assert caught.value.kind == "timeout"

    assert not Path("/proc", tmp_path.joinpath("pid").read_text()).exists()


@pytest.mark.slow
def test_commands_run_at_the_same_time(clip):
    async def both():
        made = make("command", argv=[*ECHO, "import time; time.sleep(0.5)", "{audio}"])
        started = time.monotonic()
        await made.transcribe(clip)
        one = time.monotonic() - started
        await asyncio.gather(*[made.transcribe(clip) for _ in range(4)])
        return (time.monotonic() - started - one) / one

    assert asyncio.run(both()) < 3


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ("", "argv is empty"),
        ("whisper --model tiny", "argv needs {audio} or {wav}"),
        (["no-such-program-anywhere", "{wav}"], "no program 'no-such-program-anywhere'"),
        ("whisper 'open {wav}", "argv can't be split into words (No closing quotation)"),
    ],
)
def test_a_command_that_can_never_work_is_refused_at_once(argv, message):
    with pytest.raises(InputError) as caught:
        make("command", argv=argv)

    assert message in str(caught.value)


def test_a_command_without_a_version_is_not_reused():
    argv = [*ECHO, "", "{audio}"]

    assert not make("command", argv=argv).describe().reusable
    assert make("command", argv=argv, version="1").describe().reusable


# PocketSphinx


def example(name: str, seconds: float) -> Audio:
    """The beginning of a clip of the example: decoding takes long."""
    whole = audio.read(EXAMPLE / f"{name}.flac", "en")
    return replace(whole, channels=1, decoded=whole.samples[: int(seconds * whole.rate), None])


@pytest.mark.slow
@with_example
def test_words_do_not_depend_on_what_was_heard_before():
    """A decoder that has heard the second clip gets other words from the first."""
    pytest.importorskip("pocketsphinx")
    made = make("pocketsphinx")
    clips = [example(name, 1.0) for name in ("retry", "orders_page")]

    forwards = [made.transcribe(clip).text for clip in clips]
    backwards = [made.transcribe(clip).text for clip in reversed(clips)]

    assert all(forwards)
    assert forwards == backwards[::-1]


@pytest.mark.slow
@with_example
def test_streamed_frames_are_heard_as_they_come():
    pytest.importorskip("pocketsphinx")
    made = make("pocketsphinx")
    frames = PacedFrames(
        audio.frames(example("build", 2.5), made.stream_rate, 20),
        rate=made.stream_rate,
        language="en",
        realtime=False,
    )

    heard = asyncio.run(made.stream(frames))

    assert "please run make clean" in heard.text
    assert frames.first_text_ms is not None


@pytest.mark.slow
def test_silence_is_a_valid_empty_transcript(clip):
    pytest.importorskip("pocketsphinx")

    assert make("pocketsphinx").transcribe(clip) == Transcript("")


@pytest.mark.parametrize("language", ["es", "es-MX", "eng", "zh-CN"])
def test_another_language_is_an_error_and_never_english(clip, tmp_path, language):
    pytest.importorskip("pocketsphinx")
    other = audio.read(tmp_path / "secret_value.flac", language)

    with pytest.raises(ProviderError, match=f"knows English only, not '{language}'"):
        make("pocketsphinx").transcribe(other)


def test_a_missing_package_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pocketsphinx", None)  # what Python does for "not importable"

    with pytest.raises(InputError, match=r"pip install 'pytest-asrbench\[pocketsphinx\]'"):
        make("pocketsphinx")


# The package's front door


def test_all_public_names_exist_and_nothing_else_is_promised():
    listed = pytest_asrbench.__all__

    assert listed == sorted(listed)
    assert {name: getattr(pytest_asrbench, name).__name__ for name in listed} == {
        name: "read" if name == "read_run" else name for name in listed
    }
    assert set(listed) == {name for names in pytest_asrbench._HOMES.values() for name in names}
    with pytest.raises(AttributeError, match="has no attribute 'Provder'"):
        pytest_asrbench.Provder  # noqa: B018 (reading it is what raises)


@pytest.mark.slow
def test_importing_the_package_and_registering_loads_nothing_heavy():
    heavy = {"numpy", "httpx", "yaml", "soundfile", "pocketsphinx", "pytest"}
    code = (
        "import sys, pytest_asrbench; pytest_asrbench.provider('ours')(len);"
        f"print({heavy} & set(sys.modules))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stdout == "set()\n"


def test_code_of_the_user_is_called_by_its_own_name():
    class Closing:
        def transcribe(self, audio):
            return ""

    registry.provider("mine")(Closing)

    assert make("mine").use == "mine"
