"""
The base that vendors' adapters share: settings, the key, a client.

A subclass states its facts as class attributes, and in `transcribe` how a request looks and where
the reply holds the text. A configuration may set

    model         always sent, where the vendor takes one
    language      instead of each clip's own
    terms         words to listen for, spelled as the vendor wants them
    params        any parameter of the vendor; one with an empty value is not sent at all
    url           of a region, a proxy or a test server
    api_key_env   the environment variable that holds the key
    native        true: telephone audio goes out as 8 kHz mu-law, as agents send it
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import httpx

from pytest_asrbench.audio import Audio
from pytest_asrbench.errors import InputError, ProviderError
from pytest_asrbench.providers import languages
from pytest_asrbench.providers.base import Description
from pytest_asrbench.providers.http import configured, host_of, new_client
from pytest_asrbench.providers.secrets import secret
from pytest_asrbench.providers.terms import Spelling, boosted

TIMEOUT_S = 3600.0  # of a client without an engine; that one waits by the clip's duration


class Vendor:
    """Raises InputError for settings that can't work, a key that is not set among them."""

    use: ClassVar[str]
    KEY: ClassVar[str]
    """The environment variable that holds the key."""
    EXTRA: ClassVar[str | None] = None
    """The extra that holds a package it needs."""
    URL: ClassVar[str] = ""
    MODEL: ClassVar[str | None] = None
    TAKES: ClassVar[frozenset[str]] = frozenset({"model", "language"})
    """Which of these the vendor is told. The others are refused: what is recorded is sent."""
    TERMS: ClassVar[Spelling | None] = None
    """The parameter that tells the vendor words to listen for; None where it can't be."""
    MULAW: ClassVar[str | None] = None
    """The vendor's word for headerless 8 kHz mu-law; None where the adapter can't send it."""
    spell: ClassVar[Callable[[str], str]] = staticmethod(languages.primary)
    """From a language tag to the vendor's form."""

    def __init_subclass__(cls, **about: Any) -> None:
        """A subclass that adds options shows them with ours, but for those that it can't send:
        that is what a configuration is checked by."""
        super().__init_subclass__(**about)
        if "__init__" not in vars(cls):
            return
        own = inspect.signature(cls.__init__).parameters
        added = [each for each in own.values() if each.kind is each.KEYWORD_ONLY]
        unsent = {"model", "language"} - cls.TAKES
        inherited = inspect.signature(cls.__mro__[1]).parameters.values()
        kept = [each for each in inherited if each.name not in {*own, *unsent}]
        cls.__signature__ = inspect.Signature([*added, *kept])  # type: ignore[attr-defined]

    def __init__(
        self,
        *,
        model: str | None = None,
        language: str | None = None,
        terms: Sequence[str] | None = None,
        params: Mapping[str, Any] | None = None,
        url: str | None = None,
        api_key_env: str | None = None,
        timeout_s: float = TIMEOUT_S,
        native: bool | str = False,
    ) -> None:
        self.native = self._native(native)
        for name, value in (("model", model), ("language", language)):
            if value and name not in self.TAKES:
                raise InputError(f"provider {self.use}: the vendor takes no {name}; remove it")
        self.model = model or self.MODEL
        self.language = language
        self.params = dict(params or {})
        self.terms = terms or None
        self.boost = boosted(
            self.use, type(self).TERMS, terms, model=self.model, params=self.params
        )
        self.url = (url or self.URL).rstrip("/")
        self.host = host_of(self.url)
        if self.host in ("", "invalid URL"):
            raise InputError(f"provider {self.use}: url is not an address; write https://HOST/…")
        self.key = self._key(api_key_env)
        self.timeout_s = float(timeout_s)

    def describe(self) -> Description:
        url = None if self.url == self.URL else self.url
        settings = configured(url=url, language=self.language, terms=self.terms) | self.params
        settings |= {"native": True} if self.native else {}
        return Description(self.use, self.model, settings, custom=bool(self.params or self.boost))

    def spelled(self, clips_own: str) -> str:
        """The language to send: the configured one, else the clip's, in the vendor's form."""
        return type(self).spell(self.language or clips_own)

    def check_english(self, clips_own: str, remedy: str) -> None:
        """Raises ProviderError for a clip in a language that the model does not know: it would
        write English words, and they would be scored."""
        language = self.language or clips_own
        if languages.primary(language) != "en":
            raise ProviderError(
                f"{self.model} knows English only, not {language!r}; use model: {remedy}",
                host=self.host,
                kind="language",
            )

    def merged(self, **fields: Any) -> dict[str, Any]:
        """The adapter's own fields, then what the user configured."""
        return configured(**(fields | dict(self.boost) | self.params))

    def headers(self) -> dict[str, str]:
        """Headers that carry the key."""
        return {"Authorization": f"Bearer {self.key}"}

    @cached_property
    def client(self) -> httpx.AsyncClient:
        return new_client(self.headers(), self.timeout_s)

    def _native(self, value: bool | str) -> bool:
        """Raises InputError where the vendor, or this adapter, takes no mu-law."""
        if value not in (True, False, "true", "false"):
            raise InputError(f"provider {self.use}: native is true or false, not {value!r}")
        asked = value in (True, "true")
        if asked and self.MULAW is None:
            raise InputError(f"provider {self.use}: no mu-law can be sent here; remove native")
        return asked

    def _key(self, variable: str | None) -> str:
        return secret(variable or self.KEY, self.use)

    async def aclose(self) -> None:
        if "client" in self.__dict__:
            await self.client.aclose()


def wav(audio: Audio) -> bytes:
    """A WAV file, the clip's own bytes where it is one: all vendors read that."""
    return audio.data if audio.media_type == "audio/wav" else audio.wav


def wav_file(audio: Audio) -> tuple[str, bytes, str]:
    """A part of a multipart form, under a neutral name: the clip's own often says its words."""
    return "audio.wav", wav(audio), "audio/wav"


def joined(pieces: Iterable[str]) -> str:
    """Pieces of one transcript with a space between them; a single one stays untouched."""
    heard = [piece for piece in pieces if piece]
    return heard[0] if len(heard) == 1 else " ".join(piece.strip() for piece in heard)
