"""Clips, a provider and a verifier for tests of the engine; small, but they do real work."""

from __future__ import annotations

import tempfile
import time
import wave
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import httpx

from pytest_asrbench.audio import Audio
from pytest_asrbench.engine import Engine
from pytest_asrbench.errors import VerifierError
from pytest_asrbench.model import Clip, Entity, Transcript, Verdict
from pytest_asrbench.providers.base import Configuration, Description, Limits
from pytest_asrbench.providers.http import host_of, pick, post
from pytest_asrbench.store import Store
from pytest_asrbench.verifiers.base import Identity


def clip(folder: Path, name: str, *, seconds: float = 0.2, canonical: str = "hello") -> Clip:
    """A recording of noise that no other name gives."""
    path = folder / f"{name.replace('/', '_')}.wav"
    if not path.exists():
        with wave.open(str(path), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(8000)
            file.writeframes(Random(name).randbytes(2 * int(8000 * seconds)))
    return Clip(name, path, "hello", "en", (Entity("e1", "word", canonical),))


def clips(folder: Path, count: int, **kwargs: Any) -> list[Clip]:
    return [clip(folder, f"en-US/clip-{n}", **kwargs) for n in range(count)]


def until(condition: Callable[[], Any]) -> None:
    """Waits; a machine may be busy, but a minute is in vain."""
    ends = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < ends, "waited in vain"
        time.sleep(0.005)


class Words:
    """A sync verifier: a value is present where it stands in the transcript."""

    identity = Identity("words", "1", "sha256:words-1")

    def judge(self, entities: Sequence[Entity], transcript: str, language: str) -> list[Verdict]:
        if language == "xx":
            raise VerifierError("no pack for language 'xx'")
        return [Verdict(e.canonical in transcript, True, "looked for it") for e in entities]


class Judge:
    """An async verifier, as a language model is; it counts its calls."""

    identity = Identity("judge", "1", "sha256:judge-1")

    def __init__(self) -> None:
        self.calls = 0

    async def judge(
        self, entities: Sequence[Entity], transcript: str, language: str
    ) -> list[Verdict]:
        self.calls += 1
        return Words().judge(entities, transcript, language)


class Client:
    """A plain HTTP provider."""

    def __init__(self, url: str, *, key: str = "sk-0123456789", model: str = "m1") -> None:
        self.url, self.model, self.host = url, model, host_of(url)
        self.client = httpx.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=60)

    def describe(self) -> Description:
        return Description("client", self.model, {"url": self.url})

    async def transcribe(self, audio: Audio) -> Transcript:
        return Transcript(pick(await post(self.client, self.url, content=audio.wav), "text"))

    async def aclose(self) -> None:
        await self.client.aclose()


def engine(clips: Sequence[Clip], provider: Any, **options: Any) -> Engine:
    """With a folder of its own for the run, and back-offs short enough for a test."""
    limits = Limits(**{"backoff_s": 0.01, **options.pop("limits", {})})
    folder = clips[0].path.parent
    options.setdefault("run_store", Path(tempfile.mkdtemp(prefix="run-", dir=folder)))
    cache = options.pop("cache", None)
    mode = options.pop("mode", "batch")
    return Engine(
        clips=clips,
        dataset_folder=folder,
        provider=provider,
        configuration=Configuration("mine", "client", limits=limits, mode=mode),
        verifier=options.pop("verifier", None) or Words(),
        store=cache if cache is None or isinstance(cache, Store) else Store(cache),
        **options,
    )
