"""
The protocol that an ASR system must follow to be measured.

A provider has one method, `transcribe`; it may be sync or async and may return plain text. It has
no retries, clock, cache or rate limit: those are the engine's. It raises a
:class:`~pytest_asrbench.errors.ProviderError` where it has no result.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.secrets import masked

if TYPE_CHECKING:
    from pytest_asrbench.audio import Audio


@dataclass(frozen=True, slots=True)
class Description:
    """A provider's description of itself: provenance, and the key of its stored transcripts.

    `settings` are the parameters that reach the system; what sounds secret in them is masked.
    `reusable` is False for code whose changes we cannot see (a callable or command without
    `version=`): its transcripts are not used again after the run. `custom` is True once a vendor
    parameter beyond model and language is set: the run is then `protocol: custom`. `deterministic`
    promises the same text for the same audio: stored thresholds are then plain floors.
    """

    use: str
    model: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    version: str | None = None
    reusable: bool = True
    custom: bool = False
    deterministic: bool = False

    def __post_init__(self) -> None:
        # Here, as it goes from here into stores, cassettes and reports, which people commit.
        object.__setattr__(self, "settings", masked(self.settings))


@runtime_checkable
class Provider(Protocol):
    """The least an ASR system must offer; see also :class:`Streaming` and
    :class:`RecordedProvider`.

    Optional attributes: `concurrency: int` (calls at once in one process; undeclared sync
    providers get 1), `embedded: bool` (it computes on this machine, and is given four times a
    recording's duration), `host: str` (for errors that name none) and `async aclose()`.
    """

    def describe(self) -> Description: ...

    def transcribe(self, audio: Audio) -> Transcript | str | Awaitable[Transcript | str]: ...


class Frames(Protocol):
    """One clip as 16-bit mono PCM, paced by the engine, which also has the clock.

    `encoding` is `pcm`, or `mulaw` (8 kHz, a byte a sample) for telephone audio where the
    provider's `native` is True. `language` is the clip's, `speech_end_s` where in it the last
    speech ends (None: there is none). A provider calls `text_heard()` for each text that comes
    back, `text_final()` when final text came, and `text_complete()` when the transcript is
    complete, before it takes leave of the server.
    """

    language: str
    encoding: str
    speech_end_s: float | None

    def __aiter__(self) -> AsyncIterator[bytes]: ...

    def text_heard(self) -> None: ...

    def text_final(self) -> None: ...

    def text_complete(self) -> None: ...


@runtime_checkable
class Streaming(Protocol):
    """A provider that can also be measured in `stream` mode.

    `frames` are :class:`Frames`; the provider returns the final text. Optional attributes:
    `stream_rate: int` (Hz, 16000), `frame_ms: int` (20), `realtime: bool` (True).
    """

    def describe(self) -> Description: ...

    async def stream(self, frames: AsyncIterator[bytes]) -> Transcript: ...


@runtime_checkable
class RecordedProvider(Protocol):
    """Recorded transcripts, asked by clip id; no audio is read.

    Raises ProviderError for an id that it does not hold.
    """

    def describe(self) -> Description: ...

    def lookup(self, clip_id: str) -> Transcript: ...


AnyProvider = Provider | Streaming | RecordedProvider


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits that the engine keeps to for one provider configuration. None: the engine's default.

    `loading_s` is what the first call of sync code may take on top, for a model loaded then;
    `backoff_s` is the wait before a second attempt; `price_per_minute` wins over the price table.
    """

    concurrency: int | None = None
    requests_per_minute: float | None = None
    timeout_s: float | None = None
    loading_s: float | None = None
    attempts: int | None = None
    backoff_s: float | None = None
    price_per_minute: float | None = None


@dataclass(frozen=True, slots=True)
class Configuration:
    """A named provider configuration: an entry under `providers:`, or a bare name with defaults.

    `options` are the constructor's keywords; relative paths in them are relative to `folder`.
    `isolate` gives each clip a process of its own.
    """

    name: str
    use: str
    options: Mapping[str, Any] = field(default_factory=dict)
    folder: Path = Path()
    limits: Limits = Limits()
    mode: Literal["batch", "stream"] = "batch"
    isolate: bool = False
