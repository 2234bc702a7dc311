"""
One recording streamed through each vendor's own SDK, as its README does it.

As in :mod:`batch_clients`, but a function takes 16-bit mono PCM and its rate, and the address of a
websocket server.
"""

from __future__ import annotations

import asyncio
import base64
import io
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any

Call = Callable[[str, str, bytes, int], str]


@dataclass(frozen=True)
class Client:
    """An SDK: the package on PyPI, what is imported of it, and how it is called."""

    package: str
    module: str
    call: Call


def assemblyai(url: str, key: str, pcm: bytes, rate: int) -> str:
    from assemblyai.streaming.v3 import (
        StreamingClient,
        StreamingClientOptions,
        StreamingEvents,
        StreamingParameters,
        TurnEvent,
    )

    turns: dict[int, str] = {}

    def heard(client: Any, turn: TurnEvent) -> None:
        if turn.end_of_turn:
            turns[turn.turn_order] = turn.transcript

    client = StreamingClient(StreamingClientOptions(api_host=url, api_key=key))
    client.on(StreamingEvents.Turn, heard)
    client.connect(
        StreamingParameters(
            sample_rate=rate,
            encoding="pcm_s16le",
            speech_model="universal-3-6-pro",
            language_codes=["en"],
        )
    )
    client.stream(pcm[i : i + 1600] for i in range(0, len(pcm) - 1600, 1600))
    client.disconnect(terminate=True)
    return " ".join(turns[order] for order in sorted(turns))


def azure(url: str, key: str, pcm: bytes, rate: int) -> str:
    import azure.cognitiveservices.speech as speech

    route = "/speech/recognition/conversation/cognitiveservices/v1"
    config = speech.SpeechConfig(subscription=key, endpoint=url + route)
    config.speech_recognition_language = "en-US"
    sound = speech.audio.PushAudioInputStream(speech.audio.AudioStreamFormat(rate, 16, 1))
    recogniser = speech.SpeechRecognizer(config, speech.audio.AudioConfig(stream=sound))
    texts: list[str] = []
    done = threading.Event()
    recogniser.recognized.connect(lambda event: texts.append(event.result.text) or done.set())
    recogniser.canceled.connect(lambda event: done.set())
    recogniser.start_continuous_recognition()
    sound.write(pcm)
    sound.close()
    done.wait(10)
    recogniser.stop_continuous_recognition()
    return " ".join(filter(None, texts))


def cartesia(url: str, key: str, pcm: bytes, rate: int) -> str:
    from cartesia import Cartesia

    client = Cartesia(api_key=key, websocket_base_url=url)
    texts: list[str] = []
    with client.stt.manual_finalize.websocket(
        model="ink-2", encoding="pcm_s16le", sample_rate=rate, language="en"
    ) as socket:
        socket.send_raw(pcm)
        socket.send_raw("finalize")
        socket.send_raw("close")
        for event in socket:
            if event.type == "transcript" and event.is_final:
                texts.append(str(event.text))
            if event.type == "done":
                break
    return "".join(texts)


def deepgram(url: str, key: str, pcm: bytes, rate: int) -> str:
    from deepgram import DeepgramClient
    from deepgram.environment import DeepgramClientEnvironment

    place = DeepgramClientEnvironment(base=url, production=url, agent=url, agent_rest=url)
    client = DeepgramClient(api_key=key, environment=place)
    texts: list[str] = []
    with client.listen.v1.connect(
        model="nova-3",
        language="en",
        encoding="linear16",
        sample_rate=rate,
        channels=1,
        interim_results=True,
    ) as socket:
        socket.send_media(pcm)
        socket.send_close_stream()
        for message in socket:
            if message.type == "Results" and message.is_final:
                texts.append(message.channel.alternatives[0].transcript)
            if message.type == "Metadata":
                break
    return " ".join(filter(None, texts))


