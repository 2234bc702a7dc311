"""The ASR system that a new folder is set up for: its configuration, its keys, its packages."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pytest_asrbench.errors import InputError
from pytest_asrbench.providers.facts import Known, known
from pytest_asrbench.providers.languages import primary
from pytest_asrbench.providers.needs import Need
from pytest_asrbench.providers.registry import BUILTIN

SAMPLE = "recorded"
RE_NAME = re.compile(r"[A-Za-z_][\w.-]*(:[\w.]+)?", re.ASCII)
RE_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
RE_EXTRA = re.compile(r"\[(.+)\]")
FIRST_VALUES: Mapping[str, Any] = {
    "base_url": "http://localhost:8000/v1",
    "model": "whisper-1",
    "argv": ["my-recogniser", "{wav}"],
    "stt": "agent:build_stt",
    "kind": "transducer",
}
"""Placeholders that a configuration holds for a setting without a default until the user writes
theirs."""


@dataclass(frozen=True, slots=True)
class StartingSystem:
    """`entry` is None where the name needs none; `own` is code of the user's, yet to be written
    where it is not `there`."""

    name: str
    use: str
    mode: str = "batch"
    entry: Mapping[str, Any] | None = None
    secrets: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    own: bool = False
    there: bool = False
    to_fill_in: tuple[str, ...] = ()

    @property
    def function(self) -> str | None:
        """The name of the user's own function that is yet to be written, if any."""
        unwritten = self.own and not self.there and ":" not in self.name
        return re.sub(r"\W", "_", self.name) if unwritten else None

    @property
    def line(self) -> str:
        """Its row under `providers:`."""
        fields = {"use": self.use, **(self.entry or {})}
        told = ", ".join(f"{key}: {_scalar(value)}" for key, value in fields.items())
        return f"{_scalar(self.name)}: {{{told}}}"


def new(
    name: str,
    use: str | None = None,
    *,
    language: str = "en",
    registered: Callable[[], Collection[str]] = frozenset,
) -> StartingSystem:
    """The system that a user means by `name`: a built-in one, one by its model (`nova3`), what
    `use` names, one of the names that their code or a package `registered`, or else a function of
    their own. Raises InputError, also where the system does not know the language."""
    if use is not None and use not in BUILTIN:
        listed = ", ".join(sorted(BUILTIN))
        raise InputError(f"asrbench init: --use {use}: no built-in system; known: {listed}")
    use = use or (name if name in BUILTIN else _by_model(name))
    if use:
        return _built_in(name, use, language=language)
    if name in registered():
        return StartingSystem(name, name, own=True, there=True)
    if near := get_close_matches(name, [*BUILTIN], n=1, cutoff=0.75):
        raise InputError(
            f"asrbench init: --provider {name}: did you mean {near[0]}? else say what it "
            "configures with --use SYSTEM"
        )
    if not RE_NAME.fullmatch(name):
        raise InputError(
            f"asrbench init: --provider {name}: write letters, digits, _, - and ., or module:attr"
        )
    return StartingSystem(name, name, own=True)


def configured(
    name: str, entries: Mapping[str, Mapping[str, Any]], own: Iterable[str]
) -> StartingSystem:
    """A system that the folder has already, by its settings and its `own` code, or a built-in."""
    entry = entries.get(name, {})
    use = entry.get("use", name)
    if use in BUILTIN:
        return _built_in(name, use, entry)
    if use in own or ":" in use:
        return StartingSystem(name, use, own=True, there=True)
    listed = ", ".join(sorted({*BUILTIN, *entries, *own}))
    raise InputError(f"asrbench init: unknown provider {name!r}; known: {listed}")


def _built_in(
    name: str, use: str, entry: Mapping[str, Any] | None = None, language: str = "en"
) -> StartingSystem:
    modes = {each.mode: each for each in known() if each.use == use}
    each = modes.get("batch") or modes["stream"]
    needed = [*_each(each.needs)]
    key = (entry or {}).get("api_key_env")
    missing = [text.rstrip(":") for text in needed if text.endswith(":")]
    if entry is None and use != SAMPLE:
        sent = _model(each, language)
        model = {"model": sent} if sent and _takes_model(each) else {}
        own = {"model": getattr(each.target, "FIRST_MODEL", FIRST_VALUES["model"])}
        entry = {**model, **{field: {**FIRST_VALUES, **own}[field] for field in missing}}
    return StartingSystem(
        name,
        use,
        each.mode,
        entry,
        secrets=(str(key),) if key else tuple(filter(RE_VARIABLE.fullmatch, needed)),
        extras=tuple(match[1] for text in needed if (match := RE_EXTRA.fullmatch(text))),
        to_fill_in=tuple(missing) if use != SAMPLE else (),
    )


def _model(each: Known, language: str) -> str | None:
    """The model to begin with. Raises InputError where none knows the clips' language."""
    if primary(language) == "en" or not hasattr(each.target, "FOR_OTHER_LANGUAGES"):
        return each.model
    other: str | None = each.target.FOR_OTHER_LANGUAGES
    if other is None:
        raise InputError(
            f"asrbench init: --provider {each.use} knows English only, --language is {language}; "
            "choose another, or leave --provider out"
        )
    return other


def _takes_model(each: Known) -> bool:
    return "model" in inspect.signature(each.target).parameters


def _each(needs: Iterable[Need]) -> Iterator[str]:
    """One of each need's alternatives: the package, where there is one that does without a key."""
    for need in needs:
        ways = need.text.split(" or ")
        yield next(filter(RE_EXTRA.fullmatch, ways), ways[0])


def _by_model(name: str) -> str | None:
    """The system whose default model is called so, signs aside: nova3 is Deepgram's nova-3."""
    return next((each.use for each in known() if each.model and _bare(each.model) == name), None)


def _bare(model: str) -> str:
    return re.sub(r"[^a-z0-9]", "", model.lower())


def _scalar(value: Any) -> str:
    """As YAML of one line; JSON is YAML."""
    plain = isinstance(value, str) and re.fullmatch(r"[A-Za-z][\w./-]*", value)
    return str(value) if plain else json.dumps(value)
