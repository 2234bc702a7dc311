"""
Servers that speak OpenAI's transcription route, with what each does its own way.

Every preset takes the options of `openai-compatible`; `base_url` moves it to another host.
"""

from __future__ import annotations

from typing import Any

from pytest_asrbench.providers import languages
from pytest_asrbench.providers.openai_compatible import OpenAICompatible
from pytest_asrbench.providers.terms import hotwords, named


def _preset(use: str, base_url: str, **facts: Any) -> type[OpenAICompatible]:
    return type(use, (OpenAICompatible,), {"use": use, "BASE_URL": base_url, **facts})


# https://console.groq.com/docs/speech-to-text: bills 10 s a request at least
Groq = _preset(
    "groq", "https://api.groq.com/openai/v1", MODEL="whisper-large-v3", KEY="GROQ_API_KEY"
)
# https://docs.mistral.ai/studio/audio: the reply is JSON, and `response_format` is not known
Mistral = _preset(
    "mistral",
    "https://api.mistral.ai/v1",
    MODEL="voxtral-mini-transcribe-3-0",  # an alias such as -latest moves under stored thresholds
    KEY="MISTRAL_API_KEY",
    FORMAT=None,
    BRACKET_LISTS=False,
    TERMS=staticmethod(named("context_bias")),
)
# https://docs.vllm.ai: the model that `vllm serve` was started with; --api-key is optional
VLLM = _preset("vllm", "http://localhost:8000/v1")
# https://speaches.ai: a Hugging Face id that the server has downloaded (404 otherwise). It trims
# silence before it transcribes (_unstable_vad_filter), which is a setting of the server.
Speaches = _preset("speaches", "http://localhost:8000/v1", TERMS=staticmethod(hotwords))
# https://localai.io: the name of an installed model
LocalAI = _preset("localai", "http://localhost:8080/v1")
# https://github.com/ggml-org/whisper.cpp, examples/server: holds one model and ignores `model`;
# its text begins with a space or a new line, and its language would be English if none were sent
WhisperCpp = _preset("whisper.cpp", "http://localhost:8080", PATH="/inference", NEEDS_MODEL=False)
# https://github.com/QuentinFuxa/WhisperLiveKit: holds one model and ignores `model`
WhisperLiveKit = _preset(
    "whisperlivekit", "http://localhost:8000/v1", NEEDS_MODEL=False, TERMS=None
)
# https://docs.nvidia.com/nim/riva: holds one model, chosen by a language with its region
NvidiaNim = _preset(
    "nvidia-nim",
    "http://localhost:9000/v1",
    NEEDS_MODEL=False,
    TERMS=None,
    spell=staticmethod(languages.regional),
)