def deepgram_flux(url: str, key: str, pcm: bytes, rate: int) -> str:
    from deepgram import DeepgramClient
    from deepgram.environment import DeepgramClientEnvironment

    place = DeepgramClientEnvironment(base=url, production=url, agent=url, agent_rest=url)
    client = DeepgramClient(api_key=key, environment=place)
    turns: dict[Any, str] = {}
    with client.listen.v2.connect(
        model="flux-general-en", encoding="linear16", sample_rate=rate
    ) as socket:
        socket.send_media(pcm)
        socket.send_close_stream()
        for message in socket:
            if message.type == "TurnInfo":
                turns[message.turn_index] = str(message.transcript)
    return " ".join(turns[turn] for turn in sorted(turns))


def elevenlabs(url: str, key: str, pcm: bytes, rate: int) -> str:
    from elevenlabs.realtime.connection import RealtimeEvents
    from elevenlabs.realtime.scribe import AudioFormat, CommitStrategy, ScribeRealtime

    async def call() -> str:
        text: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        connection = await ScribeRealtime(api_key=key, base_url=url).connect(
            {
                "model_id": "scribe_v2_realtime",
                "language_code": "en",
                "audio_format": AudioFormat.PCM_16000,
                "sample_rate": rate,
                "commit_strategy": CommitStrategy.MANUAL,
            }
        )
        connection.on(
            RealtimeEvents.COMMITTED_TRANSCRIPT, lambda said: text.set_result(said["text"])
        )
        await connection.send({"audio_base_64": base64.b64encode(pcm).decode()})
        await connection.commit()
        heard = await asyncio.wait_for(text, 10)
        await connection.close()
        return heard

    return asyncio.run(call())


def gladia(url: str, key: str, pcm: bytes, rate: int) -> str:
    from gladiaio_sdk import GladiaClient

    texts: list[str] = []

    def heard(message: Any) -> None:
        if message.type == "transcript" and message.data.is_final:
            texts.append(message.data.utterance.text)

    session = (
        GladiaClient(api_key=key, api_url=url)
        .live_v2()
        .start_session(
            {
                "model": "solaria-1",
                "encoding": "wav/pcm",
                "bit_depth": 16,
                "sample_rate": rate,
                "channels": 1,
                "language_config": {"languages": ["en"]},
                "messages_config": {"receive_partial_transcripts": True},
            }
        )
    )
    session.on("message", heard)
    session.send_audio(pcm)
    session.stop_recording()
    session.join(timeout=10)
    return " ".join(texts)


def mistral(url: str, key: str, pcm: bytes, rate: int) -> str:
    from mistralai.client import Mistral
    from mistralai.client.models import AudioFormat
    from mistralai.extra.realtime import RealtimeTranscription

    async def audio() -> AsyncIterator[bytes]:
        yield pcm

    async def call() -> str:
        sdk = Mistral(api_key=key, server_url=url.replace("ws:", "http:"))
        transcription = RealtimeTranscription(sdk.sdk_configuration)
        async for event in transcription.transcribe_stream(
            audio(),
            model="voxtral-mini-transcribe-realtime-3-0",
            audio_format=AudioFormat(encoding="pcm_s16le", sample_rate=rate),
            language="en",
        ):
            if getattr(event, "type", "") == "transcription.done":
                return str(event.text)
        raise AssertionError("no transcript")

    return asyncio.run(call())


def openai(url: str, key: str, pcm: bytes, rate: int) -> str:
    from openai import AsyncOpenAI

    async def call() -> str:
        client = AsyncOpenAI(api_key=key, websocket_base_url=f"{url}/v1")
        async with client.realtime.connect(extra_query={"intent": "transcription"}) as session:
            await session.session.update(
                session={
                    "type": "transcription",
                    "audio": {
                        "input": {
                            "format": {"type": "audio/pcm", "rate": rate},
                            "transcription": {"model": "gpt-live-transcribe", "language": "en"},
                            "turn_detection": None,
                        }
                    },
                }
            )
            await session.input_audio_buffer.append(audio=base64.b64encode(pcm).decode())
            await session.input_audio_buffer.commit()
            async for event in session:
                if event.type == "conversation.item.input_audio_transcription.completed":
                    return str(event.transcript)
        raise AssertionError("no transcript")

    return asyncio.run(call())


