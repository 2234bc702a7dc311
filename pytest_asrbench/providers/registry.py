"""
From a configuration to a provider.

A name is looked up among the functions and classes registered by decorator, the built-in systems,
and the entry points that other packages declare under `pytest_asrbench.providers`; `module:attr`
needs no registration. All take the same path, so that naming one system imports one system.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from importlib.metadata import entry_points
from typing import Any, TypeVar

from pytest_asrbench.errors import InputError
from pytest_asrbench.providers import user_code as user
from pytest_asrbench.providers.base import AnyProvider, Configuration
from pytest_asrbench.providers.places import load, load_beside
from pytest_asrbench.providers.secrets import no_calls

_HERE = "pytest_asrbench.providers"
BUILTIN: Mapping[str, str] = {
    "assemblyai": f"{_HERE}.assemblyai:AssemblyAI",
    "assemblyai-sync": f"{_HERE}.assemblyai_sync:AssemblyAISync",
    "aws": f"{_HERE}.aws_stream:AWSStream",  # streams only
    "azure": f"{_HERE}.azure:Azure",
    "cartesia": f"{_HERE}.cartesia:Cartesia",
    "command": f"{_HERE}.command:Command",
    "deepgram": f"{_HERE}.deepgram:Deepgram",
    "deepgram-flux": f"{_HERE}.deepgram_flux:DeepgramFlux",  # streams only
    "elevenlabs": f"{_HERE}.elevenlabs:ElevenLabs",
    "faster-whisper": f"{_HERE}.faster_whisper:FasterWhisper",
    "gemini": f"{_HERE}.gemini:Gemini",
    "gladia": f"{_HERE}.gladia:Gladia",
    "google": f"{_HERE}.google:Google",
    "groq": f"{_HERE}.presets:Groq",
    "livekit": f"{_HERE}.livekit:LiveKit",
    "localai": f"{_HERE}.presets:LocalAI",
    "mistral": f"{_HERE}.presets:Mistral",
    "modulate": f"{_HERE}.modulate:Modulate",
    "moonshine": f"{_HERE}.moonshine:Moonshine",
    "nemo": f"{_HERE}.nemo:NeMo",
    "nvidia-nim": f"{_HERE}.presets:NvidiaNim",
    "onnx-asr": f"{_HERE}.onnx_asr:OnnxAsr",
    "openai": f"{_HERE}.openai:OpenAI",
    "openai-compatible": f"{_HERE}.openai_compatible:OpenAICompatible",
    "pipecat": f"{_HERE}.pipecat:Pipecat",
    "pocketsphinx": f"{_HERE}.pocketsphinx:PocketSphinx",
    "pywhispercpp": f"{_HERE}.pywhispercpp:PyWhisperCpp",
    "recorded": f"{_HERE}.recorded:Recorded",
    "revai": f"{_HERE}.revai:RevAI",
    "sherpa-onnx": f"{_HERE}.sherpa_onnx:SherpaOnnx",
    "smallest": f"{_HERE}.smallest:Smallest",
    "soniox": f"{_HERE}.soniox:Soniox",
    "speaches": f"{_HERE}.presets:Speaches",
    "speechmatics": f"{_HERE}.speechmatics:Speechmatics",
    "transformers": f"{_HERE}.transformers:Transformers",
    "vllm": f"{_HERE}.presets:VLLM",
    "vosk": f"{_HERE}.vosk:Vosk",
    "whisper.cpp": f"{_HERE}.presets:WhisperCpp",
    "whisperlivekit": f"{_HERE}.presets:WhisperLiveKit",
    "wyoming": f"{_HERE}.wyoming:Wyoming",
    "xai": f"{_HERE}.xai:XAI",
}
# In stream mode some vendors are another protocol, and so another class.
STREAMING: Mapping[str, str] = {
    "assemblyai": f"{_HERE}.assemblyai_stream:AssemblyAIStream",
    "aws": f"{_HERE}.aws_stream:AWSStream",
    "azure": f"{_HERE}.azure_stream:AzureStream",
    "cartesia": f"{_HERE}.cartesia_stream:CartesiaStream",
    "deepgram": f"{_HERE}.deepgram_stream:DeepgramStream",
    "deepgram-flux": f"{_HERE}.deepgram_flux:DeepgramFlux",
    "elevenlabs": f"{_HERE}.elevenlabs_stream:ElevenLabsStream",
    "gladia": f"{_HERE}.gladia_stream:GladiaStream",
    "livekit": f"{_HERE}.livekit:LiveKitStream",
    "google": f"{_HERE}.google_stream:GoogleStream",
    "mistral": f"{_HERE}.mistral_stream:MistralStream",
    "nvidia-nim": f"{_HERE}.nvidia_stream:NvidiaStream",
    "openai": f"{_HERE}.openai_stream:OpenAIStream",
    "pipecat": f"{_HERE}.pipecat:PipecatStream",
    "smallest": f"{_HERE}.smallest_stream:SmallestStream",
    "soniox": f"{_HERE}.soniox_stream:SonioxStream",
    "speechmatics": f"{_HERE}.speechmatics_stream:SpeechmaticsStream",
    "sherpa-onnx": f"{_HERE}.sherpa_onnx:SherpaOnnxStream",
    "whisperlivekit": f"{_HERE}.whisperlivekit:WhisperLiveKitStream",
    "xai": f"{_HERE}.xai_stream:XAIStream",
}
GROUP = "pytest_asrbench.providers"  # of entry points

Target = TypeVar("Target", bound=Callable[..., object])

# Filled by the decorator while conftest modules are imported, which is the decorator's purpose.
_registered: dict[str, user.Registration] = {}


def provider(
    name: str,
    *,
    version: str | None = None,
    concurrency: int | None = None,
    deterministic: bool = False,
) -> Callable[[Target], Target]:
    """Make a function, or a class with `transcribe` or `stream`, known as a provider.

    `version` says which code this is: without one, transcripts are not used again after the run.
    `concurrency` is how many calls may run at once in one process (sync: 1, async: 8).
    `deterministic` promises the same text for the same audio: thresholds are then plain floors.
    The target itself is returned unchanged. Raises InputError where the name is taken.
    """

    def register(target: Target) -> Target:
        _check_name(name, target)
        _registered[name] = user.Registration(target, version, concurrency, deterministic)
        return target

    return register


def create(
    configuration: Configuration, names: Iterable[str] = (), *, replay: bool = False
) -> AnyProvider:
    """The provider of a configuration. Raises InputError in one line.

    `names` are the configured ones, for the message about an unknown provider. `replay` promises
    that no call will be made: keys and packages may be missing.
    """
    with no_calls() if replay else nullcontext():
        return _created(configuration, names)


def check(configuration: Configuration) -> None:
    """Raises InputError where the user's code is known by now and can't be measured like this.

    What is not known may come with a conftest or a folder that pytest has yet to see.
    """
    registered = _registered.get(configuration.use)
    try:
        target = registered.target if registered else _target(configuration, ())
    except InputError:
        return
    user.check(target, configuration)


def reference(use: str, mode: str) -> str:
    """`module:attr` of a built-in provider in a mode."""
    return STREAMING.get(use, BUILTIN[use]) if mode == "stream" else BUILTIN[use]


def _created(configuration: Configuration, names: Iterable[str]) -> AnyProvider:
    made = _in_this_process(configuration, names)
    if not configuration.isolate:
        return made
    from pytest_asrbench.providers.isolated import Isolated

    registered = _registered.get(configuration.use)
    return Isolated(made, configuration, _origin(registered.target) if registered else None)


def _in_this_process(configuration: Configuration, names: Iterable[str]) -> AnyProvider:
    use = configuration.use
    if use in _registered:
        return user.build(_registered[use], configuration)
    target = _target(configuration, names)
    if use in BUILTIN:
        return _built_in(target, configuration)
    return user.build(user.Registration(target), configuration)


def known() -> list[str]:
    """Names that `use` accepts; nothing is imported."""
    return sorted({*BUILTIN, *_registered, *entry_points(group=GROUP).names})


def registered() -> list[str]:
    """Names that decorators gave so far."""
    return sorted(_registered)


def origin(name: str) -> str:
    """The file that registered a name, as a reader in this folder would write it."""
    file = _origin(_registered[name].target)
    return os.path.relpath(file) if os.path.isabs(file) else file


def _check_name(name: str, target: Callable[..., object]) -> None:
    if name in BUILTIN:
        raise InputError(f"provider {name!r} is built in; register yours under another name")
    earlier = _registered.get(name)
    if earlier and _origin(earlier.target) == _origin(target) and earlier.target is not target:
        raise InputError(f"provider {name!r} is registered twice in {_origin(target)}; keep one")


def _origin(target: object) -> str:
    """The file that defines a target; a conftest nearer to the tests may replace another's."""
    code = getattr(target, "__code__", None)
    module = str(getattr(target, "__module__", ""))
    return str(code.co_filename if code else getattr(sys.modules.get(module), "__file__", module))


