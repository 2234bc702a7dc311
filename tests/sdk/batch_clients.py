"""
One recording through each vendor's own SDK, as its README does it.

A function takes the address of a server, the key and a WAV file, and returns the text. It asks for
the model and language that our adapter asks for: what else differs between the two is the SDK's.
"""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Call = Callable[[str, str, Path], str]


@dataclass(frozen=True)
class Client:
    """An SDK: the package on PyPI, what is imported of it, and how it is called."""

    package: str
    module: str
    call: Call


def assemblyai(url: str, key: str, wav: Path) -> str:
    import assemblyai as aai

    aai.settings.base_url, aai.settings.api_key = url, key
    aai.settings.polling_interval = 0.01
    config = aai.TranscriptionConfig(speech_models=["assemblyai-stt-3-7"], language_code="en")
    return str(aai.Transcriber(config=config).transcribe(str(wav)).text)


def assemblyai_sync(url: str, key: str, wav: Path) -> str:
    import assemblyai as aai

    aai.settings.sync_base_url, aai.settings.api_key = url, key
    config = aai.SyncTranscriptionConfig(language_codes=["en"])
    return str(aai.SyncTranscriber().transcribe(str(wav), config=config).text)


def azure(url: str, key: str, wav: Path) -> str:
    from azure.ai.transcription import TranscriptionClient
    from azure.ai.transcription.models import TranscriptionContent, TranscriptionOptions
    from azure.core.credentials import AzureKeyCredential

    client = TranscriptionClient(url, AzureKeyCredential(key))
    with wav.open("rb") as audio:
        options = TranscriptionOptions(locales=["en-US"])
        content = TranscriptionContent(definition=options, audio=("audio.wav", audio, "audio/wav"))
        return " ".join(phrase.text for phrase in client.transcribe(content).combined_phrases)


def cartesia(url: str, key: str, wav: Path) -> str:
    from cartesia import Cartesia

    client = Cartesia(api_key=key, base_url=url)
    file = ("audio.wav", wav.read_bytes(), "audio/wav")
    return str(client.stt.transcribe(file=file, model="ink-whisper", language="en").text)


def deepgram(url: str, key: str, wav: Path) -> str:
    from deepgram import DeepgramClient
    from deepgram.environment import DeepgramClientEnvironment

    place = DeepgramClientEnvironment(base=url, production=url, agent=url, agent_rest=url)
    client = DeepgramClient(api_key=key, environment=place)
    reply: Any = client.listen.v1.media.transcribe_file(
        request=wav.read_bytes(), model="nova-3", language="en"
    )
    return str(reply.results.channels[0].alternatives[0].transcript)


def elevenlabs(url: str, key: str, wav: Path) -> str:
    from elevenlabs import ElevenLabs

    client = ElevenLabs(api_key=key, base_url=url)
    file = ("audio.wav", wav.read_bytes(), "audio/wav")
    reply: Any = client.speech_to_text.convert(file=file, model_id="scribe_v2", language_code="en")
    return str(reply.text)


def gemini(url: str, key: str, wav: Path) -> str:
    from google import genai
    from google.genai import types

    from pytest_asrbench.providers.gemini import PROMPT

    client = genai.Client(api_key=key, http_options=types.HttpOptions(base_url=url))
    sound = types.Part.from_bytes(data=wav.read_bytes(), mime_type="audio/wav")
    reply = client.models.generate_content(model="gemini-3.8-flash", contents=[PROMPT, sound])
    return str(reply.text)


def gladia(url: str, key: str, wav: Path) -> str:
    from gladiaio_sdk import GladiaClient

    client = GladiaClient(api_key=key, api_url=url).pre_recorded_v2()
    options = {"model": "solaria-3", "language_config": {"languages": ["en"]}}
    done = client.transcribe(wav, options, interval=0.01)
    return str(done.result.transcription.full_transcript)


def google(url: str, key: str, wav: Path) -> str:
    from google.cloud.speech_v2 import SpeechClient, types
    from google.cloud.speech_v2.services.speech.transports.rest import SpeechRestTransport
    from google.oauth2.credentials import Credentials

    host = url.removeprefix("http://")
    transport = SpeechRestTransport(host=host, credentials=Credentials(key), url_scheme="http")
    config = types.RecognitionConfig(
        model="chirp_3",
        language_codes=["en-US"],
        auto_decoding_config=types.AutoDetectDecodingConfig(),
    )
    request = types.RecognizeRequest(
        recognizer="projects/p1/locations/us/recognizers/_", config=config, content=wav.read_bytes()
    )
    reply = SpeechClient(transport=transport).recognize(request=request)
    return " ".join(result.alternatives[0].transcript for result in reply.results)


