"""
Vendors that take a stream: what their adapters share.

Besides the options of :mod:`pytest_asrbench.providers.vendor`, a configuration may set

    rate          samples a second that are sent; recordings are resampled
    frame_ms      length of a frame
    realtime      false: as fast as the vendor takes it, where it allows that
    final_wait_s  how long to wait for the last text after the end of speech
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, ClassVar

import httpx

from pytest_asrbench.audio.telephone import HZ, MULAW
from pytest_asrbench.errors import InputError
from pytest_asrbench.model import Transcript
from pytest_asrbench.providers.base import Description, Frames
from pytest_asrbench.providers.needs import need_extra
from pytest_asrbench.providers.vendor import TIMEOUT_S, Vendor
from pytest_asrbench.providers.websocket import Dialogue, converse

FRAME_MS = 20
FINAL_WAIT_S = 15.0  # the slowest vendors answer within five


class StreamingVendor(Vendor):
    """Raises InputError for settings that can't work, a missing key or package among them."""

    RATE: ClassVar[int] = 16_000
    FRAME_MS: ClassVar[int] = FRAME_MS
    PCM: ClassVar[str] = "pcm"
    """The vendor's word for 16-bit PCM."""
    EXTRA: ClassVar[str | None] = "stream"

    def __init__(
        self,
        *,
        model: str | None = None,
        language: str | None = None,
        terms: Sequence[str] | None = None,
        params: Mapping[str, Any] | None = None,
        url: str | None = None,
        api_key_env: str | None = None,
        rate: int | str | None = None,
        frame_ms: int | str | None = None,
        realtime: bool | str = True,
        final_wait_s: float | str = FINAL_WAIT_S,
        timeout_s: float = TIMEOUT_S,
        native: bool | str = False,
    ) -> None:
        super().__init__(
            model=model,
            language=language,
            terms=terms,
            params=params,
            url=url,
            api_key_env=api_key_env,
            timeout_s=timeout_s,
            native=native,
        )
        self.encoding = self.PCM
        self.sample_bytes = 2
        need_extra(self.EXTRA or "stream", self.use)
        self.stream_rate = int(positive(self.use, "rate", rate or self.RATE))
        self.frame_ms = int(positive(self.use, "frame_ms", frame_ms or self.FRAME_MS))
        self.realtime = realtime not in (False, "false")
        self.final_wait_s = positive(self.use, "final_wait_s", final_wait_s)

    def describe(self) -> Description:
        plain = super().describe()
        sent = {"rate": self.stream_rate, "frame_ms": self.frame_ms, "realtime": self.realtime}
        return Description(plain.use, plain.model, {**sent, **plain.settings}, custom=plain.custom)

    async def stream(self, frames: Frames) -> Transcript:
        as_sent = self._telephone() if frames.encoding == MULAW else self
        language = self.spelled(frames.language)
        return await converse(
            as_sent.address(language),
            self.headers(),
            as_sent.dialogue(language),
            frames,
            final_wait_s=self.final_wait_s,
        )

    def _telephone(self) -> StreamingVendor:
        """The same, for frames of mu-law."""
        other = copy(self)
        other.stream_rate, other.encoding, other.sample_bytes = HZ, self.MULAW or "", 1
        return other

    def address(self, language: str) -> str:
        """The address to connect to."""
        return self.url

    def dialogue(self, language: str) -> Dialogue:
        """A fresh one for each clip. A vendor that opens its session first overrides `stream`."""
        raise NotImplementedError

    def with_query(self, **fields: Any) -> str:
        """The address with these fields and the configured ones."""
        return str(httpx.URL(self.url).copy_merge_params(self.merged(**fields)))


def positive(use: str, name: str, value: float | str) -> float:
    """A setting that is a number above 0. Raises InputError."""
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise InputError(f"provider {use}: {name} is a number above 0, not {value!r}")
    return number


class RegionalStream(StreamingVendor):
    """A vendor with an address for each region, which is an option. It takes no model."""

    TAKES: ClassVar[frozenset[str]] = frozenset({"language"})

    def __init__(self, *, region: str | None = None, url: str | None = None, **others: Any) -> None:
        place = self.endpoint(region)
        super().__init__(url=url or place, **others)

    def endpoint(self, region: str | None) -> str:
        """The address of a region, or of the one that the environment names. Raises InputError."""
        raise NotImplementedError
