"""
Google Cloud Speech-to-Text v2, streamed: gRPC, which has no other way in.

rpc          google.cloud.speech.v2.Speech/StreamingRecognize at {url}
auth         Bearer, an OAuth token, as for files; header x-goog-request-params: the recogniser
send         streaming_config (model, language_codes, LINEAR16), then audio of at most 25 kB; the
             end of our half is the end of speech
hear         results[].alternatives.0.transcript, is_final
text         results with is_final, joined by a space
end          the server ends the call
model        not reported
limits       5 minutes a stream
errors       statuses of gRPC

`params` are fields of RecognitionConfig in snake_case: {features: {profanity_filter: true}}.
API: https://docs.cloud.google.com/speech-to-text/docs/reference/rpc/google.cloud.speech.v2
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from pytest_asrbench.providers import google_auth, languages
from pytest_asrbench.providers.google import Google
from pytest_asrbench.providers.grpc_stream import GrpcStream, Piece
from pytest_asrbench.providers.needs import Need, extra
from pytest_asrbench.providers.terms import Spelling

EXTRA = "google-stream"


def vocabulary(terms: list[str], model: str) -> dict[str, Any]:
    """As for files, in the names of gRPC."""
    phrases = [{"value": term} for term in terms]
    return {"adaptation": {"phrase_sets": [{"inline_phrase_set": {"phrases": phrases}}]}}


class GoogleStream(GrpcStream):
    """Also raises InputError where no project is known."""

    use: ClassVar[str] = Google.use
    KEY: ClassVar[str] = Google.KEY
    EXTRA: ClassVar[str | None] = EXTRA
    MODEL: ClassVar[str | None] = Google.MODEL
    TERMS: ClassVar[Spelling | None] = staticmethod(vocabulary)
    METHOD: ClassVar[str] = "/google.cloud.speech.v2.Speech/StreamingRecognize"
    spell: ClassVar[Callable[[str], str]] = staticmethod(languages.google)

    def __init__(
        self,
        *,
        project: str | None = None,
        location: str = "us",
        url: str | None = None,
        **others: Any,
    ) -> None:
        super().__init__(url=url or f"https://{location}-speech.googleapis.com", **others)
        self.tokens = google_auth.tokens()
        self.recogniser = google_auth.recogniser(project, location, self.tokens)
        self.check_params()

    @classmethod
    def needs(cls) -> list[Need]:
        return [*Google.needs(), extra(EXTRA)]

    async def metadata(self) -> tuple[tuple[str, str], ...]:
        place = f"recognizer={self.recogniser}"
        token = f"Bearer {await self.tokens.token()}"
        return (("authorization", token), ("x-goog-request-params", place))

    def opening(self, language: str) -> bytes:
        from google.cloud.speech_v2 import types

        sound = {"encoding": "LINEAR16", "sample_rate_hertz": self.stream_rate}
        config = self.merged(
            model=self.model,
            language_codes=[language],
            explicit_decoding_config={**sound, "audio_channel_count": 1},
        )
        asked = {"config": config, "streaming_features": {"interim_results": True}}
        request = types.StreamingRecognizeRequest(
            {"recognizer": self.recogniser, "streaming_config": asked}
        )
        return bytes(types.StreamingRecognizeRequest.serialize(request))

    def audio(self, pcm: bytes) -> bytes:
        from google.cloud.speech_v2 import types

        message = types.StreamingRecognizeRequest(audio=pcm)
        return bytes(types.StreamingRecognizeRequest.serialize(message))

    def pieces(self, message: bytes) -> Iterator[Piece]:
        from google.cloud.speech_v2 import types

        for result in types.StreamingRecognizeResponse.deserialize(message).results:
            if result.alternatives:
                yield result.alternatives[0].transcript, bool(result.is_final)

    def _key(self, variable: str | None) -> str:
        return google_auth.no_key(variable)