def groq(url: str, key: str, wav: Path) -> str:
    from groq import Groq

    client = Groq(api_key=key, base_url=url)
    file = ("audio.wav", wav.read_bytes(), "audio/wav")
    return str(
        client.audio.transcriptions.create(
            file=file, model="whisper-large-v3", language="en", response_format="json"
        ).text
    )


def litellm(url: str, key: str, wav: Path) -> str:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else it fetches one at import
    import litellm

    with wav.open("rb") as file:
        reply: Any = litellm.transcription(
            model="openai/ours",
            file=file,
            api_base=f"{url}/v1",
            api_key=key,
            language="en",
            response_format="json",
        )
    return str(reply.text)


def mistral(url: str, key: str, wav: Path) -> str:
    from mistralai.client import Mistral

    reply = Mistral(api_key=key, server_url=url).audio.transcriptions.complete(
        model="voxtral-mini-transcribe-3-0",
        file={"file_name": "audio.wav", "content": wav.read_bytes(), "content_type": "audio/wav"},
        language="en",
    )
    return str(reply.text)


def openai(url: str, key: str, wav: Path) -> str:
    from openai import OpenAI

    client = OpenAI(api_key=key, base_url=f"{url}/v1")
    file = ("audio.wav", wav.read_bytes(), "audio/wav")
    return str(
        client.audio.transcriptions.create(
            file=file, model="gpt-transcribe", language="en", response_format="json"
        ).text
    )


def revai(url: str, key: str, wav: Path) -> str:
    from rev_ai.apiclient import RevAiAPIClient
    from rev_ai.models import JobStatus

    client = RevAiAPIClient(key, url=url)
    job = client.submit_job_local_file(str(wav), transcriber="machine", language="en")
    while job.status == JobStatus.IN_PROGRESS:
        job = client.get_job_details(job.id)
    said = client.get_transcript_object(job.id)
    return " ".join("".join(e.value for e in m.elements) for m in said.monologues)


def smallest(url: str, key: str, wav: Path) -> str:
    from smallestai import SmallestAI
    from smallestai.environment import SmallestAIEnvironment

    place = SmallestAIEnvironment(atoms=url, waves=url, waves_ws=url, payment=url)
    client = SmallestAI(api_key=key, environment=place)
    reply: Any = client.waves.speech_to_text.transcribe(
        model="pulse", language="en", request=wav.read_bytes()
    )
    return str(reply.transcription)


def soniox(url: str, key: str, wav: Path) -> str:
    from soniox import SonioxClient
    from soniox.types import CreateTranscriptionConfig

    client = SonioxClient(api_key=key, api_base_url=f"{url}/v1")
    done = client.stt.transcribe_and_wait_with_tokens(
        model="stt-async-v6",
        file=wav,
        config=CreateTranscriptionConfig(language_hints=["en"]),
        wait_interval_sec=0.01,
        delete_after=True,
    )
    return str(done.text)


def speechmatics(url: str, key: str, wav: Path) -> str:
    from speechmatics.batch import AsyncClient, FormatType, TranscriptionConfig

    async def call() -> str:
        async with AsyncClient(api_key=key, url=f"{url}/v2") as client:
            config = TranscriptionConfig(language="en", model="enhanced")
            reply: Any = await client.transcribe(
                io.BytesIO(wav.read_bytes()),
                transcription_config=config,
                format_type=FormatType.TXT,
                polling_interval=0.01,
            )
            return str(reply)

    return asyncio.run(call())


CLIENTS: Mapping[str, Client] = {
    "assemblyai": Client("assemblyai", "assemblyai", assemblyai),
    "assemblyai-sync": Client("assemblyai", "assemblyai", assemblyai_sync),
    "azure": Client("azure-ai-transcription", "azure.ai.transcription", azure),
    "cartesia": Client("cartesia", "cartesia", cartesia),
    "deepgram": Client("deepgram-sdk", "deepgram", deepgram),
    "elevenlabs": Client("elevenlabs", "elevenlabs", elevenlabs),
    "gemini": Client("google-genai", "google.genai", gemini),
    "gladia": Client("gladiaio-sdk", "gladiaio_sdk", gladia),
    "google": Client("google-cloud-speech", "google.cloud.speech_v2", google),
    "groq": Client("groq", "groq", groq),
    "mistral": Client("mistralai", "mistralai.client", mistral),
    "openai": Client("openai", "openai", openai),
    "openai-compatible": Client("litellm", "litellm", litellm),
    "revai": Client("rev-ai", "rev_ai", revai),
    "smallest": Client("smallestai", "smallestai", smallest),
    "soniox": Client("soniox", "soniox", soniox),
    "speechmatics": Client("speechmatics-batch", "speechmatics.batch", speechmatics),
}