def _target(configuration: Configuration, names: Iterable[str]) -> Any:
    use = configuration.use
    if use in BUILTIN:
        return load(reference(use, configuration.mode), use)
    for point in entry_points(group=GROUP, name=use):
        return load(point.value, use)
    if ":" in use:
        return load_beside(use, use, configuration.folder)
    listed = ", ".join(sorted({*known(), *names}))
    raise InputError(f"unknown provider {use!r}; known: {listed}; or give module:attr")


def _built_in(target: Any, configuration: Configuration) -> AnyProvider:
    """Instantiate a built-in class; options that are paths are relative to the settings' folder."""
    options = dict(configuration.options)
    parameters = inspect.signature(target).parameters
    for name in getattr(target, "paths", ()):
        if options.get(name) is not None:
            options[name] = configuration.folder / options[name]
    if "folder" in parameters:
        options["folder"] = configuration.folder
    if "timeout_s" in parameters and configuration.limits.timeout_s is not None:
        options.setdefault("timeout_s", configuration.limits.timeout_s)
    user.check_options(target, options, configuration.name)
    _check_mode(target, configuration)
    made: AnyProvider = target(**options)
    return made


def _check_mode(target: Any, configuration: Configuration) -> None:
    """Raises InputError now; else every clip would be an error."""
    method, other = (
        ("stream", "batch") if configuration.mode == "stream" else ("transcribe", "stream")
    )
    if not hasattr(target, method) and not hasattr(target, "lookup"):
        raise InputError(
            f"provider {configuration.name!r}: {configuration.use} has no {configuration.mode} "
            f"mode; use --asr-mode={other}"
        )
