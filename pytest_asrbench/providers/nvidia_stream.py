"""
NVIDIA Riva and the speech NIMs, streamed: gRPC, on a server of your own or NVIDIA's.

rpc          nvidia.riva.asr.RivaSpeechRecognition/StreamingRecognize at {url}
url          http://localhost:50051, a NIM's own; https://grpc.nvcf.nvidia.com is NVIDIA's
auth         of NVIDIA's: NVIDIA_API_KEY as a Bearer token, and `function_id`, the model's number
             there; a server of your own asks for neither
send         streaming_config (LINEAR_PCM, language_code), then audio_content; the end of our half
             is the end of speech
hear         results[].alternatives.0.transcript, is_final
text         results with is_final, joined by a space; they end with a space of their own
model        sent where it is configured: a NIM holds one, and finds it by the language
errors       statuses of gRPC

`params` are fields of RecognitionConfig: {enable_automatic_punctuation: true}.
SDK: nvidia-riva-client 2.28, riva/client/proto
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from pytest_asrbench.providers import languages
from pytest_asrbench.providers.grpc_stream import GrpcStream, Piece
from pytest_asrbench.providers.needs import Need, extra
from pytest_asrbench.providers.terms import Spelling

EXTRA = "nvidia"


def contexts(terms: list[str], model: str) -> dict[str, Any]:
    """Phrases to boost, by as much as Riva's pages start from."""
    return {"speech_contexts": [{"phrases": terms, "boost": 20.0}]}


class NvidiaStream(GrpcStream):
    """The key is needed with `function_id` only."""

    use: ClassVar[str] = "nvidia-nim"
    KEY: ClassVar[str] = "NVIDIA_API_KEY"
    EXTRA: ClassVar[str | None] = EXTRA
    URL: ClassVar[str] = "http://localhost:50051"
    TERMS: ClassVar[Spelling | None] = staticmethod(contexts)
    METHOD: ClassVar[str] = "/nvidia.riva.asr.RivaSpeechRecognition/StreamingRecognize"
    spell: ClassVar[Callable[[str], str]] = staticmethod(languages.regional)

    def __init__(self, *, function_id: str | None = None, **others: Any) -> None:
        self.function_id = function_id
        super().__init__(**others)
        self.check_params()

    @classmethod
    def needs(cls) -> list[Need]:
        return [extra(EXTRA)]

    async def metadata(self) -> tuple[tuple[str, str], ...]:
        if not self.key:
            return ()
        return (("authorization", f"Bearer {self.key}"), ("function-id", self.function_id or ""))

    def opening(self, language: str) -> bytes:
        from riva.client.proto import riva_asr_pb2, riva_audio_pb2

        fields = self.merged(model=self.model, language_code=language)
        sound = {
            "encoding": riva_audio_pb2.LINEAR_PCM,
            "sample_rate_hertz": self.stream_rate,
            "audio_channel_count": 1,
            "max_alternatives": 1,
        }
        config = riva_asr_pb2.RecognitionConfig(**(sound | fields))
        asked = riva_asr_pb2.StreamingRecognitionConfig(config=config, interim_results=True)
        message = riva_asr_pb2.StreamingRecognizeRequest(streaming_config=asked)
        return bytes(message.SerializeToString())

    def audio(self, pcm: bytes) -> bytes:
        from riva.client.proto import riva_asr_pb2

        message = riva_asr_pb2.StreamingRecognizeRequest(audio_content=pcm)
        return bytes(message.SerializeToString())

    def pieces(self, message: bytes) -> Iterator[Piece]:
        from riva.client.proto import riva_asr_pb2

        for result in riva_asr_pb2.StreamingRecognizeResponse.FromString(message).results:
            if result.alternatives:
                yield result.alternatives[0].transcript, bool(result.is_final)

    def _key(self, variable: str | None) -> str:
        wanted = variable or (self.KEY if self.function_id else None)
        return super()._key(wanted) if wanted else ""