def smallest(url: str, key: str, pcm: bytes, rate: int) -> str:
    from smallestai import SmallestAI
    from smallestai.environment import SmallestAIEnvironment
    from smallestai.waves.helpers import stream_speech_to_text
    from smallestai.waves.speech_to_text.types.close_stream import CloseStream

    place = SmallestAIEnvironment(atoms=url, waves=url, waves_ws=url, payment=url)
    client = SmallestAI(api_key=key, environment=place)
    texts: list[str] = []
    with stream_speech_to_text(client, language="en", sample_rate=rate) as socket:
        socket.send_audio_chunk_out(pcm)
        socket.send_close_stream(CloseStream(type="close_stream"))
        for event in socket:
            if event.is_final:
                texts.append(str(event.transcript))
            if event.is_last:
                break
    return " ".join(texts)


def soniox(url: str, key: str, pcm: bytes, rate: int) -> str:
    from soniox import SonioxClient
    from soniox.types.realtime import RealtimeSTTConfig

    client = SonioxClient(api_key=key, websocket_base_url=f"{url}/transcribe-websocket")
    config = RealtimeSTTConfig(
        model="stt-rt-v6",
        audio_format="pcm_s16le",
        sample_rate=rate,
        num_channels=1,
        language_hints=["en"],
    )
    texts: list[str] = []
    with client.realtime.stt.connect(config=config) as session:
        session.send_byte_chunk(pcm)
        session.finish()
        for event in session.receive_events():
            texts += [token.text for token in event.tokens if token.is_final]
    return "".join(text for text in texts if text not in ("<end>", "<fin>"))


def speechmatics(url: str, key: str, pcm: bytes, rate: int) -> str:
    from speechmatics.rt import (
        AsyncClient,
        AudioEncoding,
        AudioFormat,
        ServerMessageType,
        TranscriptionConfig,
    )

    async def call() -> str:
        texts: list[str] = []
        async with AsyncClient(api_key=key, url=f"{url}/v2") as client:

            @client.on(ServerMessageType.ADD_TRANSCRIPT)
            def heard(message: Any) -> None:
                texts.append(message["metadata"]["transcript"])

            await client.transcribe(
                io.BytesIO(pcm),
                transcription_config=TranscriptionConfig(
                    language="en", model="enhanced", enable_partials=True
                ),
                audio_format=AudioFormat(
                    encoding=AudioEncoding.PCM_S16LE, sample_rate=rate, chunk_size=640
                ),
                timeout=10,
            )
        return "".join(texts)

    return asyncio.run(call())


CLIENTS: Mapping[str, Client] = {
    "assemblyai": Client("assemblyai", "assemblyai", assemblyai),
    "azure": Client("azure-cognitiveservices-speech", "azure.cognitiveservices.speech", azure),
    "cartesia": Client("cartesia", "cartesia", cartesia),
    "deepgram": Client("deepgram-sdk", "deepgram", deepgram),
    "deepgram-flux": Client("deepgram-sdk", "deepgram", deepgram_flux),
    "elevenlabs": Client("elevenlabs", "elevenlabs", elevenlabs),
    "gladia": Client("gladiaio-sdk", "gladiaio_sdk", gladia),
    "mistral": Client("mistralai", "mistralai.client", mistral),
    "openai": Client("openai", "openai", openai),
    "smallest": Client("smallestai", "smallestai", smallest),
    "soniox": Client("soniox", "soniox", soniox),
    "speechmatics": Client("speechmatics-rt", "speechmatics.rt", speechmatics),
}
